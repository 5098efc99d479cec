"""What a comparison found: plain values, ready for a table, JSON or CSV.

The agreement of two sets is their Jaccard index |A and B| / |A or B|, 1 for two empty sets.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from relspan.result import current_versions

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Outcome:
    """One method on one table.

    Attributes
    ----------
    method, about : str
        Its name and what it is.
    selected : tuple of str
        Kept when it sees all rows. The scores are not of this very set: each fold chose its own.
    strong : tuple of str
        Those of them that it says cannot be replaced (relspan only).
    scores : tuple of float
        One a fold: columns chosen and model fitted on the other folds, scored on this one.
    fold_sizes : tuple of int
        How many columns each fold chose.
    fold_agreement : float
        Mean Jaccard index of the folds' sets: does the method choose the same from other rows?
    seconds : float
        Elapsed, all folds and the whole table together.
    error : str, optional
        Why there is no answer; then the fields above are empty.
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
        """Mean over the folds."""
        return float(np.mean(self.scores)) if self.scores else None

    @property
    def deviation(self) -> float | None:
        """Standard deviation over the folds; no standard error, as the folds share rows."""
        return float(np.std(self.scores, ddof=1)) if len(self.scores) > 1 else None


@dataclass(frozen=True)
class MethodComparison:
    """Several methods on one table; `to_json` keeps everything, `columns` one row a method."""

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

    def to_json(self) -> str:
        """JSON with a schema version, all versions, every fold's score, and the agreement matrix."""
        head = {"schema_version": SCHEMA_VERSION, "kind": "comparison", "versions": current_versions()}
        body = asdict(self)
        for told, outcome in zip(body["outcomes"], self.outcomes, strict=True):
            told |= {"score": outcome.score, "deviation": outcome.deviation}
        more = {
            "partial": self.partial,
            "scores_are": honest(self),
            "agreement": {
                "methods": [outcome.method for outcome in self.answered],
                "jaccard": agreement([outcome.selected for outcome in self.answered]),
            },
        }
        return json.dumps(head | body | more, indent=2, allow_nan=False)

    def columns(self) -> dict[str, list[Any]]:
        """One row a method that answered: its figures, then 1 or 0 for every feature (2 where it is strong)."""
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


def honest(comparison: MethodComparison) -> str:
    """What the scores are, in one sentence."""
    return (
        f"{comparison.scoring}, mean of {comparison.parameters['folds']} folds; columns are chosen, sizes tuned and "
        "the model fitted without the fold that scores them. The sets shown are chosen on all rows."
    )


def jaccard(one: Collection[Any], other: Collection[Any]) -> float:
    """|one and other| / |one or other|; 1 where both are empty."""
    both, either = len(set(one) & set(other)), len(set(one) | set(other))
    return both / either if either else 1.0


def agreement(sets: Sequence[Collection[Any]]) -> list[list[float]]:
    """The Jaccard index of every pair."""
    return [[jaccard(one, other) for other in sets] for one in sets]


def mean_agreement(sets: Sequence[Collection[Any]]) -> float | None:
    """Its mean over pairs; None for less than two sets."""
    pairs = list(combinations(sets, 2))
    return float(np.mean([jaccard(one, other) for one, other in pairs])) if pairs else None
