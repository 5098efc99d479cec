"""The batched engine on a device: it is seldom waited for, certifies what it solved, and fits into its memory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from problems import family_around, two_classes
from relspan import RelevanceClassifier
from relspan.analysis.baseline import best_models, null_loss
from relspan.engines import ENGINES, BatchedEngine, ExactEngine
from relspan.engines.certificates import certify
from relspan.engines.interior import batched_engine
from relspan.engines.interior.appended_feature import AppendedColumn
from relspan.engines.interior.dual_polytope import dual_polytope
from relspan.engines.interior.resident_certificates import resident_certificates
from relspan.family import Family, build_family, norm_and_loss, sparse_unit_directions, unit_directions
from relspan.family.budgets import family_of
from relspan.losses import Hinge, Logistic
from relspan.simulate import simulate

torch = pytest.importorskip("torch")

from benchmarks.speed.device_traffic import counted  # noqa: E402

from relspan.engines.interior import torch_library  # noqa: E402
from relspan.engines.interior.torch_library import TorchArrays  # noqa: E402

ANSWER_ARRAYS = 3  # numbers, models and multipliers come to the host once per batch


def engine_on_torch(family: Family) -> BatchedEngine:
    return BatchedEngine(family, TorchArrays("cpu"))


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many Newton steps each call of the method took."""
    taken: list[int] = []

    def noted(*arguments, **options):  # type: ignore[no-untyped-def]
        found = maximise(*arguments, **options)
        taken.append(found.iterations)
        return found

    maximise = batched_engine.maximise
    monkeypatch.setattr(batched_engine, "maximise", noted)
    return taken


def wide(seed: int = 0) -> Family:
    return family_around(*two_classes(24, 60, seed=seed), delta_loss=0.2)[0]


def test_the_host_reads_a_batch_once_in_four_steps_on_torch(steps: list[int]) -> None:
    members = wide()
    engine = engine_on_torch(members)
    with counted() as traffic:
        engine.maxima(unit_directions(range(60), members))
    assert engine.retried == engine.handed_over == 0
    assert traffic.n_reads <= steps[0] / 4 + 1 + ANSWER_ARRAYS
    assert set(traffic.reads) == {"cpu"}, "no number is asked for singly, and no size depends on values"


def test_a_step_starts_fewer_than_half_of_the_539_kernels_that_it_once_did_on_torch(steps: list[int]) -> None:
    members = wide()
    engine = engine_on_torch(members)
    with counted() as traffic:
        engine.maxima(unit_directions(range(8), members))
    assert traffic.n_kernels < 0.5 * 539 * steps[0]


@pytest.mark.parametrize("seed", range(3))
def test_programs_that_wait_for_others_keep_their_answers_on_torch(seed: int) -> None:
    members = wide(seed)
    directions = unit_directions(range(0, 60, 5), members)
    together, twin = engine_on_torch(members).maxima(directions), BatchedEngine(members).maxima(directions)
    assert (together.values <= twin.bounds).all()
    assert (twin.values <= together.bounds).all()
    assert max(together.gaps.max(), twin.gaps.max()) <= 1e-6 * members.largest_norm


def very_wide(loss: Hinge | Logistic) -> Family:
    """So many columns that programs end with few of them."""
    X, y = two_classes(30, 900, seed=2)
    rows = loss.rows(X, y)
    ((best, _),) = best_models(rows, np.array([1.0]))
    norm, found = float(np.abs(best[:900]).sum()), rows.loss(best[:900], best[900:])
    return build_family(rows, norm_and_loss(1.2 * norm, found + 0.1 * null_loss(rows)), anchors=best)


@pytest.mark.parametrize("loss", [Hinge(), Logistic()])
@pytest.mark.parametrize("as_sparse", [False, True])
def test_programs_that_end_with_few_columns_have_the_ends_of_the_exact_engine_on_torch(
    loss: Hinge | Logistic, as_sparse: bool
) -> None:
    members, features = very_wide(loss), range(0, 900, 60)
    engine = engine_on_torch(members)
    assert 0 < engine._few_columns < 900 / 3
    directions = (sparse_unit_directions if as_sparse else unit_directions)(features, members)
    found, twin = engine.maxima(directions), ExactEngine(members).maxima(unit_directions(features, members))
    assert engine.handed_over == 0
    assert engine.retried < len(found) / 4, "nearly all are proven at once"
    assert found.gaps.max() <= 1e-6 * members.largest_norm
    assert (found.values <= twin.bounds).all()
    assert (twin.values <= found.bounds).all()
    assert members.violations(found.models_of(slice(None))).max() <= 0


def test_programs_that_need_more_columns_get_them_where_they_are_on_torch(
    steps: list[int],
) -> None:
    members, features = very_wide(Hinge()), range(0, 900, 60)
    engine, directions = engine_on_torch(members), unit_directions(features, members)
    vars(engine)["_few_columns"] = 8  # fewer than any program needs
    found, twin = engine.maxima(directions), ExactEngine(members).maxima(directions)
    assert engine.retried > 0
    assert len(steps) >= 3, "near the optima, with few columns, with more"
    assert found.gaps.max() <= 1e-6 * members.largest_norm
    assert (found.values <= twin.bounds).all()
    assert (twin.values <= found.bounds).all()


