"""Categories in the page: one row each, with its levels inside, which are what can be pinned."""

from __future__ import annotations

import json

import numpy as np
import pytest
from chromium_driver import chromium

from relspan import RelevanceClassifier
from relspan.browser.browser_session import BrowserSession
from relspan.errors import DataError
from relspan.tables import NamedMatrix

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
COLUMNS = ("x", "noise", "island=A", "island=B", "island=C")


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(0)
    island, x = rng.integers(3, size=90), rng.standard_normal((90, 2))
    table = NamedMatrix(np.column_stack([x, island[:, None] == np.arange(3)]), COLUMNS, {"island": COLUMNS[2:]})
    return RelevanceClassifier(C=1.0, n_probes=10, delta_loss=0.5, random_state=0).fit(
        table, x[:, 0] + 0.6 * (island == 1) > 0.7
    )


@pytest.fixture
def session(model):
    session = BrowserSession().show_fitted(model)
    yield session
    session.close()


def test_levels_are_rows_with_the_class_of_their_category(session, model):
    assert model.explore().categories == {"island": COLUMNS[2:]}
    state = session.state({})
    shown = json.loads(json.dumps(state))["result"]["features"]
    assert [f["name"] for f in shown] == list(COLUMNS)
    assert len(state["view"]["rows"]) == len(COLUMNS)
    assert {f["relevance"] for f in shown[2:]} == {model.result_["island"].relevance}


def test_a_category_is_the_feature_of_the_result(session, model):
    (shown,) = session.state({})["categories"]
    own = model.result_["island"]
    assert shown["levels"] == list(COLUMNS[2:])
    assert (shown["min"], shown["max"], shown["relevance"]) == (own.min, own.max, own.relevance)


def test_a_category_under_pins_is_bounded_at_once_and_exact_in_the_end(session, model):
    session.ask("pin", {"feature": "x", "demand": "min"})
    least, most, _, status = session.state({})["view"]["categories"]["island"]
    live = session.require_live()
    assert live.wait_for(lambda: live.answer(session.explorer.pins).categories is not None, 60)
    exact = session.state({})["view"]["categories"]["island"]
    own = model.explore().pin("x", "min").result["island"]
    assert exact[:2] == pytest.approx([own.min, own.max], abs=1e-9)
    assert exact[2:] == [own.under_pins.outcome, "exact"]
    if status == "outer":
        assert least <= own.min + 1e-6
        assert most >= own.max - 1e-6


def test_a_category_is_left_out_and_starred_by_its_name(session):
    session.ask("pin", {"feature": "island", "demand": "without"})
    assert [pin["feature"] for pin in session.state({})["view"]["pins"]] == list(COLUMNS[2:])
    assert session.ask("toggle_star", {"feature": "island"})["stars"] == ["island"]


def test_a_category_has_one_price_and_is_bought_once(session):
    assert session.ask("set_costs", {"costs": {"island": 40, "x": 5}})["costs"] == {"island": 40.0, "x": 5.0}
    asked = {"priced": True, "include": ["island"], "seconds": 20}
    found = session.ask("panel", {**asked, "price_limit": 100})
    assert "island" in found["features"]
    assert found["cost"] == 40 + 5 * ("x" in found["features"]) + ("noise" in found["features"])
    assert not any(name in " ".join(found["sentences"]) for name in COLUMNS[2:])


def test_what_replaces_a_category_is_asked_by_its_name(session):
    session.ask("pin", {"feature": "island", "demand": "without"})
    found = session.ask("alternatives", {"feature": "island"})  # whatever it is pinned to itself
    assert found["feature"] == "island"
    assert not {other["feature"] for other in found["alternatives"]} & {"island", *COLUMNS[2:]}


def test_a_new_sample_names_a_level(session):
    sentences = " ".join(session.ask("sample", {"text": "x: 1\nisland: B"})["sentences"])
    assert "noise" in sentences
    assert "island" not in sentences.partition("mean:")[2]
    with pytest.raises(DataError, match="no level 'Z'"):
        session.ask("sample", {"text": "island: Z"})


@pytest.mark.browser
@pytest.mark.skipif(chromium() is None, reason="no chromium: apt-get install chromium")
def test_a_person_opens_a_category_and_leaves_it_out(show, model):
    sight = show(model)
    page = sight.page
    level, category = page.locator('.row:not([hidden])[data-feature="island=B"]'), sight.row("island")
    assert level.count() == 0
    np.testing.assert_allclose(
        sight.interval("island"), (model.result_["island"].min, model.result_["island"].max), atol=6e-4
    )
    assert category.locator(".handle-min").is_hidden()
    category.locator(".name").focus()
    page.keyboard.press("ArrowRight")
    level.wait_for()
    assert category.locator(".fold").get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowDown")  # into its first level
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    level.wait_for(state="hidden")
    page.keyboard.press("w")
    sight.until("relspan.state.view.pins.length === 3")
    sight.until("relspan.state.view.categories.island[3] === 'exact'")
    sight.until("document.querySelector('.row[data-feature=island] .effect').textContent.includes('left out')")
    page.keyboard.press("Delete")
    sight.until("relspan.state.view.pins.length === 0")
    page.fill(".search", "island=B")  # a search opens the category of the level that it finds
    level.wait_for()
    level.locator(".name").click()
    assert page.locator("#panel-feature h2").inner_text() == "island=B"
