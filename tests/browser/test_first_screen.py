"""The first screen explains itself: findings, axis, legend, what "equally good" means, and a slider for it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from chromium_driver import IN_A_BROWSER

from relspan.show.account import account
from relspan.show.findings import equally_good_line, findings

pytestmark = IN_A_BROWSER


def test_it_says_what_was_found_and_what_the_signs_mean(sight, cancer):
    page = sight.page
    shown = page.locator(".findings").inner_text()
    for entry in findings(cancer.result_):
        assert entry.sentence in shown
    assert page.locator(".equally-good").inner_text() == equally_good_line(cancer.result_)
    assert "share of the best model's norm" in page.locator(".axis").text_content()
    legend = page.locator(".list-legend").inner_text()
    assert f"chance reaches up to here ({cancer.result_.thresholds['relevant']:.3f})" in legend


def test_irrelevant_bars_beyond_the_line_are_explained(sight, cancer):
    (entry,) = [entry for entry in account(cancer.result_) if entry.key == "beyond_line"]
    assert entry.sentence in sight.page.locator(".findings").inner_text()


def test_the_score_has_its_name_though_c_was_given(sight, cancer):
    """An analysis with a given C has no score of its own; that of the best model follows."""
    assert "score" not in {entry.key for entry in findings(cancer.result_)}
    sight.until("relspan.state.view.best?.score", 120)
    own = np.mean(cancer.explore().score().all_features)
    assert f"the weighted F1 of the best model is {own:.3f}" in sight.page.locator(".findings").inner_text()
    sight.page.click("#tab-model")
    assert "Held-out score: weighted F1" in sight.page.locator("#panel-model").inner_text()


def test_the_slider_shows_the_intervals_of_the_path(show, fitted):
    sight = show(fitted)
    page, path = sight.page, fitted.explore().path("delta_loss")
    before = sight.interval("weak1_1")
    slider = page.locator(".budget input")
    slider.focus()
    slider.press("End")
    sight.until("document.querySelector('.budget-status').textContent.includes('At this budget')")
    looser = path.steps[-1].intervals
    for name in ("weak1_1", "strong1"):
        np.testing.assert_allclose(sight.interval(name), looser[name], atol=6e-4)
    assert f"{100 * path.values[-1]:.3g} %" in page.locator(".equally-good").inner_text()
    assert page.locator(".handle:visible").count() == 0  # pins hold at the budget of the analysis
    assert "Drag a handle" not in page.locator(".pins").inner_text()
    assert sight.interval("weak1_1")[1] > before[1]
    slider.press("Home")
    sight.until("document.querySelector('.equally-good').textContent.includes('at most 0 %')")
    np.testing.assert_allclose(sight.interval("strong1"), path.steps[0].intervals["strong1"], atol=6e-4)
    page.click(".budget-back")
    assert sight.interval("weak1_1") == before
    assert page.locator(".handle:visible").count() > 0


def test_more_budget_never_shrinks_an_interval(bench):
    steps = bench.ask("budgets", {})["steps"]
    for tighter, looser in pairwise(steps):
        for name, (low, high) in tighter.items():
            assert looser[name][0] <= low + 1e-6
            assert looser[name][1] >= high - 1e-6


def test_pins_and_the_slider_exclude_each_other(show, fitted):
    sight = show(fitted)
    sight.row("weak1_1").locator(".name").focus()
    sight.page.keyboard.press("w")
    sight.until("relspan.state.view.pins.length === 1")
    assert sight.page.locator(".budget input").is_disabled()


@pytest.mark.parametrize("width", [1400, 390])
def test_numbers_and_words_are_seen_on_every_width(show, fitted, width):
    sight = show(fitted, width=width)
    row = sight.row("strong1")
    for part in (".name-text", ".numbers", ".kind", ".track"):
        assert row.locator(part).is_visible(), part
        assert row.locator(part).bounding_box()["width"] > 15, part
    assert sight.page.locator(".summary").is_visible()


def test_the_best_model_is_a_dot_inside_each_bar(sight, cancer):
    sight.until("relspan.state.view.best !== null")
    best = cancer.explore().model()
    page = sight.page
    page.wait_for_selector(".list-legend:has-text('in the best model')")
    used = max(best.relevances, key=best.relevances.get)
    page.fill(".search", used)
    place = float(sight.row(used).locator(".track-best").get_attribute("cx"))
    bar = sight.row(used).locator(".track-bar")
    left, width = (float(bar.get_attribute(key)) for key in ("x", "width"))
    assert left - 0.2 <= place <= left + width + 0.2
    assert place > left + 1


def test_what_the_pins_did_is_announced(show, fitted):
    sight = show(fitted)
    sight.row("weak1_1").locator(".name").focus()
    sight.page.keyboard.press("w")
    sight.until("document.querySelector('.announcement').textContent.startsWith('Under this pin, features are: ')")
    outcomes = fitted.explore().without("weak1_1").result.pin_outcomes
    text = sight.page.locator(".announcement").text_content()
    for outcome, names in outcomes.items():
        assert f"{len(names)} {outcome}" in text
