"""Panels for real purchases: kits, limits of groups, columns bought together, equal to exhaustive search."""

from __future__ import annotations

from itertools import chain, combinations, product

import numpy as np
import pandas as pd
import pytest

from relspan.engines import ReferenceEngine
from relspan.errors import InfeasibleFamily, ParameterError
from relspan.explore import Kit
from relspan.simulate import simulate

D = 6


def feasible(family, panel):
    """Whether some model of the family uses no other features, by the reference engine."""
    closed = {j: (0.0, 0.0) for j in range(family.n_features) if j not in panel}
    try:
        ReferenceEngine(family.boxed(closed)).maxima(np.zeros((1, family.n_features + family.n_offsets)))
    except InfeasibleFamily:
        return False
    return True


@pytest.fixture(scope="module", params=[0, 1])
def case(request, fitted):
    """A fitted table and all sets of its columns that are enough for an equally good model."""
    data = simulate(50, strong=1, weak=4, irrelevant=1, groups=2, noise=0.3, flips=0.1, random_state=request.param)
    clf = fitted(data.X, data.y, C=1.0, delta_loss=0.1)
    family, every = clf.result_.certificates.family, range(D)
    subsets = chain.from_iterable(combinations(every, size) for size in range(D + 1))
    return clf, [set(panel) for panel in subsets if feasible(family, panel)]


def cheapest_by_exhaustion(enough, costs, kits=(), at_most=(), together=(), include=()):
    """The least price of any set of columns and kits that keeps the rules; infinite where there is none."""
    best = np.inf
    in_kits = set().union(*(members for _, members in kits)) if kits else set()
    for panel in enough:
        if any(len(panel & set(group)) > most for most, group in at_most) or not set(include) <= panel:
            continue
        if any(0 < len(panel & set(group)) < len(group) for group in together):
            continue
        for bought in product([False, True], repeat=len(kits)):
            provided = set().union(*(set(members) for on, (_, members) in zip(bought, kits, strict=True) if on), set())
            if panel & in_kits <= provided:
                price = sum(price for on, (price, _) in zip(bought, kits, strict=True) if on)
                best = min(best, price + sum(costs[j] for j in panel))
    return best


def named(columns):
    return [f"x{j}" for j in columns]


def test_panels_with_kits_and_rules_equal_exhaustive_search(case):
    clf, enough = case
    rng, explorer = np.random.default_rng(3), clf.explore()
    for trial in range(6):
        kits = [(float(rng.integers(1, 6)), tuple(rng.choice(D, 3, replace=False).tolist())) for _ in range(2)]
        costs = rng.integers(0, 4, D).astype(float)
        at_most = [(int(rng.integers(1, 3)), tuple(rng.choice(D, 3, replace=False).tolist()))] if trial % 2 else []
        together = [tuple(rng.choice(D, 2, replace=False).tolist())] if trial % 3 == 0 else []
        include = [int(rng.integers(D))] if trial % 3 == 1 else []
        truth = cheapest_by_exhaustion(enough, costs, kits, at_most, together, include)
        given = {
            "kits": {f"kit {k}": (price, named(members)) for k, (price, members) in enumerate(kits)},
            "at_most": [(most, named(group)) for most, group in at_most],
            "together": [named(group) for group in together],
            "include": named(include),
        }
        prices = {f"x{j}": c for j, c in enumerate(costs)}
        if not np.isfinite(truth):
            with pytest.raises(InfeasibleFamily, match="x"):
                explorer.cheapest_panel(prices, **given)
            continue
        panel = explorer.cheapest_panel(prices, **given)
        assert panel.proven
        assert panel.cost == pytest.approx(truth)
        chosen = {int(name[1:]) for name in panel.features}
        paid = sum(price for k, (price, _) in enumerate(kits) if f"kit {k}" in panel.kits)
        assert paid + sum(costs[list(chosen)]) == pytest.approx(panel.cost)
        assert set(include) <= chosen
        assert all(len(chosen & set(group)) <= most for most, group in at_most)
        assert all(len(chosen & set(group)) in (0, len(group)) for group in together)
        assert set(panel.model.features) <= set(panel.features)


def test_a_kit_is_listed_and_paid_once(case):
    clf, enough = case
    everything = {"all": Kit(7.0, tuple(named(range(D))))}
    panel = clf.explore().cheapest_panel({}, kits=everything)
    assert panel.kits == ("all",)
    assert panel.cost == 7
    assert "with the kit all" in str(panel)
    found = clf.explore().minimal_panels(limit=3, costs={}, kits=everything)
    assert set(found.columns()["kits"]) == {"all"}
    smallest = min(len(panel) for panel in enough)
    assert clf.explore().smallest_panel().kits == ()
    assert clf.explore().smallest_panel(at_most=[(D, named(range(D)))]).cost == smallest


def test_limits_that_no_panel_keeps_are_named(case):
    clf, enough = case
    needed = sorted(set.intersection(*enough))
    assert needed  # the strong feature
    with pytest.raises(InfeasibleFamily, match=f"at most 0 of 'x{needed[0]}'"):
        clf.explore().smallest_panel(at_most=[(0, named(needed[:1])), (3, named(range(D)[-2:]))])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kits": {"k": (-1, ["x0"])}}, "the price of kit 'k' is -1"),
        ({"kits": {"k": (1, ["x9"])}}, "x9"),
        ({"kits": {"k": ["x0"]}}, "kit 'k' must be a pair"),
        ({"kits": [("k", 1)]}, "kits must map"),
        ({"kits": {"k": (1, "x0")}}, "kit 'k' must list"),
        ({"at_most": [(1.5, ["x0"])]}, "at_most"),
        ({"at_most": {"x0": 1}}, "at_most must list"),
        ({"at_most": [(1, ["x0", "x0"])]}, "lists 'x0' twice"),
        ({"together": ["x0"]}, "together must list"),
        ({"together": [["x0", "y"]]}, "y"),
    ],
)
def test_rules_that_mean_nothing_are_refused(case, given, message):
    costs = {f"x{j}": 1.0 for j in range(D)}
    with pytest.raises(ParameterError, match=message):
        case[0].explore().cheapest_panel(costs, **given)


def test_features_without_price_or_kit_are_named(case):
    with pytest.raises(ParameterError, match="no cost for 'x5'"):
        case[0].explore().cheapest_panel({"x0": 1.0}, kits={"k": (1, named(range(1, 5)))})


def test_a_category_is_paid_once(fitted):
    """The price of a category is that of one column of the table, whatever the number of its levels in use."""
    rng = np.random.default_rng(0)
    site = rng.choice(["a", "b", "c", "d"], 120)
    shift = pd.Series(site).map({"a": 0.0, "b": 2.0, "c": -2.0, "d": 4.0}).to_numpy()
    frame = pd.DataFrame({"site": pd.Categorical(site), "z": rng.standard_normal(120)})
    y = (frame["z"] + shift + 0.3 * rng.standard_normal(120) > 1).astype(int)
    explorer = fitted(frame, y, C=1.0).explore()
    panel = explorer.cheapest_panel({"site": 5.0, "z": 1.0})
    assert panel.cost == 6
    assert panel.features == ("site", "z")
    in_a_kit = explorer.cheapest_panel({"z": 1.0}, kits={"records": (3.0, ["site"])}, at_most=[(2, ["site", "z"])])
    assert (in_a_kit.kits, in_a_kit.cost) == (("records",), 4)
