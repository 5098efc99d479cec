"""What the list can show beside intervals: weights with their sign, groups of substitutes, whiskers, classes."""

from __future__ import annotations

import numpy as np
import pytest
from chromium_driver import IN_A_BROWSER, SCREENS, serious_violations

from relspan.show.findings import exchange_groups

pytestmark = IN_A_BROWSER


def rows_in_order(page):
    return page.locator(".row:not([hidden])").evaluate_all(
        "rows => rows.sort((a, b) => a.ariaPosInSet - b.ariaPosInSet).map((row) => row.dataset.feature)"
    )


def test_signs_groups_and_whiskers_are_drawn(show, fitted):
    sight = show(fitted)
    page, result = sight.page, fitted.result_
    plain = sight.interval("strong1")
    page.click(".chip:has-text('signed')")
    page.wait_for_selector(".axis:has-text('with its sign')")
    for name in ("strong1", "weak1_1"):
        np.testing.assert_allclose(sight.interval(name), (result[name].lo, result[name].hi), atol=6e-4)
    assert page.locator(".handle:visible").count() == 0  # pins are about sizes
    page.click(".chip:has-text('signed')")
    assert sight.interval("strong1") == plain

    page.select_option("select[aria-label='sort order']", "groups")
    groups = exchange_groups(result)
    assert groups
    first = rows_in_order(page)[: len(groups[0])]
    assert set(first) == set(groups[0])
    assert {sight.row(name).locator(".group-mark").inner_text() for name in first} == {"A"}
    sight.row(first[0]).locator(".name").click()
    assert all("is-mate" in sight.row(name).get_attribute("class") for name in first[1:])

    page.click("#tab-questions")
    page.select_option("[aria-label='number of repeated analyses']", "10")
    page.click(".ask-stability")
    page.wait_for_selector(".stability-answer p", timeout=120_000)
    assert sight.row("strong1").locator(".track-whiskers").get_attribute("d").count("H") == 2
    sight.row("strong1").locator(".name").click()
    assert "Of the draws it is" in page.locator(".feature-stability").inner_text()
    page.click("#tab-questions")
    page.click(".hide-whiskers")
    assert sight.row("strong1").locator(".track-whiskers").get_attribute("d") == "M 0 0"


def test_repeating_the_analysis_can_be_stopped(show, cancer):
    sight = show(cancer)
    page = sight.page
    page.click("#tab-questions")
    page.click(".ask-stability")
    page.wait_for_selector(".question .pending:has-text('draws')", timeout=120_000)
    page.click(".stop-question")
    page.wait_for_selector(".question:has-text('was stopped')", timeout=60_000)
    assert page.locator(".stability-answer p").count() == 0


def test_a_further_question_is_asked_with_the_keyboard(show, fitted):
    sight = show(fitted)
    page = sight.page
    page.click("#tab-questions")
    page.locator("[data-question=sum] input").first.focus()
    page.keyboard.type("weak1_1")
    page.keyboard.press("Tab")
    page.keyboard.type("weak1_2")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-question=sum] .question-answer p")
    assert (
        "sum of the weights of weak1_1 and weak1_2" in page.locator("[data-question=sum] .question-answer").inner_text()
    )


def test_panels_within_a_price_keep_what_they_must(show, fitted):
    """The cheapest panel under 100 that keeps these two."""
    sight = show(fitted)
    page = sight.page
    page.click("#tab-panels")
    page.click(".costs-section summary")
    page.fill("[aria-label='cost of strong1']", "60")
    page.keyboard.press("Tab")
    sight.until("relspan.state.costs.strong1 === 60")
    for name in ("weak1_1", "irrelevant1"):
        page.fill("[aria-label='feature that every panel must have']", name)
        page.click(".add-must")
    page.fill(".price-limit", "100")
    page.click("button:has-text('Cheapest panel')")
    page.wait_for_selector(".panel-answer:has-text('within the limit of 100')", timeout=60_000)
    assert {"weak1_1", "irrelevant1"} <= set(page.locator(".panel-features .tag").all_inner_texts())
    page.click(".ask-panels")
    page.wait_for_selector(".panels-sentence", timeout=60_000)
    assert page.locator(".minimal-panel").count() >= 1


@pytest.mark.parametrize(("scheme", "width"), SCREENS)
def test_axe_finds_nothing_serious_in_the_new_views(show, fitted, scheme, width):
    sight = show(fitted, color_scheme=scheme, width=width)
    page = sight.page
    page.click(".chip:has-text('signed')")
    for tab, ask, ready in (
        ("questions", "[data-question=ranking] button", "[data-question=ranking] .question-answer p"),
        ("map", ".ask-map", ".substitute-pairs li, .substitute-pairs p"),
        ("panels", ".ask-panels", ".panels-sentence"),
    ):
        page.click(f"#tab-{tab}")
        page.click(ask)
        page.wait_for_selector(ready, timeout=120_000)
        assert serious_violations(page) == []
