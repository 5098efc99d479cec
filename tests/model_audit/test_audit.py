"""`relspan.audit`: closed forms, laws of units and weights, certain signs and labels, and models that it refuses."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from scipy.optimize import brentq, linprog, minimize
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import (
    ElasticNet,
    HuberRegressor,
    Lasso,
    LassoCV,
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    Perceptron,
    QuantileRegressor,
    Ridge,
    RidgeClassifier,
    SGDClassifier,
    SGDRegressor,
)
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures, StandardScaler
from sklearn.svm import SVC, LinearSVC, LinearSVR

import relspan
from relspan.errors import DataError, ModelError, ParameterError

pd = pytest.importorskip("pandas")
RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 4)) * [1.0, 2.0, 0.5, 1.0] + [0.0, 3.0, 0.0, -1.0]
X[:, 3] = X[:, 0] + 0.3 * X[:, 3]
SCORE = X @ [1.0, -0.6, 0.0, 0.5] + 1.5 + 0.8 * RNG.standard_normal(60)
Y = np.where(SCORE > 0, "ill", "well")
CLASSIFIERS = [
    LogisticRegression(),
    LogisticRegression(C=np.inf),
    LogisticRegression(l1_ratio=1.0, solver="liblinear"),
    LogisticRegressionCV(Cs=2, l1_ratios=(0,), use_legacy_attributes=False),
    LinearSVC(max_iter=20000),
    LinearSVC(loss="hinge", max_iter=100_000),
    SGDClassifier(alpha=0.05, average=True, random_state=0),
    SGDClassifier(loss="log_loss", penalty="elasticnet", alpha=0.05, average=True, random_state=0),
    SGDClassifier(loss="modified_huber", penalty=None, eta0=0.001, learning_rate="constant", random_state=0),
    RidgeClassifier(),
]
REGRESSORS = [
    LinearRegression(),
    Ridge(),
    Lasso(0.05),
    LassoCV(alphas=5),
    ElasticNet(0.05),
    SGDRegressor(random_state=0),
    SGDRegressor(loss="huber", random_state=0),
    LinearSVR(random_state=0, max_iter=20000),
    LinearSVR(loss="squared_epsilon_insensitive", random_state=0, max_iter=20000),
    HuberRegressor(),
    QuantileRegressor(alpha=0.01),
]
pytestmark = pytest.mark.filterwarnings("ignore")


def name_of(model) -> str:
    return f"{type(model).__name__}-{getattr(model, 'loss', '')}-{getattr(model, 'penalty', '')}"


def ends(audit) -> np.ndarray:
    return np.array([[one.lo, one.hi] for one in audit.coefficients])


@pytest.mark.parametrize("model", [*CLASSIFIERS, *REGRESSORS], ids=name_of)
def test_every_model_lies_within_its_own_ranges(model) -> None:
    y = Y if model in CLASSIFIERS else SCORE
    fitted = make_pipeline(StandardScaler(), model).fit(X, y)
    found = relspan.audit(fitted, X, y, delta_norm=0.1)
    values = np.array([one.value for one in found.coefficients])
    assert values == pytest.approx(np.ravel(fitted[-1].coef_))
    assert (ends(found)[:, 0] <= values).all()
    assert (values <= ends(found)[:, 1]).all()
    assert (ends(found)[:, 0] < ends(found)[:, 1]).all()
    assert not found.unproven
    assert found.intercept is not None
    assert found.intercept.lo <= found.intercept.value <= found.intercept.hi
    assert found.budgets["loss"] < found.budgets["loss_limit"] < found.budgets["null_loss"]
    assert (found.uncertain_rows is None) == (model in REGRESSORS)
    wider = relspan.audit(fitted, X, y, delta_norm=0.2, delta_loss=0.05, predictions=False)
    slack = np.array([one.gap for one in wider.coefficients])
    assert (ends(wider)[:, 0] <= ends(found)[:, 0] + slack).all()
    assert (ends(wider)[:, 1] >= ends(found)[:, 1] - slack).all()


def test_least_squares_give_the_classical_ellipsoid() -> None:
    """loss <= R is w* +- sqrt(room (X'X)^-1_jj), with the offset among the columns."""
    model = LinearRegression().fit(X, SCORE)
    found = relspan.audit(model, X, SCORE)
    A = np.column_stack([X, np.ones(len(X))])
    room = found.budgets["loss_limit"] - found.budgets["loss"]
    half = np.sqrt(room * np.diag(np.linalg.inv(A.T @ A)))
    exact = np.column_stack([model.coef_ - half[:4], model.coef_ + half[:4]])
    assert ends(found) == pytest.approx(exact, rel=1e-3)
    assert found.intercept.lo == pytest.approx(model.intercept_ - half[4], rel=1e-3)
    assert "no limit" in found.budgets["sentence"]


def test_ridge_with_a_combined_budget_gives_an_ellipsoid_too() -> None:
    model = Ridge(alpha=2.0).fit(X, SCORE)
    found = relspan.audit(model, X, SCORE, budget="combined")
    A = np.column_stack([X, np.ones(len(X))])
    room = found.budgets["loss_limit"] - found.budgets["loss"]
    half = np.sqrt(room * np.diag(np.linalg.inv(A.T @ A + 2.0 * np.diag([1, 1, 1, 1, 0]))))[:4]
    assert ends(found) == pytest.approx(np.column_stack([model.coef_ - half, model.coef_ + half]), rel=1e-3)


def test_an_unpenalised_logistic_model_has_its_profile_likelihood_intervals() -> None:
    table = X[:, :2]
    model = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(table, Y)
    s = np.where(model.classes_[1] == Y, 1.0, -1.0)

    def loss(w1: float, w0: float, b: float) -> float:
        return float(np.logaddexp(0, -s * (table @ [w0, w1] + b)).sum())

    w, b = model.coef_[0], model.intercept_[0]
    best = loss(w[1], w[0], b)
    chi2 = 3.841458820694124 / 2  # the 95 % quantile with one degree of freedom, halved

    def profile(w0: float) -> float:
        return minimize(lambda rest: loss(rest[0], w0, rest[1]), [w[1], b], tol=1e-10).fun - best - chi2

    found = relspan.audit(model, table, Y, delta_loss=0.02)
    share = chi2 / (found.budgets["null_loss"] - found.budgets["loss"])
    found = relspan.audit(model, table, Y, delta_loss=share)
    assert found["x0"].lo == pytest.approx(brentq(profile, w[0] - 5, w[0]), rel=1e-3)
    assert found["x0"].hi == pytest.approx(brentq(profile, w[0], w[0] + 5), rel=1e-3)


def test_a_hinge_model_has_the_ranges_of_a_plain_linear_program() -> None:
    model = LinearSVC(loss="hinge", max_iter=100_000).fit(X, Y)
    found = relspan.audit(model, X, Y)
    s, spread = np.where(model.classes_[1] == Y, 1.0, -1.0), X.std(axis=0)
    w, b = model.coef_[0], model.intercept_[0]
    rho = np.maximum(0, 1 - s * (X @ w + b)).sum()
    R = rho + 0.02 * (2 * min((s > 0).sum(), (s < 0).sum()) - rho)
    n, d = X.shape
    A = np.vstack(
        [
            np.hstack([-s[:, None] * X, np.zeros((n, d)), -s[:, None], -np.eye(n)]),
            np.hstack([np.eye(d), -np.eye(d), np.zeros((d, 1 + n))]),
            np.hstack([-np.eye(d), -np.eye(d), np.zeros((d, 1 + n))]),
            np.concatenate([np.zeros(d), spread, [0], np.zeros(n)])[None],
            np.concatenate([np.zeros(2 * d + 1), np.ones(n)])[None],
        ]
    )
    limits = np.concatenate([-np.ones(n), np.zeros(2 * d), [1.1 * np.abs(w) @ spread, R]])
    free = [(None, None)] * d + [(0, None)] * d + [(None, None)] + [(0, None)] * n
    for j, one in enumerate(found.coefficients):
        cost = np.zeros(2 * d + 1 + n)
        cost[j] = 1.0
        assert one.lo == pytest.approx(linprog(cost, A, limits, bounds=free).fun, abs=1e-6)
        assert one.hi == pytest.approx(-linprog(-cost, A, limits, bounds=free).fun, abs=1e-6)


@pytest.mark.parametrize("model", [LogisticRegression(), Lasso(0.05), LinearSVC(loss="hinge", max_iter=100_000)])
def test_the_order_of_columns_and_whole_weights_do_not_count(model) -> None:
    y = SCORE if isinstance(model, Lasso) else Y
    weights, order = np.arange(len(X)) % 3, [2, 0, 3, 1]
    fitted = model.fit(X, y, sample_weight=weights)
    one = relspan.audit(fitted, X, y, sample_weight=weights)
    repeated = relspan.audit(fitted, np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert ends(one) == pytest.approx(ends(repeated), rel=1e-3, abs=1e-4)
    fitted.coef_ = fitted.coef_[..., order]
    assert ends(relspan.audit(fitted, X[:, order], y, sample_weight=weights)) == pytest.approx(
        ends(one)[order], rel=1e-3, abs=1e-4
    )


def test_class_weights_are_read_from_the_model() -> None:
    plain, balanced = (LogisticRegression(class_weight=w).fit(X, Y) for w in (None, "balanced"))
    counts = np.array([(label == Y).sum() for label in Y])
    by_hand = len(Y) / (2 * counts)
    plain.coef_, plain.intercept_ = balanced.coef_, balanced.intercept_
    assert ends(relspan.audit(balanced, X, Y)) == pytest.approx(
        ends(relspan.audit(plain, X, Y, sample_weight=by_hand)), rel=1e-4
    )


@pytest.mark.parametrize("scaler", [StandardScaler(), MinMaxScaler()])
def test_scalers_give_ranges_per_unit_of_the_table(scaler) -> None:
    frame = pd.DataFrame(X, columns=["age", "dose", "noise", "copy"])
    fitted = make_pipeline(scaler, LinearRegression()).fit(frame, SCORE)
    found = relspan.audit(fitted, frame, SCORE)
    direct = relspan.audit(LinearRegression().fit(frame, SCORE), frame, SCORE)
    per_unit = np.array([[one.table_value, one.table_lo, one.table_hi] for one in found.coefficients])
    assert per_unit == pytest.approx(np.column_stack([[o.value for o in direct.coefficients], ends(direct)]), rel=1e-3)
    assert found["age"].name == "age"
    assert set(found.to_frame("dict")) >= {"name", "table_lo", "sign"}


def test_other_steps_leave_the_columns_of_the_linear_step() -> None:
    fitted = make_pipeline(PolynomialFeatures(include_bias=True), Ridge()).fit(X[:, :2], SCORE)
    found = relspan.audit(fitted, X[:, :2], SCORE)
    assert [one.name for one in found.coefficients] == ["1", "x0", "x1", "x0^2", "x0 x1", "x1^2"]
    assert found["1"].constant
    assert found["1"].table_value is None
    assert "constant columns" in str(found)
    assert found.intercept.lo <= found.intercept.value <= found.intercept.hi


def test_copies_of_a_column_have_no_limit_without_a_penalty() -> None:
    doubled = np.column_stack([X[:, 0], X[:, 0], X[:, 1]])
    found = relspan.audit(LinearRegression().fit(doubled, SCORE), doubled, SCORE)
    assert np.isinf(ends(found)[:2]).all()
    assert np.isfinite(ends(found)[2]).all()
    assert found["x2"].sign == -1
    assert "Nothing limits" in str(found)
    record = json.loads(found.to_json())
    assert record["coefficients"][0]["lo"] is None


@pytest.mark.parametrize("model", [LogisticRegression(C=0.5), LinearSVC(loss="hinge", max_iter=100_000)])
def test_labels_are_certain_exactly_where_no_member_changes_them(model) -> None:
    fitted = model.fit(X, Y)
    found = relspan.audit(fitted, X, Y)
    certain = np.ones(len(X), dtype=bool)
    certain[list(found.uncertain_rows)] = False
    assert 0 < certain.sum() < len(X)
    predicted = found.predictions(X)
    assert predicted.certain == tuple(certain.tolist())
    assert list(predicted.label) == fitted.predict(X).tolist()
    assert predicted.score == pytest.approx(fitted.decision_function(X))
    lo, hi = np.array(predicted.lo), np.array(predicted.hi)
    assert (lo <= predicted.score).all()
    assert (hi >= predicted.score).all()
    assert (certain == ((lo > 0) | (hi < 0))).all()
    if predicted.probability_lo is not None:
        assert predicted.probability_lo == pytest.approx(1 / (1 + np.exp(-lo)))
    assert "certain" in predicted.headline
    assert len(predicted.to_frame()) == len(X)


def test_one_standard_error_is_a_budget() -> None:
    fitted = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y)
    found = relspan.audit(fitted, X, Y, delta_loss="one_se")
    given = found.budgets
    assert given["delta_loss"] == pytest.approx(given["standard_error"] / (given["null_loss"] - given["loss"]))
    assert given["delta_loss_asked"] == "one_se"
    assert "one standard error" in given["sentence"]
    same = relspan.audit(fitted, X, Y, delta_loss=given["delta_loss"])
    assert ends(found) == pytest.approx(ends(same))


def test_searches_and_frames_in_any_order_are_read() -> None:
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    search = GridSearchCV(make_pipeline(StandardScaler(), LogisticRegression()), {"logisticregression__C": [0.1, 1]})
    found = relspan.audit(search.fit(frame, Y), frame[["d", "c", "b", "a"]], Y)
    assert [one.name for one in found.coefficients] == ["a", "b", "c", "d"]
    assert found.headline.startswith("LogisticRegression")
    assert "<table" in found._repr_html_()
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    with pytest.raises(ValueError, match="no further questions"):
        again.predictions(frame)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (RandomForestClassifier(n_estimators=2).fit(X, Y), "RandomForestClassifier is not a linear model"),
        (SVC(kernel="linear").fit(X, Y), "SVC is not a linear model"),
        (Perceptron().fit(X, Y), "Perceptron has coefficients, but no loss"),
        (SGDClassifier(loss="perceptron").fit(X, Y), "perceptron"),
        (LogisticRegression(), "not fitted"),
        (make_pipeline(StandardScaler(), LogisticRegression()), "not fitted"),
        (LogisticRegression().fit(X, np.arange(60) % 3), "one score per row"),
        (Ridge().fit(X, np.column_stack([SCORE, SCORE])), "one score per row"),
        (Lasso(0.05, positive=True).fit(X, SCORE), "positive=True"),
        ("model", "str is not a linear model"),
    ],
)
def test_models_that_cannot_be_audited_are_refused(model, reason: str) -> None:
    with pytest.raises(ModelError, match=reason):
        relspan.audit(model, X, Y)


