"""``relspan metric``: relevance intervals of a metric learned for a table."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import typer
from numpy.typing import NDArray
from sklearn.neighbors import NeighborhoodComponentsAnalysis

from relspan.arrays import Floats
from relspan.cli.exit_codes import complain
from relspan.cli.options import analysis as fitting
from relspan.cli.options import table as reading
from relspan.cli.options.output import Everything, Format, Output, destination
from relspan.cli.progress_bar import reported
from relspan.errors import DataError, ParameterError, RelspanWarning
from relspan.metric import GMLVQ, LMNN, MetricRelevance
from relspan.metric.map_analysis import DIRECTIONS, MapSettings
from relspan.result import RelevanceResult
from relspan.tables import NamedMatrix

LEARNERS = ("gmlvq", "lmnn", "nca")
DEFAULTS = MapSettings()
PANEL = "Metric"


def metric_learner(
    name: str, rank: int | None = None, prototypes: int | None = None, neighbors: int | None = None
) -> Any:
    """The learner of that name, not fitted; what it has no use for is refused."""
    if name not in LEARNERS:
        raise ParameterError(f"learner must be one of {', '.join(LEARNERS)}, not {name!r}")
    for option, value, owner in (("prototypes", prototypes, "gmlvq"), ("neighbors", neighbors, "lmnn")):
        if value is not None and name != owner:
            raise ParameterError(f"{option}={value} means nothing to {name}; it is an option of {owner}")
    if rank is not None and rank < 1:
        raise ParameterError(f"rank={rank} must be a whole number of at least 1")
    if name == "gmlvq":
        return GMLVQ(1 if prototypes is None else prototypes, rank=rank)
    if name == "lmnn":
        return LMNN(3 if neighbors is None else neighbors, rank=rank)
    return NeighborhoodComponentsAnalysis(n_components=rank)


def dimension_of(text: str) -> str | int | float:
    """An effective dimension as it is typed: auto, 3, or .01."""
    if text == "auto":
        return text
    try:
        return int(text) if text.isdigit() else float(text)
    except ValueError:
        raise ParameterError(f"effective dimension must be auto, a whole number or a ratio, not {text!r}") from None


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
        raise DataError(f"the target holds numbers such as {y[0]:g}; a metric is learned for classes")
    if getattr(learner, "n_components", None) is not None and learner.n_components > len(names):
        raise ParameterError(f"rank={learner.n_components} must lie between 1 and the number of features, {len(names)}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RelspanWarning)  # they are in the result
        return MetricRelevance(learner, **options).fit(NamedMatrix(X, tuple(names)), y).result_


def metric_command(
    file: reading.File,
    target: reading.Target,
    *,
    learner: Annotated[
        str, typer.Option(metavar="|".join(LEARNERS), help="What learns the metric.", rich_help_panel=PANEL)
    ] = "gmlvq",
    rank: Annotated[
        int | None, typer.Option(help="Rows of the map.", show_default="all", rich_help_panel=PANEL)
    ] = None,
    prototypes: Annotated[
        int | None, typer.Option(help="Prototypes a class, for gmlvq.", show_default="1", rich_help_panel=PANEL)
    ] = None,
    neighbors: Annotated[
        int | None, typer.Option(help="Neighbours of a sample, for lmnn.", show_default="3", rich_help_panel=PANEL)
    ] = None,
    effective_dimension: Annotated[
        str,
        typer.Option(metavar="auto|N|RATIO", help="Directions of the data that count.", rich_help_panel=PANEL),
    ] = "auto",
    directions: Annotated[
        str,
        typer.Option(
            metavar="|".join(DIRECTIONS),
            help="Which of them: all, or those its classification needs.",
            rich_help_panel=PANEL,
        ),
    ] = DEFAULTS.directions,
    epsilon: Annotated[
        float, typer.Option(help="Length beyond the shortest map's that is allowed, as a share.", rich_help_panel=PANEL)
    ] = DEFAULTS.epsilon,
    output: Output = "-",
    form: Format = None,
    everything: Everything = False,
    quiet: fitting.Quiet = False,
    categorical: reading.Categorical,
    impute: reading.Impute = None,
    drop: reading.Drop,
    separator: reading.Separator = None,
    decimal: reading.Decimal = None,
    encoding: reading.Encoding = "utf-8",
    missing: reading.Missing,
    n_probes: fitting.ProbeCount = DEFAULTS.n_probes,
    alpha: fitting.Alpha = DEFAULTS.alpha,
    no_standardize: fitting.AsTheyAre = False,
    engine: fitting.EngineName = DEFAULTS.engine,
    jobs: fitting.Jobs = DEFAULTS.n_jobs,
    seed: fitting.Seed = 0,
) -> None:
    """Learn a metric for the target, and tell how much each column can, and must, weigh in it."""
    where, model = destination(output, form), metric_learner(learner, rank, prototypes, neighbors)
    options: dict[str, Any] = {
        "effective_dimension": dimension_of(effective_dimension),
        "directions": directions,
        "epsilon": epsilon,
        "n_probes": n_probes,
        "alpha": alpha,
        "engine": engine,
        "n_jobs": jobs,
    }
    MapSettings(**options)  # refuse what means nothing before a table is read
    prepared = reading.load(
        file,
        target,
        categorical=categorical,
        impute=impute,
        drop=drop,
        separator=separator,
        decimal=decimal,
        encoding=encoding,
        missing=missing,
        quiet=quiet,
    )
    X, y, names, _ = prepared
    with reported(f"learning a metric ({learner}) for {len(names)} features, {len(X)} rows", quiet):
        result = metric_analysis(names, X, y, model, standardize=not no_standardize, random_state=seed, **options)
    for remark in result.warnings:
        complain(f"warning: {remark}")
    where.write(replace(result, data={**result.data, **prepared.report.facts()}), everything)
