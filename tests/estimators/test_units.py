"""Intervals and classes do not depend on the units of target, epsilon, columns and weights."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from relspan import (
    OrdinalRelevanceClassifier,
    QuantileRelevanceRegressor,
    RejectOptionSVC,
    RelevanceClassifier,
    RelevanceRegressor,
)
from relspan.analysis.baseline import null_offsets
from relspan.analysis.scaled_table import scale_table
from relspan.analysis.units import Units, units_of_target
from relspan.errors import DataError
from relspan.explore import Explorer
from relspan.family import Budget
from relspan.losses import EpsilonInsensitive, MulticlassHinge, Pinball, Privileged
from relspan.losses.residual_loss import weighted_quantile
from relspan.simulate import simulate

NUMBERS = simulate(60, strong=1, weak=2, irrelevant=2, task="regression", random_state=0)
CLASSES = simulate(60, strong=1, weak=2, irrelevant=2, random_state=0)
TARGET = (NUMBERS.y - NUMBERS.y.mean()) / NUMBERS.y.std()
FEW = {"n_probes": 10, "random_state": 0}
SAME = 1e-6  # of the norm
pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")


def same_answers(found, wanted) -> None:
    np.testing.assert_allclose(found.intervals_, wanted.intervals_, atol=SAME)
    np.testing.assert_array_equal(found.relevance_, wanted.relevance_)


@pytest.fixture(scope="module")
def regressor() -> RelevanceRegressor:
    return RelevanceRegressor(**FEW).fit(NUMBERS.X, TARGET)


@pytest.mark.parametrize(
    ("unit", "offset"), [(1e-12, 0), (1e-5, 0), (1e12, 0), (1, 1e8), (1e-200, 0), (1e200, 0), (1e12, 1e20)]
)
def test_the_unit_and_the_offset_of_the_target_change_nothing(regressor, unit, offset) -> None:
    found = RelevanceRegressor(**FEW).fit(NUMBERS.X, unit * TARGET + offset)
    same_answers(found, regressor)
    np.testing.assert_allclose(found.coef_, unit * regressor.coef_, rtol=1e-5, atol=1e-5 * unit)
    np.testing.assert_allclose(found.epsilon_, unit * regressor.epsilon_, rtol=1e-6)
    np.testing.assert_allclose(found.C_, regressor.C_, rtol=1e-9)
    predicted = (found.predict(NUMBERS.X) - offset) / unit
    np.testing.assert_allclose(predicted, regressor.predict(NUMBERS.X), atol=1e-5 + 1e-15 * offset / unit)
    for number in ("loss", "null_loss", "l1_norm"):
        assert found.result_.baseline[number] == pytest.approx(unit * regressor.result_.baseline[number], rel=1e-6)


def test_a_given_epsilon_is_in_the_unit_of_the_target() -> None:
    plain = RelevanceRegressor(epsilon=0.2, C=1.0, **FEW).fit(NUMBERS.X, TARGET)
    found = RelevanceRegressor(epsilon=0.2e9, C=1.0, **FEW).fit(NUMBERS.X, 1e9 * TARGET)
    same_answers(found, plain)
    assert (plain.epsilon_, found.epsilon_) == (0.2, 0.2e9)


def test_quantiles_do_not_depend_on_the_unit_either() -> None:
    plain, found = (QuantileRelevanceRegressor(**FEW).fit(NUMBERS.X, u * TARGET) for u in (1.0, 1e-9))
    same_answers(found, plain)
    np.testing.assert_allclose(found.predict(NUMBERS.X), 1e-9 * plain.predict(NUMBERS.X), atol=1e-14)


def test_an_explorer_answers_in_the_unit_of_the_target(regressor, tmp_path) -> None:
    other = RelevanceRegressor(**FEW).fit(NUMBERS.X, 1e6 * TARGET + 5e6)
    plain, found = regressor.explore(), other.explore()
    wanted = [1e6 * score + 5e6 for score in plain.predictions(NUMBERS.X[:4]).intervals]
    np.testing.assert_allclose(found.predictions(NUMBERS.X[:4]).intervals, wanted, rtol=1e-6)
    model, like = found.smallest_panel().model, plain.smallest_panel().model
    assert model.norm == pytest.approx(1e6 * like.norm, rel=1e-6)
    assert model.loss == pytest.approx(1e6 * like.loss, rel=1e-6)
    found.save(tmp_path / "session.json")
    again = Explorer.load(tmp_path / "session.json").predictions(NUMBERS.X[:4])
    np.testing.assert_allclose(again.intervals, wanted, rtol=1e-6)


@pytest.mark.parametrize("weight", [1e-300, 1e-12, 1e12, 1e300])
@pytest.mark.parametrize("estimator", [RelevanceClassifier, OrdinalRelevanceClassifier, RelevanceRegressor])
def test_weights_that_are_all_equal_change_nothing(estimator, weight) -> None:
    data = NUMBERS if estimator is RelevanceRegressor else CLASSES
    plain = estimator(**FEW).fit(data.X, data.y)
    found = estimator(**FEW).fit(data.X, data.y, sample_weight=np.full(len(data.y), weight))
    same_answers(found, plain)
    assert found.C_ * weight == pytest.approx(plain.C_)
    assert found.result_.baseline["null_loss"] == pytest.approx(weight * plain.result_.baseline["null_loss"])


def test_a_given_C_is_the_price_of_the_weighted_loss() -> None:
    """A weight of 2**20 equals so many rows, so that the same best model has a smaller C."""
    plain = RelevanceClassifier(C=1.0, **FEW).fit(CLASSES.X, CLASSES.y)
    weights = np.full(len(CLASSES.y), 2.0**20)
    found = RelevanceClassifier(C=2.0**-20, **FEW).fit(CLASSES.X, CLASSES.y, sample_weight=weights)
    np.testing.assert_array_equal(found.intervals_, plain.intervals_)
    path, like = (m.explore().path("C", values=[m.C]) for m in (found, plain))
    assert path.values.tolist() == [2.0**-20]
    assert path.steps[0].intervals == like.steps[0].intervals
    assert path.steps[0].loss == 2.0**20 * like.steps[0].loss


def test_the_hint_of_a_C_that_is_too_small_is_in_the_readers_unit() -> None:
    weights = np.full(len(CLASSES.y), 2.0**40)
    low = RelevanceClassifier(C=1e-30, on_null="raise", **FEW)
    with pytest.raises(ValueError, match=r"at C = 1e-30, .* Raise C, to \S*e-1\d for instance"):
        low.fit(CLASSES.X, CLASSES.y, sample_weight=weights)


def test_the_plain_reject_machine_takes_weights_of_any_unit() -> None:
    X, y = CLASSES.X, CLASSES.y
    plain, tiny = (RejectOptionSVC(C=1 / v).fit(X, y, sample_weight=np.full(len(y), v)) for v in (1, 1e-200))
    np.testing.assert_allclose(tiny.coef_, plain.coef_, atol=1e-6)


def test_a_weight_that_is_lost_beside_the_others_is_refused() -> None:
    weights = np.ones(len(CLASSES.y))
    weights[3] = 1e-300
    with pytest.raises(DataError, match=r"1e-300 beside a mean of .* set it to 0"):
        RelevanceClassifier(**FEW).fit(CLASSES.X, CLASSES.y, sample_weight=weights)


@pytest.mark.parametrize("unit", [1e-318, 1e-306])
def test_columns_whose_weights_are_no_numbers_are_refused(unit) -> None:
    with pytest.raises(DataError, match="a weight of x0, x1, x2 and 2 more, whose values deviate by"):
        RelevanceClassifier(**FEW).fit(unit * CLASSES.X, CLASSES.y)
    with pytest.raises(DataError, match="a weight of x0"):
        RelevanceRegressor(**FEW).fit(1e200 * NUMBERS.X, 1e-200 * TARGET)


@pytest.mark.parametrize("y", [np.array([0.0, 5e-324, 0.0]), np.array([-1e308, 1e308, 0.0])])
def test_targets_beyond_what_a_computer_holds_are_refused(y) -> None:
    with pytest.raises(DataError, match="multiply the target by a power of ten"):
        units_of_target(y)


def test_losses_beyond_what_a_computer_holds_are_refused() -> None:
    with pytest.raises(DataError, match="divide the weights by their mean"):
        Units(target=2.0**600).with_weights(np.full(3, 1e200))


def test_whole_numbers_stay_whole() -> None:
    y = np.array([3.0, 1_000_001.0, 7.0, 12.0])
    units = units_of_target(y)
    scaled = units.of_target(y) * units.target
    np.testing.assert_array_equal(scaled, np.round(scaled))
    np.testing.assert_array_equal(units.scores(units.of_target(y)), y)


def test_budgets_are_reported_in_the_readers_units() -> None:
    units = Units(target=4.0, weight=0.5)
    assert units.budget(Budget(1.0, 0.0, 3.0)) == [1.0, 0.0, 12.0]
    assert units.budget(Budget(0.0, 1.0, 3.0)) == [0.0, 1.0, 6.0]
    assert units.budget(Budget(1.0, 2.0, 3.0)) == [1.0, 4.0, 12.0]


def test_a_sparse_column_far_from_zero_is_centred() -> None:
    offsets = np.array([3e5, 0.0, 1e8, 0.0, 0.0])
    full, hole = sparse.csr_array(CLASSES.X + offsets), sparse.csr_array(np.where(CLASSES.X > 1, 0.0, CLASSES.X))
    plain = RelevanceClassifier(**FEW).fit(CLASSES.X, CLASSES.y)
    same_answers(RelevanceClassifier(**FEW).fit(full, CLASSES.y), plain)
    table = scale_table(full, list("abcde"), 5, True, None)
    np.testing.assert_allclose(table.Z.toarray().mean(axis=0), 0.0, atol=1e-6)
    assert scale_table(hole, list("abcde"), 5, True, None).Z.nnz == hole.nnz


def test_a_model_that_saves_nothing_is_the_null_model() -> None:
    """Its weights of 1e-9 are rounding, and intervals would be shares of rounding."""
    X = np.array([[1.0, 0.0], [1.0, 0.0], [-1.0, 1e-9], [-1.0, 0.0], [1.0, -1e-9], [-1.0, 0.0]] * 2)
    y = np.array([0, 1, 0, 1, 1, 0] * 2)
    found = RelevanceClassifier(C=0.5, standardize=False, **FEW).fit(X, y)
    if not found.result_.is_null:
        assert found.result_.baseline["loss"] < (1 - 1e-9) * found.result_.baseline["null_loss"]


@pytest.mark.parametrize("rule", ["evidence", "published"])
def test_rounding_noise_is_no_class(rule) -> None:
    """Without any budget only one model is equally good, and what it does not use is irrelevant in every engine."""
    for engine in ("exact", "batched", "reference"):
        settings = {"C": 1.0, "delta_norm": 0.0, "delta_loss": 0.0, "engine": engine, "rule": rule, **FEW}
        found = RelevanceClassifier(**settings).fit(CLASSES.X, CLASSES.y)
        assert not found.relevance_[found.intervals_[:, 1] < 1e-4].any()


@pytest.mark.parametrize("weight", [1.0995, 0.1, 1 / 3])
def test_rounding_does_not_choose_between_two_medians(weight) -> None:
    y = np.arange(60.0)
    assert weighted_quantile(y, np.full(60, weight)) == weighted_quantile(y, np.ones(60)) == 29.0
    rows = [Pinball(0.5).rows(np.zeros((60, 1)), y, np.full(60, v)) for v in (1.0, weight)]
    assert null_offsets(rows[0]) == null_offsets(rows[1])


@pytest.mark.parametrize("inner", [EpsilonInsensitive(0.1), Pinball(0.3)])
def test_no_samples_have_no_rows(inner) -> None:
    X, y = np.zeros((0, 3)), np.zeros(0)
    assert inner.rows(X, y).n_rows == 0
    assert Privileged(inner, (False, True, True), 0.5).rows(X, y).n_rows == 0
    assert MulticlassHinge(4).rows(X, y).n_rows == 0


def test_a_loss_in_another_unit_scales_its_parameters() -> None:
    loss = EpsilonInsensitive(0.1)
    assert loss.with_target_unit(4.0) == EpsilonInsensitive(0.4)
    assert Privileged(loss, (True,), 0.5).with_target_unit(4.0).inner == EpsilonInsensitive(0.4)
    assert MulticlassHinge(3).with_target_unit(4.0) == MulticlassHinge(3)


def test_the_score_of_a_single_row_is_a_number() -> None:
    """A fold of groups may hold one row, and the variance of one number explains nothing."""
    loss = EpsilonInsensitive(0.1)
    assert loss.score(np.array([2.0]), np.array([2.0])) == 1.0
    assert loss.score(np.array([2.0]), np.array([3.0])) == 0.0
