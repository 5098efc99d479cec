"""Associations: their size is right without correlation, and chance is what permutations say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse, stats

from problems import best
from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.verdicts.associations import Associable, Associations, associations, extreme_value
from relspan.analysis.verdicts.clusters import substitute_clusters
from relspan.analysis.verdicts.columns import StandardColumns
from relspan.analysis.verdicts.group_verdicts import chi_squared_tail, joint_chances
from relspan.losses import Hinge


def labelled(seed: int, n: int = 200, d: int = 6) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, np.where(X[:, 0] - X[:, 1] + rng.standard_normal(n) > 0, 1.0, -1.0)


def found(X: np.ndarray, y: np.ndarray, **more: object) -> Associations:
    return associations(Associable(LearningProblem(Hinge(), X, y, **more), best(X, y, 0.5)), 0.01, "familywise")


def test_alone_is_the_correlation_with_the_target() -> None:
    X, y = labelled(0)
    correlation = [abs(np.corrcoef(column, y)[0, 1]) for column in X.T]
    np.testing.assert_allclose(found(X, y).alone, np.sqrt(len(y) - 1) * np.array(correlation), rtol=1e-9)


def test_needed_is_the_t_test_of_least_squares_where_every_feature_is_used() -> None:
    """Up to the estimate of the noise, which the t test takes from the model with the feature."""
    X, y = labelled(1, n=400, d=3)
    model = associations(Associable(LearningProblem(Hinge(), X, y), best(X, y, 50.0)), 0.01, "familywise")
    design = np.column_stack([np.ones(400), X])
    residual = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    error = np.sqrt(residual @ residual / (400 - 4) * np.diag(np.linalg.inv(design.T @ design)))
    t = np.abs(np.linalg.lstsq(design, y, rcond=None)[0] / error)[1:]
    partial = t / np.sqrt(t**2 + 400 - 4)  # the partial correlation
    np.testing.assert_allclose(model.needed, partial * np.sqrt(400 - 3), rtol=2e-2)


def test_what_others_express_is_not_needed_but_its_cluster_matters() -> None:
    X, y = labelled(2)
    rng = np.random.default_rng(2)
    X = np.column_stack([X, X[:, 0] + 0.05 * rng.standard_normal(200), X[:, 1]])
    answer = found(X, y)
    assert answer.clusters[0] == answer.clusters[6]
    assert answer.clusters[1] == answer.clusters[7]
    assert (answer.needed[[1, 7]] == 0).all()  # exact copies express each other
    assert (answer.needed[[0, 6]] < 3).all()
    assert (answer.beyond[[0, 1, 6, 7]] > answer.chance).all()


def test_a_common_factor_sign_or_order_changes_nothing() -> None:
    X, y = labelled(3)
    plain = found(X, y)
    turned = LearningProblem(Hinge(), X[:, ::-1], -y, np.full(200, 3.0))
    best_of_turned = best(X[:, ::-1], -y, 0.5 / 3, np.full(200, 3.0))
    other = associations(Associable(turned, best_of_turned), 0.01, "familywise")
    for name in ("alone", "beyond", "needed"):
        np.testing.assert_allclose(getattr(other, name)[::-1], getattr(plain, name), rtol=1e-6)


def test_sparse_tables_give_the_same() -> None:
    X, y = labelled(4)
    X = np.where(np.abs(X) > 0.7, X, 0.0)
    dense, thin = (
        found(X, y),
        associations(Associable(LearningProblem(Hinge(), sparse.csr_array(X), y), best(X, y, 0.5)), 0.01, "familywise"),
    )
    np.testing.assert_allclose(thin.beyond, dense.beyond, rtol=1e-8)
    assert thin.chance == pytest.approx(dense.chance)


def test_chance_is_the_level_of_the_largest() -> None:
    rng = np.random.default_rng(0)
    maxima = np.abs(rng.standard_normal((400, 30))).max(axis=1)
    exact = stats.norm.ppf(1 - (1 - 0.99 ** (1 / 30)) / 2)
    assert extreme_value(maxima, 0.01) == pytest.approx(exact, abs=0.15)
    single = np.abs(rng.standard_normal(20000))
    assert extreme_value(single, 0.01, "per_feature") == pytest.approx(stats.norm.ppf(0.995), abs=0.1)


def test_groups_of_rows_make_chance_larger() -> None:
    """Ten rows per patient that hardly differ: the target of a patient counts once."""
    rng = np.random.default_rng(5)
    who = np.repeat(np.arange(40), 5)
    X = rng.standard_normal((40, 4))[who] + 0.1 * rng.standard_normal((200, 4))
    y = np.where(rng.permutation(40) < 20, 1.0, -1.0)[who]
    alone, grouped = found(X, y), found(X, y, groups=who)
    assert (grouped.alone < 0.6 * alone.alone).all()


@pytest.mark.parametrize("wide", [False, True])
def test_clusters_hold_substitutes_only(wide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    hidden = rng.standard_normal((300, 2))
    X = np.column_stack(
        [hidden[:, [0]] + 0.2 * rng.standard_normal((300, 3)), hidden[:, 1], rng.standard_normal((300, 4))]
    )
    if wide:
        monkeypatch.setattr("relspan.analysis.verdicts.clusters.MOST_CLUSTERED", 4)
    labels = substitute_clusters(StandardColumns(X, np.full(300, 1 / 300)), np.array([0, 3]))
    assert len(set(labels[:3])) == 1
    assert len(set(labels)) == 6


def test_columns_that_matter_together_only() -> None:
    """Twelve columns with a little each: their sum of squares shows what no single one does."""
    rng = np.random.default_rng(7)
    X = rng.standard_normal((300, 16))
    y = np.where(X[:, :12].sum(axis=1) * 0.25 + rng.standard_normal(300) > 0, 1.0, -1.0)
    asked = Associable(LearningProblem(Hinge(), X, y), best(X, y, 0.05))
    chances = joint_chances(asked, [list(range(12)), [12, 13, 14, 15], []])
    assert chances[0] < 1e-4
    assert chances[1] > 0.01
    assert chances[2] == 1.0


def test_the_tail_of_a_chi_squared_law_is_that_law() -> None:
    drawn = np.random.default_rng(8).chisquare(4, 20000)
    for value in (4.0, 9.0, 15.0):
        assert chi_squared_tail(value, drawn) == pytest.approx(stats.chi2.sf(value, 4), rel=0.1)
