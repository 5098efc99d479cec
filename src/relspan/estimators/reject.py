"""RejectRelevanceClassifier: intervals for classification with a reject option (Göpfert et al. 2018)."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from relspan.analysis.extremal_decisions import extremal_decisions
from relspan.arrays import Floats
from relspan.errors import ParameterError
from relspan.estimators.base import RelevanceEstimator, seed_of
from relspan.estimators.reject_decisions import RejectOptionMixin, check_reject_label, reject_hinge
from relspan.estimators.targets import FOLDS, class_counts, read_classes, sample_costs
from relspan.progress import Progress


class RejectRelevanceClassifier(RejectOptionMixin, ClassifierMixin, RelevanceEstimator):  # type: ignore[misc]
    """How much can, and how much must, each feature matter for a classifier that may abstain?

    Over all linear models that are as good as the best one,

        F = { (w, b) :  ||w||_1 <= M,  sum_i max(0, 1 - s_i, 1 - ((1 - r) / r) s_i) <= R },   s_i = y_i (x_i.w + b),

    the relevance |w_j| of feature j fills an interval; see `RelevanceClassifier` for how it is read. Whether the models
    at the ends of an interval also decide alike is told in ``result_.details["extremal_decisions"]``.

    Parameters
    ----------
    reject_cost : float
        r in (0, 1/2]: what it costs to reject a sample, where an error costs 1. At 1/2 the answer is that of
        `RelevanceClassifier`, but for how C is chosen.
    reject_threshold : float, optional
        Samples with |x.w + b| up to it are rejected; any value in (0, 1). None: the reject cost, as in the paper.
    reject_label : optional
        What `predict` says of rejected samples; it must not be a class. None: `predict` names a class for every
        sample, and `reject` tells which to disregard.
    C : float, optional
        Price of the loss in the best model. None: chosen by 3-fold stratified cross-validation on the 0/1/r loss.
    penalty : {"l1", "l2"}
        The best model: min ||w||_1 + C loss, or the paper's min 1/2 ||w||_2^2 + C loss.
    delta_norm, delta_loss, loss_budget, n_probes, probes, alpha, control, class_weight, feature_groups, standardize,
    engine, screen, n_jobs
        As in `RelevanceClassifier`.
    random_state : int, RandomState or None
        Seeds the folds and the probes.
    progress : callable, optional
        Called as ``progress(stage, share, note)`` while the fit goes on; see `relspan.progress`.
    checkpoint : path, optional
        As in `RelevanceClassifier`.

    Attributes
    ----------
    intervals_, signed_intervals_, relevance_, result_, C_, coef_, intercept_
        As in `RelevanceClassifier`.
    classes_ : ndarray
        The two classes, without the reject label; weights point to the second.
    reject_threshold_ : float
        The `reject_threshold` in use.

    Examples
    --------
    >>> from relspan import RejectRelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=2, target_noise=0.3, random_state=0)
    >>> clf = RejectRelevanceClassifier(reject_cost=0.2, random_state=0).fit(data.X, data.y)
    >>> clf.relevance_.tolist(), clf.reject(data.X).any().item()
    ([2, 1, 1, 0, 0], True)
    """

    def __init__(
        self,
        reject_cost: float = 0.25,
        reject_threshold: float | None = None,
        reject_label: Any = None,
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
        self.reject_cost = reject_cost
        self.reject_threshold = reject_threshold
        self.reject_label = reject_label
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RejectRelevanceClassifier:
        """Find the best model, the intervals of all features, and their classes."""
        loss = reject_hinge(self.reject_cost, self.reject_threshold)
        X, y, weights, more = self._samples(X, y, sample_weight)
        self.classes_, codes = read_classes(y, self.C, most=2)
        check_reject_label(self.reject_label, self.classes_)
        costs = sample_costs(self.class_weight, self.classes_, codes, weights)
        splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=seed_of(self.random_state))
        target = {"classes": class_counts(self.classes_, codes)}
        signs = np.where(codes == 1, 1.0, -1.0)
        self._fit([loss], "reject", X, signs, weights, costs, splitter, target, more)
        self.reject_threshold_ = loss.reject_threshold
        self.coef_, self.intercept_ = self._weights[None], self._offsets - self._shift
        found = self._analysis
        kept = self._table.varying_names
        decisions = [
            {"feature": kept[record.pop("column")], **record}
            for record in extremal_decisions(found.problem, found.baseline, found.ranges)
        ]
        self.result_ = replace(self.result_, details={"extremal_decisions": decisions})
        return self

    def decision_function(self, X: Any) -> Floats:
        """The best model's score: positive for the second class, near 0 for samples that are better rejected."""
        return np.asarray(self._scores(X) + self._offsets[0])

    def extremal_model(self, feature: int, end: str) -> tuple[Floats, float]:
        """Weights and offset, in the units of X, of an equally good model at an end of a feature.

        Parameters
        ----------
        feature : int
            The feature's place in the table.
        end : {"minimal", "maximal"}
            Which end of its interval.
        """
        check_is_fitted(self)
        if end not in ("minimal", "maximal"):
            raise ParameterError(f"end must be 'minimal' or 'maximal', not {end!r}")
        table = self._table
        varies = table.varying_columns
        if feature not in varies:
            raise ParameterError(f"feature {feature!r} is constant or not in the table of {table.n_public} columns")
        column = int(np.searchsorted(varies, feature))
        if not self._analysis.ranges.solved[column]:
            raise ParameterError(f"feature {feature!r} was proven irrelevant without a program: fit with screen=False")
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
        tags.target_tags.required = True
        return tags
