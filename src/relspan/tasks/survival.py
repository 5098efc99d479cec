"""Survival: the time until an event, which has not been seen for every sample (Van Belle et al. 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import Tags

from relspan import checks
from relspan.analysis.canonical_order import row_order
from relspan.analysis.scaled_table import standardised
from relspan.arrays import Floats
from relspan.checks import sample_weights
from relspan.errors import DataError
from relspan.estimators.base import RelevanceEstimator
from relspan.estimators.common_parameters import documented
from relspan.estimators.targets import read_times
from relspan.losses import PairHinge
from relspan.metrics import CONCORDANCES, concordance_index
from relspan.result import RelevanceResult
from relspan.survival_times import read_survival, signed_ranks, with_ties_broken
from relspan.tasks.task import Task, TaskOption, loss_parameters, register


@documented
@dataclass(kw_only=True, eq=False, repr=False)
class RelevanceSurvival(RelevanceEstimator):
    """How much can, and how much must, each feature matter for how early an event happens?

    The target is the time until an event, such as death or relapse. Where a sample was observed no longer before its
    event, it is *censored*: the event comes later, or never. Over all linear models that order the samples as well as
    the best one, ::

        F = { w :  ||w||_1 <= M,  sum_{i before j} c_ij max(0, 1 - (x_i.w - x_j.w)) <= R },

    the relevance ``|w_j|`` of feature j fills an interval; `RelevanceClassifier` describes how it is read. The sum is
    over the pairs whose order is known: the event of i was seen, and j was observed beyond it. The score ``x.w`` is a
    risk: the higher, the earlier the event. It has no offset, since only differences count.

    Parameters
    ----------
    C : float or None, default=None
        The price of the loss in the best model, which minimises ``||w||_1 + C loss``. None chooses C by
        cross-validation on the loss of rows left out, or, with ``criterion="score"``, on the concordance.
    delta_loss : float or "one_se", default=0.01
        The share of loss that an equally good model may give up; `loss_budget` states of what it is a share. It is
        smaller than for classes: with noisy times leaving out a small but necessary feature costs little loss.
    concordance : {"harrell", "uno"}, default="harrell"
        How much a pair costs, and counts in the score.

        - "harrell": all pairs the same.
        - "uno": those of an event by the inverse squared chance to be observed until then, estimated by Kaplan and
          Meier, so that censoring does not decide which times count. A few late events can then count much.
    partners : int or None, default=20
        The most later samples that an event is compared with; None compares it with all. Partners are spread evenly
        over the later times, and their costs add up to those of all pairs. Which ones are taken depends on the data
        alone.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The best model's weights, in the units of X.

    See Also
    --------
    RelevanceRegressor : Numbers that are all known.
    relspan.metrics.concordance_index : The score.

    References
    ----------
    .. [1] V. Van Belle, K. Pelckmans, J. A. K. Suykens, S. Van Huffel, "Support vector machines for survival analysis",
       CIMED 2007.

    Examples
    --------
    >>> from relspan import RelevanceSurvival
    >>> from relspan.simulate import simulate
    >>> data = simulate(200, strong=1, weak=2, irrelevant=2, task="survival", target_noise=0.3, random_state=0)
    >>> model = RelevanceSurvival(random_state=0).fit(data.X, data.y)
    >>> model.relevance_.tolist(), round(model.score(data.X, data.y), 2)
    ([2, 1, 1, 0, 0], 0.93)
    """

    delta_loss: float | str = 0.01
    concordance: str = "harrell"
    partners: int | None = 20

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> RelevanceSurvival:
        """Find the best model, the intervals of all features, and their classes.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The table.
        y : array-like or data frame of shape (n_samples, 2), or structured array of shape (n_samples,)
            The time of each sample and whether its event was seen then (1) or not (0), in this order; or an array with
            one field of booleans and one of numbers, as scikit-survival has it. Times alone, in one column, mean that
            every event was seen.
        sample_weight : array-like of shape (n_samples,), default=None
            A factor on the loss of each sample; a pair counts by the product of both, and 0 leaves a sample out. A
            whole weight equals repeated rows where C is given and all pairs are compared (``partners=None``).
        groups : array-like of shape (n_samples,), default=None
            The group of each sample, such as the patient that a row was measured on: any labels. Rows of one group are
            not independent, so they stay together in folds, and chance is measured by exchanging whole groups.

        Returns
        -------
        RelevanceSurvival
            The fitted estimator.

        See Also
        --------
        explore : Pins, substitutes, panels and shared predictions of the equally good models.

        Examples
        --------
        >>> from relspan import RelevanceSurvival
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, task="survival", random_state=0)
        >>> RelevanceSurvival(random_state=0).fit(data.X, data.y).relevance_.tolist()
        [2, 1, 1, 0, 0]
        """
        kind = checks.one_of("concordance", self.concordance, CONCORDANCES)
        partners = None if self.partners is None else checks.whole("partners", self.partners, at_least=1)
        times = read_survival([] if y is None else y)
        samples = self._samples(X, None if y is None else signed_ranks(times), sample_weight, groups)
        about = read_times(samples.y, times, self.C)
        columns = standardised(samples.X, samples.weights)
        ranks = with_ties_broken(samples.y, row_order(columns, samples.y))
        self._fit([PairHinge(kind, partners)], SURVIVAL.name, samples, ranks, samples.weights, about)
        self.coef_ = self._weights
        return self

    def predict(self, X: Any) -> Floats:
        """Compute the risk of each sample by the best model.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The risks: the higher, the earlier the event is expected. The average sample has the risk 0.

        See Also
        --------
        score : The concordance of these risks with the times.

        Examples
        --------
        >>> from relspan import RelevanceSurvival
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, task="survival", random_state=0)
        >>> RelevanceSurvival(random_state=0).fit(data.X, data.y).predict(data.X[:3]).shape
        (3,)
        """
        return self._scores(X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Compute the concordance of the best model's risks with the times.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.
        y : array-like or data frame of shape (n_samples, 2), or structured array of shape (n_samples,)
            Their times and events, as in `fit`.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each sample counts.

        Returns
        -------
        float
            The share of comparable pairs in which the earlier event has the higher risk. 1 is a perfect order, and 0.5
            is chance.

        See Also
        --------
        relspan.metrics.concordance_index : The same number.

        Examples
        --------
        >>> from relspan import RelevanceSurvival
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, task="survival", random_state=0)
        >>> RelevanceSurvival(random_state=0).fit(data.X, data.y).score(data.X, data.y) > 0.9
        True
        """
        risk = self.predict(X)
        return concordance_index(y, risk, self.concordance, sample_weights(sample_weight, len(risk)))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = True
        return tags


