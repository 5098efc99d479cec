"""Regression with the epsilon-insensitive loss (Pfannschmidt et al. 2019)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

from relspan import checks
from relspan.analysis.units import Units
from relspan.arrays import Floats
from relspan.errors import ParameterError
from relspan.estimators.base import RelevanceEstimator
from relspan.estimators.common_parameters import documented
from relspan.estimators.targets import read_numbers
from relspan.losses import EpsilonInsensitive
from relspan.result import RelevanceResult
from relspan.tasks.target_kinds import NumberTask
from relspan.tasks.task import TaskOption, loss_parameters, register

EPSILON_FACTORS = (0.0, 0.1, 0.3)  # candidates, in standard deviations of the target


@documented
@dataclass(kw_only=True, eq=False, repr=False)
class RelevanceRegressor(RegressorMixin, RelevanceEstimator):  # type: ignore[misc]
    """How much can, and how much must, each feature matter for predicting a number?

    Over all linear models that are as good as the best one, ::

        F = { (w, b) :  ||w||_1 <= M,  sum_i max(0, |t_i - x_i.w - b| - epsilon) <= R },

    the relevance ``|w_j|`` of feature j fills an interval; `RelevanceClassifier` describes how it is read.

    Parameters
    ----------
    C : float or None, default=None
        The price of the loss in the best model, which minimises ``||w||_1 + C loss``. None chooses C by
        cross-validation on the loss of rows left out, or, with ``criterion="score"``, on R2.
    delta_loss : float or "one_se", default=0.01
        The share of loss that an equally good model may give up; `loss_budget` states of what it is a share. It is
        smaller than for classes: with noisy numbers leaving out a small but necessary feature costs little loss.
    epsilon : float or None, default=None
        Deviations up to epsilon cost nothing; in the unit of the target. None chooses epsilon together with C among 0,
        0.1 and 0.3 standard deviations of the target.

    Attributes
    ----------
    privileged_intervals_ : ndarray of shape (n_privileged, 2)
        The intervals of the privileged columns, where `fit` was given some.
    privileged_relevance_ : ndarray of shape (n_privileged,)
        The classes of the privileged columns, where `fit` was given some.
    epsilon_ : float
        The epsilon in use.
    coef_ : ndarray of shape (n_features,)
        The best model's weights, in the units of X.
    intercept_ : float
        The best model's offset.

    See Also
    --------
    OrdinalRelevanceClassifier : A target whose order counts, but not its distances.
    RelevanceClassifier : A target of classes.

    References
    ----------
    .. [1] L. Pfannschmidt, C. Göpfert, U. Neumann, D. Heider, B. Hammer, "FRI - Feature Relevance Intervals for
       Interpretable and Interactive Data Exploration", CIBCB 2019.

    Examples
    --------
    >>> from relspan import RelevanceRegressor
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=2, task="regression", random_state=0)
    >>> RelevanceRegressor(random_state=0).fit(data.X, data.y).relevance_.tolist()
    [2, 1, 1, 0, 0]
    """

    delta_loss: float | str = 0.01
    epsilon: float | None = None

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, privileged: Any = None
    ) -> RelevanceRegressor:
        """Find the best model, the intervals of all features, and their classes.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            The target.
        sample_weight : array-like of shape (n_samples,), default=None
            A factor on the loss of each sample; 0 leaves a sample out. A whole weight equals repeated rows where C and
            epsilon are given; cross-validation may deal copies of a row to different folds, but not parts of a weight.
        groups : array-like of shape (n_samples,), default=None
            The group of each sample, such as the patient that a row was measured on: any labels. Rows of one group are
            not independent, so they stay together in folds, and chance is measured by exchanging whole groups.
        privileged : array-like or data frame of shape (n_samples, n_privileged), default=None
            Columns that are known now but will not be when predicting. They may explain how hard a sample is.

        Returns
        -------
        RelevanceRegressor
            The fitted estimator.

        See Also
        --------
        explore : Pins, substitutes, panels and shared predictions of the equally good models.

        Examples
        --------
        >>> from relspan import RelevanceRegressor
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, task="regression", random_state=0)
        >>> RelevanceRegressor(random_state=0).fit(data.X, data.y).score(data.X, data.y) > 0.9
        True
        """
        samples = self._samples(X, y, sample_weight, groups, privileged, y_numeric=True)
        numbers, target, units = read_numbers(samples.y, self.C, "C and epsilon")
        y = units.of_target(numbers)
        losses = [EpsilonInsensitive(epsilon) for epsilon in self._epsilons(y, samples.weights, units)]
        self._fit(losses, REGRESSION.name, samples, y, samples.weights, target, units=units)
        self.epsilon_ = loss_parameters(self.result_)["epsilon"]
        self.coef_, self.intercept_ = self._weights, float(self._offsets[0] - self._shift)
        return self

    def _epsilons(self, y: Floats, weights: Floats | None, units: Units) -> list[float]:
        """The candidates in the solver's units: the given epsilon, or shares of the target's standard deviation."""
        if self.epsilon is None:
            centre = np.average(y, weights=weights)
            deviation = float(np.sqrt(np.average((y - centre) ** 2, weights=weights)))
            return [share * deviation for share in EPSILON_FACTORS]
        epsilon = checks.number("epsilon", self.epsilon, at_least=0, hint="None chooses it by cross-validation")
        half = units.norm((y.max() - y.min()) / 2)
        if epsilon >= half:
            raise ParameterError(
                f"epsilon={epsilon:g} is as wide as the target itself, so a constant costs nothing; "
                f"it must lie below {half:g}"
            )
        return [epsilon / units.target]

    def predict(self, X: Any) -> Floats:
        """Predict the target of each sample by the best model.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predicted target.

        See Also
        --------
        fit : The best model and the intervals.

        Examples
        --------
        >>> from relspan import RelevanceRegressor
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, task="regression", random_state=0)
        >>> RelevanceRegressor(random_state=0).fit(data.X, data.y).predict(data.X[:3]).shape
        (3,)
        """
        return np.asarray(self._scores(X) + self._offsets[0])


class Regression(NumberTask):
    """Numbers."""

    name = "regression"
    target = "numbers"
    estimator = RelevanceRegressor
    losses = (EpsilonInsensitive,)
    options = (
        TaskOption(
            name="epsilon",
            type=float,
            help="Deviations up to this size cost nothing, in the unit of the target.",
            default="by cross-validation",
        ),
    )
    score_name = "R2"
    privileged = True
    simulated = "numbers"

    def model_facts(self, result: RelevanceResult) -> list[str]:
        return [f"epsilon = {loss_parameters(result)['epsilon']:.4g}"]


REGRESSION = register(Regression())
