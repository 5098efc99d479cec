"""What a comparison found, in plain values that are ready for a table, JSON or CSV.

The agreement of two sets is their Jaccard index |A and B| / |A or B|, 1 for two empty sets.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from relspan import checks
from relspan.errors import ParameterError
from relspan.result.answer_table import AnswerTable, counted
from relspan.result.record import current_versions, write_record


@dataclass(frozen=True)
class Outcome:
    """What one method selected on one table, and how well it did.

    Attributes
    ----------
    method : str
        The method's name.
    about : str
        What it does, in a few words.
    selected : tuple of str, default=()
        What it selects if it sees all rows. The scores are not those of this set, because each fold selects its own.
    strong : tuple of str, default=()
        The selected features that it calls irreplaceable; only relspan does.
    scores : tuple of float, default=()
        One score per fold. Columns are selected and the model is fitted on the other folds.
    fold_sizes : tuple of int, default=()
        How many columns were selected in each fold.
    fold_agreement : float, optional
        The mean Jaccard index of the folds' sets, which shows whether other rows give the same selection.
    seconds : float, default=0.0
        The time for all folds and the whole table together.
    error : str, optional
        Why the method gave no answer; then the fields above are empty.

    See Also
    --------
    MethodComparison : The outcomes of several methods.

    Examples
    --------
    >>> from relspan.compare import Outcome
    >>> Outcome("lasso", "L1 penalty, cross-validated", scores=(0.8, 0.9)).score
    0.8500000000000001
    """

    method: str
    about: str
    selected: tuple[str, ...] = ()
    strong: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    fold_sizes: tuple[int, ...] = ()
    fold_agreement: float | None = None
    seconds: float = 0.0
    error: str | None = None

    @property
    def score(self) -> float | None:
        """The mean score over the folds."""
        return float(np.mean(self.scores)) if self.scores else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the scores over the folds; not a standard error, because the folds share rows."""
        return float(np.std(self.scores, ddof=1)) if len(self.scores) > 1 else None


@dataclass(frozen=True, repr=False)
class MethodComparison(AnswerTable):
    """What several methods selected on one table, and how well it did.

    Attributes
    ----------
    target : str
        The name of the target.
    task : str
        The name of the task.
    scoring : str
        The scikit-learn scorer.
    features : tuple of str
        The names of the columns.
    n_samples : int
        The number of rows.
    outcomes : tuple of Outcome
        One per method that was run.
    unfinished : tuple of str, default=()
        The methods that were not run, because the comparison was interrupted.
    left_out : dict of str to str, optional
        The usual methods that were not run, each with the reason.
    parameters : dict, optional
        The number of folds, the seed, and the number of groups of rows, where there are groups.
    data : dict, optional
        How the table was read and prepared, where that is known.
    warnings : tuple of str, default=()
        What a reader should know before relying on the comparison.

    See Also
    --------
    compare : Makes a comparison.
    Outcome : What one method selected.

    Examples
    --------
    >>> from relspan.compare import compare
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=0, irrelevant=2, random_state=0)
    >>> compare(data.X, data.y, methods=["all"], folds=2).columns()["n_selected"]
    [3]
    """

    target: str
    task: str
    scoring: str
    features: tuple[str, ...]
    n_samples: int
    outcomes: tuple[Outcome, ...]
    unfinished: tuple[str, ...] = ()
    left_out: dict[str, str] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def partial(self) -> bool:
        """Whether the comparison was interrupted."""
        return bool(self.unfinished)

    @property
    def answered(self) -> list[Outcome]:
        """The methods that gave an answer."""
        return [outcome for outcome in self.outcomes if outcome.error is None]

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        answers = sorted(self.answered, key=lambda outcome: -(outcome.score or 0.0))
        best = f"; {answers[0].method} scores best ({self.scoring} {answers[0].score:.3g})" if answers else ""
        return f"{counted(len(self.outcomes), 'method')} for {self.target}{best}"

    def to_json(self) -> str:
        """The whole comparison as JSON.

        Returns
        -------
        str
            The JSON text, with all versions, every fold's score, and the agreement of every pair of methods.
        """
        head = {"kind": "comparison", "versions": current_versions()}
        body = asdict(self)
        for record, outcome in zip(body["outcomes"], self.outcomes, strict=True):
            record |= {"score": outcome.score, "deviation": outcome.deviation}
        more = {
            "partial": self.partial,
            "how_scores_were_made": how_scores_were_made(self),
            "agreement": {
                "methods": [outcome.method for outcome in self.answered],
                "jaccard": agreement([outcome.selected for outcome in self.answered]),
            },
        }
        return write_record({**head, **body, **more})

    def columns(self) -> dict[str, list[Any]]:
        """The comparison as a table, by column, with one row per method that answered.

        Returns
        -------
        dict of str to list
            The figures of the methods, and one column per feature: 0 for a feature left out, 1 for one selected, 2 for
            one that the method calls irreplaceable.
        """
        rows = self.answered
        figures: dict[str, list[Any]] = {
            "method": [o.method for o in rows],
            "n_selected": [len(o.selected) for o in rows],
            "score": [o.score for o in rows],
            "score_deviation": [o.deviation for o in rows],
            "mean_fold_size": [float(np.mean(o.fold_sizes)) for o in rows],
            "fold_agreement": [o.fold_agreement for o in rows],
            "seconds": [o.seconds for o in rows],
        }
        chosen = {
            f"selects {name}": [int(name in o.selected) + int(name in o.strong) for o in rows] for name in self.features
        }
        return figures | chosen


