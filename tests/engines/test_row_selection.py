"""Rows set aside before the programs start: what is left speaks for all of them, or is not believed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from problems import family_around, two_classes
from relspan.engines import BatchedEngine, ExactEngine
from relspan.engines.interior import row_selection
from relspan.engines.interior.array_library import NumpyArrays
from relspan.engines.interior.packed_point import packed
from relspan.engines.interior.row_selection import RowSelection, every_row, extended_point
from relspan.family import Family, unit_directions
from relspan.progress import listening

SHARES = np.array([0.0, 0.25, 0.0, 0.75, 0.0])
SLACK = np.array([0.1, 2.0, -3.0, 2.0, -0.1])
SOME = RowSelection(kept=np.array([True, False, False, False, True]), merged_share=SHARES, slack=SLACK)


def tall(seed: int = 0) -> tuple[Family, float]:
    X, y = two_classes(300, 5, seed=seed, flips=0.1)
    members, baseline = family_around(X, y, delta_loss=0.1)
    return members, baseline.norm


def test_multipliers_are_adjoint_to_rows() -> None:
    """a.(rows that take part) = (multipliers of all).(all rows): a dual bound needs nothing else."""
    rng = np.random.default_rng(0)
    values, a = rng.normal(size=(5, 3)), rng.normal(size=(4, 3))
    np.testing.assert_allclose(a @ SOME.rows(values), SOME.multipliers(NumpyArrays(), a) @ values)


def test_rows_that_pay_together_cost_as_much_as_one_by_one() -> None:
    costs, slack = np.array([1.0, 2.0, 5.0, 6.0, 1.0]), np.array([0.5, 1.5, -3.0, 2.5, -0.1])
    paid = costs @ np.maximum(slack, 0.0)
    assert SOME.costs(costs) @ np.maximum(SOME.rows(slack), 0.0) == pytest.approx(paid)


def test_every_row_leaves_all_as_it_is() -> None:
    values = np.arange(10.0).reshape(5, 2)
    assert every_row(5).all_rows
    np.testing.assert_array_equal(every_row(5).rows(values), values)
    np.testing.assert_array_equal(every_row(5).multipliers(NumpyArrays(), values.T), values.T)
    np.testing.assert_array_equal(every_row(5).costs(values[:, 0]), values[:, 0])


def test_rows_that_come_near_their_kink_join() -> None:
    still, nearly, beyond = SLACK, np.array([0.1, 2.0, -3.0, 0.4, -0.1]), np.array([0.1, 2.0, 0.5, 2.0, -0.1])
    assert SOME.with_rows_near(NumpyArrays(), still[None]).kept.tolist() == [True, False, False, False, True]
    assert SOME.with_rows_near(NumpyArrays(), np.stack([still, nearly])).kept.tolist() == [
        True,
        False,
        False,
        True,
        True,
    ]
    assert SOME.with_rows_near(NumpyArrays(), np.stack([still, beyond])).kept.tolist() == [
        True,
        False,
        True,
        False,
        True,
    ]
    np.testing.assert_allclose(SOME.with_rows_near(NumpyArrays(), nearly[None]).merged_share, [0, 1, 0, 0, 0])


def test_rows_join_on_the_central_path() -> None:
    members, _ = tall()
    engine = BatchedEngine(members)
    focused, whole = engine._stages
    old, new = focused.rows, whole.rows
    problem = replace(whole.problem, v=np.zeros((1, 5)), v_b=np.zeros((1, 1)))
    joined = extended_point(focused.centre, problem, old, new)
    t = problem.h - problem.scores(joined.w, joined.b)
    centre = packed(focused.problem, focused.centre)
    mu = (centre.slacks * centre.prices).mean()
    fresh = ~old.kept
    np.testing.assert_allclose((joined.x - joined.s)[:, fresh], t[:, fresh], rtol=1e-9)
    np.testing.assert_allclose((joined.x * joined.z_x)[:, fresh], mu, rtol=1e-9)
    np.testing.assert_allclose((joined.s * joined.a)[:, fresh], mu, rtol=1e-9)
    np.testing.assert_allclose(joined.a + joined.z_x, (joined.theta @ problem.Q)[:, None] * problem.c, rtol=1e-6)
    np.testing.assert_array_equal(joined.x[:, old.kept], focused.centre.x[:, : old.kept.sum()])


@pytest.mark.parametrize("seed", range(3))
def test_a_tall_family_sets_rows_aside_and_answers_as_the_exact_engine(seed: int) -> None:
    members, norm = tall(seed)
    engine = BatchedEngine(members)
    directions = unit_directions(range(5), members)
    found, exact = engine.maxima(directions), ExactEngine(members).maxima(directions)
    used = [stage.problem.F.shape[0] for stage in engine._stages]
    assert len(used) == 2
    assert used[0] < 0.8 * used[1]
    np.testing.assert_allclose(found.values, exact.values, atol=1e-6 * norm)
    assert found.gaps.max() <= 1e-6 * norm
    assert found.violations.max() == 0


@pytest.mark.slow
@pytest.mark.parametrize("second_look", [True, False])
@pytest.mark.parametrize("appended", [False, True])
def test_rows_set_aside_in_error_are_found_out(
    monkeypatch: pytest.MonkeyPatch, appended: bool, second_look: bool
) -> None:
    """With hardly a row left every program turns some that were set aside: they join, or all is solved again."""
    monkeypatch.setattr(row_selection, "KINK_REACH", (1e-3, 1e-3))
    monkeypatch.setattr(row_selection, "ROWS_PER_UNKNOWN", 1)
    if not second_look:
        monkeypatch.setattr(row_selection, "NEAR_KINK", -np.inf)
    members, norm = tall()
    engine, exact = BatchedEngine(members), ExactEngine(members)
    assert engine._stages[0].problem.F.shape[0] <= 8
    if appended:
        columns = np.random.default_rng(0).normal(size=(members.rows.n_rows, 3))
        found, truth = engine.appended(columns), exact.appended(columns)
    else:
        directions = unit_directions(range(5), members)
        found, truth = engine.maxima(directions), exact.maxima(directions)
    if not second_look:
        assert engine.retried >= len(found) / 2
    np.testing.assert_allclose(found.values, truth.values, atol=1e-6 * norm)
    assert found.gaps.max() <= 1e-6 * norm


def test_progress_moves_while_a_batch_is_solved() -> None:
    members, _ = tall()
    engine, heard = BatchedEngine(members), []
    with listening(heard.append):
        engine.maxima(unit_directions(range(5), members))
    assert len(heard) >= 2
    assert heard == sorted(heard)
    assert 0 < heard[0] < heard[-1] < 1
