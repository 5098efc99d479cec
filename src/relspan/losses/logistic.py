"""Two classes: the logistic loss  log(1 + exp(-m)),  m = y (x.w + b),  y in {-1, +1}, made of straight pieces.

The pieces are the tangents at the margins 0, +-1.04, +-2.43 and, infinitely far out, the lines 0 and -m. Their maximum

    L(m)  =  max of the tangents  =  sum_k c_k max(0, t_k - m)

is a sum of six hinges: kink t_k is where two neighbours meet, and its cost c_k is the difference of their slopes. The
tangents are chosen so that L misses the logistic loss by the same amount at every kink, which makes the largest error
as small as six kinks allow:

    0  <=  log(1 + exp(-m)) - L(m)  <=  .0305      for every m:  up to the constant .0152, the error is at most .0152

(log 2 = .69 is the loss of a sample about which nothing is known). Four kinks have an error of .032, eight of .009, and
an engine's work grows with their number. With slopes between 0 and -1 the loss sees how sure a model is of a sample:
the hinge loss treats all samples beyond its one kink alike.

As hinge rows: one score per sample, f = y x, o = y, with the rows h = t_k, c = c_k times the sample's weight; all rows
of the first kink come first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from relspan.arrays import Floats, Ints, Matrix
from relspan.family.hinge_rows import HingeRows, kinked_rows
from relspan.losses.hinge import Hinge
from relspan.losses.loss import OneScoreLoss, register_loss

TOUCHING = (2.4345, 1.0357, 0.0)  # margins >= 0 at which the tangents touch the loss; the others are their opposites


def tangents_meet(touching: tuple[float, ...]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Kinks t_k and costs c_k of the maximum of the tangents at these margins and their opposites, and of 0 and -m.

    The tangent at p is  a - s m  with slope s = sigma(-p) and height a = log(1 + exp(-p)) + s p; neighbours meet at
    m = (difference of a) / (difference of s).
    """
    p = np.array(touching)
    s, a = np.append(0.0, expit(-p)), np.append(0.0, np.logaddexp(0.0, -p) + expit(-p) * p)
    costs = np.diff(s)
    kinks = np.diff(a) / costs
    return np.concatenate([-kinks, kinks[::-1]]), np.concatenate([costs, costs[::-1]])


KINKS, COSTS = tangents_meet(TOUCHING)


@register_loss
@dataclass(frozen=True)
class Logistic(OneScoreLoss):
    """The loss of L1 logistic regression in straight pieces. Targets are -1 and +1."""

    name = "logistic"
    n_offsets = 1
    n_slack_kinds = 1
    label_codes = (-1.0, 1.0)

    def slack_kinds(self, y: Floats) -> tuple[Ints, Ints]:
        """The sample of every score, and the kind of its slack: there is only one kind, 0."""
        return Hinge().slack_kinds(y)

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        hinge = Hinge().rows(X, y, sample_weight)
        return kinked_rows(hinge.features, hinge.offsets, KINKS, np.outer(COSTS, hinge.costs))

    def predict_from_margins(self, margins: Floats) -> Floats:
        return Hinge().predict_from_margins(margins)

    def probabilities(self, scores: Floats) -> Floats:
        """1 / (1 + exp(-score)): scores are log odds."""
        return np.asarray(expit(scores))

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        """F1, weighted by class support, as for the hinge loss."""
        return Hinge().score(y, predicted, sample_weight)

    def smallest_C(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        """Twice the hinge's c_0: at the null model the loss pulls half as much.

        The logistic loss without features pulls ``sum_i v_i (y_i - ybar) / 2 x_ij`` on weight j.
        """
        return 2.0 * Hinge().smallest_C(X, y, sample_weight)
