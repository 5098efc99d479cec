"""Predictions that all equally good models share.

A sample's score x.w + b is a linear functional of the model, so over the family it fills an interval [lo, hi], found by
two programs. Where the label is the same at both ends it is the same in every equally good model (labels are steps of
the score, so nothing else lies between): the label is *certain*, else *ambiguous*. Certified gaps count against
certainty.

With several ordered thresholds b_1 <= ... <= b_m the label is the number of thresholds below x.w, and each x.w - b_k
has its own interval.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from relspan.arrays import Floats
from relspan.engines.certificates import CertifiedMaxima
from relspan.errors import ParameterError
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.pinned_family import PinnedFamily, PinSolver

CHUNK = 256  # samples whose programs are solved, and proven, together


@dataclass(frozen=True)
class Prediction:
    """What the equally good models predict for one sample.

    Parameters
    ----------
    score : float
        The score of the best model.
    lo, hi : float
        The smallest and the largest score over all equally good models.
    gap : float
        How far the truth may lie beyond these ends: the larger of the two certified gaps.
    label : object
        The label of the best model; None where it rejects the sample, or where the target has no classes.
    labels : tuple or None
        The labels that equally good models can give, from the lowest score to the highest; None where the target has
        no classes.
    certain : bool or None
        Whether there is only one such label; None where the target has no classes.

    See Also
    --------
    Predictions : The predictions of several samples.

    Examples
    --------
    >>> from relspan.explore import Prediction
    >>> Prediction(0.4, -0.1, 0.9, 0.0, "yes", ("no", "yes"), False).certain
    False
    """

    score: float
    lo: float
    hi: float
    gap: float
    label: Any
    labels: tuple[Any, ...] | None
    certain: bool | None


@dataclass(frozen=True)
class Predictions:
    """What the equally good models predict for some samples.

    Parameters
    ----------
    samples : tuple of Prediction
        One prediction per sample, in the order of the samples.

    See Also
    --------
    Explorer.predictions : Compute them.

    Examples
    --------
    >>> from relspan.explore import Prediction, Predictions
    >>> found = Predictions((Prediction(0.4, -0.1, 0.9, 0.0, "yes", ("no", "yes"), False),))
    >>> found.ambiguous
    1.0
    """

    samples: tuple[Prediction, ...]

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, sample: int) -> Prediction:
        return self.samples[sample]

    @property
    def intervals(self) -> Floats:
        """The score intervals.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            The smallest and the largest score of each sample.
        """
        return np.array([[p.lo, p.hi] for p in self.samples]).reshape(-1, 2)

    @property
    def ambiguous(self) -> float:
        """The share of samples on whose label the equally good models disagree.

        Returns
        -------
        float
            A share between 0 and 1.
        """
        return float(np.mean([p.certain is False for p in self.samples])) if self.samples else 0.0

    def to_json(self, indent: int | None = 2) -> str:
        """Write the predictions as JSON.

        Parameters
        ----------
        indent : int or None, default=2
            Spaces per level; None puts everything on one line.

        Returns
        -------
        str
            The JSON text.
        """
        return json.dumps({"ambiguous": self.ambiguous, "samples": [asdict(p) for p in self.samples]}, indent=indent)


def predictions(solver: PinSolver, pinned: PinnedFamily, Z: Floats) -> Predictions:
    """The predictions of scaled samples at the pins; the score is that of the best model there."""
    problem = solver.problem
    ranges = score_ranges(solver, pinned, score_directions(problem, Z))
    best = pinned.best.best
    scores = score_directions(problem, Z) @ best
    if problem.classes is None:
        return Predictions(
            tuple(
                Prediction(float(s), float(lo), float(hi), float(gap), None, None, None)
                for s, (lo, hi, gap) in zip(scores, ranges, strict=True)
            )
        )
    lowest, highest = _label_codes(solver, pinned, Z, ranges)
    own = problem.loss.predict(Z, best[: len(problem.columns)], best[len(problem.columns) :])
    steps = label_steps(problem)
    found = []
    for s, (lo, hi, gap), code, first, last in zip(scores, ranges, own, lowest, highest, strict=True):
        labels = tuple(steps[c] for c in steps if first <= c <= last)
        found.append(Prediction(float(s), float(lo), float(hi), float(gap), steps[code], labels, bool(first == last)))
    return Predictions(tuple(found))


def score_directions(problem: FittedProblem, Z: Floats) -> Floats:
    """The score of each sample as a direction over (w, b); several offsets are thresholds and not part of it."""
    offsets = problem.loss.n_offsets
    return np.hstack([Z, np.ones((len(Z), 1)) if offsets == 1 else np.zeros((len(Z), offsets))])


def label_steps(problem: FittedProblem) -> dict[float, Any]:
    """The labels by the code that the loss predicts, in the order of the score; code 0 of two classes: rejected."""
    classes = problem.classes or ()
    if problem.loss.n_offsets > 1:
        return {float(rank): label for rank, label in enumerate(classes)}
    steps = {-1.0: classes[0], 0.0: None, 1.0: classes[1]}
    return steps if _rejects(problem) else {code: steps[code] for code in (-1.0, 1.0)}


def _rejects(problem: FittedProblem) -> bool:
    """Whether a score of 0 is given no label."""
    return bool(problem.loss.predict(np.zeros((1, 1)), np.ones(1), np.zeros(1))[0] == 0)


def _label_codes(solver: PinSolver, pinned: PinnedFamily, Z: Floats, ranges: Floats) -> tuple[Floats, Floats]:
    """The lowest and the highest label code of every sample over the family."""
    problem, offsets = solver.problem, solver.problem.loss.n_offsets
    if offsets == 1:
        ends = ranges[:, 0] - ranges[:, 2], ranges[:, 1] + ranges[:, 2]
        lowest, highest = (problem.loss.predict(end[:, None], np.ones(1), np.zeros(1)) for end in ends)
        return np.asarray(lowest), np.asarray(highest)
    if not problem.loss.name.startswith("ordinal"):
        raise ParameterError(f"predictions over a family are not known for the loss {problem.loss.name!r}")
    lowest, highest = np.zeros(len(Z)), np.zeros(len(Z))
    for threshold in range(offsets):
        beyond = np.hstack([Z, -np.tile(np.eye(offsets)[threshold], (len(Z), 1))])
        margin = score_ranges(solver, pinned, beyond)
        lowest += margin[:, 0] - margin[:, 2] > 0
        highest += margin[:, 1] + margin[:, 2] > 0
    return lowest, highest


def score_ranges(solver: PinSolver, pinned: PinnedFamily, directions: Floats) -> Floats:
    """(n, 3): lo, hi and the larger certified gap of every direction, over the hull of the branches."""
    order = np.argsort(directions @ pinned.best.best, kind="stable")
    found = np.empty((len(directions), 3))
    for first in range(0, len(order), CHUNK):
        part = order[first : first + CHUNK]
        each = [_ends(solver, pinned, branch, directions[part]) for branch in range(len(pinned.branches))]
        lo = np.min([-down.values for _, down in each], axis=0)
        hi = np.max([up.values for up, _ in each], axis=0)
        outer_lo = np.min([-down.bounds for _, down in each], axis=0)
        outer_hi = np.max([up.bounds for up, _ in each], axis=0)
        found[part] = np.column_stack([lo, hi, np.maximum(lo - outer_lo, outer_hi - hi)])
    return found


def _ends(
    solver: PinSolver, pinned: PinnedFamily, branch: int, directions: Floats
) -> tuple[CertifiedMaxima, CertifiedMaxima]:
    """Upwards along the order, then downwards: neighbours have near optima."""
    over = pinned.branches[branch]
    return solver.maxima_over(over, directions), solver.maxima_over(over, -directions)
