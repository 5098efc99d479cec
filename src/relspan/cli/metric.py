"""``relspan metric``: relevance intervals of a metric learned for a table."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from numpy.typing import NDArray
from sklearn.neighbors import NeighborhoodComponentsAnalysis

from relspan import checks
from relspan.arrays import Floats
from relspan.cli.analyze import write_result
from relspan.cli.exit_codes import complain
from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import FeatureOutput
from relspan.cli.options.packs import Only, Without
from relspan.cli.options.table import File, Target, load
from relspan.cli.progress_bar import reported
from relspan.errors import DataError, ParameterError, RelspanWarning
from relspan.metric import GMLVQ, LMNN, MetricRelevance
from relspan.metric.map_settings import MapSettings
from relspan.options import option, option_of
from relspan.result import RelevanceResult
from relspan.tables import NamedMatrix, TableOptions

METRIC_LEARNERS = ("gmlvq", "lmnn", "nca")


@dataclass(frozen=True)
class MetricOptions:
    """What learns the metric, and which metrics count as equivalent."""

    learner: str = option("gmlvq", metavar="|".join(METRIC_LEARNERS), help="The method that learns the metric.")
    rank: int | None = option(
        None, help="The number of rows of the learned map.", show_default="the number of features"
    )
    prototypes: int | None = option(None, help="The number of prototypes per class (gmlvq).", show_default="1")
    neighbors: int | None = option(None, help="The number of neighbours of each sample (lmnn).", show_default="3")
    effective_dimension: str = option_of(MapSettings, "effective_dimension")
    dimension_by: str = option_of(MapSettings, "dimension_by")
    directions: str = option_of(MapSettings, "directions")
    delta_norm: float = option_of(MapSettings, "delta_norm")
    combine: str = option_of(MapSettings, "combine")
    n_probes: int = option_of(MapSettings, "n_probes")
    alpha: float = option_of(MapSettings, "alpha")

    def model(self) -> Any:
        """The learner, not fitted."""
        return metric_learner(self.learner, self.rank, self.prototypes, self.neighbors)

    def settings(self) -> dict[str, Any]:
        """The settings of the analysis of the learned map."""
        return {
            "effective_dimension": dimension_of(self.effective_dimension),
            "dimension_by": self.dimension_by,
            "directions": self.directions,
            "delta_norm": self.delta_norm,
            "combine": self.combine,
            "n_probes": self.n_probes,
            "alpha": self.alpha,
        }


def metric_command(
    file: File,
    target: Target,
    *,
    metric: MetricOptions,
    output: FeatureOutput,
    table: Annotated[TableOptions, Without("groups", "event")],
    analysis: Annotated[AnalysisOptions, Only("no_standardize", "engine", "n_jobs", "seed", "checkpoint")],
) -> None:
    """Learn a metric for the target, and report how much each column can, and must, weigh in it.

    A metric learner finds a linear map after which rows of one class lie close together. Several maps place the rows
    alike; over all of them the weight of a column fills an interval.
    """
    model, settings = metric.model(), {**metric.settings(), **analysis.settings}
    MapSettings(**settings)  # refuse what means nothing before a table is read
    prepared = load(file, target, table, output)
    X, y, names, *_ = prepared
    about = f"learning a metric ({metric.learner}) for {len(names)} features, {len(X)} rows"
    with reported(about, output.quiet) as progress:
        parameters = {**settings, **analysis.parameters(), "progress": progress}
        del parameters["on_null"]  # a map without features is refused
        result = metric_analysis(names, X, y, model, **parameters)
    for remark in result.warnings:
        complain(f"warning: {remark}")
    write_result(replace(result, data={**result.data, **prepared.report.facts()}), output)


def metric_learner(
    name: str, rank: int | None = None, prototypes: int | None = None, neighbors: int | None = None
) -> Any:
    """The learner of that name, not fitted; what it has no use for is refused."""
    checks.one_of("learner", name, METRIC_LEARNERS)
    for parameter, value, owner in (("prototypes", prototypes, "gmlvq"), ("neighbors", neighbors, "lmnn")):
        if value is not None and name != owner:
            raise ParameterError(f"{parameter}={value} does not apply to {name}; it is an option of {owner}")
    if rank is not None:
        checks.whole("rank", rank, at_least=1)
    if name == "gmlvq":
        return GMLVQ(n_prototypes=1 if prototypes is None else prototypes, rank=rank)
    if name == "lmnn":
        return LMNN(n_neighbors=3 if neighbors is None else neighbors, rank=rank)
    return NeighborhoodComponentsAnalysis(n_components=rank)


def dimension_of(text: str) -> str | int | float:
    """An effective dimension as it is typed: auto, 3, or .01."""
    if text == "auto":
        return text
    try:
        return int(text) if text.isdigit() else float(text)
    except ValueError:
        raise ParameterError(f"effective_dimension must be auto, a whole number or a ratio, not {text!r}") from None


def metric_analysis(names: Sequence[str], X: Floats, y: NDArray[Any], learner: Any, **options: Any) -> RelevanceResult:
    """Intervals of every column in the metric learned for y.

    Parameters
    ----------
    names : sequence of str
    X : ndarray of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
    learner : estimator
        From :func:`metric_learner`, or any other.
    **options
        Parameters of :class:`relspan.metric.MetricRelevance`.

    Returns
    -------
    RelevanceResult
        Of task "metric"; its remarks are in ``warnings``.
    """
    if y.dtype.kind == "f":
        raise DataError(f"the target contains numbers such as {y[0]:g}; a metric is learned for classes")
    if getattr(learner, "n_components", None) is not None and learner.n_components > len(names):
        raise ParameterError(f"rank={learner.n_components} must lie between 1 and the number of features, {len(names)}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RelspanWarning)  # they are in the result
        return MetricRelevance(learner, **options).fit(NamedMatrix(X, tuple(names)), y).result_