MODEL = LogisticRegression().fit(pd.DataFrame(X, columns=list("abcd")), Y)
HOLES = np.where(np.arange(4) == 1, np.nan, X)


@pytest.mark.parametrize(
    ("table", "y", "options", "error", "reason"),
    [
        (X[:, :3], Y, {}, DataError, "4 columns"),
        (pd.DataFrame(X[:, :3], columns=list("abc")), Y, {}, DataError, "'d'"),
        (HOLES, Y, {}, DataError, "NaN or infinity in 'b'"),
        (X, Y[:50], {}, DataError, "60 rows"),
        (X, np.where(Y == "ill", "dead", Y), {}, DataError, "'dead'"),
        (X[:0], Y[:0], {}, DataError, "no rows"),
        (X, Y[::-1], {}, DataError, "explains nothing"),
        (np.ones_like(X), Y, {}, DataError, "nothing to audit"),
        (X, Y, {"sample_weight": -np.ones(60)}, DataError, "sample_weight"),
        (X, Y, {"delta_loss": 0.0}, ParameterError, "delta_loss"),
        (X, Y, {"delta_loss": "one-se"}, ParameterError, "one_se"),
        (X, Y, {"delta_norm": -1.0}, ParameterError, "delta_norm"),
        (X, Y, {"budget": "both"}, ParameterError, "budget"),
        (X, Y, {"predictions": 1}, ParameterError, "predictions"),
    ],
)
def test_tables_and_parameters_that_make_no_sense_are_refused(table, y, options, error, reason: str) -> None:
    with pytest.raises(error, match=reason):
        relspan.audit(MODEL, table, y, **options)


def test_relspan_s_own_estimators_are_pointed_to_their_session() -> None:
    own = relspan.RelevanceClassifier(C=0.5, n_probes=5, random_state=0).fit(X, Y)
    with pytest.raises(ModelError, match="explore"):
        relspan.audit(own, X, Y)
