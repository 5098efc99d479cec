"""Effective dimension: axes, projection, the curve, and the remarks."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import NeighborhoodComponentsAnalysis

from relspan.errors import ParameterError
from relspan.metric import GMLVQ, LMNN
from relspan.metric.effective_dimension import (
    DimensionCurve,
    PrincipalAxes,
    dimension_curve,
    dimension_remarks,
    fixed_dimension,
    principal_axes,
)
from relspan.metric.judged_maps import ExtremalMaps, ProjectedMap
from relspan.metric.row_family import row_relevance
from relspan.simulate import make_xor

FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)


def projected(axes: PrincipalAxes, omega: np.ndarray, dimension: int) -> np.ndarray:
    ((within, images_by),) = ProjectedMap()(omega, axes.leading(dimension))
    np.testing.assert_array_equal(images_by, omega)
    return within


def test_axes_are_the_eigenvectors_of_the_centred_covariance() -> None:
    X = np.random.default_rng(0).standard_normal((50, 4)) @ np.diag([3, 2, 1, 0.5]) + 7
    axes = principal_axes(X)
    C = np.cov(X.T, bias=True)
    np.testing.assert_allclose(C @ axes.vectors, axes.vectors * axes.eigenvalues, atol=1e-12)
    np.testing.assert_allclose(axes.vectors.T @ axes.vectors, np.eye(4), atol=1e-12)
    assert (np.diff(axes.eigenvalues) < 0).all()


def test_directions_without_variance_do_not_count() -> None:
    X, _ = make_xor(100, random_state=0)
    assert principal_axes(X).count == 5  # X5 = X6
    assert principal_axes(np.random.default_rng(0).standard_normal((8, 20))).count == 7  # n - 1


def test_projection_keeps_what_the_map_does_in_the_leading_directions() -> None:
    rng = np.random.default_rng(0)
    X, omega = rng.standard_normal((40, 5)), rng.standard_normal((2, 5))
    axes = principal_axes(X)
    U = axes.leading(3)
    within = projected(axes, omega, 3)
    np.testing.assert_allclose(within @ U, omega @ U)
    np.testing.assert_allclose(within @ axes.vectors[:, 3:], 0, atol=1e-12)
    np.testing.assert_allclose(projected(axes, omega, 5), omega)


def test_leaving_directions_out_moves_the_images_by_what_the_map_makes_of_them() -> None:
    rng = np.random.default_rng(0)
    X, omega = rng.standard_normal((40, 6)) @ np.diag([3, 2.5, 2, 1.5, 1, 0.5]), rng.standard_normal((2, 6))
    X = X - X.mean(axis=0)
    axes = principal_axes(X)

    def moved(U: np.ndarray) -> float:
        return float(np.mean(np.sum((X @ (omega - omega @ U @ U.T).T) ** 2, axis=1)))

    ordered = axes.by_images(omega, 6)
    for count in range(1, 6):
        out = ordered.vectors[:, count:]
        expected = ordered.eigenvalues[count:] @ np.sum((omega @ out) ** 2, axis=0)
        assert moved(ordered.leading(count)) == pytest.approx(expected)
        others = [moved(axes.vectors[:, list(some)]) for some in combinations(range(6), count)]
        assert moved(ordered.leading(count)) <= min(others) + 1e-12


def test_their_order_is_that_of_lambda_and_stays_among_the_leading() -> None:
    rng = np.random.default_rng(0)
    X, omega = rng.standard_normal((40, 5)), rng.standard_normal((3, 5))
    axes, turn = principal_axes(X), np.linalg.qr(rng.standard_normal((3, 3)))[0]
    ordered = axes.by_images(omega, 4)
    np.testing.assert_array_equal(ordered.vectors, axes.by_images(turn @ omega, 4).vectors)
    np.testing.assert_array_equal(np.sort(ordered.eigenvalues)[::-1], axes.eigenvalues[:4])
    np.testing.assert_allclose(projected(ordered, omega, 4), projected(axes, omega, 4))


def test_a_direction_of_large_variance_that_classification_does_not_need() -> None:
    X, y = make_xor(200, random_state=0)
    untouched = np.diag([1.0, 1, 1, 2, 0.3, 0.3])
    leading = dimension_curve(untouched, X, y, FOLDS, standardize=False)
    needed = dimension_curve(untouched, X, y, FOLDS, standardize=False, within=3)
    assert leading.best == 3  # X5 = X6 have the second largest variance
    assert needed.best == 2
    np.testing.assert_array_equal(needed.errors[:, 2], leading.errors[:, 2])  # all three are all three
    np.testing.assert_array_equal(needed.raw, leading.raw)


@pytest.mark.slow
@pytest.mark.parametrize(
    "learner",
    [GMLVQ(n_prototypes=2, rank=1, random_state=0), LMNN(tol=1e-2), NeighborhoodComponentsAnalysis(random_state=0)],
)
def test_xor_needs_three_directions(learner) -> None:
    X, y = make_xor(200, random_state=0)
    curve = dimension_curve(learner, X, y, FOLDS)
    assert curve.best == 3
    assert curve.mean[:2].min() > 0.2
    assert curve.mean[2] == 0
    assert curve.raw.mean() == 0
    assert curve.errors.shape == (3, 5)


def test_a_matrix_is_judged_as_it_is() -> None:
    X, y = make_xor(100, random_state=0)
    curve = dimension_curve(np.array([[1.0, 0, 0, 0, 0, 0], [0, 0, 0, 1.0, 0, 0]]), X, y, FOLDS, standardize=False)
    assert curve.best == 3


EXTREMAL = ExtremalMaps(delta_norm=0.01, smallest_eigenvalue=1e-3, engine="auto")


def test_extremal_maps_are_equivalent_and_attain_the_ends_of_all_intervals() -> None:
    X, _ = make_xor(100, random_state=0)
    omega = np.random.default_rng(0).standard_normal((2, 6))
    U = principal_axes(X).leading(3)
    maps = list(EXTREMAL(omega, U))
    assert len(maps) == 2 * 6
    for end, offset in (("min", 0), ("max", 1)):
        for j, (extremal, learned) in enumerate(maps[offset::2]):
            np.testing.assert_allclose(extremal @ U, learned @ U, atol=1e-7)
            for row, found in zip(learned, extremal, strict=True):
                ends = row_relevance(row, U, 0.01).intervals[j]
                assert abs(found[j]) == pytest.approx(ends[("min", "max").index(end)], abs=1e-7)
    np.testing.assert_allclose(learned.T @ learned, omega.T @ omega, atol=1e-12)  # in the unit of the learner


def test_with_all_directions_extremal_maps_err_as_the_map_itself_does() -> None:
    X, y = make_xor(100, random_state=0)
    X = X[:, :5] + 0.1 * np.random.default_rng(0).standard_normal((100, 5))
    learner = GMLVQ(n_prototypes=2, rank=2, random_state=0)
    curve = dimension_curve(learner, X, y, FOLDS, maps=EXTREMAL)
    np.testing.assert_allclose(curve.errors[:, -1], curve.raw)


@pytest.mark.slow
def test_extremal_maps_need_three_directions_of_xor_too() -> None:
    X, y = make_xor(200, random_state=0)
    learner = GMLVQ(n_prototypes=2, rank=1, random_state=0)
    curve = dimension_curve(learner, X, y, FOLDS, maps=EXTREMAL)
    assert curve.best == 3
    assert curve.mean[2] == 0
    assert curve.mean[:2].min() > 0.2


def test_the_smallest_of_equally_good_dimensions_is_taken() -> None:
    curve = DimensionCurve(
        np.arange(1, 5), np.array([[0.5, 0.1, 0.1, 0.3], [0.5, 0.2, 0.2, 0.1]]), np.array([0.1, 0.1])
    )
    assert curve.best == 2


def test_given_as_a_number() -> None:
    X, _ = make_xor(400, random_state=0)
    axes = principal_axes(X)
    assert fixed_dimension(2, axes) == 2
    assert fixed_dimension(np.int64(5), axes) == 5
    assert fixed_dimension(0.1, axes) == 3  # the noise between the copies has far less variance
    assert fixed_dimension(0.001, axes) == 5


@pytest.mark.parametrize("bad", [0, 6, -1, 1.5, 0.0, True, None, "three"])
def test_numbers_that_mean_nothing_are_refused(bad) -> None:
    X, _ = make_xor(400, random_state=0)
    with pytest.raises(ParameterError, match="effective_dimension"):
        fixed_dimension(bad, principal_axes(X))


def remarks_on(X: np.ndarray, kept: list[int]) -> list[str]:
    axes = principal_axes(X)
    return dimension_remarks(X, axes, axes.eigenvalues[kept])


class TestRemarks:
    def test_none_on_data_in_order(self) -> None:
        assert remarks_on(make_xor(400, random_state=0)[0], [0, 1, 2]) == []

    def test_fewer_samples_than_features(self) -> None:
        X = np.random.default_rng(0).standard_normal((8, 20))
        assert any("8 samples for 20 features" in remark for remark in remarks_on(X, [0, 1, 2]))

    def test_different_scales(self) -> None:
        X, _ = make_xor(400, random_state=0)
        X[:, 3] *= 100
        assert any("different scales" in remark for remark in remarks_on(X, [0, 1, 2, 3]))

    @pytest.mark.parametrize(("kept", "named"), [([0, 1], "2 and 3"), ([0, 1, 3], "3 and 4"), ([1, 2, 3], "1 and 2")])
    def test_small_gap_between_what_is_kept_and_what_is_not(self, kept, named) -> None:
        X = np.random.default_rng(0).standard_normal((5000, 4))
        (remark,) = remarks_on(X, kept)
        assert f"Directions {named} of the data have nearly equal variance" in remark

    def test_no_gap_where_all_are_kept(self) -> None:
        assert remarks_on(np.random.default_rng(0).standard_normal((5000, 4)), [0, 1, 2, 3]) == []
