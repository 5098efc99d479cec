"""Survival as ranking: of two samples whose order is known, the earlier event should have the higher score.

Every event i is compared with the samples j that are known to be later (`relspan.survival_times`),

    loss(w) = sum_i sum_j  c_ij max(0, 1 - (x_i - x_j).w),      c_ij = g_i v_i v_j / sum_k v_k,

the ranking loss of survival support vector machines (Van Belle et al. 2007). v are the sample weights. With
"harrell" g_i = 1, so that all pairs count the same, as in Harrell's concordance. With "uno" g_i is the inverse squared
chance to be observed until t_i, as in Uno's concordance. As hinge rows: f = x_i - x_j, h = 1, c = c_ij, without an
offset, since one would cancel.

An event has up to n later samples, and all pairs together grow with n^2. An event with more than `partners` later ones
is therefore compared with that many: the later samples stand in the order of their times, each as long as its weight is
large, and a comb of equally distant teeth picks the partners. The comb begins at another place for every rank (a
multiple of the golden ratio), and each partner stands for the same share of the later weight, so the costs of an event
add up to the same. Which pairs are taken depends on times and weights alone, never on features or on chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from relspan.arrays import Floats, Ints, Matrix
from relspan.family.hinge_rows import HingeRows
from relspan.losses.loss import OneScoreLoss, entry_C, register_loss, weight_per_sample
from relspan.metrics import concordance_of_ranks, pair_weights
from relspan.survival_times import events_of, later_samples, log_rank_scores

GOLDEN_RATIO = (np.sqrt(5.0) - 1.0) / 2.0


@register_loss
@dataclass(frozen=True)
class PairHinge(OneScoreLoss):
    """The ranking loss of survival. Targets are signed ranks of times, negative where a sample is censored."""

    concordance: str = "harrell"
    partners: int | None = None

    name = "pairwise hinge"
    n_offsets = 0

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        first, second, costs = self.pairs(y, sample_weight)
        features = X[first] - X[second]
        return HingeRows(
            features.tocsr() if sparse.issparse(features) else features,
            np.zeros((len(costs), 0)),
            np.ones(len(costs)),
            costs,
        )

    def pairs(self, y: Floats, sample_weight: Floats | None = None) -> tuple[Ints, Ints, Floats]:
        """The events i, their partners j, and the costs c_ij."""
        v = weight_per_sample(y, sample_weight)
        order, begin = later_samples(y)
        reach = np.concatenate([[0.0], np.cumsum(v[order])])
        events = np.flatnonzero(events_of(y) & (begin < len(y)))
        most = len(y) if self.partners is None else self.partners
        few = events[len(y) - begin[events] <= most]
        many = events[len(y) - begin[events] > most]
        # all later samples of the first kind of events: runs of places in the order
        counts = len(y) - begin[few]
        places = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(begin[few], counts)
        first, second = np.repeat(few, counts), order[places]
        costs = v[second]
        if len(many):
            start, whole = reach[begin[many]][:, None], (reach[-1] - reach[begin[many]])[:, None]
            shift = (np.floor(np.abs(y[many])) * GOLDEN_RATIO % 1.0)[:, None]
            teeth = start + whole * (shift + np.arange(most)) / most
            places = np.clip(np.searchsorted(reach, teeth.ravel(), side="right") - 1, 0, len(y) - 1)
            first, second = np.concatenate([first, np.repeat(many, most)]), np.concatenate([second, order[places]])
            costs = np.concatenate([costs, np.repeat(whole.ravel() / most, most)])
        return first, second, pair_weights(y, v, self.concordance)[first] * costs / v.sum()

    def predict(self, X: Matrix, weights: Floats, offsets: Floats) -> Floats:
        """The score itself, a risk: the higher, the earlier the event."""
        return np.asarray(X @ weights)

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        """The concordance; 0.5 where no two samples can be compared."""
        return concordance_of_ranks(y, predicted, weight_per_sample(y, sample_weight), self.concordance)

    def smallest_C(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        """``c_0 = 1 / max_j |sum_pairs c (x_i - x_j)|``: below it the best model is w = 0."""
        first, second, costs = self.pairs(y, sample_weight)
        pull = np.bincount(first, costs, len(y)) - np.bincount(second, costs, len(y))
        return entry_C(X, pull.astype(np.float64))

    def target_scores(self, y: Floats) -> Floats:
        """Log-rank scores: how many events were seen beyond those expected."""
        return log_rank_scores(y)[:, None]