class Survival(Task):
    """Times until an event, some of them censored."""

    name = "survival"
    target = "times until an event, some of them censored"
    estimator = RelevanceSurvival
    losses = (PairHinge,)
    options = (
        TaskOption(
            name="concordance",
            type=str,
            help="How much a pair of rows counts: 'harrell' counts all pairs the same, 'uno' those of an event by the "
            "inverse squared chance to be observed until then.",
            default="harrell",
            metavar="harrell|uno",
        ),
        TaskOption(
            name="partners",
            type=int,
            help="The most later rows that an event is compared with.",
            default="20",
        ),
    )
    score_name = "concordance"
    simulated = "times"

    def refuse_target(self, y: np.ndarray, name: str) -> None:
        if y.dtype.names is None:
            raise DataError(
                f"the target {name!r} has no column of events beside it; {self.name} needs one (--event), which is 1 "
                "where the event was seen and 0 where it was not"
            )

    def sign_meaning(self, result: RelevanceResult) -> str:
        return "+ raises the risk: the event comes earlier"

    def model_facts(self, result: RelevanceResult) -> list[str]:
        given = loss_parameters(result)
        partners = given["partners"]
        compared = "all later samples" if partners is None else f"up to {partners} later samples"
        weighted = (
            "all pairs count the same" if given["concordance"] == "harrell" else "pairs weighted against censoring"
        )
        return [f"each event is compared with {compared}", weighted]


SURVIVAL = register(Survival())
