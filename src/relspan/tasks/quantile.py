"""A quantile of a number: regression with the pinball loss (Koenker and Bassett 1978)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

from relspan import checks
from relspan.arrays import Floats
from relspan.checks import per_sample, sample_weights
from relspan.estimators.base import RelevanceEstimator
from relspan.estimators.common_parameters import documented
from relspan.estimators.targets import read_numbers
from relspan.losses import Pinball
from relspan.result import RelevanceResult
from relspan.tasks.target_kinds import NumberTask
from relspan.tasks.task import TaskOption, loss_parameters, register, target_name


@documented
@dataclass(kw_only=True, eq=False, repr=False)
class QuantileRelevanceRegressor(RegressorMixin, RelevanceEstimator):  # type: ignore[misc]
    """How much can, and how much must, each feature matter for predicting a quantile of a number?

    Over all linear models that are as good as the best one, ::

        F = { (w, b) :  ||w||_1 <= M,  sum_i q max(0, t_i - s_i) + (1 - q) max(0, s_i - t_i) <= R },   s_i = x_i.w + b,

    the relevance ``|w_j|`` of feature j fills an interval; `RelevanceClassifier` describes how to read it. A feature
    can matter for the large values of a target and not for the small ones: then it is relevant at the quantile 0.9 and
    irrelevant at 0.1.

    Parameters
    ----------
    C : float or None, default=None
        The price of the loss in the best model, which minimises ``||w||_1 + C loss``. None chooses C by
        cross-validation on the loss of rows left out, or, with ``criterion="score"``, on the share of the pinball loss
        that is explained.
    delta_loss : float or "one_se", default=0.01
        The share of loss that an equally good model may give up; `loss_budget` states of what it is a share. It is
        smaller than for classes: with noisy numbers leaving out a small but necessary feature costs little loss.
    quantile : float, default=0.5
        The quantile q of the target that is predicted, above 0 and below 1; 0.5 is the median. A share q of the targets
        lies below the predictions.

    Attributes
    ----------
    privileged_intervals_ : ndarray of shape (n_privileged, 2)
        The intervals of the privileged columns, where `fit` was given some.
    privileged_relevance_ : ndarray of shape (n_privileged,)
        The classes of the privileged columns, where `fit` was given some.
    coef_ : ndarray of shape (n_features,)
        The best model's weights, in the units of X.
    intercept_ : float
        The best model's offset.

    See Also
    --------
    RelevanceRegressor : The target itself in place of one of its quantiles.

    References
    ----------
    .. [1] R. Koenker, G. Bassett, "Regression quantiles", Econometrica 46, 1978.

    Examples
    --------
    >>> from relspan import QuantileRelevanceRegressor
    >>> from relspan.simulate import simulate
    >>> data = simulate(200, strong=1, weak=2, irrelevant=2, task="regression", target_noise=0.2, random_state=0)
    >>> reg = QuantileRelevanceRegressor(quantile=0.9, random_state=0).fit(data.X, data.y)
    >>> reg.relevance_.tolist(), round(float((data.y <= reg.predict(data.X)).mean()), 1)
    ([2, 1, 1, 0, 0], 0.9)
    """

    delta_loss: float | str = 0.01
    quantile: float = 0.5

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, privileged: Any = None
    ) -> QuantileRelevanceRegressor:
        """Find the best model, the intervals of all features, and their classes.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            The target.
        sample_weight : array-like of shape (n_samples,), default=None
            A factor on the loss of each sample; 0 leaves a sample out. A whole weight equals repeated rows where C
            is given; cross-validation may deal copies of a row to different folds, but never a part of a weight.
        groups : array-like of shape (n_samples,), default=None
            The group of each sample, such as the patient that a row was measured on: any labels. Rows of one group are
            not independent, so they stay together in folds, and chance is measured by exchanging whole groups.
        privileged : array-like or data frame of shape (n_samples, n_privileged), default=None
            Columns that are known now but will not be when predicting. They may explain how hard a sample is.

        Returns
        -------
        QuantileRelevanceRegressor
            The fitted estimator.

        See Also
        --------
        explore : Pins, substitutes, panels and shared predictions of the equally good models.

        Examples
        --------
        >>> from relspan import QuantileRelevanceRegressor
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, task="regression", random_state=0)
        >>> QuantileRelevanceRegressor(random_state=0).fit(data.X, data.y).relevance_.tolist()
        [2, 1, 1, 0, 0]
        """
        q = checks.number("quantile", self.quantile, above=0, below=1)
        samples = self._samples(X, y, sample_weight, groups, privileged, y_numeric=True)
        numbers, target, units = read_numbers(samples.y, self.C, "C")
        y = units.of_target(numbers)
        self._fit([Pinball(q)], QUANTILE.name, samples, y, samples.weights, target, units=units)
        self.coef_, self.intercept_ = self._weights, float(self._offsets[0] - self._shift)
        return self

    def predict(self, X: Any) -> Floats:
        """Predict the quantile of the target for each sample by the best model.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predicted quantile.

        See Also
        --------
        score : The share of the pinball loss that the predictions explain.

        Examples
        --------
        >>> from relspan import QuantileRelevanceRegressor
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, task="regression", random_state=0)
        >>> QuantileRelevanceRegressor(random_state=0).fit(data.X, data.y).predict(data.X[:3]).shape
        (3,)
        """
        return np.asarray(self._scores(X) + self._offsets[0])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Compute the share of the pinball loss that the best model explains (D2).

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each sample counts.

        Returns
        -------
        float
            1 minus the pinball loss of the predictions as a share of that of the best constant. 1 is perfect, and 0 is
            as good as a model without features.

        See Also
        --------
        sklearn.metrics.d2_pinball_score : The same number.

        Examples
        --------
        >>> from relspan import QuantileRelevanceRegressor
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, task="regression", random_state=0)
        >>> QuantileRelevanceRegressor(random_state=0).fit(data.X, data.y).score(data.X, data.y) > 0.9
        True
        """
        predicted = self.predict(X)
        target = per_sample("y", y, len(predicted), kind=np.float64)
        return Pinball(self.quantile).score(target, predicted, sample_weights(sample_weight, len(target)))


class Quantile(NumberTask):
    """A quantile of numbers."""

    name = "quantile"
    target = "numbers, of which a quantile is predicted"
    estimator = QuantileRelevanceRegressor
    losses = (Pinball,)
    options = (
        TaskOption(
            name="quantile",
            type=float,
            help="Quantile of the target that is predicted, above 0 and below 1; 0.5 is the median.",
            default="0.5",
        ),
    )
    score_name = "D2 of the pinball loss"
    privileged = True
    simulated = "numbers"

    def peer_scoring(self, y: np.ndarray) -> str | None:
        return None  # other methods predict the mean

    def sign_meaning(self, result: RelevanceResult) -> str:
        return f"+ raises the predicted quantile of {target_name(result)}"

    def model_facts(self, result: RelevanceResult) -> list[str]:
        return [f"quantile = {loss_parameters(result)['quantile']:g}"]


QUANTILE = register(Quantile())
