"""What pins do: a class never changes, and a feature is left out, needed or moved by what its interval shows."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from relspan import RelevanceClassifier, RelevanceRegressor
from relspan.errors import InfeasiblePins, ParameterError
from relspan.explore.pin_effects import pin_effect
from relspan.explore.pins import Pin
from relspan.plots import ProbeDisplay
from relspan.result import PIN_OUTCOMES, FeatureRelevance, RelevanceResult
from relspan.simulate import simulate
from relspan.tables.examples import breast_cancer
from relspan.tolerances import MOVED_END, POSITIVE, VISIBLE_CHANGE


def random_explorer(seed: int):
    """A table of random size, noise and task, with a constant column; classes rest on few probes."""
    rng = np.random.default_rng(seed)
    task = ["classification", "regression"][seed % 2]
    sizes = {"strong": int(rng.integers(1, 3)), "weak": int(rng.integers(2, 5)), "irrelevant": int(rng.integers(1, 4))}
    data = simulate(int(rng.integers(50, 90)), **sizes, noise=0.3, target_noise=0.2, task=task, random_state=seed)
    X = np.column_stack([data.X, np.ones(len(data.X))])
    estimator = RelevanceClassifier if task == "classification" else RelevanceRegressor
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator(n_probes=5, random_state=seed, delta_loss=0.1).fit(X, data.y).explore(), rng


def random_demands(result: RelevanceResult, rng: np.random.Generator) -> dict:
    chosen = rng.choice(len(result.features), size=int(rng.integers(1, 4)), replace=False)
    demands = {}
    for f in (result.features[j] for j in chosen):
        low, high = np.sort(rng.uniform(f.min, f.max, 2)).tolist()
        demands[f.name] = ["min", "max", "without", low, (low, high), (0.0, high)][int(rng.integers(6))]
    return demands


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_pins_never_change_a_class_and_every_outcome_is_what_the_intervals_show(seed: int) -> None:
    explorer, rng = random_explorer(seed)
    unpinned = explorer.unpinned_result
    floor = POSITIVE * (1 + unpinned.parameters["delta_norm"])
    answered = 0
    for _ in range(12):
        try:
            explorer.set_pins(random_demands(unpinned, rng))
        except InfeasiblePins:
            continue
        answered += 1
        result, pins = explorer.result, {pin.feature: pin for pin in explorer.pins}
        assert [f.relevance for f in result.features] == [f.relevance for f in unpinned.features]
        assert (result.thresholds, result.probes) == ({}, {})
        for before, after in zip(unpinned.features, result.features, strict=True):
            effect, pin = after.under_pins, pins.get(after.name)
            assert (effect.unpinned_min, effect.unpinned_max) == (before.min, before.max)
            assert effect.pinned is (pin is not None)
            asked = 0.0 if pin is None else pin.low
            needed = after.min > floor and before.min <= floor and asked <= floor
            assert (effect.outcome == "needed") is needed
            zero = after.max <= MOVED_END < before.max
            assert (effect.outcome == "left out") is (zero or (pin is not None and pin.high == 0))
            if effect.outcome == "unmoved":
                np.testing.assert_allclose([after.min, after.max], [before.min, before.max], atol=1.1 * VISIBLE_CHANGE)
        listed = [name for names in result.pin_outcomes.values() for name in names]
        assert sorted(listed) == sorted(explorer.feature_names)
    assert answered >= 4


@pytest.mark.slow
def test_noise_under_a_maximal_pin_stays_noise() -> None:
    """Breast cancer with eight permuted columns: worst area at its maximum leaves almost one model."""
    prepared = breast_cancer()
    rng = np.random.default_rng(0)
    noise = rng.permuted(prepared.X[:, :8], axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        explorer = RelevanceClassifier(C=2.29, random_state=0).fit(np.hstack([prepared.X, noise]), prepared.y).explore()
    area = f"x{prepared.names.index('worst area')}"
    before, after = explorer.unpinned_result, explorer.pin(area, "max").result
    for kind in ("strong", "weak", "irrelevant"):
        assert after.names(kind) == before.names(kind)
    assert len(after.pin_outcomes["needed"]) > 10  # a fact about what the pin leaves, and no verdict


def test_a_feature_without_its_substitute_is_needed_and_keeps_its_class(fitted) -> None:
    data = simulate(100, strong=1, weak=2, irrelevant=1, copies=1, random_state=0)
    small = fitted(data.X, data.y)
    explorer = small.explore().without("x1")
    result = explorer.result
    x1, x2 = result["x1"], result["x2"]
    assert (x1.under_pins.words, x1.max) == ("pinned, left out", 0.0)
    assert x2.under_pins.outcome == "needed"
    assert x2.relevance == small.result_["x2"].relevance
    assert x2.under_pins.unpinned_min == 0 < x2.min
    assert x2.under_pins.unpinned_max == small.result_["x2"].max
    assert result.names("strong") == small.result_.names("strong")
    assert explorer.unpin().result["x2"].under_pins is None
    assert explorer.result.pin_outcomes == {}
    assert explorer.result.thresholds == small.result_.thresholds


def test_the_effects_survive_json_and_stand_in_the_frame(small) -> None:
    result = small.explore().without("x1").result
    assert RelevanceResult.from_json(result.to_json()).features == result.features
    columns = result.columns()
    assert list(columns)[:3] == ["name", "under_pins", "relevance"]
    assert columns["under_pins"][1] == "pinned, left out"
    assert columns["unpinned_max"] == [f.max for f in small.result_.features]
    assert not {"under_pins", "unpinned_min", "unpinned_max"} & set(small.result_.columns())


def test_probes_are_not_drawn_under_pins(small) -> None:
    with pytest.raises(ParameterError, match="unpinned_result"):
        ProbeDisplay.from_result(small.explore().without("x1").result)


FREE = FeatureRelevance("a", 0.0, 0.4, -0.1, 0.4, "weak")
STRONG = FeatureRelevance("a", 0.1, 0.4, 0.1, 0.4, "strong")
NO_GAPS = (0.0, 0.0)


@pytest.mark.parametrize(
    ("before", "ends", "gaps", "pin", "outcome"),
    [
        (FREE, (0.0, 0.4), NO_GAPS, None, "unmoved"),
        (FREE, (0.0, 0.3995), NO_GAPS, None, "unmoved"),
        (FREE, (0.0, 0.39), NO_GAPS, None, "moved"),
        (FREE, (0.0, 0.39), (0.0, 0.02), None, "unmoved"),  # it may be as far as before
        (FREE, (0.0, 0.0), NO_GAPS, None, "left out"),
        (FREE, (0.2, 0.3), NO_GAPS, None, "needed"),
        (FREE, (5e-5, 0.4), NO_GAPS, None, "unmoved"),  # rounding is not a need
        (STRONG, (0.3, 0.4), NO_GAPS, None, "moved"),  # needed already
        (FREE, (0.2, 0.3), NO_GAPS, Pin("a", 0.2, 0.3, "range"), "moved"),  # its own pin demands it
        (FREE, (0.2, 0.3), NO_GAPS, Pin("a", 0.0, 0.3, "range"), "needed"),  # the other pins do
        (FREE, (0.0, 0.0), NO_GAPS, Pin("a", 0.0, 0.0, "without"), "left out"),
        (FREE, (0.4, 0.4), NO_GAPS, Pin("a", 0.4, np.inf, "max"), "moved"),
        (FeatureRelevance("a", 0.0, 0.0, 0.0, 0.0, "irrelevant"), (0.0, 0.0), NO_GAPS, None, "unmoved"),
    ],
)
def test_the_outcome_of_one_feature(before, ends, gaps, pin, outcome) -> None:
    found = pin_effect(before, *ends, gaps, pin, floor=1e-4)
    assert found.outcome == outcome
    assert outcome in PIN_OUTCOMES
    assert found.pinned is (pin is not None)
