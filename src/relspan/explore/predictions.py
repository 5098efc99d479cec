"""Predictions that all equally good models share.

A sample's score x.w + b is a linear functional of the model, so over the family it fills an interval [lo, hi], found by
two programs. So does every margin of the sample (see `relspan.losses.loss.OneScoreLoss`): x.w + b itself where the
offset is an intercept, x.w - b_k where the offsets are thresholds between ordered classes. A prediction never falls
when a margin rises. Where it is the same at the lowest and at the highest margins, it is the same in every equally good
model: the label is *certain*, else *ambiguous*. Certified gaps count against certainty.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from relspan.arrays import Floats
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.pinned_family import PinnedFamily, PinSolver
from relspan.explore.spans import span_ends
from relspan.progress import Progress, silent
from relspan.result.answer_table import AnswerTable, counted
from relspan.result.record import write_record

PROBABILITY = ("probability", "probability_lo", "probability_hi")


@dataclass(frozen=True)
class Prediction:
    """What the equally good models predict for one sample.

    Attributes
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
    probability, probability_lo, probability_hi : float or None, default=None
        The probability of the last of the classes in the best model, and the smallest and the largest one over all
        equally good models; None where the loss gives no probabilities, which the logistic loss alone does.

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
    probability: float | None = None
    probability_lo: float | None = None
    probability_hi: float | None = None


@dataclass(frozen=True, repr=False)
class Predictions(AnswerTable):
    """What the equally good models predict for some samples.

    Attributes
    ----------
    samples : tuple of Prediction
        One prediction per sample, in the order of the samples.
    probability_of : object, default=None
        The class whose probability the samples have; None where they have none.

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
    probability_of: Any = None

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
    def uncertain(self) -> list[int]:
        """The positions of the samples on whose label the equally good models disagree.

        Returns
        -------
        list of int
            Positions from 0.
        """
        return [position for position, p in enumerate(self.samples) if p.certain is False]

    @property
    def ambiguous(self) -> float:
        """The share of samples on whose label the equally good models disagree.

        Returns
        -------
        float
            A share between 0 and 1.
        """
        return len(self.uncertain) / len(self.samples) if self.samples else 0.0

    def columns(self) -> dict[str, list[Any]]:
        """One row per sample, by column.

        Returns
        -------
        dict of str to list
            What `Prediction` describes; "labels" has the possible labels as one text, with semicolons between them.
        """
        columns = {
            key: [getattr(p, key) for p in self.samples] for key in ("label", "certain", "score", "lo", "hi", "gap")
        }
        columns["labels"] = [None if p.labels is None else "; ".join(map(str, p.labels)) for p in self.samples]
        known = PROBABILITY if self.probability_of is not None else ()
        return {**columns, **{key: [getattr(p, key) for p in self.samples] for key in known}}

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        shared = f", labels ambiguous for {self.ambiguous:.1%}" if any(p.labels for p in self.samples) else ""
        return f"{counted(len(self), 'sample')}{shared}"

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
        whose = {} if self.probability_of is None else {"probability_of": self.probability_of}
        samples = [asdict(p) for p in self.samples]
        if self.probability_of is None:
            samples = [{key: value for key, value in p.items() if key not in PROBABILITY} for p in samples]
        return write_record({"ambiguous": self.ambiguous, **whose, "samples": samples}, indent)


def predictions(solver: PinSolver, pinned: PinnedFamily, Z: Floats, progress: Progress = silent) -> Predictions:
    """The predictions of scaled samples under the pins; the score is that of the best model there."""
    problem, best = solver.problem, pinned.best.best
    directions = score_directions(problem, Z)
    scores, ranges = directions @ best, span_ends(solver, pinned, directions, progress)
    if problem.classes is None:
        ends, gaps = problem.units.scores(ranges[:, :2]), problem.units.target * ranges[:, 2:]
        scores, ranges = problem.units.scores(scores), np.hstack([ends, gaps])
        return Predictions(
            tuple(
                Prediction(float(s), float(lo), float(hi), float(gap), None, None, None)
                for s, (lo, hi, gap) in zip(scores, ranges, strict=True)
            )
        )
    lowest, highest = _extreme_codes(solver, pinned, Z, ranges, progress)
    own = problem.loss.predict(Z, best[: len(problem.columns)], best[len(problem.columns) :])
    label_of = problem.scores.labels_by_code(problem.classes)
    chances = problem.scores.probabilities(np.column_stack([scores, ranges[:, :2]]))
    found = []
    for row, (s, (lo, hi, gap), code) in enumerate(zip(scores, ranges, own, strict=True)):
        labels = tuple(label for c, label in label_of.items() if lowest[row] <= c <= highest[row])
        certain, likely = bool(lowest[row] == highest[row]), [] if chances is None else chances[row].tolist()
        found.append(
            Prediction(float(s), float(lo), float(hi), float(gap), label_of[float(code)], labels, certain, *likely)
        )
    return Predictions(tuple(found), None if chances is None else problem.classes[-1])


def score_directions(problem: FittedProblem, Z: Floats) -> Floats:
    """The score of each sample as a direction over (w, b)."""
    return _directions(problem, Z, problem.scores.score_offsets)


def margin_directions(problem: FittedProblem, Z: Floats, margin: int) -> Floats:
    """One margin of each sample as a direction over (w, b)."""
    return _directions(problem, Z, problem.scores.margin_offsets[margin])


def _directions(problem: FittedProblem, Z: Floats, offsets: Floats) -> Floats:
    """The features of each sample, then the coefficients of the offsets; covariates, at the end of Z, are the last."""
    d = len(problem.columns)
    found = np.hstack([Z[:, :d], np.tile(offsets, (len(Z), 1))])
    found[:, found.shape[1] - (Z.shape[1] - d) :] += Z[:, d:]
    return found


def _extreme_codes(
    solver: PinSolver, pinned: PinnedFamily, Z: Floats, ranges: Floats, progress: Progress
) -> tuple[Floats, Floats]:
    """The lowest and the highest label code of every sample: predictions never fall when a margin rises."""
    loss = solver.problem.scores
    margins = loss.margin_offsets
    lowest, highest = np.empty((len(Z), len(margins))), np.empty((len(Z), len(margins)))
    for margin, offsets in enumerate(margins):
        is_score = np.array_equal(offsets, loss.score_offsets)  # then its ranges are known
        margins = margin_directions(solver.problem, Z, margin)
        found = ranges if is_score else span_ends(solver, pinned, margins, progress)
        lowest[:, margin], highest[:, margin] = found[:, 0] - found[:, 2], found[:, 1] + found[:, 2]
    return loss.predict_from_margins(lowest), loss.predict_from_margins(highest)
