"""Panels: equal to exhaustive search, with every needed feature inside and a proof of optimality."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from relspan.engines import ReferenceEngine
from relspan.errors import InfeasibleFamily, InfeasiblePins, ParameterError
from relspan.explore.explorer import history_of
from relspan.simulate import PAPER_SETS, simulate


def feasible(family, panel):
    """Whether some model of the family uses no other features, by the reference engine."""
    closed = {j: (0.0, 0.0) for j in range(family.n_features) if j not in panel}
    try:
        ReferenceEngine(family.boxed(closed)).maxima(np.zeros((1, family.n_features + family.n_offsets)))
    except InfeasibleFamily:
        return False
    return True


def minimal_by_exhaustion(family):
    """All panels of which nothing can be left out, smallest first."""
    found = []
    for size in range(family.n_features + 1):
        for panel in combinations(range(family.n_features), size):
            if not any(set(smaller) <= set(panel) for smaller in found) and feasible(family, panel):
                found.append(panel)
    return found


@pytest.fixture(scope="module", params=[0, 1])
def case(request, fitted):
    data = simulate(60, strong=2, weak=4, irrelevant=2, groups=2, noise=0.3, flips=0.1, random_state=request.param)
    clf = fitted(data.X, data.y, C=1.0, delta_loss=0.1)
    return clf, minimal_by_exhaustion(clf.result_.certificates.family)


def columns(panel):
    return tuple(int(name[1:]) for name in panel.features)


@pytest.mark.slow
def test_panels_equal_exhaustive_search(case):
    clf, truth = case
    explorer = clf.explore()
    smallest = explorer.smallest_panel()
    assert len(smallest.features) == len(truth[0])
    assert smallest.proven
    assert columns(smallest) in truth
    found = explorer.minimal_panels(limit=1000)
    assert sorted(map(columns, found)) == sorted(truth)
    assert [p.cost for p in found] == sorted(p.cost for p in found)
    assert all(p.proven for p in found)
    assert [columns(p) for p in explorer.minimal_panels(limit=2)] == [columns(p) for p in found[:2]]


@pytest.mark.slow
def test_costs_equal_exhaustive_search(case):
    clf, truth = case
    rng = np.random.default_rng(0)
    for costs in (rng.uniform(0.1, 2, 8), rng.integers(0, 4, 8).astype(float)):
        panel = clf.explore().cheapest_panel({f"x{j}": c for j, c in enumerate(costs)})
        assert panel.proven
        assert panel.cost == pytest.approx(min(costs[list(t)].sum() for t in truth))
        assert panel.cost == pytest.approx(costs[list(columns(panel))].sum())
        assert columns(panel) in truth  # nothing superfluous, even where it is free


@pytest.mark.slow
def test_every_panel_holds_what_is_needed_and_comes_with_its_model(case):
    clf, _ = case
    needed = {f.name for f in clf.result_.features if f.min > 0}
    family = clf.result_.certificates.family
    for panel in clf.explore().minimal_panels(limit=20):
        assert needed <= set(panel.features)
        assert set(panel.model.features) <= set(panel.features)
        assert panel.model.norm <= family.largest_norm * (1 + 1e-8)
        assert panel.model.loss <= family.largest_loss * (1 + 1e-8)
        assert ", ".join(panel.features) in str(panel)


@pytest.mark.slow
def test_included_and_excluded_features(case):
    clf, truth = case
    explorer = clf.explore()
    extra = next(j for j in range(8) if all(j not in t for t in truth[:1]))
    panel = explorer.smallest_panel(include=[f"x{extra}"])
    assert extra in columns(panel)
    assert panel.cost == min(len(set(t) | {extra}) for t in truth)
    spare = next(j for j in truth[0] if any(j not in t for t in truth))
    panel = explorer.smallest_panel(exclude=[f"x{spare}"])
    assert panel.cost == min(len(t) for t in truth if spare not in t)
    assert spare not in columns(panel)
    again = clf.explore().without(f"x{spare}").smallest_panel()
    assert again.cost == panel.cost
    with pytest.raises(ParameterError, match="both include and exclude"):
        explorer.smallest_panel(include=[f"x{spare}"], exclude=[f"x{spare}"])
    with pytest.raises(InfeasiblePins):
        explorer.smallest_panel(exclude=[f"x{j}" for j in range(8)])


def test_panels_under_a_pin_of_free_sign(free_signs):
    """Both signs are searched: the answer is the smaller of the two."""
    feature = free_signs.result_.features[3]
    pinned = free_signs.explore().pin(feature.name, 0.5 * min(-feature.lo, feature.hi))
    assert len(history_of(pinned).current_family().branches) == 2
    family, sizes = free_signs.result_.certificates.family, []
    for branch in history_of(pinned).current_family().branches:
        boxed = family.boxed(branch.bounds)
        sizes.append(min(len(p) for p in _panels_holding(boxed, 3)))
    panel = pinned.smallest_panel()
    assert panel.cost == min(sizes)
    assert feature.name in panel.features


def _panels_holding(family, j):
    others = [k for k in range(family.n_features) if k != j]
    for size in range(family.n_features):
        for rest in combinations(others, size):
            if feasible(family, (j, *rest)):
                yield (j, *rest)


def test_costs_are_checked(small):
    explorer = small.explore()
    with pytest.raises(ParameterError, match="no cost for 'x1', 'x2'"):
        explorer.cheapest_panel({"x0": 1, "x3": 1, "x4": 1, "x5": 1})
    with pytest.raises(ParameterError, match="no feature 'x7'"):
        explorer.cheapest_panel({"x7": 1})
    with pytest.raises(ParameterError, match="'x2' is -1"):
        explorer.cheapest_panel({f"x{j}": -1 if j == 2 else 1 for j in range(6)})


def test_at_the_time_limit_the_proven_bound_is_reported(case):
    clf, truth = case
    panel = clf.explore().smallest_panel(time_limit=1e-9)
    assert columns(panel)  # the heuristic's
    assert panel.bound <= len(truth[0]) <= panel.cost
    assert panel.proven == (panel.gap == 0)


@pytest.mark.slow
def test_the_gap_is_reported_as_it_closes(fitted):
    data = simulate(*PAPER_SETS["Sim5"], groups=4, noise=0.3, flips=0.05, random_state=0)
    seen = []
    explorer = fitted(data.X[:200], data.y[:200], C=0.1).explore()
    panel = explorer.smallest_panel(progress=lambda stage, share, note="": seen.append((stage, note)), time_limit=20)
    assert {stage for stage, _ in seen} == {"panel"}
    bounds = [float(note.split("bound ")[1]) for _, note in seen if "bound " in note]
    assert bounds == sorted(bounds)
    assert panel.bound >= np.ceil(bounds[-1] - 1e-6) - 1e-9
