"""Classification: two classes (Göpfert et al. 2017; Pfannschmidt et al. 2019) or more (Weston and Watkins 1999)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from scipy.special import expit
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if

from relspan import checks
from relspan.arrays import Floats
from relspan.errors import DataError, ParameterError
from relspan.estimators.base import RelevanceEstimator
from relspan.estimators.common_parameters import documented
from relspan.estimators.targets import class_counts, read_classes, sample_costs
from relspan.losses import Hinge, Logistic, Loss, MulticlassHinge
from relspan.result import RelevanceResult
from relspan.tasks.target_kinds import CLASS_WEIGHT, PENALTY, ClassTask
from relspan.tasks.task import TaskOption, register

TWO_CLASS_LOSSES: Mapping[str, type[Hinge] | type[Logistic]] = {"hinge": Hinge, "logistic": Logistic}
DEFAULT_LOSS = "hinge"


def _has_probabilities(estimator: RelevanceClassifier) -> bool:
    """Whether the scores are log odds; the error says what to do where they are not."""
    if estimator.loss != "logistic":
        raise AttributeError(
            f"predict_proba needs loss='logistic', and loss is {estimator.loss!r}: scores of the hinge loss are no log "
            "odds; decision_function returns the scores"
        )
    return True


@documented
@dataclass(kw_only=True, eq=False, repr=False)
class RelevanceClassifier(ClassifierMixin, RelevanceEstimator):  # type: ignore[misc]
    """How much can, and how much must, each feature matter for separating classes?

    Over all linear models that are as good as the best one, ::

        F = { (w, b) :  ||w||_1 <= M,  sum_i max(0, 1 - y_i (x_i.w + b)) <= R },

    the relevance ``|w_j|`` of feature j fills an interval. A feature is relevant if there is evidence that it matters
    beyond chance: its interval reaches far, compared with permuted columns, and the target moves with it. A relevant
    feature whose interval starts above 0 is *strong*: no equally good model works without it. The other relevant
    features are *weak*: as a rule, others can take their place. Of the *irrelevant* rest, nothing distinguishes them
    from chance. In a table whose best model predicts rows left out of its fit no better than chance, no feature is
    called relevant.

    With ``loss="logistic"`` the hinge ``max(0, 1 - m)`` of a sample's margin m gives way to the logistic loss
    ``log(1 + exp(-m))`` in seven straight pieces, which also sees how sure a model is. Noisy tables are where it finds
    what the hinge misses.

    With more than two classes every class has a weight vector of its own, ::

        F = { (w, b) :  sum_k ||w_k||_1 <= M,  sum_k w_k = 0,
                        sum_i sum_{k != y_i} max(0, 2 - (w_{y_i} - w_k).x_i - b_{y_i} + b_k) <= R },

    and the relevance of feature j is the total size of its weights, ``sum_k |w_kj|``.

    Parameters
    ----------
    C : float or None, default=None
        The price of the loss in the best model, which minimises ``||w||_1 + C loss``. None chooses C by
        cross-validation on the loss of rows left out, or, with ``criterion="score"``, on the weighted F1.
    penalty : {"l1", "l2"}, default="l1"
        What the best model minimises: ``||w||_1 + C loss``, or ``1/2 ||w||_2^2 + C loss``, as in
        the first paper. Its L1 norm mu and its loss rho define the equally good models either way. "l2" needs two
        classes.
    class_weight : "balanced", dict or None, default=None
        A factor on the loss of each class. "balanced" takes ``n / (K n_k)``, so that all K classes count the same.
    loss : {"hinge", "logistic"}, default="hinge"
        What a sample costs. "hinge" is the loss of the papers, the support vector machine's. "logistic" is that of
        logistic regression, approximated by straight pieces to within 0.0153 up to a constant; it needs two classes,
        and brings `predict_proba`.

    Attributes
    ----------
    signed_intervals_ : ndarray of shape (n_features, 2) or (n_features, n_classes, 2)
        The least and the largest weight of each feature, in the same unit; with more than two classes the weight for
        each class.
    privileged_intervals_ : ndarray of shape (n_privileged, 2)
        The intervals of the privileged columns, where `fit` was given some.
    privileged_relevance_ : ndarray of shape (n_privileged,)
        The classes of the privileged columns, where `fit` was given some.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The best model's weights, in the units of X.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The best model's offsets.
    classes_ : ndarray of shape (n_classes,)
        The classes. With two classes positive weights speak for the second.

    See Also
    --------
    OrdinalRelevanceClassifier : Classes that have an order.
    RejectRelevanceClassifier : Two classes, and the model may abstain.
    RelevanceRegressor : A target of numbers.

    Notes
    -----
    A KeyboardInterrupt (Ctrl-C) while intervals and probes are computed is raised again as its subclass
    `relspan.progress.Interrupted`, whose `partial` holds the intervals that were proven by then; no fitted attribute is
    set. With a `checkpoint`, fitting again continues from there.

    References
    ----------
    .. [1] C. Göpfert, L. Pfannschmidt, J. P. Göpfert, B. Hammer, "Interpretation of linear classifiers by means of
       feature relevance bounds", Neurocomputing 298, 2018 (ESANN 2017).
    .. [2] L. Pfannschmidt, C. Göpfert, U. Neumann, D. Heider, B. Hammer, "FRI - Feature Relevance Intervals for
       Interpretable and Interactive Data Exploration", CIBCB 2019.
    .. [3] J. Weston, C. Watkins, "Support vector machines for multi-class pattern recognition", ESANN 1999.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from relspan import RelevanceClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = RelevanceClassifier(random_state=0).fit(X[y > 0], y[y > 0])
    >>> clf.intervals_.shape
    (4, 2)
    >>> clf = RelevanceClassifier(C=0.5, n_probes=10, delta_loss=0.05, random_state=0).fit(X, y)
    >>> clf.intervals_.shape, clf.signed_intervals_.shape
    ((4, 2), (4, 3, 2))
    """

    penalty: str = "l1"
    class_weight: Any = None
    loss: str = DEFAULT_LOSS

    published_parameters: ClassVar[Mapping[str, Any]] = {"loss": "hinge"}

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, privileged: Any = None
    ) -> RelevanceClassifier:
        """Find the best model, the intervals of all features, and their classes.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The table. With more than two classes it cannot be sparse.
        y : array-like of shape (n_samples,)
            The classes.
        sample_weight : array-like of shape (n_samples,), default=None
            A factor on the loss of each sample; 0 leaves a sample out. A whole weight equals repeated rows where C
            is given; cross-validation may deal copies of a row to different folds, but never a part of a weight.
        groups : array-like of shape (n_samples,), default=None
            The group of each sample, such as the patient that a row was measured on: any labels. Rows of one group are
            not independent, so they stay together in folds, and chance is measured by exchanging whole groups.
        privileged : array-like or data frame of shape (n_samples, n_privileged), default=None
            Columns that are known now but will not be when predicting. They may explain how hard a sample is. With more
            than two classes there can be none.

        Returns
        -------
        RelevanceClassifier
            The fitted estimator.

        See Also
        --------
        explore : Pins, substitutes, panels and shared predictions of the equally good models.

        Examples
        --------
        >>> from relspan import RelevanceClassifier
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
        >>> RelevanceClassifier(random_state=0).fit(data.X, data.y).relevance_.tolist()
        [2, 1, 1, 0, 0]
        """
        checks.one_of("loss", self.loss, TWO_CLASS_LOSSES)
        samples = self._samples(X, y, sample_weight, groups, privileged)
        self.classes_, codes = read_classes(samples.y, self.C)
        several = len(self.classes_) > 2
        if several:
            self._refuse_for_several_classes(sparse.issparse(samples.X), privileged)
        loss: Loss = MulticlassHinge(len(self.classes_)) if several else TWO_CLASS_LOSSES[self.loss]()
        encoded = codes.astype(np.float64) if several else np.where(codes == 1, 1.0, -1.0)
        parts: Sequence[str] = [str(c) for c in self.classes_.tolist()] if several else ()
        costs = sample_costs(self.class_weight, self.classes_, codes, samples.weights)
        target = {"classes": class_counts(self.classes_, codes)}
        self._fit([loss], CLASSIFICATION.name, samples, encoded, costs, target, parts, stratified=True)
        self._offsets = np.concatenate([[0.0], self._offsets]) if several else self._offsets[:1]
        self.coef_, self.intercept_ = np.atleast_2d(self._weights.T), self._offsets - self._shift
        return self

    def _refuse_for_several_classes(self, is_sparse: bool, privileged: Any) -> None:
        """More than two classes have several weights per feature, which not every setting can treat."""
        needs = "needs two classes, and the target has"
        if self.loss != "hinge":
            raise ParameterError(f"loss={self.loss!r} {needs} {len(self.classes_)}; use loss='hinge'")
        if self.penalty == "l2":
            raise ParameterError(f"penalty='l2' {needs} {len(self.classes_)}; use penalty='l1'")
        if self.screen is True:
            raise ParameterError(f"screen=True {needs} {len(self.classes_)}; use screen=False")
        if privileged is not None:
            raise ParameterError(f"privileged {needs} {len(self.classes_)}; fit without privileged columns")
        if is_sparse:
            raise DataError(f"a sparse table {needs} {len(self.classes_)}; X.toarray() is dense")

    def decision_function(self, X: Any) -> Floats:
        """Compute the best model's scores.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            With two classes one score per sample, positive for the second class; with more one score per class.

        See Also
        --------
        predict : The classes that follow from the scores.

        Examples
        --------
        >>> from relspan import RelevanceClassifier
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
        >>> RelevanceClassifier(random_state=0).fit(data.X, data.y).decision_function(data.X).shape
        (100,)
        """
        scores = self._scores(X)
        return np.asarray(scores + self._offsets)

    def predict(self, X: Any) -> np.ndarray:
        """Predict the class of each sample by the best model.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The class of each sample.

        See Also
        --------
        decision_function : The scores behind the classes.

        Examples
        --------
        >>> from relspan import RelevanceClassifier
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
        >>> RelevanceClassifier(random_state=0).fit(data.X, data.y).predict(data.X[:3]).shape
        (3,)
        """
        scores = self.decision_function(X)
        codes = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return np.asarray(self.classes_[codes])

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """Estimate the probability of each class by the best model; only with ``loss="logistic"``.

        The probability of the second class is ``1 / (1 + exp(-score))``, as in logistic regression. The best model pays
        for its norm, which shrinks its scores: its probabilities lie nearer to 1/2 than those of a model without a
        penalty, the more so the smaller C is. Class weights shift them too.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            The probabilities, in the order of `classes_`.

        See Also
        --------
        decision_function : The scores, which are the log odds of the second class.

        Examples
        --------
        >>> from relspan import RelevanceClassifier
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
        >>> clf = RelevanceClassifier(loss="logistic", random_state=0).fit(data.X, data.y)
        >>> clf.predict_proba(data.X).sum(axis=1).round(6).max().item()
        1.0
        """
        scores = self.decision_function(X)
        return np.column_stack([expit(-scores), expit(scores)])


class Classification(ClassTask):
    """Two or more classes that have no order."""

    name = "classification"
    target = "classes"
    estimator = RelevanceClassifier
    losses = (Hinge, Logistic, MulticlassHinge)
    options = (
        CLASS_WEIGHT,
        PENALTY,
        TaskOption(
            name="loss",
            type=str,
            help="What a row costs a model: 'hinge', the loss of support vector machines, or 'logistic', that of "
            "logistic regression, which needs two classes and also sees how sure a model is.",
            default=DEFAULT_LOSS,
            metavar="hinge|logistic",
        ),
    )
    score_name = "weighted F1"
    privileged = True
    simulated = "classes"

    def target_not_explorable(self, y: np.ndarray) -> str | None:
        count = len(np.unique(y))
        if count <= 2:
            return None
        return (
            f"The target has {count} classes, so a feature has a weight for each class, and such a result can be "
            "analysed but not explored; keep two of the classes, or choose another task."
        )

    def sign_meaning(self, result: RelevanceResult) -> str:
        classes = list(result.data.get("classes", {}))
        if len(classes) <= 2:
            return super().sign_meaning(result)
        return f"one sign per class, in the order {', '.join(classes)}; + speaks for the class, - against it"

    def peer_scoring(self, y: np.ndarray) -> str | None:
        return "roc_auc" if len(np.unique(y)) == 2 else "balanced_accuracy"


CLASSIFICATION = register(Classification())
