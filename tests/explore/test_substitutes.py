"""Who replaces whom: the matrix is what pins say, and groups are those of the simulation."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from relspan.errors import ParameterError
from relspan.explore.substitute_groups import automatic_cut
from relspan.simulate import PAPER_SETS, simulate


@pytest.mark.slow
def test_the_matrix_is_what_pins_say(small):
    explorer = small.explore()
    names = list(explorer.feature_names)
    matrix = explorer.substitution(names)
    np.testing.assert_allclose(matrix.intervals, small.intervals_)
    for row, name in enumerate(names):
        for table, asked in ((matrix.at_min, "min"), (matrix.at_max, "max")):
            result = small.explore().pin(name, asked).result
            np.testing.assert_allclose(table[row], [[f.min, f.max] for f in result.features], atol=1e-7)
    for at in ("min", "max"):
        assert (matrix.moves(at) >= 0).all()
        assert np.diag(matrix.moves(at)).tolist() == [0.0] * len(names)


@pytest.mark.slow
def test_exchange_of_copies_strangers_and_mirrors(fitted):
    """A copy can take over everything, an unrelated feature nothing; signs and order of columns do not matter."""
    rng = np.random.default_rng(0)
    z, other = rng.standard_normal((2, 150))
    y = (z + other + 0.2 * rng.standard_normal(150) > 0).astype(int)
    X = np.column_stack([z, z, other])
    options = {"C": 1.0, "delta_norm": 0.01}
    groups = fitted(X, y, **options).explore().groups(["x0", "x1", "x2"])
    assert groups.exchange[0, 1] > 0.9
    assert groups.exchange[0, 2] < 0.1
    assert groups.members == [("x0", "x1"), ("x2",)]
    mirrored = fitted(X * [1, -3, -1], y, **options).explore().groups(["x0", "x1", "x2"])
    np.testing.assert_allclose(mirrored.exchange, groups.exchange, atol=1e-6)
    turned = fitted(X[:, ::-1], y, **options).explore().groups(["x2", "x1", "x0"])
    np.testing.assert_allclose(turned.exchange, groups.exchange, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), [("Sim1", {}), ("Sim5", {"groups": 4})], ids=str)
def test_true_groups_are_found(fitted, name, options):
    data = simulate(*PAPER_SETS[name], random_state=11, **options)
    relevant = np.flatnonzero(data.truth > 0)
    true = np.where(data.groups >= 0, data.groups, 100 + np.arange(30))[relevant]
    groups = fitted(data.X, data.y).explore().groups([f"x{j}" for j in relevant])
    assert adjusted_rand_score(true, groups.labels) >= 0.95
    assert str(groups)


def test_the_cut_is_in_the_widest_gap():
    def tree(*heights):
        return np.column_stack([np.zeros((len(heights), 2)), heights, np.zeros(len(heights))])

    assert automatic_cut(tree(0.1, 0.2, 0.95)) == pytest.approx((0.4 + 0.85) / 2)
    assert 0.45 < automatic_cut(tree(0.1, 0.45, 0.8)) < 0.8
    assert automatic_cut(tree(0.57, 0.57)) > 0.57


def test_alternatives_of_a_copy(figure3):
    found = figure3.explore().alternatives("x4")
    assert {found[0].feature, found[1].feature} == {"x5", "x6"}
    assert found[0].exchange > 5 * found[2].exchange
    assert "Without x4, x" in found[0].sentence
    explorer = figure3.explore().without("x6")
    (best, *_) = explorer.alternatives("x4")
    assert best.feature == "x5"
    assert best.at_min[0] > 0
    assert "must carry at least" in best.sentence
    assert "does not compete" in found[-1].sentence
    with pytest.raises(ParameterError, match="no feature"):
        explorer.alternatives("nobody")


def test_groups_of_one_and_of_a_given_cut(small):
    assert small.explore().groups(["x0"]).members == [("x0",)]
    assert len(small.explore().groups(["x0", "x1", "x2"], cut=1.0).members) == 1
