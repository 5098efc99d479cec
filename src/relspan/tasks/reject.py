"""Two classes with a reject option: the model may abstain (Göpfert et al. 2018)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from relspan import checks
from relspan.analysis.extremal_decisions import extremal_decisions
from relspan.arrays import Floats
from relspan.errors import ParameterError
from relspan.estimators.base import RelevanceEstimator
from relspan.estimators.common_parameters import documented
from relspan.estimators.reject_option import RejectOptionMixin, check_reject_label, reject_hinge
from relspan.estimators.targets import class_counts, read_classes, sample_costs
from relspan.losses import RejectHinge
from relspan.result import RelevanceResult
from relspan.tasks.target_kinds import CLASS_WEIGHT, PENALTY, ClassTask
from relspan.tasks.task import TaskOption, loss_parameters, register


@documented
@dataclass(kw_only=True, eq=False, repr=False)
class RejectRelevanceClassifier(RejectOptionMixin, ClassifierMixin, RelevanceEstimator):  # type: ignore[misc]
    """How much can, and how much must, each feature matter for a classifier that may abstain?

    Over all linear models that are as good as the best one, ::

        F = { (w, b) :  ||w||_1 <= M,  sum_i max(0, 1 - s_i, 1 - ((1 - r) / r) s_i) <= R },   s_i = y_i (x_i.w + b),

    the relevance ``|w_j|`` of feature j fills an interval; `RelevanceClassifier` describes how it is read. Whether the
    models at the ends of an interval also decide alike is reported in ``result_.details["extremal_decisions"]``.

    Parameters
    ----------
    C : float or None, default=None
        The price of the loss in the best model, which minimises ``||w||_1 + C loss``. None chooses C by
        cross-validation on the loss of rows left out, or, with ``criterion="score"``, on the 0/1/r loss.
    penalty : {"l1", "l2"}, default="l1"
        What the best model minimises: ``||w||_1 + C loss``, or ``1/2 ||w||_2^2 + C loss`` as in the paper.
    class_weight : "balanced", dict or None, default=None
        A factor on the loss of each class. "balanced" takes ``n / (2 n_k)``, so that both classes count the same.
    reject_cost : float, default=0.25
        What it costs to reject a sample, r in (0, 1/2], where an error costs 1. At 1/2 the answer is that of
        `RelevanceClassifier`.
    reject_threshold : float or None, default=None
        Samples with ``|x.w + b|`` up to this value in (0, 1) are rejected. None takes the reject cost, as in the paper.
    reject_label : object, default=None
        What `predict` returns for rejected samples; it must not be a class. With None `predict` names a class for every
        sample, and `reject` marks the samples whose class should be disregarded.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The two classes, without the reject label. Positive weights speak for the second.
    coef_ : ndarray of shape (1, n_features)
        The best model's weights, in the units of X.
    intercept_ : ndarray of shape (1,)
        The best model's offset.
    reject_threshold_ : float
        The `reject_threshold` in use.

    See Also
    --------
    RelevanceClassifier : Two or more classes, and an answer for every sample.
    RejectOptionSVC : The learner alone, without intervals.

    References
    ----------
    .. [1] C. Göpfert, J. P. Göpfert, B. Hammer, "Analyzing feature relevance for linear reject option SVM using
       relevance intervals", 2018.

    Examples
    --------
    >>> from relspan import RejectRelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(150, strong=1, weak=2, irrelevant=2, target_noise=0.3, random_state=0)
    >>> clf = RejectRelevanceClassifier(reject_cost=0.2, random_state=0).fit(data.X, data.y)
    >>> clf.relevance_.tolist(), clf.reject(data.X).any().item()
    ([2, 1, 1, 0, 0], True)
    """

    penalty: str = "l1"
    class_weight: Any = None
    reject_cost: float = 0.25
    reject_threshold: float | None = None
    reject_label: Any = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> RejectRelevanceClassifier:
        """Find the best model, the intervals of all features, and their classes.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            The classes.
        sample_weight : array-like of shape (n_samples,), default=None
            A factor on the loss of each sample; 0 leaves a sample out. A whole weight equals repeated rows where C
            is given; cross-validation may deal copies of a row to different folds, but never a part of a weight.
        groups : array-like of shape (n_samples,), default=None
            The group of each sample, such as the patient that a row was measured on: any labels. Rows of one group are
            not independent, so they stay together in folds, and chance is measured by exchanging whole groups.

        Returns
        -------
        RejectRelevanceClassifier
            The fitted estimator.

        See Also
        --------
        explore : Pins, substitutes, panels and shared predictions of the equally good models.

        Examples
        --------
        >>> from relspan import RejectRelevanceClassifier
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, target_noise=0.3, random_state=0)
        >>> RejectRelevanceClassifier(random_state=0).fit(data.X, data.y).relevance_.tolist()
        [2, 1, 1, 0, 0]
        """
        loss = reject_hinge(self.reject_cost, self.reject_threshold)
        samples = self._samples(X, y, sample_weight, groups)
        self.classes_, codes = read_classes(samples.y, self.C, most=2)
        check_reject_label(self.reject_label, self.classes_)
        costs = sample_costs(self.class_weight, self.classes_, codes, samples.weights)
        target = {"classes": class_counts(self.classes_, codes)}
        signs = np.where(codes == 1, 1.0, -1.0)
        self._fit([loss], REJECT.name, samples, signs, costs, target, stratified=True)
        self.reject_threshold_ = loss.reject_threshold
        self.coef_, self.intercept_ = self._weights[None], self._offsets - self._shift
        found = self._analysis
        if found is None:  # no feature helps
            return self
        kept = self._table.varying_names
        decisions = [
            {"feature": kept[record.pop("column")], **record}
            for record in extremal_decisions(found.problem, found.baseline, found.ranges)
        ]
        self.result_ = replace(self.result_, details={"extremal_decisions": decisions})
        return self

    def decision_function(self, X: Any) -> Floats:
        """Compute the best model's score of each sample.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positive for the second class, and near 0 for samples that are better rejected.

        See Also
        --------
        reject : The samples that are rejected.

        Examples
        --------
        >>> from relspan import RejectRelevanceClassifier
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, target_noise=0.3, random_state=0)
        >>> RejectRelevanceClassifier(random_state=0).fit(data.X, data.y).decision_function(data.X).shape
        (100,)
        """
        return np.asarray(self._scores(X) + self._offsets[0])

    def extremal_model(self, feature: int, end: str) -> tuple[Floats, float]:
        """Find an equally good model in which a feature has its least or its largest relevance.

        Parameters
        ----------
        feature : int
            The position of the feature in the table.
        end : {"minimal", "maximal"}
            The end of its interval.

        Returns
        -------
        weights : ndarray of shape (n_features,)
            The model's weights, in the units of X.
        offset : float
            The model's offset.

        See Also
        --------
        decision_function : The scores of the best model.

        Examples
        --------
        >>> from relspan import RejectRelevanceClassifier
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, target_noise=0.3, random_state=0)
        >>> clf = RejectRelevanceClassifier(random_state=0).fit(data.X, data.y)
        >>> weights, offset = clf.extremal_model(1, "minimal")
        >>> bool(round(abs(weights[1]), 6) == 0)
        True
        """
        check_is_fitted(self)
        if self._analysis is None:
            raise ParameterError("no feature helps, so there are no models at the ends of intervals")
        checks.one_of("end", end, ("minimal", "maximal"))
        table = self._table
        varies = table.varying_columns
        if checks.whole("feature", feature, at_least=0, at_most=table.n_public - 1) not in varies:
            raise ParameterError(f"feature {feature!r} is constant or not in the table of {table.n_public} columns")
        column = int(np.searchsorted(varies, feature))
        if not self._analysis.ranges.solved[column]:
            raise ParameterError(
                f"feature {feature!r} was proven irrelevant by a bound, so it has no model; fit with screen=False"
            )
        extremes = self._analysis.ranges.extremes
        # the model of each end, and where 0 lies between the ends the mixture of both that has weight 0
        hi, lo = extremes.models_of([2 * column, 2 * column + 1])
        sizes = np.abs([hi[column], lo[column]])
        if end == "maximal":
            model = hi if sizes[0] >= sizes[1] else lo
        elif hi[column] > 0 > lo[column]:
            model = (hi * -lo[column] + lo * hi[column]) / (hi[column] - lo[column])
        else:
            model = hi if sizes[0] <= sizes[1] else lo
        weights = np.zeros(table.n_public)
        weights[varies] = model[: len(varies)]
        weights /= table.scale
        return weights, float(model[len(varies)] - table.mean @ weights)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class Reject(ClassTask):
    """Two classes, and the model may abstain at a cost."""

    name = "reject"
    target = "two classes, and the model may abstain"
    estimator = RejectRelevanceClassifier
    losses = (RejectHinge,)
    options = (
        CLASS_WEIGHT,
        PENALTY,
        TaskOption(
            name="reject_cost",
            type=float,
            help="Cost of rejecting a row (giving no answer), up to 0.5; an error costs 1.",
            default="0.25",
        ),
        TaskOption(
            name="reject_threshold",
            type=float,
            help="Rows whose absolute score is at most this large are rejected.",
            default="the reject cost",
        ),
    )
    score_name = "1 - 0/1/r loss"
    simulated = "classes"

    def model_facts(self, result: RelevanceResult) -> list[str]:
        loss = loss_parameters(result)
        return [f"no answer costs {loss['reject_cost']:g} and is given at scores up to {loss['reject_threshold']:g}"]


REJECT = register(Reject())
