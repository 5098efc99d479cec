"""What a fitted scikit-learn model is: its coefficients, the loss and the penalty it minimises, and what it predicts.

Every entry of the table below is a model that minimises  penalty + price * sum_i c_i loss_i  over linear scores, with

    penalty = l1 sum_j |w_j| + l2 sum_j w_j^2 / 2

so its own idea of a good model is known: that is what an audit compares other models by.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import linear_model, svm
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from relspan.arrays import Floats
from relspan.errors import ModelError

CLASSES, NUMBERS = "classes", "numbers"


@dataclass(frozen=True)
class Objective:
    """What a model minimises. `loss` is a key of `fitted_losses.LOSS_FORMS`; `price` is that of the summed loss.

    `epsilon` is the width of a loss that has one, `share` the quantile of a pinball loss. A `mean_price` is one of the
    mean loss: it is divided by the number of rows (or by their weights).
    """

    loss: str
    l1: float = 0.0
    l2: float = 0.0
    price: float = 1.0
    of_mean: bool = False
    epsilon: float = 0.0
    share: float = 0.5

    @property
    def penalised(self) -> bool:
        return self.l1 > 0 or self.l2 > 0

    @property
    def penalty_words(self) -> str:
        """The penalty in words."""
        if not self.penalised:
            return "no penalty"
        if self.l1 and self.l2:
            return "an elastic-net penalty"
        return "an L1 penalty" if self.l1 else "an L2 penalty"


@dataclass(frozen=True, eq=False)
class AuditedModel:
    """A fitted linear model: the estimator, the steps before it, its coefficients and what it minimises."""

    estimator: Any
    steps: Any
    target: str
    objective: Objective
    coefficients: Floats
    intercept: float
    has_intercept: bool
    classes: tuple[Any, ...] | None

    @property
    def name(self) -> str:
        """The name of its class."""
        return type(self.estimator).__name__


def read_model(model: Any) -> AuditedModel:
    """The linear model behind a fitted estimator, a pipeline or a search; ModelError where there is none."""
    model = getattr(model, "best_estimator_", model)
    steps, last = (None, model)
    if isinstance(model, Pipeline):
        steps, last = (model[:-1] if len(model) > 1 else None), model[-1]
    last = getattr(last, "best_estimator_", last)
    if hasattr(last, "explore") and hasattr(last, "result_"):
        raise ModelError(f"{type(last).__name__} knows all models as good as its own; ask its explore() and result_")
    kind = _kind_of(last)
    try:
        check_is_fitted(model)
        check_is_fitted(last, "coef_")
    except NotFittedError:
        raise ModelError(
            f"{type(last).__name__} is not fitted; call fit(X, y) first, then audit the fitted model"
        ) from None
    if getattr(last, "positive", False):
        raise ModelError(
            f"{type(last).__name__}(positive=True) keeps its coefficients at or above 0, and models as good as it may "
            "not; audit a model without this limit"
        )
    coefficients = np.atleast_2d(np.asarray(last.coef_, dtype=np.float64))
    if len(coefficients) > 1:
        what = f"{len(coefficients)} classes or outputs"
        raise ModelError(
            f"{type(last).__name__} has one row of coefficients for each of {what}, and an audit is about one score "
            "per row; fit a model of two classes, such as one class against the rest, or of one output"
        )
    target, read = kind
    classes = tuple(last.classes_.tolist()) if target == CLASSES else None
    return AuditedModel(
        last,
        steps,
        target,
        read(last),
        coefficients[0],
        float(np.ravel(last.intercept_)[0]) if np.size(last.intercept_) else 0.0,
        bool(getattr(last, "fit_intercept", True)),
        classes,
    )


def _kind_of(estimator: Any) -> tuple[str, Callable[[Any], Objective]]:
    """How an estimator is read: by its own class first, then by the classes it inherits from."""
    for base in type(estimator).__mro__:
        if base in READERS:
            return READERS[base]
    names = ", ".join(sorted({base.__name__ for base in READERS}))
    linear = hasattr(estimator, "coef_") and not hasattr(estimator, "kernel")
    reason = "has coefficients, but no loss that an audit knows" if linear else "is not a linear model"
    raise ModelError(
        f"{type(estimator).__name__} {reason}; audit takes {names}, and pipelines and searches that end with one"
    )


def _chosen(model: Any, name: str, default: Any = None) -> Any:
    """A parameter: as cross-validation chose it, else as it was given."""
    return getattr(model, f"{name}_", getattr(model, name, default))


def _mixed(ratio: float | None) -> tuple[float, float]:
    """The prices of an elastic net by its l1_ratio."""
    ratio = 0.0 if ratio is None else float(ratio)
    return ratio, 1.0 - ratio


def _by_name(penalty: str | None, ratio: float | None) -> tuple[float, float]:
    """The prices of a penalty that goes by its name."""
    known = {None: (0.0, 0.0), "none": (0.0, 0.0), "l1": (1.0, 0.0), "l2": (0.0, 1.0), "elasticnet": _mixed(ratio)}
    return known[penalty]


def _logistic(model: Any) -> Objective:
    C = float(np.ravel(_chosen(model, "C"))[0])
    ratio = _chosen(model, "l1_ratio")
    ratio = None if ratio is None else float(np.ravel(ratio)[0])
    penalty = getattr(model, "penalty", "deprecated")
    l1, l2 = _mixed(ratio) if penalty == "deprecated" else _by_name(penalty, ratio)
    if np.isinf(C):
        return Objective("logistic")
    return Objective("logistic", l1, l2, C)


def _linear_svc(model: Any) -> Objective:
    return Objective(model.loss.replace("_", " "), *_by_name(model.penalty, None), price=float(model.C))


def _linear_svr(model: Any) -> Objective:
    loss = model.loss.replace("_", " ").replace("epsilon insensitive", "epsilon-insensitive")
    return Objective(loss, 0.0, 1.0, float(model.C), epsilon=float(model.epsilon))


def _sgd(model: Any) -> Objective:
    l1, l2 = _by_name(model.penalty, model.l1_ratio)
    alpha = float(model.alpha)
    if not alpha:
        l1 = l2 = 0.0
    names = {"log_loss": "logistic", "modified_huber": "modified Huber", "huber": "Huber"}
    loss = names.get(model.loss, model.loss.replace("_", " "))
    loss = loss.replace("epsilon insensitive", "epsilon-insensitive")
    if loss == "perceptron":
        raise ModelError(
            f"{type(model).__name__} minimises the perceptron's loss, of which the model without columns has none; "
            "audit takes loss='hinge', 'log_loss', 'squared_hinge', 'modified_huber' and those of regression"
        )
    # the square is half of ours in a regression
    half = 0.5 if loss in ("squared error", "Huber") else 1.0
    return Objective(loss, l1, l2, half / (alpha or 1.0), True, epsilon=float(getattr(model, "epsilon", 0.0)))


def _lasso(model: Any) -> Objective:
    alpha, ratio = float(_chosen(model, "alpha")), float(_chosen(model, "l1_ratio", 1.0))
    return Objective("squared error", *_mixed(ratio), price=0.5 / alpha, of_mean=True)


def _ridge(model: Any) -> Objective:
    alpha = float(np.ravel(_chosen(model, "alpha"))[0])
    return Objective("squared error", 0.0, 1.0, 0.5 / alpha) if alpha else Objective("squared error")


def _least_squares(model: Any) -> Objective:
    return Objective("squared error")


def _huber(model: Any) -> Objective:
    width, alpha = float(model.epsilon) * float(model.scale_), float(model.alpha)
    if not alpha:
        return Objective("Huber", epsilon=width)
    return Objective("Huber", 0.0, 2.0 * alpha, 1.0 / float(model.scale_), epsilon=width)


def _quantile(model: Any) -> Objective:
    l1 = float(model.alpha > 0)
    return Objective("pinball", l1, 0.0, 1.0 / (model.alpha or 1.0), True, share=float(model.quantile))


READERS: Mapping[type, tuple[str, Callable[[Any], Objective]]] = {
    linear_model.LogisticRegression: (CLASSES, _logistic),
    linear_model.LogisticRegressionCV: (CLASSES, _logistic),
    svm.LinearSVC: (CLASSES, _linear_svc),
    linear_model.SGDClassifier: (CLASSES, _sgd),
    linear_model.RidgeClassifier: (CLASSES, _ridge),
    linear_model.RidgeClassifierCV: (CLASSES, _ridge),
    svm.LinearSVR: (NUMBERS, _linear_svr),
    linear_model.SGDRegressor: (NUMBERS, _sgd),
    linear_model.LinearRegression: (NUMBERS, _least_squares),
    linear_model.Ridge: (NUMBERS, _ridge),
    linear_model.RidgeCV: (NUMBERS, _ridge),
    linear_model.Lasso: (NUMBERS, _lasso),
    linear_model.LassoCV: (NUMBERS, _lasso),
    linear_model.ElasticNet: (NUMBERS, _lasso),
    linear_model.ElasticNetCV: (NUMBERS, _lasso),
    linear_model.HuberRegressor: (NUMBERS, _huber),
    linear_model.QuantileRegressor: (NUMBERS, _quantile),
}
