"""Probes: made from permuted columns, appended or in the place of their column, never silently missing."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import KFold

from problems import family_around, largest, two_classes
from relspan.analysis.baseline import fit_baseline
from relspan.analysis.canonical_order import columns_by_shape
from relspan.analysis.intervals import feature_ranges
from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.probes import Probes, run_probes, threshold, with_member
from relspan.engines import ENGINES, CertifiedMaxima, ExactEngine, open_engine
from relspan.errors import InfeasibleFamily, SolverError
from relspan.family import Family, build_family, unit_directions
from relspan.family.budgets import family_of
from relspan.losses import Hinge, MulticlassHinge, OrdinalHinge, Privileged


def run(
    X: np.ndarray, y: np.ndarray, family: Family, count: int = 12, kind: str = "append", seed: int = 0, **options: Any
) -> Probes:
    sequence = np.random.SeedSequence(seed)
    return run_probes(family, LearningProblem(Hinge(), X, y), count, kind, "exact", sequence, **options)


def columns_by_hand(X: np.ndarray, y: np.ndarray, count: int) -> list[tuple[int, np.ndarray]]:
    """Source and hinge column of each probe of seed 0, drawn as documented: a stream for the order, one a probe."""
    choose, *streams = np.random.SeedSequence(0).spawn(count + 1)
    order = np.resize(columns_by_shape(X)[np.random.default_rng(choose).permutation(X.shape[1])], count)
    drawn = zip(order, streams, strict=True)
    problem = LearningProblem(Hinge(), X, y)
    return [(int(j), y * problem.permuted(int(j), np.random.default_rng(stream))) for j, stream in drawn]


def test_a_probe_is_a_permuted_column_times_the_target() -> None:
    X, y = two_classes(40, 4, seed=0)
    problem = LearningProblem(Hinge(), X, y)
    column = problem.hinge_columns(problem.permuted(2, np.random.default_rng(0))[:, None])[:, 0] * y
    np.testing.assert_array_equal(np.sort(column), np.sort(X[:, 2]))
    assert (column != X[:, 2]).any()


def test_every_column_lends_itself_before_any_does_twice() -> None:
    X, y = two_classes(40, 4, seed=1)
    family, _ = family_around(X, y)
    sources = run(X, y, family, count=10).sources
    assert sorted(sources[:4]) == [0, 1, 2, 3]
    assert np.bincount(sources).max() - np.bincount(sources).min() <= 1


def test_appended_probes_have_the_range_they_would_have_as_a_feature() -> None:
    X, y = two_classes(40, 4, seed=2)
    family, baseline = family_around(X, y, kind="explained", delta_loss=0.02)
    found = run(X, y, family, count=6)
    assert found.lost == 0
    assert len(found.hi) == 6
    for probe, (_, column) in enumerate(columns_by_hand(X, y, 6)):
        owner = family.with_columns(column[:, None])
        hi, minus_lo = open_engine("reference", owner).maxima(unit_directions([4], owner)).values
        np.testing.assert_allclose([found.hi[probe], -found.lo[probe]], [hi, minus_lo], atol=1e-6 * baseline.norm)
    np.testing.assert_array_equal(found.ends, np.concatenate([found.hi, -found.lo]))


def test_replaced_probes_without_an_equally_good_model_are_lost_and_counted() -> None:
    """With hardly any budget the informative columns cannot be spared; the others can."""
    X, y = two_classes(60, 6, seed=3, flips=0.02)
    family, baseline = family_around(X, y, delta_norm=0.05, delta_loss=0.05)
    sources, ends = [], []
    for j, column in columns_by_hand(X, y, 12):
        changed = family.with_replaced_column(j, column)
        with suppress(InfeasibleFamily):
            ends.append(open_engine("reference", changed).maxima(unit_directions([j], changed)).values)
            sources.append(j)
    assert 0 < len(sources) < 12

    found = run(X, y, family, count=12, kind="replace")

    assert found.lost == 12 - len(sources)
    np.testing.assert_array_equal(found.sources, sources)
    np.testing.assert_allclose(np.column_stack([found.hi, -found.lo]), ends, atol=1e-6 * baseline.norm)
    np.testing.assert_array_equal(found.ends, np.maximum(np.abs(found.lo), np.abs(found.hi)))
    spared = feature_ranges(family).relevances[:, 0] == 0  # what no model needs cannot be missed
    assert set(np.flatnonzero(spared)) <= set(found.sources)


class Broken:
    """An engine whose answers are NaN."""

    name = "broken"
    warm = True

    def __init__(self, family: Family) -> None:
        self.family = family

    def spoilt(self, found: CertifiedMaxima) -> CertifiedMaxima:
        values, models = np.array(found.values), np.array(found.models)
        values[0], models[0] = np.nan, np.nan
        return replace(found, values=values, models=models, violations=self.family.violations(models)[: len(values)])

    def maxima(self, directions: np.ndarray) -> CertifiedMaxima:
        return self.spoilt(ExactEngine(self.family).maxima(directions))

    def appended(self, columns: np.ndarray) -> CertifiedMaxima:
        found = ExactEngine(self.family).appended(columns)
        values = np.array(found.values)
        values[0] = np.nan
        return replace(found, values=values)


@pytest.mark.parametrize("kind", ["append", "replace"])
def test_a_solver_that_answers_nan_is_not_a_lost_probe(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = two_classes(40, 4, seed=4)
    family, _ = family_around(X, y, delta_norm=1.0, delta_loss=1.0)
    monkeypatch.setitem(ENGINES, "exact", Broken)
    found = run(X, y, family, kind=kind)
    assert found.lost == 0
    with pytest.raises(SolverError, match="not finite"):
        threshold(found.ends, len(found.hi), 0.01, "familywise", 8)


def test_a_feature_without_a_finite_interval_fails_loudly(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = two_classes(40, 4, seed=5)
    family, _ = family_around(X, y)
    monkeypatch.setitem(ENGINES, "exact", Broken)
    with pytest.raises(SolverError, match="no finite interval"):
        feature_ranges(family, engine="exact")


@pytest.mark.slow
def test_probes_depend_on_the_seed_alone() -> None:
    X, y = two_classes(40, 5, seed=6)
    family, _ = family_around(X, y)
    first, again, parallel, other = (
        run(X, y, family, count=30, seed=seed, n_jobs=jobs) for seed, jobs in ((0, None), (0, 1), (0, 2), (1, None))
    )
    np.testing.assert_array_equal(first.hi, again.hi)
    np.testing.assert_array_equal(first.hi, parallel.hi)
    np.testing.assert_array_equal(first.lo, parallel.lo)
    assert (first.hi != other.hi).any()


@pytest.mark.slow
def test_progress_of_bounds_and_probes_ends_at_one() -> None:
    X, y = two_classes(40, 40, seed=7)
    family, _ = family_around(X, y)
    reported: list[tuple[str, float]] = []
    feature_ranges(family, "exact", progress=lambda stage, share, note: reported.append((stage, share)))
    run(X, y, family, count=30, progress=lambda stage, share, note: reported.append((stage, share)))
    assert reported == sorted(reported)
    for stage in ("bounds", "probes"):
        shares = [share for own, share in reported if own == stage]
        assert {0.5, 1.0} <= set(shares)  # two blocks
        assert shares.count(1.0) == 1


SEVERAL_WEIGHTS = {
    "classes": (MulticlassHinge(3), np.arange(30) % 3 * 1.0),
    "privileged": (Privileged(OrdinalHinge(3), (False, False, True), 0.8), np.arange(30) % 3 * 1.0),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["append", "replace"])
@pytest.mark.parametrize("name", sorted(SEVERAL_WEIGHTS))
def test_probes_of_features_with_several_weights_have_ends_for_each_tested_weight(name: str, kind: str) -> None:
    """Each pair of ends is that of the weight in the table with the probe, by the program written out."""
    loss, y = SEVERAL_WEIGHTS[name]
    X = np.random.default_rng(0).standard_normal((30, 3)) + y[:, None] * [1.5, 0.0, 0.3]
    baseline = fit_baseline(loss, X, y, None, 1.0, KFold(3))
    problem = LearningProblem(loss, X, y)
    family = family_of(problem.rows, baseline, 0.3, 0.2, "explained", problem.constraints)
    count = 3
    found = run_probes(family, problem, count, kind, "exact", np.random.SeedSequence(0))
    choose, *streams = np.random.SeedSequence(0).spawn(count + 1)
    expected, lost = [], 0
    order = columns_by_shape(X)[np.random.default_rng(choose).permutation(3)]
    for j, stream in zip(order, streams, strict=True):
        values = problem.permuted(int(j), np.random.default_rng(stream))
        if kind == "append":
            table, probed, place = np.column_stack([X, values]), loss.with_copy_of(int(j)), 3
        else:
            table, probed, place = X.copy(), loss, int(j)
            table[:, j] = values
        changed = build_family(probed.rows(table, y), family.budgets, probed.constraints(table, y))
        blocks = probed.blocks(table.shape[1])
        columns = [c for c in blocks.columns(place) if blocks.tested[c]]
        try:
            open_engine("reference", changed).maxima(unit_directions(columns, changed))
        except InfeasibleFamily:
            lost += 1
            continue
        expected += [(-largest(changed, -v), largest(changed, v)) for v in unit_directions(columns, changed)[::2]]
    assert (found.lost, found.count) == (lost, count - lost)
    np.testing.assert_allclose(np.column_stack([found.lo, found.hi]), expected, atol=1e-6 * baseline.norm)


@pytest.mark.parametrize("kind", ["explained", "relative", "combined"])
@pytest.mark.parametrize("delta", [0.0, 0.02, 0.3])
def test_a_replaced_probe_knows_a_model_or_that_there_is_none(kind: str, delta: float) -> None:
    """The simplex method is not asked whether a family has a model: where it barely has none, it may never end."""
    X, y = two_classes(40, 4, seed=5, flips=0.1)
    family, _ = family_around(X, y, kind=kind, delta_norm=delta, delta_loss=delta)
    problem = LearningProblem(Hinge(), X, y)
    for j in range(4):
        changed = problem.with_replaced(family, j, np.random.default_rng(j).permutation(X[:, j]))
        bare = replace(changed, anchors=changed.anchors[:0])
        try:
            ExactEngine(bare).maxima(unit_directions([j], bare))
        except InfeasibleFamily:
            with pytest.raises(InfeasibleFamily):
                with_member(changed)
            continue
        found = with_member(changed)
        assert len(found.anchors)
        assert found.violations(found.anchors).max() <= 1e-9
