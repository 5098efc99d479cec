"""Demanded signs: the best model, intervals, totals, verdicts and proofs are those of models that have them."""

from __future__ import annotations

import json
from html import unescape

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

from relspan import (
    OrdinalRelevanceClassifier,
    QuantileRelevanceRegressor,
    RejectRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
    RelevanceResult,
    RelevanceSurvival,
)
from relspan.engines import ExactEngine
from relspan.errors import DegenerateBaseline, InfeasiblePins, ParameterError, RelspanWarning
from relspan.explore import Explorer
from relspan.family import unit_directions
from relspan.losses import Hinge, Signed
from relspan.show.recipe import command, script
from relspan.simulate import simulate

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
SIGNS = {"x0": "+", "x2": "-", "x3": "+"}


@pytest.fixture(scope="module")
def data():
    return simulate(60, strong=1, weak=2, irrelevant=2, noise=0.5, flips=0.1, random_state=3)


def fit(data, **options):
    return RelevanceClassifier(**{"C": 1.0, "n_probes": 5, "random_state": 0, **options}).fit(data.X, data.y)


def written_out(Z, y, signs):
    """The hinge program over (p, q, b, x), w = p - q, as linprog takes it; a sign closes p or q."""
    n, d = Z.shape
    rows = -np.hstack([y[:, None] * Z, -y[:, None] * Z, y[:, None], np.eye(n)])
    closed = [(0, 0), (0, None)]
    upper = [closed[int(signs.get(j, 1) > 0)] for j in range(d)]
    lower = [closed[int(signs.get(j, -1) < 0)] for j in range(d)]
    return rows, [*upper, *lower, (None, None), *[(0, None)] * n]


def test_baseline_and_intervals_equal_an_independent_program(data):
    """min ||w||_1 + C loss and max +-w_j by scipy, with p or q closed by the sign: nothing of relspan is used."""
    clf = fit(data, signs=SIGNS)
    Z = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    y, (n, d) = np.where(data.y == np.unique(data.y)[1], 1.0, -1.0), data.X.shape
    rows, bounds = written_out(Z, y, {0: 1, 2: -1, 3: 1})
    cost = np.concatenate([np.ones(2 * d), [0.0], np.ones(n)])
    best = linprog(cost, A_ub=rows, b_ub=-np.ones(n), bounds=bounds)
    baseline = clf.result_.baseline
    assert baseline["l1_norm"] + baseline["loss"] == pytest.approx(best.fun, rel=1e-8)
    mu, rho = baseline["l1_norm"], baseline["loss"]
    norm, loss = 1.1 * mu, rho + 0.02 * (baseline["null_loss"] - rho)
    budgets = np.vstack([np.r_[np.ones(2 * d), 0, np.zeros(n)], np.r_[np.zeros(2 * d), 0, np.ones(n)]])
    A, b = np.vstack([rows, budgets]), np.concatenate([-np.ones(n), [norm, loss]])
    for j in range(d):
        v = np.zeros(len(cost))
        v[j], v[d + j] = 1.0, -1.0
        ends = [linprog(sign * v, A_ub=A, b_ub=b, bounds=bounds).fun * sign for sign in (1, -1)]
        assert clf.signed_intervals_[j] * mu == pytest.approx(ends, abs=1e-6 * mu)


@pytest.mark.parametrize("options", [{}, {"engine": "batched"}, {"engine": "reference"}, {"loss_budget": "combined"}])
def test_every_engine_proves_the_same_signed_intervals(data, options):
    budget = {name: value for name, value in options.items() if name != "engine"}
    exact, other = fit(data, signs=SIGNS, engine="exact", **budget), fit(data, signs=SIGNS, **options)
    assert other.signed_intervals_ == pytest.approx(exact.signed_intervals_, abs=2e-6)
    assert other.result_.certificates.verify() < 1e-5
    assert exact.signed_intervals_[0, 0] >= -1e-9
    assert exact.signed_intervals_[2, 1] <= 1e-9


def test_a_sign_that_holds_anyway_changes_no_interval(data):
    free = fit(data)
    certain = {f.name: "+" if f.lo > 0 else "-" for f in free.result_.features if f.lo > 0 or f.hi < 0}
    assert certain
    assert fit(data, signs=certain).signed_intervals_ == pytest.approx(free.signed_intervals_, abs=1e-7)


