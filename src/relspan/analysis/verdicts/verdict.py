"""The verdict on every feature of a table, and on every group of features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relspan.analysis.baseline import Baseline
from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.verdicts.associations import Associations
from relspan.analysis.verdicts.evidence import REACH_SHARE, FeatureEvidence, evidence_of, least_line
from relspan.analysis.verdicts.published_rule import graded
from relspan.analysis.verdicts.residuals import loss_without
from relspan.arrays import Bools, Floats
from relspan.family import Family

ASSOCIATED = 0.8  # of what chance reaches: less does not prove a need
NEEDED = 1.96  # standard deviations by chance: one feature in twenty that is not needed looks so


@dataclass(frozen=True, eq=False)
class Verdicts:
    """The class of every feature, with what it rests on.

    `evidence` is None where the papers' own rule decided. `passed`: whether the table passed its test. `provable`:
    which features are strong if every equally good model uses them.
    """

    classes: NDArray[np.int64]
    evidence: FeatureEvidence | None = None
    passed: bool = True
    norm_made: Bools | None = None
    provable: Bools | None = None


def verdicts(
    problem: LearningProblem,
    baseline: Baseline,
    family: Family,
    intervals: Floats,
    most: Floats,
    tau: float,
    floor: float,
    found: Associations,
    passed: bool,
) -> Verdicts:
    """The rule of `relspan.analysis.verdicts`. `most` are the largest relevances of single weights, by feature."""
    evidence = evidence_of(most, tau, floor, found)
    proven = _proven(evidence, found)
    classes = _judged(intervals, floor, evidence, proven, passed)
    norm_made = _norm_made(problem, baseline, family, (classes > 0) & (intervals[:, 0] > floor) & ~proven)
    return Verdicts(classes, evidence, passed, norm_made, passed & proven)


def classes_at(
    tau: float, intervals: Floats, most: Floats, floor: float, found: Associations, passed: bool
) -> NDArray[np.int64]:
    """The classes that follow from a threshold; the other arguments are those of `verdicts`."""
    evidence = evidence_of(most, tau, floor, found)
    return _judged(intervals, floor, evidence, _proven(evidence, found), passed)


def irrelevant_up_to(tau: float, floor: float, found: Associations) -> Floats:
    """The largest relevance up to which each feature, of one weight, is sure to be irrelevant; -inf where it is not.

    Reach and association together stay within the line of evidence, whichever it will be. A feature whose association
    may prove a need may be strong whatever its reach.
    """
    without_reach, line = evidence_of(np.zeros(len(found.alone)), tau, floor, found), least_line(found.adjusted)
    limits = max(tau, floor) * (line - without_reach.size) / REACH_SHARE
    return np.where(without_reach.association > ASSOCIATED, -np.inf, limits)


def _proven(evidence: FeatureEvidence, found: Associations) -> Bools:
    """Which features are shown to be needed, beyond chance."""
    return (evidence.association > ASSOCIATED) & (found.needed > NEEDED)


def _judged(
    intervals: Floats, floor: float, evidence: FeatureEvidence, proven: Bools, passed: bool
) -> NDArray[np.int64]:
    """The class of every feature."""
    used, strong = intervals[:, 1] > floor, passed & proven & (intervals[:, 0] > floor)
    return graded(passed & used & ((evidence.size > evidence.line) | strong), strong)


def _norm_made(problem: LearningProblem, baseline: Baseline, family: Family, candidates: Bools) -> Bools:
    """Which of the candidates some model without them replaces within the loss budget, whatever its norm."""
    found = np.zeros(len(candidates), dtype=bool)
    if np.isfinite(family.largest_loss):
        for feature in np.flatnonzero(candidates):
            found[feature] = loss_without(problem, baseline, [int(feature)]) <= family.largest_loss
    return found
