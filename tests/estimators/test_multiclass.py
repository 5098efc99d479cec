"""Several classes: total relevance and one interval a class, and the binary answer for two."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold

from problems import ENGINES_HERE
from relspan import RelevanceClassifier
from relspan.analysis.baseline import fit_baseline, null_loss
from relspan.analysis.intervals import feature_ranges
from relspan.engines import open_engine
from relspan.errors import DataError, ParameterError
from relspan.estimators.targets import read_classes
from relspan.family import unit_directions
from relspan.family.budgets import family_of
from relspan.losses import Hinge, MulticlassHinge
from relspan.result import RelevanceResult
from relspan.simulate import simulate

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
QUICK = {"C": 0.2, "n_probes": 5, "random_state": 0, "engine": "exact"}


class TwoWeightVectors(RelevanceClassifier):
    """Two classes by the loss of several: a weight vector for each."""

    def fit(self, X, y):
        samples = self._samples(X, y)
        self.classes_, codes = read_classes(samples.y, self.C)
        self._fit([MulticlassHinge(2)], "classification", samples, codes * 1.0, None, {}, ("0", "1"), stratified=True)
        return self


def three_classes(n: int = 60):
    return simulate(n, strong=2, weak=2, irrelevant=2, classes=3, target_noise=0.1, random_state=0)


def test_rows_are_the_hinges_between_classes() -> None:
    rng = np.random.default_rng(0)
    X, y, v = rng.standard_normal((25, 3)), np.arange(25) % 4 * 1.0, rng.random(25)
    W, b = rng.standard_normal((3, 4)), rng.standard_normal(3)
    scores = X @ W + np.concatenate([[0.0], b])
    by_hand = sum(
        v[i] * max(0.0, 2 - (scores[i, int(y[i])] - scores[i, k])) for i in range(25) for k in range(4) if k != y[i]
    )
    loss = MulticlassHinge(4)
    assert loss.rows(X, y, v).loss(W.ravel(), b) == pytest.approx(by_hand)
    np.testing.assert_array_equal(loss.predict(X, W.ravel(), b), scores.argmax(axis=1))


@pytest.mark.parametrize("engine", ENGINES_HERE)
def test_two_classes_are_the_hinge_machine_in_every_engine(engine: str) -> None:
    data = simulate(40, strong=2, weak=2, irrelevant=1, flips=0.1, random_state=0)
    X, codes = data.X, data.y.astype(float)
    many, two = MulticlassHinge(2), Hinge()
    C = 0.3
    pair = fit_baseline(many, X, codes, None, C, KFold(3))
    single = fit_baseline(two, X, 2 * codes - 1, None, C, KFold(3))
    assert (pair.norm, pair.loss, pair.null_loss) == pytest.approx(
        (2 * single.norm, 2 * single.loss, 2 * single.null_loss)
    )
    assert many.smallest_C(X, codes) == pytest.approx(two.smallest_C(X, 2 * codes - 1))
    rows, constraints = many.rows(X, codes), many.constraints(X, codes)
    ranges = feature_ranges(family_of(rows, pair, 0.1, 0.02, "explained", constraints), engine)
    expected = feature_ranges(family_of(two.rows(X, 2 * codes - 1), single, 0.1, 0.02, "explained"), "exact")
    agreed = 2e-6 * pair.norm  # the batched engine accepts a gap of 1e-6 of the norm budget
    np.testing.assert_allclose(ranges.lo[1::2], expected.lo, atol=agreed)
    np.testing.assert_allclose(ranges.hi[1::2], expected.hi, atol=agreed)
    np.testing.assert_allclose(ranges.hi[::2], -expected.lo, atol=agreed)
    assert ranges.gaps.max() <= 2e-6 * pair.norm


@pytest.mark.slow
def test_two_classes_give_the_binary_answer() -> None:
    data = simulate(80, strong=2, weak=2, irrelevant=3, flips=0.1, random_state=0)
    same = {"random_state": 0, "n_probes": 20, "engine": "exact"}  # to the last digits, so by one engine
    many = TwoWeightVectors(**same).fit(data.X, data.y)
    two = RelevanceClassifier(**same).fit(data.X, data.y)
    assert pytest.approx(two.C_) == many.C_
    np.testing.assert_allclose(many.intervals_, two.intervals_, atol=1e-8)
    np.testing.assert_array_equal(many.relevance_, two.relevance_)
    scores = many._scores(data.X) + np.concatenate([[0.0], many._offsets])
    np.testing.assert_array_equal(many.classes_[scores.argmax(axis=1)], two.predict(data.X))
    np.testing.assert_allclose(2 * many.signed_intervals_[:, 1], two.signed_intervals_, atol=1e-8)
    assert 2 * many.result_.thresholds["relevant"] == pytest.approx(two.result_.thresholds["relevant"])


@pytest.mark.slow
def test_the_order_of_classes_does_not_matter() -> None:
    data = three_classes()
    found = RelevanceClassifier(**QUICK).fit(data.X, data.y)
    order = np.array([2, 0, 1])
    turned = RelevanceClassifier(**QUICK).fit(data.X, np.array(["z", "a", "k"])[data.y])
    np.testing.assert_allclose(turned.intervals_, found.intervals_, atol=1e-7)
    np.testing.assert_allclose(turned.signed_intervals_[:, order], found.signed_intervals_, atol=1e-7)
    assert turned.result_.baseline["null_loss"] == pytest.approx(found.result_.baseline["null_loss"])


@pytest.mark.slow
def test_the_total_is_the_largest_over_all_signs_and_the_ends_are_certified() -> None:
    data = three_classes(40)
    found = RelevanceClassifier(**QUICK).fit(data.X, data.y)
    family, mu = found.result_.certificates.family, found.result_.baseline["l1_norm"]
    engine = open_engine("exact", family)
    for j in (0, 2, 5):
        directions = np.zeros((8, family.n_features + family.n_offsets))
        directions[:, 3 * j : 3 * j + 3] = [[a, b, c] for a in (1, -1) for b in (1, -1) for c in (1, -1)]
        assert found.intervals_[j, 1] == pytest.approx(engine.maxima(directions).values.max() / mu, abs=1e-7)
    ends = engine.maxima(unit_directions(range(18), family)).values / mu
    np.testing.assert_allclose(found.signed_intervals_[:, :, 1].ravel(), ends[::2], atol=1e-7)
    assert found.result_.largest_gap < 1e-7
    assert found.result_.certificates.verify() < 1e-7
    models = found.result_.certificates.extremes.models[:, :18].reshape(-1, 6, 3)
    assert np.abs(models.sum(axis=2)).max() < 1e-9


@pytest.mark.slow
def test_four_classes_are_searched_or_bracketed() -> None:
    data = simulate(60, strong=3, weak=2, irrelevant=1, classes=4, random_state=0)
    found = RelevanceClassifier(**QUICK).fit(data.X, data.y)
    assert found.signed_intervals_.shape == (6, 4, 2)
    assert found.result_.largest_gap < 1e-6


@pytest.mark.slow
def test_totals_that_are_only_bracketed_are_named_by_a_warning() -> None:
    """Eight weights per feature have more combinations of signs than are searched."""
    rng = np.random.default_rng(3)
    y = np.arange(60) % 8
    X = rng.standard_normal((8, 3))[y] + 0.7 * rng.standard_normal((60, 3))
    found = RelevanceClassifier(**{**QUICK, "C": 0.1}, delta_norm=0.5, delta_loss=0.2).fit(X, y).result_
    wide = [f.name for f in found.features if max(f.gap_lo, f.gap_hi) > 1e-6]
    assert wide
    (told,) = [text for text in found.warnings if "total relevance" in text]
    assert f"total relevance of {', '.join(wide)} is certified only to within {found.largest_gap:.1e}" in told


@pytest.mark.slow
def test_known_classes_are_found() -> None:
    data = simulate(150, strong=2, weak=4, irrelevant=4, groups=2, classes=3, random_state=1)
    found = RelevanceClassifier(random_state=0).fit(data.X, data.y)
    assert found.relevance_.tolist() == data.truth.tolist()


def test_the_null_loss_of_several_classes_is_the_best_of_a_grid() -> None:
    counts = (8, 5, 2)
    y = np.repeat(np.arange(3), counts).astype(float)
    X, loss = np.zeros((15, 1)), MulticlassHinge(3)
    rows = loss.rows(X, y)
    grid = np.arange(-8.0, 8.5, 1.0)
    best = min(rows.loss(np.zeros(3), np.array([a, b])) for a in grid for b in grid)
    assert null_loss(rows, loss.constraints(X, y)) == pytest.approx(best)


@pytest.mark.slow
def test_iris_is_told_by_name_and_class_and_survives_json() -> None:
    data = load_iris(as_frame=True)
    species = pd.Series(data.target_names[data.target])
    found = RelevanceClassifier(C=1.0, n_probes=10, random_state=0).fit(data.data, species)
    assert found.score(data.data, species) > 0.95
    petal = found.result_["petal length (cm)"]
    assert list(petal.parts) == ["setosa", "versicolor", "virginica"]
    assert petal.direction == "±"
    assert found.result_.certificates.columns[:2] == ("sepal length (cm) [setosa]", "sepal length (cm) [versicolor]")
    again = RelevanceResult.from_json(found.result_.to_json())
    assert again.features == found.result_.features
    assert found.coef_.shape == (3, 4)
    scores = data.data.to_numpy() @ found.coef_.T + found.intercept_
    np.testing.assert_allclose(scores, found.decision_function(data.data), atol=1e-9)
    assert "petal width" in found.result_.to_text()


@pytest.mark.slow
def test_whole_weights_equal_repeated_rows() -> None:
    data = three_classes(40)
    times = np.random.default_rng(0).integers(0, 3, 40)
    again = np.repeat(np.arange(40), times)
    weighted = RelevanceClassifier(**QUICK).fit(data.X, data.y, sample_weight=times)
    repeated = RelevanceClassifier(**QUICK).fit(data.X[again], data.y[again])
    np.testing.assert_allclose(weighted.intervals_, repeated.intervals_, atol=1e-6)


@pytest.mark.parametrize(
    ("settings", "extra", "named"),
    [
        ({"penalty": "l2"}, {}, "penalty='l2'"),
        ({"screen": True}, {}, "screen=True"),
        ({}, {"privileged": np.ones((60, 1))}, "privileged"),
    ],
)
def test_what_needs_two_classes_is_refused_for_more(settings: dict, extra: dict, named: str) -> None:
    data = three_classes()
    with pytest.raises(ParameterError, match=f"{named} needs two classes, and the target has 3"):
        RelevanceClassifier(**QUICK, **settings).fit(data.X, data.y, **extra)


def test_sparse_tables_need_two_classes() -> None:
    data = three_classes()
    with pytest.raises(DataError, match="sparse table needs two classes, and the target has 3"):
        RelevanceClassifier(**QUICK).fit(sparse.csr_array(data.X), data.y)
