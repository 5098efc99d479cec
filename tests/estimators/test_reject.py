"""The reject option: the authors' stored answers, the loss, labels and decisions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import KFold
from sklearn.svm import SVC

from problems import ENGINES_HERE
from relspan import RejectOptionSVC, RejectRelevanceClassifier, RelevanceClassifier
from relspan.analysis.baseline import fit_baseline
from relspan.analysis.intervals import feature_ranges
from relspan.errors import DataError, ParameterError
from relspan.family.budgets import family_of
from relspan.losses import Hinge, RejectHinge
from relspan.metrics import reject_loss
from relspan.simulate import simulate, simulate_rejectable

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
FOLDER = Path(__file__).parents[1] / "data" / "reject"
QUICK = {"n_probes": 5, "random_state": 0}


def paper_C(y: np.ndarray) -> float:
    """The C of the paper's program, ||w||_2^2 + mean loss."""
    return 1 / (2 * len(y))


@pytest.mark.parametrize("name", ["gauss", "duplicate"])
def test_the_best_model_is_the_authors(name: str) -> None:
    stored = np.load(FOLDER / f"{name}.npz")
    X, y = stored["X"], stored["y"]
    svc = RejectOptionSVC(reject_cost=0.4, C=paper_C(y)).fit(X, y)
    margins = y * svc.decision_function(X)
    objective = (svc.coef_**2).sum() + np.maximum(0, np.maximum(1 - margins, 1 - 1.5 * margins)).mean()
    assert objective == pytest.approx(float(stored["objective"]), abs=1e-6)
    np.testing.assert_allclose(svc.coef_[0], stored["w"], atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES_HERE)
@pytest.mark.parametrize("name", ["gauss", "duplicate"])
def test_the_ranges_are_the_authors(name: str, engine: str) -> None:
    stored = np.load(FOLDER / f"{name}.npz")
    X, y, loss = stored["X"], stored["y"].astype(float), RejectHinge(0.4, 0.4)
    baseline = fit_baseline(loss, X, y, None, paper_C(y), KFold(3), penalty="l2")
    ranges = feature_ranges(family_of(loss.rows(X, y), baseline, 0.0, 0.01, "relative"), engine)
    np.testing.assert_allclose([ranges.lo[0], ranges.hi[0]], stored["range_w0"], atol=1e-5)
    np.testing.assert_allclose(ranges.relevances[1], stored["interval_w1"], atol=1e-5)


def test_the_estimator_gives_the_authors_ranges_too() -> None:
    stored = np.load(FOLDER / "gauss.npz")
    X, y = stored["X"], stored["y"]
    found = RejectRelevanceClassifier.as_published("reject2018", C=paper_C(y), **QUICK).fit(X, y)
    mu = found.result_.baseline["l1_norm"]
    np.testing.assert_allclose(mu * found.signed_intervals_[0], stored["range_w0"], atol=1e-5)
    np.testing.assert_allclose(mu * found.intervals_[1], stored["interval_w1"], atol=1e-5)


def test_rows_are_the_surrogate() -> None:
    rng = np.random.default_rng(0)
    X, y, v = rng.standard_normal((30, 2)), rng.choice([-1.0, 1.0], 30), rng.random(30)
    w, b = np.array([0.4, -0.3]), np.array([0.1])
    s = y * (X @ w + 0.1)
    for r in (0.05, 0.3, 0.5):
        by_hand = v @ np.maximum(0, np.maximum(1 - s, 1 - (1 - r) / r * s))
        assert RejectHinge(r, r).rows(X, y, v).loss(w, b) == pytest.approx(by_hand)


def test_a_cost_of_one_half_is_the_hinge() -> None:
    data = simulate(80, strong=2, weak=2, irrelevant=3, flips=0.1, random_state=0)
    X, y = data.X, data.y
    assert RejectHinge(0.5, 0.5).rows(X, 2.0 * y - 1).n_rows == Hinge().rows(X, 2.0 * y - 1).n_rows
    reject = RejectRelevanceClassifier(reject_cost=0.5, C=0.3, n_probes=5, random_state=0).fit(X, y)
    plain = RelevanceClassifier(C=0.3, n_probes=5, random_state=0).fit(X, y)
    np.testing.assert_allclose(reject.intervals_, plain.intervals_, atol=1e-9)
    np.testing.assert_array_equal(reject.predict(X), plain.predict(X))


