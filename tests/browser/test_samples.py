"""The samples in the page: who is certain, what moves a score, a sample that is typed, and what pins change."""

from __future__ import annotations

import numpy as np
import pytest
from chromium_driver import IN_A_BROWSER, SCREENS, serious_violations

from relspan import RelevanceRegressor
from relspan.browser.pasted_sample import read_sample
from relspan.errors import DataError, ParameterError
from relspan.explore.contributions import table_means
from relspan.explore.explorer import history_of

pytestmark = IN_A_BROWSER


def test_the_records_are_the_explorers(bench, fitted):
    found, own = bench.ask("samples", {}), fitted.explore().predictions()
    np.testing.assert_allclose([[row["lo"], row["hi"]] for row in found["rows"]], own.intervals, atol=1e-7)
    assert [row["certain"] for row in found["rows"]] == [one.certain for one in own.samples]
    assert sum(row["certain"] + row["ambiguous"] for row in found["counts"]) == len(own)
    assert [row["settled"] or row["changed"] for row in found["rows"]] == [False] * len(own)


def test_pins_settle_labels_and_make_none_uncertain(bench, fitted):
    free, gaps = bench.ask("samples", {}), [one.gap for one in fitted.explore().predictions().samples]
    bench.ask("pin", {"feature": "weak1_1", "demand": "without"})
    pinned = bench.ask("samples", {})
    for then, now, gap in zip(free["rows"], pinned["rows"], gaps, strict=True):
        assert not (then["certain"] and not now["certain"])
        assert now["settled"] == (now["certain"] and not then["certain"])
        assert then["lo"] - gap - 1e-9 <= now["lo"] <= now["hi"] <= then["hi"] + gap + 1e-9
    assert pinned["sentence"].startswith("Under these pins: for ")


def test_a_sample_is_read_as_it_is_typed_or_pasted(fitted):
    problem = history_of(fitted.explore()).problem
    means, names = table_means(problem), problem.names
    row = np.arange(len(names)) / 10
    for text in (
        ",".join(map(str, row)),
        "\t".join(map(str, row)),
        "\n".join(f"{name}: {value}" for name, value in zip(names, row, strict=True)),
        f"{';'.join(names)}\n{';'.join(map(str, row))}",
    ):
        values, absent = read_sample(problem, text, means)
        np.testing.assert_allclose(values, row)
        assert absent == []
    values, absent = read_sample(problem, f"{names[1]} = 7\n", means)
    assert values[1] == 7
    assert absent == [names[0], *names[2:]]
    np.testing.assert_allclose(np.delete(values, 1), np.delete(means, 1))


@pytest.mark.parametrize("text", ["", "nonsense", "strong1: many", "strong1: nan", "1,2"])
def test_a_sample_that_cannot_be_read_is_refused(bench, text):
    with pytest.raises(DataError):
        bench.ask("sample", {"text": text})


def test_a_sample_that_is_not_there_is_refused(bench):
    with pytest.raises(ParameterError, match="from 0 to"):
        bench.ask("sample", {"index": 100_000})


def fitted_labels(fitted):
    """The classes of the table, as an explorer has them."""
    problem = history_of(fitted.explore()).problem
    labels = problem.scores.labels_by_code(problem.classes)
    return [labels[code] for code in problem.y.tolist()]


