"""ResultChanges: what differs between two results, and what was different when they were made.

A result records its table, its settings and the versions that computed it, so two results can be compared without
their tables: features by name, their classes and intervals; and then everything recorded that may be the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from relspan.analysis.settings import NOT_IN_THE_ANSWER
from relspan.checks import one_of
from relspan.result.answer_table import AnswerTable, counted
from relspan.result.feature_relevance import FeatureRelevance
from relspan.result.record import write_record
from relspan.tolerances import VISIBLE_CHANGE

if TYPE_CHECKING:
    from relspan.result.result import RelevanceResult

CHANGES = ("class", "interval", "added", "removed", "same")
"""What can have happened to a feature: another class, another interval only, new, gone, or nothing."""
WORDS = {
    "n_samples": "rows",
    "n_features": "features",
    "sha256": "content of the file",
    "target_range": "range of the target",
    "l1_norm": "norm",
    "null_loss": "loss without features",
    "loss_function": "loss function",
}
BEST_MODEL = ("C", "l1_norm", "loss", "null_loss", "score")
LONGEST_VALUE = 40  # characters of a value in a sentence


@dataclass(frozen=True)
class FeatureChange:
    """One feature in two results.

    Parameters
    ----------
    name : str
        The feature.
    before, after : FeatureRelevance or None
        What the earlier and the later result state about it; None where a result does not have it.

    See Also
    --------
    ResultChanges : All features.

    Examples
    --------
    >>> from relspan.result import FeatureChange, FeatureRelevance
    >>> FeatureChange("age", None, FeatureRelevance("age", 0.0, 0.2, 0.0, 0.2, "weak")).kind
    'added'
    """

    name: str
    before: FeatureRelevance | None
    after: FeatureRelevance | None

    @property
    def kind(self) -> str:
        """What happened to the feature.

        Returns
        -------
        {"class", "interval", "added", "removed", "same"}
            Another class (and perhaps another interval), another interval alone, in one of the results only, or
            nothing that can be seen.
        """
        if self.before is None or self.after is None:
            return "added" if self.before is None else "removed"
        if self.before.relevance != self.after.relevance:
            return "class"
        moved = max(abs(self.before.min - self.after.min), abs(self.before.max - self.after.max))
        return "interval" if moved > VISIBLE_CHANGE else "same"

    @property
    def irrelevant(self) -> bool:
        """Whether every result that has the feature calls it irrelevant.

        Returns
        -------
        bool
            True where neither result calls it strong, weak or undecided.
        """
        return {feature.relevance for feature in (self.before, self.after) if feature is not None} == {"irrelevant"}


@dataclass(frozen=True, repr=False)
class ResultChanges(AnswerTable):
    """What differs between an earlier and a later result.

    Parameters
    ----------
    features : tuple of FeatureChange
        Every feature of either result, in the order of the later one; those that are gone come last.
    data, settings, versions : tuple of str
        What differs in the tables, in the settings and in the versions, one text each: "rows: 500 -> 400".
    best_model : tuple of str
        What differs in the best models.
    remarks : tuple of str
        What the two results cannot show, in sentences.

    See Also
    --------
    RelevanceResult.changes_since : Compare two results.

    Examples
    --------
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
    >>> old = RelevanceClassifier(random_state=0).fit(data.X, data.y).result_
    >>> new = RelevanceClassifier(random_state=0, delta_norm=0.2).fit(data.X, data.y).result_
    >>> new.changes_since(old).settings
    ('delta_norm: 0.1 -> 0.2',)
    """

    features: tuple[FeatureChange, ...]
    data: tuple[str, ...]
    settings: tuple[str, ...]
    versions: tuple[str, ...]
    best_model: tuple[str, ...]
    remarks: tuple[str, ...]

    def names(self, kind: str) -> list[str]:
        """The names of the features to which one thing happened.

        Parameters
        ----------
        kind : {"class", "interval", "added", "removed", "same"}
            What happened, as in `FeatureChange.kind`.

        Returns
        -------
        list of str
            The names.
        """
        one_of("kind", kind, CHANGES)
        return [change.name for change in self.features if change.kind == kind]

    def columns(self) -> dict[str, list[Any]]:
        """One row per feature, by column.

        Returns
        -------
        dict of str to list
            What happened to the feature, and its class and interval in both results.
        """
        both = [(side, [getattr(change, side) for change in self.features]) for side in ("before", "after")]
        values = {
            f"{key}_{side}": [None if feature is None else getattr(feature, key) for feature in features]
            for key in ("relevance", "min", "max")
            for side, features in both
        }
        return {
            "name": [change.name for change in self.features],
            "change": [change.kind for change in self.features],
            **values,
        }

    @property
    def headline(self) -> str:
        """How many features changed.

        Returns
        -------
        str
            Some words without a full stop.
        """
        counts = {kind: len(self.names(kind)) for kind in CHANGES}
        all_ = counted(len(self.features), "feature")
        if counts["same"] == len(self.features):
            return f"{all_}, and none changed class or interval"
        text = f"{counts['class']} of {all_} changed class, {counts['interval']} the interval alone"
        return text + "".join(f", {counts[kind]} {kind}" for kind in ("added", "removed") if counts[kind])

    def __str__(self) -> str:
        lines = [f"{self.headline[:1].upper()}{self.headline[1:]}."]
        for title, texts in (
            ("data", self.data),
            ("settings", self.settings),
            ("versions", self.versions),
            ("best model", self.best_model),
        ):
            lines += [f"{title if not number else '':<12}{text}" for number, text in enumerate(texts)]
        changed = [change for kind in CHANGES[:-1] for change in self.features if change.kind == kind]
        shown = [change for change in changed if not change.irrelevant]
        width = max([len(change.name) for change in shown] + [7])
        if shown:
            lines.append(f"{'feature':<{width}}  {'before':<25}  after")
        lines += [f"{one.name:<{width}}  {_state(one.before):<25}  {_state(one.after)}".rstrip() for one in shown]
        if len(changed) > len(shown):
            lines.append(f"{counted(len(changed) - len(shown), 'irrelevant feature')} changed as well.")
        return "\n".join([*lines, *self.remarks])

    def to_json(self, indent: int | None = 2) -> str:
        """Write the changes as JSON.

        Parameters
        ----------
        indent : int or None, default=2
            Spaces per level; None puts everything on one line.

        Returns
        -------
        str
            The JSON text.
        """
        columns = self.columns()
        features = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        reasons = {key: getattr(self, key) for key in ("data", "settings", "versions", "best_model", "remarks")}
        return write_record({"kind": "changes", "summary": self.headline, **reasons, "features": features}, indent)


def changes_between(earlier: RelevanceResult, later: RelevanceResult) -> ResultChanges:
    """What differs between two results."""
    old, new = ({f.name: f for f in result.features} for result in (earlier, later))
    names = [*new, *(name for name in old if name not in new)]
    settings = [
        {"task": result.task, **{k: v for k, v in result.parameters.items() if k not in NOT_IN_THE_ANSWER}}
        for result in (earlier, later)
    ]
    best = [{key: result.baseline.get(key) for key in BEST_MODEL} for result in (earlier, later)]
    changes = ResultChanges(
        tuple(FeatureChange(name, old.get(name), new.get(name)) for name in names),
        _differences(earlier.data, later.data),
        _differences(*settings),
        _differences(earlier.versions, later.versions),
        _differences(*best),
        (),
    )
    return ResultChanges(**{**vars(changes), "remarks": tuple(_remarks(earlier, later, changes))})


def _remarks(earlier: RelevanceResult, later: RelevanceResult, changes: ResultChanges) -> list[str]:
    remarks = []
    if not ("sha256" in earlier.data and "sha256" in later.data):
        remarks.append("Whether both tables hold the same values is not recorded: not both were read from files.")
    if None in (earlier.parameters.get("random_state"), later.parameters.get("random_state")):
        remarks.append("A seed (random_state) was not set, so folds and probes may differ by chance.")
    partial = [word for word, result in (("earlier", earlier), ("later", later)) if result.partial]
    if partial:
        remarks.append(f"The {' and the '.join(partial)} result is partial: the analysis was interrupted.")
    nothing = not (changes.data or changes.settings or changes.versions)
    if nothing and not remarks and any(change.kind != "same" for change in changes.features):
        remarks.append("Nothing that the results record explains the differences.")
    return remarks


def _differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """The entries that differ, one text each."""
    return tuple(
        f"{WORDS.get(key, key)}: {_value(old.get(key))} -> {_value(new.get(key))}"
        for key in dict.fromkeys([*old, *new])
        if _value(old.get(key), None) != _value(new.get(key), None)
    )


def _value(value: Any, longest: int | None = LONGEST_VALUE) -> str:
    """A value in a sentence; numbers to six digits, so that rounding is no difference."""
    if value is None or value == "" or (isinstance(value, (list, tuple, dict)) and not value):
        return "none"
    if isinstance(value, Mapping):
        text = ", ".join(f"{key}: {_value(item, None)}" for key, item in value.items())
    elif isinstance(value, (list, tuple)):
        text = ", ".join(_value(item, None) for item in value)
    else:
        text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return text if longest is None or len(text) <= longest else f"{text[: longest - 3]}..."


def _state(feature: FeatureRelevance | None) -> str:
    return "" if feature is None else f"{feature.relevance:<10} {feature.min:.3f} to {feature.max:.3f}"