def test_a_mirrored_column_has_the_mirrored_sign(data):
    mirrored = data.X.copy()
    mirrored[:, 2] *= -1
    one, other = (
        fit(data, signs=SIGNS),
        RelevanceClassifier(C=1.0, n_probes=5, random_state=0, signs={**SIGNS, "x2": "+"}).fit(mirrored, data.y),
    )
    assert other.signed_intervals_[2] == pytest.approx(-one.signed_intervals_[2][::-1], abs=1e-7)
    assert np.delete(other.signed_intervals_, 2, 0) == pytest.approx(np.delete(one.signed_intervals_, 2, 0), abs=1e-7)


def test_a_signed_probe_would_have_the_same_end(data):
    """Why probes have no sign: the largest weight of an appended column is the same with and without one."""
    family = fit(data, signs=SIGNS).result_.certificates.family
    rng = np.random.default_rng(0)
    y = np.where(data.y == np.unique(data.y)[1], 1.0, -1.0)
    for j in range(3):
        wider = family.with_columns((y * rng.permutation(data.X[:, j]))[:, None])
        up = unit_directions([family.n_features], wider)[:1]
        free = ExactEngine(wider).maxima(up).values
        signed = ExactEngine(wider.boxed({family.n_features: (0.0, np.inf)})).maxima(up).values
        assert signed == pytest.approx(free, abs=1e-7)


def test_replaced_probes_have_no_sign_either(data):
    lo = np.array(fit(data, signs=dict.fromkeys(SIGNS, "+"), probes="replace", n_probes=20).result_.probes["lo"])
    assert (lo < -1e-6).any()


def test_totals_of_groups_respect_signs(data):
    """With the sign of both members certain, the total is their sum: one linear functional."""
    signs, groups = {"x1": "+", "x2": "-"}, {"pair": ["x1", "x2"]}
    clf = fit(data, signs=signs, feature_groups=groups)
    found = clf.explore().span({"x1": 1.0, "x2": -1.0})
    (pair,) = clf.result_.groups
    assert (pair.min, pair.max) == pytest.approx((found.lo, found.hi), abs=1e-6)


def test_a_feature_against_its_sign_is_not_relevant():
    """What moves the other way is no evidence; a warning names the feature."""
    data = simulate(200, strong=2, weak=0, irrelevant=3, random_state=0)
    free = RelevanceClassifier(random_state=0).fit(data.X, data.y)
    wrong = "-" if free.result_["x0"].lo > 0 else "+"
    with pytest.warns(RelspanWarning, match="contradict the demanded sign of 'x0'"):
        clf = RelevanceClassifier(random_state=0, signs={"x0": wrong}).fit(data.X, data.y)
    assert free.result_["x0"].relevance == "strong"
    assert clf.result_["x0"].relevance == "irrelevant"
    assert clf.result_["x1"].relevance == "strong"
    screened = RelevanceClassifier(random_state=0, signs={"x0": wrong}, screen=True).fit(data.X, data.y)
    assert (screened.relevance_ == clf.relevance_).all()


def test_signs_that_leave_no_model_are_explained():
    rng = np.random.default_rng(0)
    x = rng.standard_normal(80)
    X, y = pd.DataFrame({"dose": x}), (x > 0).astype(int)
    with pytest.warns(RelspanWarning, match=r"demanded signs are the reason \(dose -\)"):
        clf = RelevanceClassifier(random_state=0, signs={"dose": "-"}).fit(X, y)
    assert clf.result_.is_null
    with pytest.raises(DegenerateBaseline, match="dose -"):
        RelevanceClassifier(random_state=0, signs={"dose": "-"}, on_null="raise").fit(X, y)


@pytest.mark.parametrize(
    "estimator",
    [
        RelevanceRegressor(epsilon=0.1),
        QuantileRelevanceRegressor(),
        OrdinalRelevanceClassifier(),
        RejectRelevanceClassifier(),
        RelevanceClassifier(loss="logistic"),
        RelevanceClassifier(penalty="l2"),
        RelevanceClassifier(covariates=["x4"]),
        RelevanceSurvival(),
    ],
    ids=lambda e: type(e).__name__,
)
def test_every_estimator_takes_signs(data, estimator):
    score = data.X[:, 0] - data.X[:, 1] + 0.3 * np.random.default_rng(0).standard_normal(60)
    X = pd.DataFrame(data.X, columns=[f"x{j}" for j in range(5)])
    y = (score > 0).astype(int) if "Classifier" in type(estimator).__name__ else score
    if isinstance(estimator, OrdinalRelevanceClassifier):
        y = np.digitize(score, [-1, 1])
    if isinstance(estimator, RelevanceSurvival):
        y = np.array([(True, np.exp(-s)) for s in score], dtype=[("event", bool), ("time", float)])
    estimator.set_params(C=1.0, n_probes=5, random_state=0, signs={"x0": "+", "x1": "positive"}).fit(X, y)
    signed = estimator.signed_intervals_
    assert signed[0, 1] > 0.1  # a larger x0 means a larger score, a later class, a higher risk
    assert (signed[:2, 0] >= -1e-9).all()
    assert estimator.result_.certificates.verify() < 1e-5


