"""A category is one feature in every question: measured once in a panel, replaced as a whole, one row per table."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from relspan import Explorer, RelevanceClassifier
from relspan.errors import InfeasiblePins, ParameterError
from relspan.tables import NamedMatrix
from relspan.tolerances import CERTIFIED_GAP

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")

ROWS = 90
NAMES = ["mass", "site", "twin", "flip", "noise"]
PIN_ROOM = 1e-6  # of the norm: how far a category that is held at an end may move, since the end itself leaves no room


def table():
    """A column, a category that matters, a copy of it with other levels, one that does not, a column of noise."""
    rng = np.random.default_rng(0)
    site, other = rng.integers(3, size=ROWS), rng.integers(3, size=ROWS)
    mass, noise = rng.standard_normal((2, ROWS))
    blocks = {"site": site, "twin": (site + 1) % 3, "flip": other}
    categories = {name: tuple(f"{name}={level}" for level in "ABC") for name in blocks}
    indicators = [values[:, None] == np.arange(3) for values in blocks.values()]
    columns = ["mass", *(column for each in categories.values() for column in each), "noise"]
    y = mass + 2.0 * (site == 1) - 1.5 * (site == 2) + 0.3 * rng.standard_normal(ROWS) > 0
    return NamedMatrix(np.column_stack([mass, *indicators, noise]), tuple(columns), categories), y


@pytest.fixture(scope="module")
def model():
    X, y = table()
    return RelevanceClassifier(C=1.0, n_probes=10, random_state=0).fit(X, y)


@pytest.fixture
def explorer(model):
    return model.explore()


def is_panel(explorer, names):
    """The slow obvious way: is there an equally good model without all other features?"""
    others = [name for name in NAMES if name not in names]
    try:
        explorer.without(*others) if others else explorer
    except InfeasiblePins:
        return False
    finally:
        explorer.set_pins({})
    return True


@pytest.mark.slow
def test_minimal_panels_are_those_of_a_search_through_all_sets_of_features(explorer):
    found = explorer.minimal_panels(10)
    enough = [set(names) for size in range(1, 6) for names in combinations(NAMES, size) if is_panel(explorer, names)]
    minimal = [panel for panel in enough if not any(other < panel for other in enough)]
    assert sorted(map(sorted, minimal)) == sorted(sorted(panel.features) for panel in found)
    assert all(panel.proven and panel.cost == len(panel.features) for panel in found)
    assert {"site"} & set(found[0].features) or {"twin"} & set(found[0].features)


def test_a_category_is_paid_once_whatever_its_number_of_levels(explorer):
    costs = {"mass": 1.0, "site": 2.0, "twin": 5.0, "flip": 1.0, "noise": 1.0}
    panel = explorer.cheapest_panel(costs)
    assert panel.cost == sum(costs[name] for name in panel.features)
    assert "site" in panel.features
    assert "twin" not in panel.features
    assert panel.categories["site"] == ("site=A", "site=B", "site=C")
    rows = panel.to_frame("dict")
    assert rows["name"] == list(panel.features)
    assert rows["relevance"][rows["name"].index("site")] == pytest.approx(
        sum(panel.model.relevances[level] for level in panel.categories["site"])
    )
    levels = {**costs, **dict.fromkeys(("site=A", "site=B", "site=C"), 2.0)}
    del levels["site"]
    assert explorer.cheapest_panel(levels).cost == panel.cost  # costs by level: the category costs the largest


def test_a_panel_includes_and_excludes_whole_categories(explorer):
    assert "flip" in explorer.smallest_panel(include=["flip"]).features
    assert "flip" in explorer.smallest_panel(include=["flip=B"]).features
    assert "site" not in explorer.smallest_panel(exclude=["site"]).features
    with pytest.raises(ParameterError, match="did you mean 'site'"):
        explorer.smallest_panel(include=["sites"])
    with pytest.raises(ParameterError, match="'site'"):
        explorer.smallest_panel(include=["site"], exclude=["site"])
    with pytest.raises(ParameterError, match="'twin'"):
        explorer.cheapest_panel({"mass": 1, "site": 1, "flip": 1, "noise": 1})


@pytest.mark.slow
def test_copies_of_a_category_are_its_substitutes_and_other_features_are_not(explorer):
    found = explorer.groups(NAMES)
    assert found.features == tuple(NAMES)
    exchange = dict(zip(combinations(NAMES, 2), found.exchange[np.triu_indices(5, 1)], strict=True))
    assert exchange["site", "twin"] > 0.7
    assert max(value for pair, value in exchange.items() if pair != ("site", "twin")) < 0.5
    assert ("site", "twin") in found.members
    best = explorer.alternatives("site")[0]
    assert (best.feature, best.instead_of, best.left_out) == ("twin", "site", True)
    assert best.exchange == pytest.approx(exchange["site", "twin"])
    assert "twin must carry at least" in best.sentence
    assert explorer.alternatives("twin")[0].feature == "site"


@pytest.mark.slow
def test_a_category_left_out_gives_the_intervals_of_the_pin(explorer):
    found = explorer.substitution(["site", "twin", "mass"])
    result = explorer.without("site").result
    expected = [(result[name].min, result[name].max) for name in ("site", "twin", "mass")]
    np.testing.assert_allclose(found.at_min[0], expected, atol=CERTIFIED_GAP)
    unpinned = explorer.unpinned_result
    now = [(unpinned[name].min, unpinned[name].max) for name in ("site", "twin", "mass")]
    np.testing.assert_allclose(found.intervals, now, atol=CERTIFIED_GAP)


@pytest.mark.parametrize("end", ["min", "max"])
def test_pins_at_an_end_only_narrow_and_hold_the_category_there(explorer, end):
    explorer.without("twin")  # now the site is needed, and its minimum is above 0
    found = explorer.substitution(["site", "mass", "noise"])
    place = ["min", "max"].index(end)
    assert found.intervals[0, 0] > 0.1
    table = found.at_min if end == "min" else found.at_max
    assert (table[..., 0] >= found.intervals[:, 0] - PIN_ROOM).all()
    assert (table[..., 1] <= found.intervals[:, 1] + PIN_ROOM).all()
    np.testing.assert_allclose(table[0, 0], found.intervals[0, place], atol=PIN_ROOM)
    assert (table[0, :, 0] <= table[0, :, 1] + CERTIFIED_GAP).all()


def test_paths_have_one_interval_per_category_and_pass_through_the_result(explorer):
    delta = explorer.unpinned_result.parameters["delta_loss"]
    path = explorer.path("delta_loss", [0.0, delta])
    assert list(path.steps[0].intervals) == NAMES
    for name in NAMES:
        feature = explorer.unpinned_result[name]
        np.testing.assert_allclose(path.interval(name)[1], (feature.min, feature.max), atol=CERTIFIED_GAP)
        assert path.interval(name)[0, 1] <= path.interval(name)[1, 1] + CERTIFIED_GAP  # more budget, wider intervals
    with pytest.raises(ParameterError, match="did you mean 'mass'"):
        path.interval("mas")


@pytest.mark.slow
def test_stability_counts_a_category_once(explorer):
    found = explorer.stability(2)
    assert [feature.name for feature in found.features] == NAMES
    for feature in found.features:
        known = explorer.unpinned_result[feature.name]
        assert feature.interval == (known.min, known.max)
        assert sum(feature.classes.values()) == pytest.approx(1.0)
    assert found["flip"].classes["irrelevant"] == 1.0
    assert found["site"].classes["irrelevant"] == 0.0
    with pytest.raises(KeyError, match="did you mean 'site'"):
        found["sit"]


def test_a_category_that_is_needed_cannot_be_left_out_and_the_error_names_it(explorer):
    explorer.without("twin")
    least = explorer.result["site"].min
    with pytest.raises(InfeasiblePins, match="without site") as caught:
        explorer.without("site")
    assert set(caught.value.conflict) == {"site", "twin"}
    assert caught.value.nearest["site"] == pytest.approx(least, abs=CERTIFIED_GAP)


def test_a_saved_session_knows_its_categories(explorer, tmp_path):
    explorer.save(tmp_path / "session.json")
    again = Explorer.load(tmp_path / "session.json")
    assert again.smallest_panel().features == explorer.smallest_panel().features
