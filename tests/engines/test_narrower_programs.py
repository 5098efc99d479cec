"""The shared matrix of a first step, weights of programs' own at the start, and programs narrowed near their optima."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from problems import family_around, two_classes
from relspan.engines import ExactEngine, RestrictedEngine
from relspan.engines.interior.batch_arrays import BatchArrays
from relspan.engines.interior.centre_start import OWN_PRICE, OWN_WEIGHT
from relspan.engines.interior.first_factor import first_factor
from relspan.engines.interior.leading_columns import LeadingColumns
from relspan.engines.interior.narrower_programs import narrower_programs
from relspan.engines.interior.restricted_engine import AttemptSizes
from relspan.engines.interior.restricted_programs import restricted_programs
from relspan.family import Constraints, Family, unit_directions

N, D, PROGRAMS = 20, 60, 6


def wide_family(constrained: bool) -> Family:
    family, _ = family_around(*two_classes(N, D, 0), 0.4, 0.1, 0.1, "relative")
    if not constrained:
        return family
    rows = np.zeros((2, D))
    rows[0, 0], rows[1, [1, 2]] = 1.0, (1.0, -1.0)
    at_most = rows @ family.anchors[0][:D] + 0.05 * family.largest_norm
    return family.restricted(Constraints(rows, np.zeros((2, 1)), np.full(2, -np.inf), at_most))


def programs_of(engine: RestrictedEngine, features: range) -> LeadingColumns:
    directions = unit_directions(features, engine.family)
    return replace(engine._problem, v=directions[:, :D], v_b=directions[:, D:], count=D)


@pytest.mark.parametrize("appended", [False, True])
def test_the_shared_matrix_solves_what_each_matrix_would(appended: bool) -> None:
    rng = np.random.default_rng(0)
    F, right = rng.standard_normal((N, D)), rng.standard_normal((PROGRAMS, N, 3))
    weights, diagonal = np.tile(rng.random(D + appended), (PROGRAMS, 1)), np.tile(1 + rng.random(N), (PROGRAMS, 1))
    extra = rng.standard_normal((PROGRAMS, N)) if appended else None
    own = np.full(PROGRAMS, D) if appended else np.arange(PROGRAMS) // 2
    weights[np.arange(PROGRAMS), own] = 1 + rng.random(PROGRAMS)
    shared = first_factor(F, weights, diagonal, extra)
    assert shared is not None
    found = shared.solve(right)
    for i in range(PROGRAMS):
        columns = F if extra is None else np.column_stack([F, extra[i]])
        matrix = (columns * weights[i]) @ columns.T + np.diag(diagonal[i])
        np.testing.assert_allclose(found[i], np.linalg.solve(matrix, right[i]), rtol=1e-9)


def test_other_matrices_are_not_shared() -> None:
    rng = np.random.default_rng(0)
    F, weights, diagonal = rng.standard_normal((N, D)), rng.random((PROGRAMS, D)), np.ones((PROGRAMS, N))
    assert first_factor(F, weights, diagonal, None) is None
    alike = np.tile(weights[:1], (PROGRAMS, 1))
    assert first_factor(F, alike, diagonal, None) is not None
    diagonal[1, 0] = 2.0
    assert first_factor(F, alike, diagonal, None) is None


def test_a_program_about_one_weight_starts_with_it() -> None:
    engine = RestrictedEngine(wide_family(False))
    programs = programs_of(engine, range(30, 32))
    several = programs.v.copy()
    several[3, 7] = 0.5
    start = engine._start(replace(programs, v=several), retry=False)
    own = OWN_WEIGHT * engine.family.largest_norm
    assert start.p[0, 30] == start.q[1, 30] == start.p[2, 31] == own
    assert start.z_p[0, 30] == start.z_q[1, 30] == OWN_PRICE
    for values in (start.p, start.q, start.z_p, start.z_q):  # the last program is about two weights
        assert values[3, 31] == values[0, 31]


@pytest.mark.parametrize("constrained", [False, True])
def test_a_narrower_program_loses_what_its_rows_lose(constrained: bool) -> None:
    engine = RestrictedEngine(wide_family(constrained))
    whole = programs_of(engine, range(3))
    few = restricted_programs(whole, engine._start(whole, retry=True), np.repeat(np.arange(3), 2), 40, 12)
    fewer = narrower_programs(few, few.start, 25, 6)
    merged = np.append(np.zeros(fewer.rows.shape[1], dtype=bool), True)
    for i in range(len(whole.v)):
        table = engine._problem.F[:, fewer.columns[i]]
        np.testing.assert_array_equal(fewer.problem.F[i, :-1], table[fewer.rows[i]])
        np.testing.assert_allclose(fewer.problem.F[i, -1], fewer.shares[i] @ table, atol=1e-12)
        np.testing.assert_array_equal(fewer.problem.v[i], whole.v[i, fewer.columns[i]])
        np.testing.assert_array_equal(fewer.problem.G[i], engine._problem.G[:, fewer.columns[i]])
    together = fewer.shares > 0
    paid = (fewer.problem.c * merged).sum(axis=1)
    np.testing.assert_allclose(paid, (together * engine._problem.c).sum(axis=1))
    np.testing.assert_allclose(fewer.shares.sum(axis=1), 1.0)


@pytest.mark.parametrize("constrained", [False, True])
def test_narrowed_programs_have_the_answers_of_the_exact_engine(
    constrained: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    family = wide_family(constrained)
    sizes = AttemptSizes(D, 6e-3, 50, N - 2, (30, N - 4), retry=False)
    monkeypatch.setattr(RestrictedEngine, "attempts", [sizes])
    chosen = unit_directions(range(0, D, 6), family)
    found, truth = RestrictedEngine(family).maxima(chosen), ExactEngine(family).maxima(chosen)
    assert found.handed_over.mean() < 0.3
    assert found.gaps.max() <= 1e-6 * family.largest_norm
    np.testing.assert_allclose(found.values, truth.values, atol=1e-6 * family.largest_norm)


def test_programs_with_a_matrix_each_and_those_that_share_one_step_alike() -> None:
    """The first factor of a batch is exact, whatever the leading columns are."""
    engine = RestrictedEngine(wide_family(False))
    programs = programs_of(engine, range(4))
    weights = np.tile(np.linspace(1.0, 2.0, D), (len(programs.v), 1))
    diagonal, right = np.ones((len(programs.v), N)), np.ones((len(programs.v), N, 1))
    shared, _ = programs.factor(weights, diagonal, 0.0)
    own, _ = BatchArrays.factor(programs, weights, diagonal, 0.0)
    np.testing.assert_allclose(programs.solved(shared, right), programs.solved(own, right), rtol=1e-3, atol=1e-4)