def test_a_person_finds_the_uncertain_samples_and_what_moves_them(show, fitted):
    sight = show(fitted)
    page = sight.page
    page.click("#tab-samples")
    page.click(".ask-samples")
    page.wait_for_selector(".samples-sentence", timeout=60_000)
    own = fitted.explore().predictions()
    agreed = sum(one.certain for one in own.samples)
    assert f"For {agreed} of {len(own)} samples" in page.locator(".samples-sentence").inner_text()
    wrong = sum(
        one.certain and one.label != truth for one, truth in zip(own.samples, fitted_labels(fitted), strict=True)
    )
    said = page.locator(".samples-sentence").inner_text()
    assert (
        f"of these {agreed} samples, to which the models were fitted, {wrong or 'none'} " in said
    )  # certain is not the same as right
    low, high = fitted.classes_
    sides = page.locator(".samples-sides").inner_text()
    assert f"left of the line speaks for {low}, right of it for {high}" in sides
    page.select_option("[aria-label='samples shown']", "ambiguous")
    assert page.locator(".sample").count() == min(200, len(own) - agreed) > 0
    page.locator(".sample-button").first.click()
    page.wait_for_selector(".contributions")
    number = int(page.locator(".sample-row").first.inner_text()) - 1
    expected = fitted.explore().contributions(number)
    said = page.locator(".sample-detail").inner_text()
    assert "disagree" in said
    low, high = expected.extreme_labels
    assert (
        f"({expected.prediction.lo:.3g}: {low}) and the one with the highest ({expected.prediction.hi:.3g}: {high})"
        in said
    )
    apart = max(expected.features, key=lambda one: abs(one.in_highest - one.in_lowest))
    assert f"{apart.feature!r} ({apart.in_lowest:+.3g} and {apart.in_highest:+.3g})" in said
    most = max(expected.features, key=lambda one: max(abs(one.lo), abs(one.hi))).feature
    assert page.locator(".contributions .link").first.inner_text() == most
    ends = page.evaluate("[...document.querySelectorAll('.contribution-end')].map((end) => end.getAttribute('d'))")
    shapes = [" ".join(end.split(" ")[3:]) for end in ends]
    assert set(shapes[::2]) == {"l 5 -4 v 8 z"}  # the model with the lowest score is the mark that points left
    assert set(shapes[1::2]) == {"l -5 -4 v 8 z"}
    page.locator(".contributions .link").first.click()  # linked with the list
    assert page.locator("#panel-feature h2").inner_text() == most
    page.click("#tab-samples")
    page.fill("[aria-label='values of a new sample']", f"{most}: 3")
    page.click(".ask-sample")
    page.wait_for_selector(".sample-detail:has-text('The new sample')")
    assert "taken at their mean" in page.locator(".sample-detail").inner_text()
    page.fill("[aria-label='values of a new sample']", "nothing: 3")
    page.click(".ask-sample")
    page.wait_for_selector(".sample-detail .trouble")


def test_a_feature_leads_to_those_who_become_uncertain_without_it(show, fitted):
    sight = show(fitted)
    page = sight.page
    sight.row("strong1").locator(".name").click()
    page.click(".ask-unmeasured")
    page.wait_for_selector(".samples-sentence:has-text(\"If 'strong1' is not measured\")", timeout=60_000)
    own, free = fitted.explore().predictions(unmeasured=["strong1"]), fitted.explore().predictions()
    opened = [
        k for k, (now, then) in enumerate(zip(own.samples, free.samples, strict=True)) if then.certain > now.certain
    ]
    assert opened
    page.select_option("[aria-label='order of the samples']", "row")
    assert [int(text) - 1 for text in page.locator(".sample-row").all_inner_texts()] == opened
    page.select_option(".unmeasured", "")
    page.wait_for_selector(".samples-sentence:not(:has-text('not measured'))", timeout=60_000)
    assert page.locator("[aria-label='samples shown']").input_value() == "all"


def test_a_new_pin_asks_for_the_samples_again(show, fitted):
    sight = show(fitted)
    page = sight.page
    page.click("#tab-samples")
    page.click(".ask-samples")
    page.wait_for_selector(".samples-sentence", timeout=60_000)
    sight.row("weak1_1").locator(".name").focus()
    page.keyboard.press("w")
    page.wait_for_selector(".samples-status:has-text('The pins have changed')")
    assert page.locator(".sample").count() == 0
    page.click(".ask-samples")
    page.wait_for_selector(".samples-sentence:has-text('Under these pins')", timeout=60_000)


def test_predicted_numbers_are_drawn_from_the_least_to_the_most(show):
    """They lie around no border: bars around 0 would all stand at one edge."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    model = RelevanceRegressor(n_probes=5, random_state=0).fit(X, 100 + 10 * X[:, 0] + rng.normal(size=60))
    sight = show(model)
    page = sight.page
    page.click("#tab-samples")
    page.click(".ask-samples")
    page.wait_for_selector(".samples-sentence", timeout=60_000)
    places = page.locator(".samples .score-best").evaluate_all(
        "dots => dots.map((dot) => Number(dot.getAttribute('cx')))"
    )
    assert max(places) - min(places) > 100
    assert page.locator(".samples .score-border").count() == 0
    page.locator(".sample-button").first.click()
    page.wait_for_selector(".contributions")
    assert "Its prediction is" in page.locator(".sample-detail").inner_text()


@pytest.mark.parametrize(("scheme", "width"), SCREENS)
def test_axe_finds_nothing_serious_in_the_samples(show, fitted, scheme, width):
    sight = show(fitted, color_scheme=scheme, width=width)
    page = sight.page
    page.click("#tab-samples")
    page.click(".ask-samples")
    page.wait_for_selector(".samples-sentence", timeout=60_000)
    page.locator(".sample-button").first.click()
    page.wait_for_selector(".contributions")
    assert serious_violations(page) == []
