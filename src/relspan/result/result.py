"""RelevanceResult: what an analysis found, in the reader's units, frozen. Every surface reads it; none computes.

Relevances and weights are shares of the best model's L1 norm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

from relspan import checks
from relspan.errors import DataError, ParameterError
from relspan.result.answer_table import AnswerTable, counted
from relspan.result.feature_names import new_names, other_names, renamed_feature, renamed_group, renamed_keys
from relspan.result.feature_relevance import (
    CLASSES,
    FeatureRelevance,
    GroupRelevance,
    feature_record,
    group_record,
    read_feature,
    read_group,
)
from relspan.result.pin_effect import PIN_OUTCOMES
from relspan.result.record import read_record, reason_in_words, write_record
from relspan.result.result_changes import ResultChanges, changes_between
from relspan.result.verification import Certificates
from relspan.tolerances import CERTIFIED_GAP

MAPPINGS = (
    *("baseline", "budgets", "probes", "thresholds", "parameters", "data", "engine", "seconds", "proofs", "versions"),
)  # parts of a result that are mappings

WIDEST = 10_000  # columns of a text
PANEL = {"features", "cost", "bound", "proven"}  # what a report needs to know of a panel


@dataclass(frozen=True, repr=False)
class RelevanceResult(AnswerTable):
    """Intervals and classes of all features, with everything that led to them.

    A result is frozen, and everything that shows it reads it: text, reports, plots, notebooks and the explorer.
    A pickled result holds what its JSON holds: it leaves `certificates` and `session` behind, which hold the table.

    Attributes
    ----------
    task : str
        The name of the task, such as "classification".
    features : tuple of FeatureRelevance
        The features in the order of the table. In a result under pins their intervals are those under the pins, and
        their classes those without.
    baseline : dict
        The best model: ``C``, ``l1_norm``, ``loss``, ``null_loss`` (without features), the cross-validated ``score``.
    budgets : dict
        How much worse than the best model an equally good one may be.
    probes : dict
        The ends of the probes, which are permuted columns: what chance alone reaches. Empty in a result under pins.
    thresholds : dict of str to float
        What separates the classes. A feature is relevant if its `evidence` exceeds "evidence"; by the papers' own rule,
        where that key is missing, if its `max` exceeds "relevant". A strong feature's `min` exceeds "strong", which is
        rounding. "relevant" is how far chance reaches in a single weight, the unit of a feature's reach. "total" is how
        far it reaches in the sum of the absolute weights of a feature that has several, which is its `max`; the reach
        of such a feature is still that of its largest weight. Groups have a `threshold` of their own. Empty in a result
        under pins: how far chance reaches in the models that satisfy the pins is not known, because no probe was put to
        them.
    parameters : dict
        The parameters of the analysis.
    data : dict
        What the table was: its size, its file, its classes, and how it was prepared.
    warnings : tuple of str, default=()
        What a reader should know before relying on the result.
    privileged : tuple of FeatureRelevance, default=()
        Features that were known only during training.
    groups : tuple of GroupRelevance, default=()
        The groups that were asked about.
    extremal_scores : dict of str to float, optional
        How well the models at the ends of the intervals predict the rows of the table: the ``mean``, standard deviation
        (``sd``), ``least`` and ``largest`` of their scores, the number of ``models``, and the score of the best model
        on the same rows (``best_model``). The score is the task's, as in `baseline`. Empty under pins, for learned
        metrics, and where no model was computed.
    details : dict, optional
        What only some tasks report, such as the decisions of extremal models with a reject option.
    engine : dict, optional
        The ``name`` of the solver, the ``reason`` why it was chosen, and how many programs it left to another solver
        (``handed_over``).
    seconds : dict of str to float, optional
        How long each stage took, and "total".
    proofs : dict of str to float, optional
        How well the answer is proven: the largest certified "gap" of an end of an interval and "probe_gap" of a probe,
        as shares of the best model's norm, and the largest "violation" of a budget by a model that attains an end, as
        a share of the budget. Empty in a partial result and in one under pins.
    versions : dict of str to str, optional
        The versions of Python and of the packages that computed the result.
    partial : bool, default=False
        Whether the analysis was interrupted. Then `features` are those whose intervals were proven before, their class
        is "undecided", `thresholds` and `probes` are empty, and there are no certificates.
    unfinished : tuple of str, default=()
        The features without an interval in a partial result.
    passed : bool, optional
        Whether the table passed its test: the best model predicts rows left out of its fit better than chance. If not,
        no feature is called relevant. None where this was not tested: by the papers' own rule, for learned metrics, in
        a partial result, and where no feature helps.
    certificates : Certificates, optional
        The proofs behind the intervals. JSON does not hold them.
    session : callable, optional
        Makes an explorer of the data behind the result, where they are in memory.

    See Also
    --------
    FeatureRelevance : One feature of a result.
    Certificates : The proofs behind the intervals.
    relspan.plots.IntervalDisplay : What `plot` draws.

    Examples
    --------
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
    >>> result = RelevanceClassifier(random_state=0).fit(data.X, data.y).result_
    >>> result.names("strong")
    ['x0']
    >>> RelevanceResult.from_json(result.to_json()) == result
    True
    """

    task: str
    features: tuple[FeatureRelevance, ...]
    baseline: Mapping[str, Any]
    budgets: Mapping[str, Any]
    probes: Mapping[str, Any]
    thresholds: Mapping[str, float]
    parameters: Mapping[str, Any]
    data: Mapping[str, Any]
    warnings: tuple[str, ...] = ()
    privileged: tuple[FeatureRelevance, ...] = ()
    groups: tuple[GroupRelevance, ...] = ()
    extremal_scores: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    engine: Mapping[str, Any] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    proofs: Mapping[str, float] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    partial: bool = False
    unfinished: tuple[str, ...] = ()
    passed: bool | None = None
    certificates: Certificates | None = field(default=None, compare=False, repr=False)
    session: Callable[[], Any] | None = field(default=None, compare=False, repr=False)

    # -- what it holds -------------------------------------------------------------------------------------------------

    def __getitem__(self, name: str | int) -> FeatureRelevance:
        names = [f.name for f in self.features]
        if isinstance(name, str) and name not in names:
            encoded = self.data.get("encoded", {}).get(name, ())
            name = encoded[0] if len(encoded) == 1 else name  # a category of two levels has the name of one of them
            levels = {level.name: level for f in self.features if f.levels for level in f.by_class}
            if name in levels:
                return levels[name]
        try:
            return self.features[checks.place_of(name, names)]
        except ParameterError as error:
            raise KeyError(str(error)) from None

    def rename(self, names: Any) -> RelevanceResult:
        """Give the features other names.

        Parameters
        ----------
        names : mapping of str to str, sequence of str, or transformer
            New names by the old ones, or one per feature in the order of the table. A fitted transformer is asked for
            its ``get_feature_names_out()``.

        Returns
        -------
        RelevanceResult
            The same result under these names, without a session; an estimator's own `rename` keeps one.
        """
        encoded = self.data.get("encoded", {})
        found = new_names(names, [f.name for f in self.features], encoded)
        columns = {found.get(name, name): list(other_names(columns, found)) for name, columns in encoded.items()}
        proofs, sources = self.certificates, self.probes.get("sources", ())
        return replace(
            self,
            features=tuple(renamed_feature(f, found) for f in self.features),
            groups=tuple(renamed_group(group, found) for group in self.groups),
            unfinished=other_names(self.unfinished, found),
            budgets=renamed_keys(self.budgets, "drop_costs", found),
            probes={**self.probes, "sources": list(other_names(sources, found))} if sources else self.probes,
            data={**self.data, "encoded": columns} if encoded else self.data,
            certificates=proofs and replace(proofs, columns=other_names(proofs.columns, found)),
            session=None,
        )

    def names(self, relevance: str) -> list[str]:
        """The names of the features of one class, which pins do not change.

        Parameters
        ----------
        relevance : {"strong", "weak", "irrelevant", "undecided"}
            The class.

        Returns
        -------
        list of str
            The names, in the order of the table.
        """
        checks.one_of("relevance", relevance, CLASSES)
        return [f.name for f in self.features if f.relevance == relevance]

    def threshold_of(self, feature: FeatureRelevance | GroupRelevance) -> float | None:
        """How far chance reaches in the quantity that a feature's or a group's interval shows.

        Parameters
        ----------
        feature : FeatureRelevance or GroupRelevance
            A feature of this result, one of the weights in its `by_class`, or a group.

        Returns
        -------
        float or None
            The threshold of a total for a feature with several weights, that of a single weight for any other feature,
            its own for a group or a category, and None where it was not computed.
        """
        if not isinstance(feature, (FeatureRelevance, GroupRelevance)):
            raise ParameterError(f"feature must be a feature or group of this result, not {feature!r}")
        if isinstance(feature, GroupRelevance) or feature.levels:
            return feature.threshold
        return self.thresholds.get("relevant" if feature.parts is None else "total")

    @property
    def is_pinned(self) -> bool:
        """Whether this is a result under pins."""
        return any(f.under_pins is not None for f in self.features)

    @property
    def pin_outcomes(self) -> dict[str, list[str]]:
        """What pins do, and the names of the features to which they do it; empty in a result without pins."""
        effects = [(f.name, f.under_pins.outcome) for f in self.features if f.under_pins is not None]
        found = {outcome: [name for name, what in effects if what == outcome] for outcome in PIN_OUTCOMES}
        return found if effects else {}

    @property
    def is_null(self) -> bool:
        """Whether no feature helps: the best model uses none of them, and all are irrelevant."""
        return not self.partial and self.baseline.get("l1_norm") == 0

    @property
    def largest_gap(self) -> float:
        """The largest certified gap of any end, groups included, as a share of the best model's norm."""
        all_: list[FeatureRelevance | GroupRelevance] = [*self.features, *self.privileged, *self.groups]
        return max((max(each.gap_lo, each.gap_hi) for each in all_), default=0.0)

    @property
    def is_proven(self) -> bool:
        """Whether every end of an interval or probe is proven to 1e-6 of the best model's norm, or of a larger end.

        The largest total of a category with many levels is only bracketed, with its `gap_hi`. No class depends on it,
        and it does not count here.
        """
        return not self.unproven and all(size <= CERTIFIED_GAP for size in self.proofs.values())

    @property
    def unproven(self) -> list[str]:
        """The names of the features and groups that have an end which is not proven to that tolerance."""
        all_: list[FeatureRelevance | GroupRelevance] = [*self.features, *self.privileged, *self.groups]
        gaps = {each.name: each.gap_lo if _is_category(each) else max(each.gap_lo, each.gap_hi) for each in all_}
        return [each.name for each in all_ if not gaps[each.name] <= CERTIFIED_GAP * max(1.0, each.max)]

    # -- as JSON and as a table ----------------------------------------------------------------------------------------

    def to_json(self, indent: int | None = 2) -> str:
        """The whole result as JSON, except the certificates' models and multipliers.

        Parameters
        ----------
        indent : int or None, default=2
            Spaces per level; None writes one line.

        Returns
        -------
        str
            The JSON text, which `from_json` reads.
        """
        record = {
            "partial": self.partial,
            "passed": self.passed,
            "task": self.task,
            "data": self.data,
            "parameters": self.parameters,
            "baseline": self.baseline,
            "budgets": self.budgets,
            "features": [feature_record(f) for f in self.features],
            "unfinished": self.unfinished,
            "probes": self.probes,
            "thresholds": self.thresholds,
            "extremal_scores": self.extremal_scores,
            "warnings": self.warnings,
            "engine": self.engine,
            "seconds": self.seconds,
            "proofs": self.proofs,
            "versions": self.versions,
        }
        rare = {
            "privileged": [feature_record(f) for f in self.privileged],
            "groups": [group_record(group) for group in self.groups],
            "details": self.details,
        }
        return write_record({**record, **{key: value for key, value in rare.items() if value}}, indent)

    @classmethod
    def from_json(cls, text: str) -> RelevanceResult:
        """Read the result that `to_json` wrote.

        Parameters
        ----------
        text : str
            The JSON text.

        Returns
        -------
        RelevanceResult
            The same result, without certificates and session.

        Raises
        ------
        DataError
            If the text is something else, or was written by another version of relspan.
        """
        read = read_record(text, "the JSON of a relspan result")
        try:
            known = {key: read[key] for key in cls.__dataclass_fields__ if key in read}
            known["features"] = tuple(map(read_feature, read["features"]))
            known["privileged"] = tuple(map(read_feature, read.get("privileged", [])))
            known["groups"] = tuple(map(read_group, read.get("groups", [])))
            known["warnings"] = tuple(read["warnings"])
            wrong = next((key for key in MAPPINGS if not isinstance(known.get(key, {}), dict)), None)
            if wrong is not None or not isinstance(known["task"], str):
                raise TypeError(f"{wrong or 'task'} has another type")
            if not all(isinstance(text, str) for text in known["warnings"]):
                raise TypeError("a warning is not text")
            known["unfinished"] = tuple(read.get("unfinished", ()))
            return cls(**known)
        except (ValueError, KeyError, TypeError, AttributeError) as reason:
            raise DataError(f"this is not the JSON of a relspan result: {reason_in_words(reason)}") from reason

    def columns(self) -> dict[str, list[Any]]:
        """The features as a table, by column.

        Returns
        -------
        dict of str to list
            One list per column, one entry per feature; "cluster" has the names of the substitutes as one text, with
            semicolons between them. In a result under pins the second column, "under_pins", has what the pins do, and
            "unpinned_min" and "unpinned_max" at the end are the interval without them.
        """
        order = (
            *("name", "relevance", "min", "max", "lo", "hi", "direction"),
            *("evidence", "route", "cluster", "norm_made", "gap_lo", "gap_hi", "solved"),
        )
        columns = {key: [getattr(f, key) for f in self.features] for key in order}
        columns["threshold"] = [self.threshold_of(f) for f in self.features]
        columns["cluster"] = ["; ".join(names) for names in columns["cluster"]]
        effects = [f.under_pins for f in self.features if f.under_pins is not None]
        if not self.is_pinned:
            return columns
        return {
            "name": columns.pop("name"),
            "under_pins": [effect.words for effect in effects],
            **columns,
            "unpinned_min": [effect.unpinned_min for effect in effects],
            "unpinned_max": [effect.unpinned_max for effect in effects],
        }

    @property
    def headline(self) -> str:
        """The number of features of each class, and the size of the table.

        Returns
        -------
        str
            Some words without a full stop.
        """
        classes = [f"{len(self.names(kind))} {kind}" for kind in CLASSES if self.names(kind)]
        size = f" ({counted(self.data['n_samples'], 'row')})" if "n_samples" in self.data else ""
        return f"{self.task}, {', '.join(classes) or 'no interval yet'}{size}"

    def changes_since(self, earlier: RelevanceResult) -> ResultChanges:
        """What differs from an earlier result, and what was different when the two were made.

        Parameters
        ----------
        earlier : RelevanceResult
            The result to compare with, such as one that was read from a file.

        Returns
        -------
        ResultChanges
            The features that changed class or interval, and the differences in data, settings and versions.
        """
        if not isinstance(earlier, RelevanceResult):
            raise ParameterError(f"earlier must be a RelevanceResult, not {type(earlier).__name__}")
        return changes_between(earlier, self)

    # -- the surfaces: they lie above this file, which looks them up when they are asked for ---------------------------

    def to_text(self, width: int = 30, *, everything: bool = False) -> str:
        """A table in plain text with interval bars.

        Parameters
        ----------
        width : int, default=30
            Characters of a bar.
        everything : bool, default=False
            Whether irrelevant features have rows too; by default they are only counted.

        Returns
        -------
        str
            One line per feature, under a heading.
        """
        width, everything = (
            checks.whole("width", width, at_least=1, at_most=WIDEST),
            checks.flag("everything", everything),
        )
        return str(import_module("relspan.show.plain_text").table(self, width, everything))

    def __str__(self) -> str:
        return self.to_text()

    def to_html(
        self, title: str | None = None, groups: Any = None, panels: Sequence[Any] = (), model: Any = None
    ) -> str:
        """A report in one HTML file that needs no network.

        Parameters
        ----------
        title : str, optional
            The report's heading. By default it names the target, where that is known.
        groups : Groups or mapping of str to sequence of str, optional
            Features that replace one another, as an explorer's `groups()` finds them.
        panels : sequence of Panel or of their JSON records, default=()
            Panels, as an explorer's `smallest_panel()` finds them.
        model : Model, optional
            The best model, as an explorer's `model()` gives it.

        Returns
        -------
        str
            The text of the file. An explorer's own `to_html` finds groups, panels and the model by itself.
        """
        if title is not None:
            checks.text("title", title)
        if groups is not None and not hasattr(groups, "members"):
            checks.mapping("groups", groups, "names of groups to their features")
        if isinstance(panels, (str, Mapping)) or not isinstance(panels, Iterable):
            raise ParameterError(f"panels must be a list of panels, not {panels!r}")
        panels = list(panels)
        for panel in panels:
            if not (hasattr(panel, "proven") or (isinstance(panel, Mapping) and panel.keys() >= PANEL)):
                raise ParameterError(f"panels must be what an explorer's smallest_panel() gives, not {panel!r}")
        if model is not None and not hasattr(model, "offsets"):
            raise ParameterError(f"model must be what an explorer's model() gives, not {model!r}")
        return str(import_module("relspan.show.html.page").page(self, title, groups, panels, model=model))

    def _repr_html_(self) -> str:
        return str(import_module("relspan.show.html.notebook_table").notebook_table(self))

    def plot(self, **options: Any) -> Any:
        """Draw the interval chart; needs matplotlib.

        Parameters
        ----------
        **options
            Options of `relspan.plots.IntervalDisplay.from_result`.

        Returns
        -------
        IntervalDisplay
            The display, which holds the axes.
        """
        return import_module("relspan.plots.intervals").IntervalDisplay.from_result(self, **options)

    def explore(self, *, browser: bool = True) -> Any:
        """Open the explorer on the data behind this result; needs the extra ``web``.

        Parameters
        ----------
        browser : bool, default=True
            Whether to open a browser window.

        Returns
        -------
        object
            The running explorer; its `stop()` ends it.

        Raises
        ------
        ParameterError
            If the data are not in memory, as for a result that was read from a file.
        """
        if self.session is None:
            raise ParameterError(
                "this result has no data to explore; fit again, or run: relspan explore TABLE --target COLUMN"
            )
        return self.session().show(browser=browser)

    def verify(self, X: Any, y: Any, *, sample_weight: Any = None, groups: Any = None, privileged: Any = None) -> Any:
        """Check that this result follows from a table: make the analysis again and compare everything reported.

        The proofs behind the intervals are evaluated without a solver, and every number, name, bound and class of this
        result is compared with what the table gives. A result that was read from a file can be verified, too. Shares of
        the norm must agree to within 2e-6, other numbers to within as much of themselves. Not compared are how the
        result was computed (`seconds`, `versions`, `engine`), what `data` says of the file, additional warnings, and
        parameters that do not change an answer, such as `n_jobs`.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            The target.
        sample_weight : array-like of shape (n_samples,), default=None
            The weights of the samples, if the result was made with some.
        groups : array-like of shape (n_samples,), default=None
            The groups of the samples, if the result was made with some.
        privileged : array-like or data frame of shape (n_samples, n_privileged), default=None
            The privileged columns, if the result was made with some.

        Returns
        -------
        Verification
            How much was compared, and the largest difference.

        Raises
        ------
        VerificationError
            If a proof fails, or a value differs; it names the first ones.

        Examples
        --------
        >>> from relspan import RelevanceClassifier
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
        >>> result = RelevanceClassifier(random_state=0).fit(data.X, data.y).result_
        >>> result.verify(data.X, data.y).largest_difference
        0.0
        """
        again = import_module("relspan.tasks.repeated_analysis")
        return again.verify(self, X, y, sample_weight, groups, privileged)

    # -- copies --------------------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "certificates": None, "session": None}  # both hold the table

    def __deepcopy__(self, memo: dict[int, Any]) -> RelevanceResult:
        return self  # it never changes


def _is_category(each: FeatureRelevance | GroupRelevance) -> bool:
    return each.category if isinstance(each, GroupRelevance) else bool(each.levels)