def test_an_ordered_category_becomes_monotone():
    rng = np.random.default_rng(0)
    level = rng.integers(0, 4, 120)
    stage = pd.Categorical.from_codes(level, ["I", "II", "III", "IV"], ordered=True)
    frame = pd.DataFrame({"stage": stage, "site": pd.Categorical(rng.choice(["a", "b", "c"], 120))})
    y = (np.array([0.0, 2.0, 1.0, 3.0])[level] + rng.standard_normal(120) > 1.2).astype(int)
    clf = RelevanceClassifier(C=1.0, n_probes=5, random_state=0, signs={"stage": "+"}).fit(frame, y)
    weights = clf.explore().model().weights
    assert all(value >= -1e-9 for name, value in weights.items() if name.startswith("stage"))
    with pytest.raises(ParameterError, match="'site' is a category without an order"):
        RelevanceClassifier(signs={"site": "+"}).fit(frame, y)


@pytest.mark.parametrize(
    ("signs", "message"),
    [
        ({"x9": "+"}, "'x9', which is not a column"),
        ({"x0": "up"}, "the sign of 'x0' must be '\\+' or '-'"),
        ({"x0": True}, "the sign of 'x0'"),
        (["x0"], "signs must map"),
        ({7: "+"}, "columns 0 to 4"),
        ({0: "+", "x0": "-"}, "both"),
    ],
)
def test_signs_that_mean_nothing_are_refused(data, signs, message):
    with pytest.raises(ParameterError, match=message):
        fit(data, signs=signs)


def test_covariates_classes_and_privileged_columns_have_no_sign(data):
    X = pd.DataFrame(data.X, columns=[f"x{j}" for j in range(5)])
    with pytest.raises(ParameterError, match="'x4': a covariate is free"):
        RelevanceClassifier(C=1.0, covariates=["x4"], signs={"x4": "+"}).fit(X, data.y)
    with pytest.raises(ParameterError, match="one weight per feature"):
        RelevanceClassifier(C=1.0, signs={"x0": "+"}).fit(X, np.arange(60) % 3)
    with pytest.raises(ParameterError, match="one weight per feature"):
        RelevanceClassifier(C=1.0, signs={"x0": "+"}).fit(X, data.y, privileged=data.X[:, :1])


def test_signs_are_recorded_repeated_and_saved(data, tmp_path):
    clf = fit(data, signs=SIGNS)
    result = RelevanceResult.from_json(clf.result_.to_json())
    assert json.loads(clf.result_.to_json())["parameters"]["signs"] == SIGNS
    assert result.verify(data.X, data.y).compared > 50
    assert "signs={'x0': '+', 'x2': '-', 'x3': '+'}" in str(script(result))
    read = clf.result_.data | {"file": "t.csv", "sha256": "0", "target": "y"}
    words = str(command(type(result)(**{**vars(result), "data": read})))
    assert "--sign x0=+ --sign x2=-" in words
    page = unescape(clf.result_.to_html())
    assert "a positive weight or none of 'x0' and 'x3', and a negative weight or none of 'x2'" in page
    clf.explore().save(tmp_path / "model.json")
    again = Explorer.load(tmp_path / "model.json")
    assert again.pin("x1", "max").result["x2"].hi <= 1e-9
    assert again.score().folds == clf.explore().pin("x1", "max").score().folds
    with pytest.raises(InfeasiblePins, match="demands a negative weight of 'x2'"):
        again.pin("x2", ("+", 0.1, 0.3))


def test_signs_follow_their_columns():
    loss = Signed(Hinge(), (0, 3), (1, -1))
    assert loss.of_columns([3, 1]) == Signed(Hinge(), (0,), (-1,))
    assert loss.of_columns([1, 2]) == Hinge()
    assert loss.with_free(0) == Signed(Hinge(), (3,), (-1,))
    assert loss.by_column(4).tolist() == [1, 0, 0, -1]
