"""Rows that compare classes: the products by pairs of classes are those of the whole table, and so are the answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from relspan.analysis.class_probes import batched_classes, ends_of_classes
from relspan.analysis.group_intervals import GROUP_BRACKET, largest_totals
from relspan.analysis.intervals import ranges_of
from relspan.analysis.learning_problem import LearningProblem
from relspan.engines import BatchedEngine, ExactEngine
from relspan.engines.certificates import on_equalities
from relspan.engines.interior.array_library import NumpyArrays
from relspan.engines.interior.contrast_rows import contrast_rows
from relspan.family import Family, build_family, norm_and_loss, unit_directions
from relspan.losses import MulticlassHinge

D, N = 3, 90


def problem_of(classes: int, seed: int = 0) -> LearningProblem:
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=N).astype(float)
    X = rng.normal(size=(N, D))
    X[:, 0] += y
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return LearningProblem(MulticlassHinge(classes), X, y)


def family_of(problem: LearningProblem) -> Family:
    K = problem.loss.n_classes  # type: ignore[attr-defined]
    slope = np.linspace(-1, 1, K) / K
    weights = np.outer(np.eye(D)[0], slope).ravel()
    model = np.concatenate([weights, np.zeros(K - 1)])
    loss = problem.rows.loss(weights, model[D * K :])
    budgets = norm_and_loss(1.5 * float(np.abs(weights).sum()), 1.1 * loss)
    return build_family(problem.rows, budgets, problem.constraints, model[None])


@pytest.mark.parametrize("classes", [3, 4])
def test_rows_of_zeros_go_with_the_classes_that_their_offsets_compare(classes: int) -> None:
    rows = problem_of(classes).rows
    F, O = rows.features.copy(), rows.offsets
    whole = contrast_rows(NumpyArrays(), F, O, 0)
    assert whole is not None
    for pair in whole.pairs:
        F[pair.rows.start] = 0.0  # the first of its pair, whose neighbour compares other classes
    found = contrast_rows(NumpyArrays(), F, O, 0)
    assert found is not None
    assert [(p.first, p.second, p.rows) for p in found.pairs] == [(p.first, p.second, p.rows) for p in whole.pairs]
    assert contrast_rows(NumpyArrays(), F, O[:, :-1], 0) is None


@pytest.mark.parametrize("classes", [3, 4, 5])
@pytest.mark.parametrize("with_probe", [False, True])
def test_products_by_pairs_are_those_of_the_whole_table(classes: int, with_probe: bool) -> None:
    problem, rng = problem_of(classes), np.random.default_rng(1)
    F, O = problem.rows.features, problem.rows.offsets
    other = rng.normal(size=(1, F.shape[1]))  # a merged row compares no classes
    offsets = np.vstack([O, rng.normal(size=(1, classes - 1))])
    table = contrast_rows(NumpyArrays(), np.vstack([F, other]), offsets, 1)
    assert table is not None
    assert table.n_classes == classes
    probe, whole = None, np.repeat(np.vstack([F, other])[None], 2, axis=0)
    if with_probe:
        columns = problem.hinge_columns(rng.normal(size=(N, 2)))
        columns = np.moveaxis(columns.reshape(len(F), 2, classes), 1, 0)
        rest = rng.normal(size=(2, 1, classes))
        probe = table.probe(columns, rest)
        whole = np.concatenate([whole, np.concatenate([columns, rest], axis=1)], axis=2)
    w, a, weights = (rng.normal(size=(2, size)) for size in (whole.shape[2], len(F) + 1, len(F) + 1))
    np.testing.assert_allclose(table.scores(w, probe), np.einsum("pij,pj->pi", whole, w), atol=1e-12)
    np.testing.assert_allclose(table.columns(a, probe), np.einsum("pij,pi->pj", whole, a), atol=1e-11)
    FNF, FNO, ONO = table.matrix(weights, probe)
    weighted, upper = weights[:, :, None] * whole, np.triu_indices(whole.shape[2])
    expected = np.einsum("pij,pik->pjk", whole, weighted)
    np.testing.assert_allclose(FNF[:, *upper], expected[:, *upper], atol=1e-10)
    np.testing.assert_allclose(FNO, np.einsum("pij,ik->pjk", weighted, offsets), atol=1e-10)
    np.testing.assert_allclose(ONO, np.einsum("ij,pi,ik->pjk", offsets, weights, offsets), atol=1e-10)


def test_other_tables_have_no_such_structure() -> None:
    rng = np.random.default_rng(0)
    rows = problem_of(3).rows
    F, O = rows.features, rows.offsets
    assert contrast_rows(NumpyArrays(), rng.normal(size=F.shape), O, 0) is None
    order = rng.permutation(len(F))
    assert contrast_rows(NumpyArrays(), F[order], O[order], 0) is None  # the rows of a pair are not together
    assert contrast_rows(NumpyArrays(), F, rng.normal(size=O.shape), 0) is None  # offsets are not compared alike
    assert contrast_rows(NumpyArrays(), F, np.hstack([O, O]), 0) is None


@pytest.mark.parametrize("classes", [3, 4])
def test_both_engines_agree_and_every_end_is_certified(classes: int) -> None:
    family = family_of(problem_of(classes))
    engine = BatchedEngine(family)
    assert engine.can_append_classes
    directions = unit_directions(range(family.n_features), family)
    batched, exact = engine.maxima(directions), ExactEngine(family).maxima(directions)
    room = 1e-6 * family.largest_norm
    assert engine.handed_over == 0
    assert batched.gaps.max() <= room
    assert batched.violations.max() <= 1e-9
    np.testing.assert_allclose(batched.values, exact.values, atol=room)


@pytest.mark.parametrize("classes", [3, 4])
def test_probes_of_a_block_are_those_that_are_appended_one_by_one(classes: int) -> None:
    problem = problem_of(classes)
    family, rng = family_of(problem), np.random.default_rng(2)
    engine = batched_classes(BatchedEngine(family), problem)
    assert engine is not None
    values = rng.normal(size=(N, 3))
    found, totals = ends_of_classes(engine, problem, values)
    assert found.gaps.max() <= 1e-6 * family.largest_norm
    for probe in range(3):
        wider = problem.with_appended(family, [0], values[:, [probe]])
        columns = range(family.n_features, wider.n_features)
        alone = ExactEngine(wider).maxima(unit_directions(columns, wider))
        part = slice(2 * classes * probe, 2 * classes * (probe + 1))
        np.testing.assert_allclose(found.values[part], alone.values, atol=1e-6 * family.largest_norm)
        assert totals[probe] >= 2 * alone.values.max() - 2e-6 * family.largest_norm


@pytest.mark.slow
@pytest.mark.parametrize("classes", [4, 5])
def test_largest_totals_by_subsets_are_those_of_all_signs(classes: int) -> None:
    family = family_of(problem_of(classes))
    engine = ExactEngine(family)
    ranges = ranges_of(engine.maxima(unit_directions(range(family.n_features), family)))
    groups = [np.arange(j * classes, (j + 1) * classes) for j in range(D)]
    found = largest_totals(family, groups, ranges, engine, 64)
    for group, (attained, bound) in zip(groups, found, strict=True):
        signs = 2.0 * ((np.arange(2**classes)[:, None] >> np.arange(classes)) % 2) - 1
        directions = np.zeros((len(signs), family.n_features + family.n_offsets))
        directions[:, group] = signs
        truth = float(engine.maxima(directions).values.max())
        assert attained == pytest.approx(truth, abs=1e-7 * family.largest_norm)
        assert truth <= bound + 1e-9 <= attained + 2 * GROUP_BRACKET * family.largest_norm


def test_models_are_moved_onto_equalities_that_they_miss() -> None:
    family = family_of(problem_of(3))
    off = np.array(family.anchors)
    off[0, 1] += 1e-6
    moved = on_equalities(family, np.array(off))
    assert family.violations(off)[0] > 1e-8
    assert np.abs(family.constraints.features @ moved[0, : family.n_features]).max() <= 1e-15
    assert np.abs(moved - off).max() <= 1e-6
    inside = replace(family, anchors=family.anchors).anchors
    np.testing.assert_array_equal(on_equalities(family, np.array(inside)), inside)