def test_a_change_below_2r_over_the_weight_flips_no_confident_answer() -> None:
    X, y = simulate_rejectable(2, 0)
    r = 0.4
    svc = RejectOptionSVC(reject_cost=r, C=paper_C(y)).fit(X, y)
    for j, weight in enumerate(svc.coef_[0]):
        for factor, may_flip in ((0.999, False), (1.5, True)):
            moved = X.copy()
            moved[:, j] -= np.sign(svc.decision_function(X)) * np.sign(weight) * factor * 2 * r / abs(weight)
            confident = ~svc.reject(X) & ~svc.reject(moved)
            assert (svc.predict(X) != svc.predict(moved))[confident].any() == may_flip


@pytest.mark.parametrize("penalty", ["l1", "l2"])
def test_C_has_one_scale_for_the_learner_and_for_its_intervals(penalty: str) -> None:
    data = simulate(60, strong=2, weak=2, irrelevant=3, flips=0.1, random_state=0)
    times = np.random.default_rng(0).integers(1, 4, 60)
    for weights in (None, times):
        given = {"reject_cost": 0.3, "penalty": penalty, "random_state": 0}
        svc = RejectOptionSVC(C=0.2, **given).fit(data.X, data.y, sample_weight=weights)
        found = RejectRelevanceClassifier(C=0.2, standardize=False, n_probes=5, **given)
        found.fit(data.X, data.y, sample_weight=weights)
        assert svc.C_ == found.result_.baseline["C"] == 0.2
        np.testing.assert_allclose(svc.coef_, found.coef_, atol=1e-5)
        np.testing.assert_array_equal(svc.reject(data.X), found.reject(data.X))


def test_C_is_that_of_scikit_learn_where_rejecting_never_pays() -> None:
    data = simulate(60, strong=2, weak=2, irrelevant=3, flips=0.1, random_state=0)
    for C in (0.02, 0.5):
        plain = SVC(kernel="linear", C=C, tol=1e-5).fit(data.X, data.y)
        ours = RejectOptionSVC(reject_cost=0.5, C=C).fit(data.X, data.y)
        np.testing.assert_allclose(ours.coef_, plain.coef_, atol=1e-3)


@pytest.mark.parametrize("cost", [0.0, -0.1, 0.51, 1.0, np.nan])
def test_a_reject_cost_outside_its_range_is_refused(cost: float) -> None:
    X, y = simulate_rejectable(1, 0)
    for estimator in (RejectOptionSVC(reject_cost=cost), RejectRelevanceClassifier(reject_cost=cost)):
        with pytest.raises(ParameterError, match="reject_cost must be a number above 0 and at most"):
            estimator.fit(X, y)
    with pytest.raises(ParameterError, match="reject_cost must be a number above 0 and at most"):
        reject_loss(y, y, y > 0, cost)


def test_the_threshold_is_a_parameter_of_its_own() -> None:
    X, y = simulate_rejectable(2, 0)
    by_cost = RejectOptionSVC(reject_cost=0.3, C=paper_C(y)).fit(X, y)
    assert by_cost.reject_threshold_ == 0.3
    wide = RejectOptionSVC(reject_cost=0.3, C=paper_C(y), reject_threshold=0.9).fit(X, y)
    np.testing.assert_array_equal(wide.coef_, by_cost.coef_)
    assert wide.reject(X).mean() > by_cost.reject(X).mean() > 0
    with pytest.raises(ParameterError, match="reject_threshold must be a number above 0 and below 1"):
        RejectOptionSVC(reject_threshold=1.5).fit(X, y)


@pytest.mark.slow
def test_the_cost_is_tuned_on_the_loss_that_counts() -> None:
    X, y = simulate_rejectable(2, 1)
    tuned = RejectOptionSVC(reject_cost=0.2, random_state=0).fit(X, y)
    poor = RejectOptionSVC(reject_cost=0.2, C=1e-3 * paper_C(y)).fit(X, y)
    assert tuned.score(X, y) > poor.score(X, y)


@pytest.mark.parametrize(
    ("classes", "label"), [((0, 1), -1), ((-1, 1), 0), (("ill", "well"), "unsure"), ((0, 1), "unsure")]
)
def test_rejected_samples_get_the_label_that_was_chosen(classes: tuple[object, object], label: object) -> None:
    X, y = simulate_rejectable(1, 0)
    y = np.array(classes)[(y > 0).astype(int)]
    svc = RejectOptionSVC(C=paper_C(y), reject_label=label).fit(X, y)
    said, rejected = svc.predict(X), svc.reject(X)
    assert 0 < rejected.sum() < len(y)
    assert {s.item() if hasattr(s, "item") else s for s in said[rejected]} == {label}
    silent = RejectOptionSVC(C=paper_C(y)).fit(X, y)
    np.testing.assert_array_equal(said[~rejected], silent.predict(X)[~rejected])
    assert list(svc.classes_) == sorted(classes)
    cost = np.where(rejected, 0.25, silent.predict(X) != y).mean()
    assert svc.score(X, y) == pytest.approx(1 - cost)