def test_the_centre_that_a_device_helps_to_find_is_that_of_the_host_on_torch() -> None:
    members = very_wide(Logistic())
    engine, polytope = engine_on_torch(members), dual_polytope(members)
    assert polytope is not None
    weights = np.random.default_rng(0).random(900)
    np.testing.assert_allclose(engine._gram(weights), polytope.curvature(weights), rtol=1e-10, atol=1e-10)


def test_probes_of_a_table_with_many_columns_have_the_ends_of_the_exact_engine_on_torch() -> None:
    members = very_wide(Hinge())
    columns = np.random.default_rng(1).standard_normal((members.rows.n_scores, 4))
    engine = engine_on_torch(members)
    found, twin = engine.appended(columns), ExactEngine(members).appended(columns)
    assert engine.handed_over == 0
    assert found.gaps.max() <= 1e-6 * members.largest_norm
    assert (found.values <= twin.bounds).all()
    assert (twin.values <= found.bounds).all()


@pytest.mark.parametrize("loss", [Hinge(), Logistic()])
@pytest.mark.parametrize("appended", [False, True])
def test_certificates_of_the_device_are_those_of_the_host_on_torch(loss: Hinge | Logistic, appended: bool) -> None:
    X, y = two_classes(30, 8, seed=4)
    members, baseline = family_around(X, y)
    weights = np.where(np.arange(30) < 3, 0.0, 1.0)  # rows that cost nothing are not on the device
    members = family_of(loss.rows(X, y, weights), baseline, 0.3, 0.3, "relative")
    members = replace(members, anchors=members.anchors[members.violations(members.anchors) <= 0])
    engine, rng = engine_on_torch(members), np.random.default_rng(0)
    inside = engine._inside
    there, stage = resident_certificates(inside, engine.arrays), engine._stages[-1]
    assert there is not None
    d, programs, paid = 8 + appended, 6, members.rows.costs > 0
    columns = rng.standard_normal((programs, members.rows.n_scores)) if appended else None
    directions = rng.standard_normal((programs, d + 1))
    models = np.hstack([0.05 * rng.standard_normal((programs, d)), rng.standard_normal((programs, 1))])
    models[0] = np.insert(inside.anchors[0], 8, 0.0) if appended else inside.anchors[0]
    hinge = np.where(paid, rng.standard_normal((programs, members.rows.n_rows)), 0.0)
    host = certify(inside, directions, models, hinge, np.zeros((programs, 0)), columns)
    xp = engine.arrays
    extra = None if columns is None else AppendedColumn(columns)
    problem = engine._programs(directions, extra, stage.problem, stage.rows)
    reach = None if columns is None else np.abs(columns).max(axis=0)
    w, b, a = xp.array(models[:, :d]), xp.array(models[:, d:]), xp.array(hinge[:, paid])
    device = there.certify(problem, w, b, a, reach)
    np.testing.assert_allclose(device.bounds, host.bounds, rtol=1e-12)
    np.testing.assert_array_equal(device.hinge_multipliers, host.hinge_multipliers)
    same = device.violations <= 0
    assert same[0]
    np.testing.assert_allclose(device.values[same], host.values[same], rtol=1e-12)


def test_a_program_that_broke_down_proves_nothing_and_disturbs_nothing_on_torch() -> None:
    members = wide()
    engine = engine_on_torch(members)
    there, xp, stage = resident_certificates(engine._inside, engine.arrays), engine.arrays, engine._stages[-1]
    assert there is not None
    directions = unit_directions([0], members)
    problem = replace(stage.problem, v=xp.array(directions[:, :-1]), v_b=xp.array(directions[:, -1:]))
    w, b, a = xp.zeros(2, 60), xp.zeros(2, 1), xp.zeros(2, int((members.rows.costs > 0).sum()))
    w[0, 3] = np.nan
    found = there.certify(problem, w, b, a, None)
    assert np.isfinite(found.values).all()
    np.testing.assert_allclose(found.bounds, members.largest_norm, rtol=1e-12)


def test_the_free_memory_bounds_the_batch_on_torch(monkeypatch: pytest.MonkeyPatch, steps: list[int]) -> None:
    members = wide()
    directions = unit_directions(range(20), members)
    plenty = engine_on_torch(members).maxima(directions)
    monkeypatch.setattr(torch_library, "free_bytes", lambda device: 2**21)
    engine = engine_on_torch(members)
    steps.clear()
    few = engine.maxima(directions)
    assert engine.arrays.memory == 2**20
    assert len(steps) >= 20 * 2 * 8 * 60 * 84 / 2**20  # a batch of programs with so many numbers each
    assert np.abs(plenty.values - few.values).max() <= 1e-6 * members.largest_norm


def test_a_whole_fit_on_the_device_has_the_classes_and_ends_of_its_twin_on_torch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = simulate(50, 2, 2, 66, random_state=0)
    monkeypatch.setitem(ENGINES, "gpu", engine_on_torch)
    there, here = (
        RelevanceClassifier(C=0.3, engine=name, random_state=0).fit(data.X, data.y) for name in ("gpu", "batched")
    )
    assert there.relevance_.tolist() == here.relevance_.tolist()
    assert there.result_.largest_gap <= 1e-6
    np.testing.assert_allclose(there.intervals_, here.intervals_, atol=2e-6)
