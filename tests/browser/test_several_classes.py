"""Several classes: every bar with its own mark, the weights of each class, and nothing that looks usable but is not."""

from __future__ import annotations

import numpy as np
import pytest
from chromium_driver import IN_A_BROWSER, SCREENS, serious_violations

from relspan import RelevanceClassifier
from relspan.tables import NamedMatrix

pytestmark = IN_A_BROWSER


@pytest.fixture(scope="module")
def three():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(150, 5)), np.repeat(["low", "middle", "high"], 50)
    X[:, 0] += np.repeat([-2.0, 0.0, 2.0], 50)
    X[:, 1] += np.repeat([0.0, 2.0, 0.0], 50)
    names = ("rises", "middle only", "noise 1", "noise 2", "noise 3")
    return RelevanceClassifier(n_probes=10, random_state=0).fit(NamedMatrix(X, names), y)


def test_nothing_looks_usable_that_is_not(show, three):
    sight = show(three)
    page = sight.page
    assert "cannot be explored" in page.locator(".not-explorable").inner_text()  # and the reason stands in sight
    for selector in (".handle", ".star", ".quick", ".pinbar", "#tab-panels"):
        assert page.locator(selector).count() == 0, selector
    page.click("#tab-feature")
    assert "pin it" not in page.locator("#panel-feature").inner_text()
    sight.row("rises").locator(".name").click()  # nor in any tab that is there
    for tab in page.locator("[role=tab]").all():
        tab.click()
        assert "pin it" not in page.locator("[role=tabpanel]:visible").inner_text()
        offered = page.locator("[role=tabpanel]:visible").locator("form, textarea, select, input, button:not(.link)")
        assert offered.count() == 0, tab.inner_text()
    sight.row("rises").locator(".name").focus()
    for key in ("w", "m", "s", "Delete"):
        page.keyboard.press(key)
    page.wait_for_timeout(200)
    assert page.locator(".message").is_hidden()
    assert [url for url in sight.requests if "/api/" in url and url.rsplit("/", 1)[1] not in ("state", "follow")] == []


def test_each_bar_has_its_own_mark(show, three):
    result, sight = three.result_, show(three)
    page = sight.page
    title = ".axis title"
    assert f"{result.thresholds['total']:.3f}" in page.locator(title).text_content()
    assert sight.interval("rises")[1] == pytest.approx(result["rises"].max, abs=6e-4)
    page.select_option("select[aria-label='weights shown']", "high")
    assert f"{result.thresholds['relevant']:.3f}" in page.locator(title).text_content()
    lo, hi = result["rises"].parts["high"]
    assert sight.interval("rises")[1] == pytest.approx(max(abs(lo), abs(hi)), abs=6e-4)
    assert sight.interval("rises")[0] == pytest.approx(max(lo, -hi, 0), abs=6e-4)


def test_the_weights_of_each_class_stand_beside_the_list(show, three):
    sight = show(three)
    sight.row("rises").locator(".name").click()
    rows = sight.page.locator("table.parts tbody tr").all_inner_texts()
    assert [row.split("\t")[0] for row in rows] == list(three.result_["rises"].parts)


@pytest.mark.parametrize(("scheme", "width"), SCREENS)
def test_axe_finds_nothing_serious_with_several_classes(show, three, scheme, width):
    sight = show(three, color_scheme=scheme, width=width)
    page = sight.page
    page.select_option("select[aria-label='weights shown']", "high")
    page.click(".chip:has-text('signed')")
    sight.row("rises").locator(".name").click()
    assert serious_violations(page) == []
    lo, hi = three.result_["rises"].parts["high"]
    np.testing.assert_allclose(sight.interval("rises"), (lo, hi), atol=6e-4)
