"""RelevanceRegressor: intervals for regression with the epsilon-insensitive loss (Pfannschmidt et al. 2019)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.model_selection import KFold
from sklearn.utils import Tags

from relspan.arrays import Floats
from relspan.errors import DataError, ParameterError
from relspan.estimators.base import RelevanceEstimator, seed_of
from relspan.estimators.targets import FOLDS
from relspan.losses import EpsilonInsensitive
from relspan.progress import Progress

EPSILONS = (0.0, 0.1, 0.3)  # candidates, in standard deviations of the target


class RelevanceRegressor(RegressorMixin, RelevanceEstimator):  # type: ignore[misc]
    """How much can, and how much must, each feature matter for predicting a number?

    Over all linear models that are as good as the best one,

        F = { (w, b) :  ||w||_1 <= M,  sum_i max(0, |t_i - x_i.w - b| - epsilon) <= R },

    the relevance |w_j| of feature j fills an interval; see `RelevanceClassifier` for how it is read.

    Parameters
    ----------
    C : float, optional
        Price of the loss in the best model, min ||w||_1 + C loss. None: chosen by 3-fold cross-validation on R2.
    epsilon : float, optional
        Deviations up to epsilon cost nothing; in the target's unit. None: chosen together with C among 0, .1 and .3
        standard deviations of the target.
    delta_loss : float
        The share of loss given up, as in `RelevanceClassifier`; here 1 %, since with noisy targets leaving out a small
        but necessary feature costs little more.
    delta_norm, loss_budget, n_probes, probes, alpha, control, feature_groups, standardize, engine, screen,
    n_jobs, random_state
        As in `RelevanceClassifier`.
    progress : callable, optional
        Called as ``progress(stage, share, note)`` while the fit goes on; see `relspan.progress`.
    checkpoint : path, optional
        As in `RelevanceClassifier`.

    Attributes
    ----------
    intervals_, signed_intervals_, relevance_, result_, C_
        As in `RelevanceClassifier`.
    epsilon_ : float
        The epsilon in use.
    coef_ : ndarray of shape (n_features,)
        The best model, in the units of X.
    intercept_ : float
        Its offset.

    Examples
    --------
    >>> from relspan.estimators import RelevanceRegressor
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=2, task="regression", random_state=0)
    >>> RelevanceRegressor(random_state=0).fit(data.X, data.y).relevance_.tolist()
    [2, 1, 1, 0, 0]
    """

    def __init__(
        self,
        C: float | None = None,
        epsilon: float | None = None,
        delta_norm: float = 0.1,
        delta_loss: float = 0.01,
        loss_budget: str = "explained",
        n_probes: int = 50,
        probes: str = "append",
        alpha: float = 0.003,
        control: str = "familywise",
        feature_groups: Any = None,
        standardize: bool = True,
        engine: str = "auto",
        screen: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        progress: Progress | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> None:
        self.C = C
        self.epsilon = epsilon
        self.delta_norm = delta_norm
        self.delta_loss = delta_loss
        self.loss_budget = loss_budget
        self.n_probes = n_probes
        self.probes = probes
        self.alpha = alpha
        self.control = control
        self.feature_groups = feature_groups
        self.standardize = standardize
        self.engine = engine
        self.screen = screen
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress
        self.checkpoint = checkpoint

    def fit(self, X: Any, y: Any, sample_weight: Any = None, privileged: Any = None) -> RelevanceRegressor:
        """Find the best model, the intervals of all features, and their classes.

        Parameters
        ----------
        X : array or data frame of shape (n_samples, n_features)
            The table.
        y : array of shape (n_samples,)
            The target.
        sample_weight : array of shape (n_samples,), optional
            What a sample's loss is multiplied by; a whole weight equals repeated rows, and 0 leaves a sample out.
        privileged : array or data frame of shape (n_samples, n_privileged), optional
            Columns that are known now and will not be when predicting: they may explain how hard a sample is.
        """
        X, y, weights, more = self._samples(X, y, sample_weight, privileged, y_numeric=True)
        y = np.asarray(y, dtype=np.float64)
        losses = [EpsilonInsensitive(epsilon) for epsilon in self._epsilons(y, weights)]
        if self.C is None and len(y) < 2 * FOLDS:
            raise DataError(
                f"the table has {len(y)} samples, and choosing C by {FOLDS}-fold cross-validation needs {2 * FOLDS}: "
                "add samples, or set C and epsilon"
            )
        splitter = KFold(FOLDS, shuffle=True, random_state=seed_of(self.random_state))
        target = {"target_range": [float(y.min()), float(y.max())]}
        self._fit(losses, "regression", X, y, weights, weights, splitter, target, more)
        told = self.result_.baseline["loss_function"]
        self.epsilon_ = told.get("inner", told)["epsilon"]
        self.coef_, self.intercept_ = self._weights, float(self._offsets[0] - self._shift)
        return self

    def _epsilons(self, y: Floats, weights: Floats | None) -> list[float]:
        """The candidates: the given epsilon, or shares of the target's standard deviation."""
        if y.min() == y.max():
            raise DataError(f"the target is constant ({y[0]:g}): there is nothing to predict")
        if self.epsilon is None:
            centre = np.average(y, weights=weights)
            deviation = float(np.sqrt(np.average((y - centre) ** 2, weights=weights)))
            return [share * deviation for share in EPSILONS]
        if not (np.isfinite(self.epsilon) and self.epsilon >= 0):
            raise ParameterError(f"epsilon must be 0 or more, or None to have it chosen, not {self.epsilon!r}")
        half = (y.max() - y.min()) / 2
        if self.epsilon >= half:
            raise ParameterError(
                f"epsilon={self.epsilon:g} is as wide as the target itself, so a constant costs nothing; "
                f"it must lie below {half:g}"
            )
        return [float(self.epsilon)]

    def predict(self, X: Any) -> Floats:
        """The best model's prediction."""
        return np.asarray(self._scores(X) + self._offsets[0])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
