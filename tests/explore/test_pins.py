"""Pins: exact against brute force over signs with the reference engine, whatever the baseline's weight is."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from relspan.cli.options.pins import PinOptions
from relspan.engines import ReferenceEngine
from relspan.errors import InfeasibleFamily, InfeasiblePins, ParameterError
from relspan.explore import Explorer
from relspan.explore.explorer import history_of
from relspan.explore.pins import read_pin
from relspan.family import unit_directions


def brute_force(explorer, pins):
    """Relevance intervals (shares) by every combination of signs, each solved from scratch; None without a model."""
    problem, family, mu = (
        history_of(explorer).problem,
        history_of(explorer).problem.analysis.family,
        history_of(explorer).problem.mu,
    )
    choices = []
    for pin in pins:
        low, high = pin.low * mu, pin.high * mu
        choices.append([(-high, high)] if low == 0 else [(low, high), (-high, -low)])
    found = []
    for chosen in product(*choices):
        bounds = {problem.column(p.feature): c for p, c in zip(pins, chosen, strict=True)}
        boxed = family.boxed(bounds)
        try:
            ends = ReferenceEngine(boxed).maxima(unit_directions(range(family.n_features), boxed)).values / mu
        except InfeasibleFamily:
            continue
        lo, hi = -ends[1::2], ends[::2]
        least = np.where((lo <= 0) & (hi >= 0), 0.0, np.minimum(np.abs(lo), np.abs(hi)))
        found.append(np.column_stack([least, np.maximum(np.abs(lo), np.abs(hi)), lo, hi]))
    if not found:
        return None
    each = np.array(found)
    return np.column_stack(
        [each[:, :, 0].min(0), each[:, :, 1].max(0), each[:, :, 2].min(0), each[:, :, 3].max(0)]
    ), len(found)


def intervals(explorer):
    return np.array([[f.min, f.max, f.lo, f.hi] for f in explorer.result.features])


def agrees(explorer):
    expected, count = brute_force(explorer, explorer.pins)
    np.testing.assert_allclose(intervals(explorer), expected, atol=1e-6)
    assert len(history_of(explorer).current_family().branches) == count
    for branch in history_of(explorer).current_family().branches:
        assert branch.ranges.extremes.violations.max() < 1e-8
        assert branch.ranges.gaps.max() / history_of(explorer).problem.mu < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("demand", ["min", "max", "without", 0.5, (0.2, 0.6), (0.0, 0.3)], ids=str)
@pytest.mark.parametrize("data", ["small", "free_signs"])
def test_one_pin_equals_brute_force(request, data, demand):
    clf = request.getfixturevalue(data)
    for feature in clf.result_.features:
        explorer = clf.explore()
        share = {0.5: 0.5 * feature.max, (0.2, 0.6): (0.2 * feature.max, 0.6 * feature.max)}
        share[0.0, 0.3] = (0.0, max(0.3 * feature.max, feature.min))
        asked = demand if isinstance(demand, str) else share[demand]
        try:
            explorer.pin(feature.name, asked)
        except InfeasiblePins:
            assert brute_force(explorer, [read_pin(history_of(explorer).problem, feature.name, asked)]) is None
        else:
            agrees(explorer)


@pytest.mark.slow
@pytest.mark.parametrize("data", ["small", "free_signs"])
def test_a_pin_that_is_dragged_equals_brute_force_at_every_step(request, data):
    """Each step starts from the optima of the last one: back and forth, over signs, ranges and another pin."""
    clf = request.getfixturevalue(data)
    explorer = clf.explore()
    for name in ("x1", "x4"):
        most = clf.result_[name].max
        for demand in (0.5 * most, 0.55 * most, 0.9 * most, (0.1 * most, 0.3 * most), 0.05 * most, "max", 0.5 * most):
            agrees(explorer.pin(name, demand))
        explorer.pin(name, (0.0, 0.2 * most))  # stays while the other is dragged


def test_signs_are_not_taken_from_the_baseline(free_signs):
    """Pins away from 0 on features whose baseline weight is 0 leave both signs; the branches are shown apart."""
    weights = free_signs.coef_[0]
    result, seen = free_signs.result_, 0
    for j in np.flatnonzero(weights == 0):
        feature = result.features[j]
        both = 0.5 * min(-feature.lo, feature.hi)
        explorer = free_signs.explore().pin(feature.name, both)
        signs = [np.sign(branch[feature.name]).tolist() for branch in explorer.branches]
        assert sorted(signs) == [[-1, -1], [1, 1]]
        pinned = explorer.result[feature.name]
        assert pinned.min == pytest.approx(both)  # the hull of both signs holds 0, the relevance does not
        assert pinned.max == pytest.approx(both)
        assert (pinned.lo, pinned.hi) == (pytest.approx(-both), pytest.approx(both))
        agrees(explorer)
        seen += 1
    assert seen >= 2


def test_a_negative_baseline_weight(small):
    """A feature and its mirror image answer alike."""
    weights = small.coef_[0]
    j = int(np.argmin(weights))
    assert weights[j] < 0
    name = small.result_.features[j].name
    agrees(small.explore().pin(name, 0.9 * small.result_[name].max))


@pytest.mark.slow
@pytest.mark.parametrize("data", ["small", "free_signs"])
def test_several_pins_equal_brute_force(request, data):
    clf = request.getfixturevalue(data)
    rng = np.random.default_rng(0)
    answered = refused = 0
    for _ in range(16):
        explorer = clf.explore()
        chosen = rng.choice(len(clf.result_.features), size=rng.integers(2, 4), replace=False)
        demands = {}
        for j in chosen:
            f = clf.result_.features[j]
            low, high = np.sort(rng.uniform(f.min, f.max, 2))
            demands[f.name] = [float(low), (float(low), float(high)), "without"][rng.integers(3)]
        pins = [read_pin(history_of(explorer).problem, name, demand) for name, demand in demands.items()]
        truth = brute_force(explorer, pins)
        if truth is None:
            refused += 1
            with pytest.raises(InfeasiblePins) as caught:
                explorer.pin_all(demands)
            check_conflict(explorer, demands, caught.value)
        else:
            answered += 1
            agrees(explorer.pin_all(demands))
    assert answered >= 5
    assert refused >= 3


def check_conflict(explorer, demands, error):
    """The subset is minimal, each nearest value works given the others, and a step beyond it does not."""
    problem = history_of(explorer).problem
    pins = {name: read_pin(problem, name, demand) for name, demand in demands.items()}
    conflict = list(error.conflict)
    assert brute_force(explorer, [pins[name] for name in conflict]) is None
    for name in conflict:
        rest = [pins[other] for other in conflict if other != name]
        if rest:
            assert brute_force(explorer, rest) is not None
        given = {other: demands[other] for other in demands if other != name}
        if brute_force(explorer, [pins[other] for other in given]) is None:
            given = {other: demands[other] for other in conflict if other != name}
        nearest, pin = error.nearest[name], pins[name]
        explorer.unpin().pin_all({**given, name: nearest})
        step = 1e-5 * (1 if pin.low > nearest else -1)
        with pytest.raises(InfeasiblePins):
            explorer.unpin().pin_all({**given, name: nearest + step})


@pytest.mark.slow
def test_conflicts_of_one_two_and_three(figure3):
    """Three copies share what one of them must carry."""
    explorer, result = figure3.explore(), figure3.result_
    with pytest.raises(InfeasiblePins, match="nearest that works") as caught:
        explorer.pin("x0", result["x0"].max + 0.01)
    assert caught.value.conflict == ("x0",)
    assert caught.value.nearest["x0"] == pytest.approx(result["x0"].max, abs=1e-8)
    share = 0.6 * result["x4"].max
    demands = {"x4": share, "x1": result["x1"].max, "x5": share}
    with pytest.raises(InfeasiblePins) as caught:
        explorer.pin_all(demands)
    check_conflict(explorer, demands, caught.value)
    triple = {"x4": "without", "x5": "without", "x6": "without"}
    with pytest.raises(InfeasiblePins) as caught:
        explorer.unpin().pin_all(triple)
    assert caught.value.conflict == ("x4", "x5", "x6")
    check_conflict(explorer, triple, caught.value)


@pytest.mark.slow
def test_figure_3(figure3):
    """Feature 5 at its minimum leaves all others as they are; at its maximum its copies go and nothing can move."""
    explorer, before = figure3.explore(), figure3.intervals_
    others = [0, 1, 2, 3, 5, 6, 7]
    low = np.array([[f.min, f.max] for f in explorer.pin("x4", "min").result.features])
    np.testing.assert_allclose(low[others], before[others], atol=1e-9)
    assert low[4].tolist() == [0.0, 0.0]
    high = np.array([[f.min, f.max] for f in explorer.pin("x4", "max").result.features])
    nearly = 1e-9 if figure3.loss_budget == "combined" else 1e-3
    np.testing.assert_allclose(high[[5, 6]], 0.0, atol=nearly)
    assert (high[:, 1] - high[:, 0]).max() < nearly
    assert (before[4:7, 1] - before[4:7, 0]).min() > 0.1
    np.testing.assert_allclose(high[4], before[4, 1], atol=1e-9)


def test_only_what_can_move_is_solved(small):
    explorer = small.explore()
    extremes = small.result_.certificates.extremes
    for j, feature in enumerate(small.result_.features):
        if feature.min == 0:
            (branch,) = history_of(explorer.unpin().without(feature.name)).current_family().branches
            assert branch.solved <= (extremes.models[:, j] != 0).sum()


def test_pins_shrink_and_unpinning_restores(small):
    explorer = small.explore()
    before = intervals(explorer)
    explorer.pin("x1", (0.0, 0.1))
    once = intervals(explorer)
    assert (once[:, 0] >= before[:, 0] - 1e-9).all()
    assert (once[:, 1] <= before[:, 1] + 1e-9).all()
    explorer.pin("x4", "without")
    twice = intervals(explorer)
    assert (twice[:, 0] >= once[:, 0] - 1e-9).all()
    assert (twice[:, 1] <= once[:, 1] + 1e-9).all()
    np.testing.assert_array_equal(intervals(explorer.unpin()), before)


def test_min_and_max_are_what_the_other_pins_allow(small):
    """And follow when these change, whatever came first."""
    explorer = small.explore().pin("x2", "max").pin("x1", (0.0, 0.1)).without("x3")
    agrees(explorer)
    other = small.explore().without("x3").pin("x1", (0.0, 0.1))
    (most,) = [pin.low for pin in explorer.pins if pin.feature == "x2"]
    assert most == pytest.approx(other.result["x2"].max, abs=1e-9)
    assert most < small.result_["x2"].max - 1e-3
    (again,) = explorer.unpin("x1", "x3").pins
    assert again.low == small.result_["x2"].max
    first, second = small.explore().pin("x1", "max").pin("x2", "max").pins
    assert first.low == small.result_["x1"].max
    assert second.low < small.result_["x2"].max


def test_a_pin_at_the_reported_end_is_the_end(small):
    for f in small.result_.features:
        small.explore().pin(f.name, f.max).pin(f.name, f.min).pin(f.name, (f.max, 2.0))


def test_pins_on_a_constant_column(fitted):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.standard_normal((40, 2)), np.ones(40)])
    explorer = fitted(X, (X[:, 0] > 0).astype(int), C=1.0).explore()
    before = intervals(explorer)
    np.testing.assert_allclose(intervals(explorer.pin("x2", "max").pin("x2", "without")), before)
    with pytest.raises(InfeasiblePins) as caught:
        explorer.pin("x2", 0.1)
    assert caught.value.nearest == {"x2": 0.0}


@pytest.mark.parametrize(
    ("feature", "demand", "said"),
    [
        ("x9", "min", "no feature 'x9'; there are 'x0', 'x1'"),
        ("xx1", "min", "no feature 'xx1'; did you mean 'x1'"),
        ("x1", "least", "'min', 'max', 'without', a value or a range"),
        ("x1", -0.1, "0 <= low <= high"),
        ("x1", (0.3, 0.1), "0 <= low <= high"),
        ("x1", float("nan"), "0 <= low <= high"),
        ("x1", (1, 2, 3), "a number or a pair"),
        ("x1", None, "a number or a pair"),
    ],
)
def test_wrong_pins_are_refused_and_change_nothing(small, feature, demand, said):
    explorer = small.explore().pin("x1", 0.1)
    with pytest.raises(ParameterError, match=said):
        explorer.pin(feature, demand)
    assert [pin.feature for pin in explorer.pins] == ["x1"]


@pytest.mark.parametrize("demand", ["+", "-", ("+", 0.05, 0.2), ("-", 0.02, np.inf), ("+", 0.1)])
def test_signed_pins_equal_bounds_on_the_weight(free_signs, demand):
    """A pin with a sign is one interval of the weight: the reference engine over the boxed family gives the same."""
    family, mu = free_signs.result_.certificates.family, free_signs.result_.baseline["l1_norm"]
    pinned = free_signs.explore().pin("x1", demand)
    (pin,) = pinned.pins
    side = (pin.low * mu, pin.high * mu) if pin.sign == "+" else (-pin.high * mu, -pin.low * mu)
    boxed = family.boxed({1: side})
    ends = ReferenceEngine(boxed).maxima(unit_directions(range(5), boxed)).values.reshape(-1, 2) / mu
    (branch,) = pinned.branches
    assert list(branch.values()) == pytest.approx(np.column_stack([-ends[:, 1], ends[:, 0]]), abs=1e-6)
    pinned.result.certificates.verify()


def test_a_pin_with_a_sign_is_one_of_the_branches_without(free_signs):
    explorer = free_signs.explore()
    both = explorer.pin("x1", (0.05, 0.2)).branches
    each = [explorer.pin("x1", (sign, 0.05, 0.2)).branches[0] for sign in "+-"]
    assert len(both) == 2
    ends = [np.array(sorted(branch["x1"] for branch in branches)) for branches in (both, each)]
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_signed_pins_are_written_read_and_refused(free_signs, tmp_path):
    explorer = free_signs.explore()
    for demand, words, text in (
        ("positive", "x1=+", "x1 positive or 0"),
        (("+", 0.05, 0.2), "x1=+0.05..0.2", "x1 in +0.05..+0.2"),
        (("-", 0.05, 0.2), "x1=-0.05..-0.2", "x1 in -0.2..-0.05"),
        (("-", 0.1), "x1=-0.1", "x1 = -0.1"),
        (("-", 0.05, np.inf), "x1=-0.05..", "x1 <= -0.05"),
    ):
        (pin,) = explorer.set_pins({"x1": demand}).pins
        assert pin.on_the_command_line == ["--pin", words]
        assert str(pin) == text
        assert PinOptions(pin=(words,)).demands(["x1"]) == {"x1": pin.demand}
        assert explorer.set_pins({"x1": pin.demand}).pins == (pin,)
        explorer.save(tmp_path / "model.json")
        assert Explorer.load(tmp_path / "model.json").pins == (pin,)
    feature = free_signs.result_["x1"]
    with pytest.raises(InfeasiblePins) as error:
        explorer.pin("x1", ("+", feature.hi + 0.1, np.inf))
    assert error.value.nearest["x1"] == pytest.approx(feature.hi)
    with pytest.raises(InfeasiblePins) as error:
        explorer.pin("x1", ("-", 0.1 - feature.lo, np.inf))
    assert error.value.nearest["x1"] == pytest.approx(feature.lo)
    for wrong in (("+",), ("*", 0.1), ("+", 0.3, 0.1), ("+", "a"), (-0.3, -0.1)):
        with pytest.raises(ParameterError, match="'x1'"):
            explorer.pin("x1", wrong)
    with pytest.raises(ParameterError, match="two meanings"):
        PinOptions(pin=("x1=-0.1..0.3",)).demands(["x1"])
