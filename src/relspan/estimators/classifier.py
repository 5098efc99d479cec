"""RelevanceClassifier: intervals for binary classification (Göpfert et al. 2017; Pfannschmidt et al. 2019)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import Tags

from relspan.arrays import Floats
from relspan.estimators.base import RelevanceEstimator, seed_of
from relspan.estimators.targets import FOLDS, class_counts, read_classes, sample_costs
from relspan.losses import Hinge
from relspan.progress import Progress


class RelevanceClassifier(ClassifierMixin, RelevanceEstimator):  # type: ignore[misc]
    """How much can, and how much must, each feature matter for telling two classes apart?

    Over all linear models that are as good as the best one,

        F = { (w, b) :  ||w||_1 <= M,  sum_i max(0, 1 - y_i (x_i.w + b)) <= R },

    the relevance |w_j| of feature j fills an interval. Features whose interval starts above 0 are *strongly* relevant
    (no equally good model does without them), features whose interval starts at 0 but reaches beyond what permuted
    copies of the data reach are *weakly* relevant (they can be replaced), the rest is irrelevant.

    Parameters
    ----------
    C : float, optional
        Price of the loss in the best model, min ||w||_1 + C loss. None: chosen by 3-fold stratified cross-validation.
    penalty : {"l1", "l2"}
        What the best model is: min ||w||_1 + C loss, or the support vector machine min 1/2 ||w||_2^2 + C loss of the
        first paper. Its L1 norm mu and its loss rho define the family.
    delta_norm : float
        M = (1 + delta_norm) mu, with mu the best model's norm.
    delta_loss : float
        The share of loss given up; see `loss_budget`.
    loss_budget : {"explained", "relative", "combined"}
        "explained": R = rho + delta_loss (rho_0 - rho), a share of what the best model explains of the null model's
        loss rho_0. "relative": R = (1 + delta_loss) rho, as in the FRI paper. "combined": one budget
        ||w||_1 + C loss <= (1 + delta_norm) (mu + C rho), as in the first paper (delta_loss is not used).
    n_probes : int
        How many permuted columns estimate the null distribution of upper ends.
    probes : {"append", "replace"}
        Whether a probe joins the data or takes its column's place (the FRI paper).
    alpha : float
        The chance of a false "relevant": of any among all features ("familywise"), or for each one ("per_feature").
    control : {"familywise", "per_feature"}
        See `alpha`. The papers' own rule is ``loss_budget="relative", probes="replace", control="per_feature",
        alpha=.001``.
    class_weight : "balanced", dict or None
        What the loss of a class's samples is multiplied by; "balanced": n / (2 n_k), so that both classes weigh the
        same.
    feature_groups : dict of str to list, optional
        Groups of features, by name or place, whose total relevance is asked about, such as the one-hot columns of one
        category: told in ``result_.groups``.
    standardize : bool
        Scale columns to mean 0 and deviation 1 first. Intervals compare weights, so columns must be comparable. A
        sparse table is scaled only, never centred; the intervals are the same, as the offset takes up the shift.
    engine : {"auto", "exact", "reference"}
        How the linear programs are solved.
    screen : bool
        True: features that are proven irrelevant by the multipliers of others get no program of their own; they are
        reported with that bound (``solved`` is False in the result). Classes are the same.
    n_jobs : int, optional
        Processes that share the features, -1 for all cores; the answer does not depend on it. Within
        ``joblib.parallel_config(backend="dask")`` a Dask cluster shares them.
    random_state : int, RandomState or None
        Seeds the folds and the probes.
    progress : callable, optional
        Called as ``progress(stage, share, note)`` while the fit goes on; see `relspan.progress`.
    checkpoint : path, optional
        A file in which finished blocks of features and probes are written down as they finish. A fit of the same data,
        parameters and version goes on from it; one of anything else is refused. It needs a whole number as
        `random_state`. The file stays when the fit is done.

    Attributes
    ----------
    intervals_ : ndarray of shape (n_features, 2)
        Least and largest relevance of each feature, as a share of the best model's norm.
    signed_intervals_ : ndarray of shape (n_features, 2)
        The interval of the weight itself, same unit.
    relevance_ : ndarray of shape (n_features,)
        2 strong, 1 weak, 0 irrelevant.
    result_ : RelevanceResult
        Everything above with names, probes, thresholds, certificates, warnings.
    privileged_intervals_, privileged_relevance_ : ndarray
        The same for privileged columns, where `fit` was given some.
    C_ : float
        The C in use.
    coef_, intercept_ : ndarray
        The best model, in the units of X.
    classes_ : ndarray
        The two classes; weights point to the second.

    Notes
    -----
    A KeyboardInterrupt (Ctrl-C) while intervals and probes are computed is raised again as its subclass
    `relspan.progress.Interrupted`, whose `partial` holds the intervals that were proven by then; no fitted attribute is
    set. With a `checkpoint`, fitting again goes on from there.

    References
    ----------
    .. [1] C. Göpfert, L. Pfannschmidt, J. P. Göpfert, B. Hammer, "Interpretation of linear classifiers by means of
       feature relevance bounds", Neurocomputing 298, 2018 (ESANN 2017).
    .. [2] L. Pfannschmidt, C. Göpfert, U. Neumann, D. Heider, B. Hammer, "FRI - Feature Relevance Intervals for
       Interpretable and Interactive Data Exploration", CIBCB 2019.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from relspan import RelevanceClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = RelevanceClassifier(random_state=0).fit(X[y > 0], y[y > 0])
    >>> clf.intervals_.shape
    (4, 2)
    """

    def __init__(
        self,
        C: float | None = None,
        penalty: str = "l1",
        delta_norm: float = 0.1,
        delta_loss: float = 0.02,
        loss_budget: str = "explained",
        n_probes: int = 50,
        probes: str = "append",
        alpha: float = 0.003,
        control: str = "familywise",
        class_weight: Any = None,
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
        self.penalty = penalty
        self.delta_norm = delta_norm
        self.delta_loss = delta_loss
        self.loss_budget = loss_budget
        self.n_probes = n_probes
        self.probes = probes
        self.alpha = alpha
        self.control = control
        self.class_weight = class_weight
        self.feature_groups = feature_groups
        self.standardize = standardize
        self.engine = engine
        self.screen = screen
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress
        self.checkpoint = checkpoint

    def fit(self, X: Any, y: Any, sample_weight: Any = None, privileged: Any = None) -> RelevanceClassifier:
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
        X, y, weights, more = self._samples(X, y, sample_weight, privileged)
        self.classes_, codes = read_classes(y, self.C, most=2)
        costs = sample_costs(self.class_weight, self.classes_, codes, weights)
        splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=seed_of(self.random_state))
        target = {"classes": class_counts(self.classes_, codes)}
        signs = np.where(codes == 1, 1.0, -1.0)
        self._fit([Hinge()], "classification", X, signs, weights, costs, splitter, target, more)
        self.coef_, self.intercept_ = self._weights[None], self._offsets[:1] - self._shift
        return self

    def decision_function(self, X: Any) -> Floats:
        """The best model's score: positive for the second class."""
        return np.asarray(self._scores(X) + self._offsets[0])

    def predict(self, X: Any) -> np.ndarray:
        """The best model's class."""
        positive = self.decision_function(X) > 0
        return np.asarray(self.classes_[positive.astype(int)])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.target_tags.required = True
        return tags
