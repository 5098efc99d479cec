"""The same question, the same answer: seeds, jobs, refits, and the order of rows and columns."""

from __future__ import annotations

import numpy as np
import pytest

from problems import ENGINES_HERE, two_classes
from relspan import RelevanceClassifier


def fit(X: np.ndarray, y: np.ndarray, **parameters: object) -> RelevanceClassifier:
    return RelevanceClassifier(**{"n_probes": 30, "random_state": 0, **parameters}).fit(X, y)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def table() -> tuple[np.ndarray, np.ndarray]:
    return two_classes(60, 40, seed=0, flips=0.05)  # two blocks of features, two blocks of probes


def same(one: RelevanceClassifier, other: RelevanceClassifier) -> bool:
    """Bit for bit."""
    return bool(
        (one.intervals_ == other.intervals_).all()
        and (one.signed_intervals_ == other.signed_intervals_).all()
        and one.result_.probes == other.result_.probes
        and one.result_.thresholds == other.result_.thresholds
        and one.result_.features == other.result_.features
        and one.C_ == other.C_
    )


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_jobs_refits_and_seeds(table: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = table
    first = fit(X, y, C=1.0)
    assert same(first, fit(X, y, C=1.0, n_jobs=1))
    assert same(first, fit(X, y, C=1.0, n_jobs=2))
    generator = np.random.RandomState(0)
    assert same(first, fit(X, y, C=1.0, random_state=generator))
    assert same(first, fit(X, y, C=1.0, random_state=generator)) is False  # it goes on where it was
    refitted = fit(X, y, C=1.0)
    assert same(first, refitted.fit(X, y))
    other = fit(X, y, C=1.0, random_state=1)
    assert other.result_.probes != first.result_.probes
    np.testing.assert_array_equal(other.intervals_, first.intervals_)  # at a fixed C the seed is for the probes


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_a_chosen_cost_is_reproducible_too() -> None:
    X, y = two_classes(60, 5, seed=1, flips=0.1)
    assert same(fit(X, y), fit(X, y))
    scores = [fit(X, y, random_state=seed, criterion="score").result_.baseline["scores"] for seed in (0, 0, 1)]
    assert scores[0] == scores[1]
    assert scores[0] != scores[2]  # other folds
    scores = [fit(X, y, random_state=seed).result_.baseline["scores"] for seed in (0, 1)]
    assert scores[0] == scores[1]  # the data alone decide the folds


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
@pytest.mark.slow
def test_without_a_seed_the_probes_differ_and_the_intervals_do_not() -> None:
    X, y = two_classes(60, 5, seed=2, flips=0.05)
    one, other = fit(X, y, C=1.0, random_state=None), fit(X, y, C=1.0, random_state=None)
    assert one.result_.probes != other.result_.probes
    np.testing.assert_array_equal(one.intervals_, other.intervals_)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_the_order_of_rows_and_columns_at_a_fixed_cost() -> None:
    X, y = two_classes(60, 6, seed=3, flips=0.05, copies=1)
    rng = np.random.default_rng(3)
    rows, columns = rng.permutation(60), rng.permutation(6)
    plain = fit(X, y, C=1.0).signed_intervals_
    np.testing.assert_allclose(fit(X[rows], y[rows], C=1.0).signed_intervals_, plain, atol=1e-6)
    np.testing.assert_allclose(fit(X[:, columns], y, C=1.0).signed_intervals_, plain[columns], atol=1e-6)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_every_engine_gives_the_same_result(engine: str) -> None:
    X, y = two_classes(60, 5, seed=4, flips=0.05)
    found, auto = fit(X, y, C=1.0, engine=engine), fit(X, y, C=1.0)
    np.testing.assert_allclose(found.intervals_, auto.intervals_, atol=1e-6)
    np.testing.assert_array_equal(found.relevance_, auto.relevance_)
    assert found.result_.thresholds["relevant"] == pytest.approx(auto.result_.thresholds["relevant"], abs=1e-5)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
@pytest.mark.parametrize("loss_budget", ["explained", "relative", "combined"])
@pytest.mark.parametrize(("probes", "control"), [("append", "familywise"), ("replace", "per_feature")])
def test_classes_partition_the_features(loss_budget: str, probes: str, control: str) -> None:
    X, y = two_classes(60, 8, seed=5, flips=0.05, copies=1)
    options = {"delta_loss": 0.1, "loss_budget": loss_budget, "probes": probes, "control": control}
    for result in (fit(X, y, C=1.0, rule=rule, **options).result_ for rule in ("evidence", "published")):
        names = [result.names(kind) for kind in ("strong", "weak", "irrelevant")]
        assert sum(map(len, names)) == 8
        assert set().union(*names) == {f"x{j}" for j in range(8)}
    clf = fit(X, y, C=1.0, rule="published", **options)
    result = clf.result_
    tau, floor = result.thresholds["relevant"], result.thresholds["strong"]
    np.testing.assert_array_equal(clf.relevance_ > 0, clf.intervals_[:, 1] > tau)
    np.testing.assert_array_equal(clf.relevance_ == 2, (clf.intervals_[:, 1] > tau) & (clf.intervals_[:, 0] > floor))
    assert len(result.probes["hi"]) + result.probes["lost"] == 30
    if result.probes["lost"]:
        assert any("replaced probes" in remark for remark in result.warnings)