def how_scores_were_made(comparison: MethodComparison) -> str:
    """What the scores are, in sentences."""
    together = " Rows of one group stay in one fold." if comparison.parameters.get("groups") else ""
    return (
        f"The score is {comparison.scoring}, the mean of {comparison.parameters['folds']} folds.{together} In each "
        "fold, columns are selected and the model is fitted without the rows that score them. The selections shown are "
        "those on all rows."
    )


def jaccard(one: Collection[Any], other: Collection[Any]) -> float:
    """How far two sets agree: the Jaccard index.

    Parameters
    ----------
    one, other : collection
        The sets.

    Returns
    -------
    float
        The number of elements in both, divided by the number in either; 1 for two empty sets.

    See Also
    --------
    agreement : The same for every pair of several sets.

    Examples
    --------
    >>> from relspan.compare import jaccard
    >>> jaccard({"a", "b", "c"}, {"b", "c", "d"})
    0.5
    """
    first, second = (_as_set(name, value) for name, value in (("one", one), ("other", other)))
    both, either = len(first & second), len(first | second)
    return both / either if either else 1.0


def agreement(sets: Sequence[Collection[Any]]) -> list[list[float]]:
    """How far every two of several sets agree.

    Parameters
    ----------
    sets : sequence of collection
        The sets.

    Returns
    -------
    list of list of float
        The Jaccard index of every pair.

    See Also
    --------
    jaccard : The index of one pair.

    Examples
    --------
    >>> from relspan.compare import agreement
    >>> agreement(["ab", "b"])
    [[1.0, 0.5], [0.5, 1.0]]
    """
    each = checks.collection("sets", sets, "collections")
    return [[jaccard(one, other) for other in each] for one in each]


def _as_set(name: str, value: Any) -> set[Any]:
    try:
        return set(value)
    except TypeError as reason:
        raise ParameterError(f"{name} must be a collection, not {value!r}") from reason


def mean_agreement(sets: Sequence[Collection[Any]]) -> float | None:
    """The mean Jaccard index of all pairs; None for fewer than two sets."""
    pairs = list(combinations(sets, 2))
    return float(np.mean([jaccard(one, other) for one, other in pairs])) if pairs else None