def test_a_class_is_no_reject_label() -> None:
    X, y = simulate_rejectable(1, 0)
    for estimator in (RejectOptionSVC(reject_label=-1), RejectRelevanceClassifier(reject_label=1)):
        with pytest.raises(DataError, match="one of the classes"):
            estimator.fit(X, y)


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_papers_statements_hold_on_its_sets(number: int) -> None:
    for seed in range(10):
        X, y = simulate_rejectable(number, seed)
        found = RejectRelevanceClassifier.as_published("reject2018", C=paper_C(y), **QUICK).fit(X, y)
        if number == 1:  # "relying solely on the first is not possible", and the second is needed
            assert found.intervals_[0, 1] < 0.9
            assert found.intervals_[1, 0] > 0.1
        if number == 2:  # nor on either where the informative direction is turned
            assert (found.intervals_[:, 0] > 0.1).all()
            assert (found.intervals_[:, 1] < 0.9).all()
        # the open question: all good models decide alike, they only draw the line of rejection differently
        decisions = found.result_.details["extremal_decisions"]
        assert [d["feature"] for d in decisions] == ["x0", "x0", "x1", "x1"]
        assert max(d["flips"] for d in decisions) <= 0.001 * len(y)
        assert max(abs(d["change"]) for d in decisions) <= 0.01
        assert max(d["newly_rejected"] + d["newly_accepted"] for d in decisions) <= 0.1 * len(y)


def test_extremal_models_attain_the_ends_and_are_counted_as_told() -> None:
    data = simulate(120, strong=2, weak=2, irrelevant=2, flips=0.1, random_state=0)
    X = np.column_stack([data.X, np.ones(120)])
    found = RejectRelevanceClassifier(reject_cost=0.3, C=0.2, n_probes=5, random_state=0).fit(X, data.y)
    scale = X.std(axis=0)
    usual, usually = found.decision_function(X), found.reject(X)
    for j in range(6):
        for end, told in (("minimal", 0), ("maximal", 1)):
            weights, offset = found.extremal_model(j, end)
            share = np.abs(weights * scale)[j] / found.result_.baseline["l1_norm"]
            assert share == pytest.approx(found.intervals_[j, told], abs=1e-9)
            assert weights[6] == 0
        weights, offset = found.extremal_model(j, "maximal")
        score = X @ weights + offset
        rejected = np.abs(score) <= found.reject_threshold_
        record = next(
            d
            for d in found.result_.details["extremal_decisions"]
            if d["feature"] == f"x{j}" and d["end"] == ("hi" if weights[j] > 0 else "lo")
        )
        assert record["flips"] == int((~rejected & ~usually & ((score > 0) != (usual > 0))).sum())
        assert record["newly_rejected"] == int((rejected & ~usually).sum())
        assert record["newly_accepted"] == int((~rejected & usually).sum())
        labels = (score > 0).astype(int)
        assert record["reject_loss"] == pytest.approx(reject_loss(data.y, labels, rejected, 0.3))
    with pytest.raises(ParameterError, match="constant"):
        found.extremal_model(6, "minimal")


@pytest.mark.slow
def test_whole_weights_equal_repeated_rows() -> None:
    data = simulate(50, strong=2, weak=2, irrelevant=2, flips=0.1, random_state=3)
    times = np.random.default_rng(0).integers(0, 4, 50)
    again = np.repeat(np.arange(50), times)
    for penalty in ("l1", "l2"):
        options = {"C": 0.3, "penalty": penalty, "n_probes": 5, "random_state": 0}
        weighted = RejectRelevanceClassifier(**options).fit(data.X, data.y, sample_weight=times)
        repeated = RejectRelevanceClassifier(**options).fit(data.X[again], data.y[again])
        np.testing.assert_allclose(weighted.intervals_, repeated.intervals_, atol=1e-6)
    svc = RejectOptionSVC(C=0.03).fit(data.X, data.y, sample_weight=times)
    np.testing.assert_allclose(svc.coef_, RejectOptionSVC(C=0.03).fit(data.X[again], data.y[again]).coef_, atol=1e-6)
