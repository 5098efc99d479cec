"""A person at the explorer: a real server, a real browser, breast cancer and a thousand features."""

from __future__ import annotations

from urllib.parse import urlsplit

import numpy as np
import pytest
from chromium_driver import IN_A_BROWSER, SCREENS, serious_violations

from relspan import RelevanceClassifier
from relspan.browser.browser_session import BrowserSession
from relspan.simulate import simulate
from relspan.tables import NamedMatrix

pytestmark = IN_A_BROWSER


def test_evidence_route_and_substitutes_of_a_feature(sight, cancer):
    own, page = cancer.result_["worst radius"], sight.page
    sight.row("worst radius").locator(".name").click()
    section = page.locator(".evidence")
    size, line = f"{own.evidence:.2f}", f"{cancer.result_.thresholds['evidence']:.2f}"
    assert f"Evidence: {size}; in this table a feature is relevant beyond {line}." in section.inner_text()
    assert section.locator("svg").get_attribute("aria-label") == f"evidence {size}, line {line}"
    assert f"Route: {own.route}." in section.inner_text()
    assert section.locator(".cluster button").all_inner_texts() == list(own.cluster)
    tooltip = sight.row("worst radius").locator(".name").get_attribute("title")
    assert f"Evidence: {size};" in tooltip
    assert f"Route: {own.route}." in tooltip
    section.locator(".cluster button").first.click()
    assert page.locator("#panel-feature h2").inner_text() == own.cluster[0]
    assert page.locator(".headline").is_hidden()


def test_the_most_evidence_first(sight, cancer):
    sight.page.select_option("select[aria-label='sort order']", "evidence")
    most = max(cancer.result_.features, key=lambda feature: feature.evidence)
    assert sight.page.locator(".row[aria-posinset='1']").get_attribute("data-feature") == most.name


def test_a_table_that_fails_its_test_says_so_first(show, tmp_path):
    rng = np.random.default_rng(0)
    noise = RelevanceClassifier(C=1.0, n_probes=10, random_state=0).fit(rng.normal(size=(60, 6)), np.arange(60) % 2)
    assert noise.result_.passed is False
    page = show(noise).page
    first = page.locator(".list-card > p").first
    assert first.inner_text().startswith("No feature is called relevant: on rows left out of its fit")
    page.locator(".row .name").first.click()
    assert "did not pass its test" in page.locator(".evidence").inner_text()
    page.click("text=Export")
    with page.expect_download() as download:
        page.click('[data-kind="svg"]')
    download.value.save_as(tmp_path / "chart.svg")
    assert ">No feature is called relevant. relspan" in (tmp_path / "chart.svg").read_text()


def test_a_feature_that_only_the_norm_budget_makes_needed_is_flagged(show):
    rng = np.random.default_rng(3)
    b, c = rng.normal(size=(2, 300))
    X = np.column_stack([b + c, b, c, rng.normal(size=(300, 3))])
    sums = RelevanceClassifier(n_probes=10, random_state=0).fit(X, b + 0.3 * rng.normal(size=300) > 0)
    assert [f.name for f in sums.result_.features if f.norm_made] == ["x1"]
    sight = show(sums)
    sight.row("x1").locator(".name").click()
    flag = "Needed only because of the norm budget: other columns express it at the price of larger weights."
    assert sight.page.locator(".norm-made").inner_text() == flag
    assert flag in sight.row("x1").locator(".name").get_attribute("title")
    sight.row("x0").locator(".name").click()
    assert sight.page.locator(".norm-made").count() == 0


def test_dragging_moves_other_intervals_and_undo_brings_them_back(sight):
    before = sight.interval("worst area")
    sight.drag("worst radius", "min", 260, drop=False)
    sight.until("relspan.updates > 0")
    assert sight.page.evaluate("relspan.state.view.pins.length") == 0  # nothing is settled while the hand moves
    assert sight.interval("worst area") != before
    sight.page.mouse.up()
    sight.until("relspan.state.view.pins.length === 1")
    view = sight.settled()
    assert view["pins"][0]["feature"] == "worst radius"
    after = sight.interval("worst area")
    assert after[1] < before[1]
    assert sight.row("worst radius").locator(".track-ghost").get_attribute("width") > "0"
    sight.page.keyboard.press("Control+z")
    sight.until("relspan.state.view.pins.length === 0")
    assert sight.interval("worst area") == before
    sight.page.click(".redo")
    sight.until("relspan.state.view.pins.length === 1")


def test_pins_change_no_class_and_say_what_they_do(sight, cancer):
    page = sight.page

    def words(part):
        """The text of a part of every line in sight, by feature."""
        return page.evaluate(
            """part => Object.fromEntries([...document.querySelectorAll(".row:not([hidden])")]
               .map((row) => [row.dataset.feature, row.querySelector(part).textContent]))""",
            part,
        )

    classes, counts = words(".kind"), page.locator(".toolbar .chip .count").all_inner_texts()
    assert page.locator(".outcomes").is_hidden()
    assert page.locator(".axis-threshold").count() == 1
    sight.row("worst area").locator(".name").click()
    page.click("text=As much as possible")
    sight.until("relspan.state.view.pins.length === 1")
    sight.settled()
    now = words(".kind")
    assert len(now) > 10
    assert all(classes[name] == kind for name, kind in now.items() if name in classes)
    assert page.locator(".toolbar .chip .count").all_inner_texts() == counts
    expected = cancer.explore().pin("worst area", "max").result
    for name, effect in words(".effect").items():
        told = expected[name].under_pins.words
        assert effect == ("" if told in ("moved", "unmoved") else told)
    needed = page.locator(".outcomes .is-needed .count").inner_text()
    assert needed == str(len(expected.pin_outcomes["needed"]))
    assert page.locator(".axis-threshold").count() == 0  # chance was not computed under the pins
    assert page.locator(".pinbar").inner_text().startswith("Under these pins:")
    detail = page.locator("#panel-feature").inner_text()
    assert "Under these pins: moved" in detail
    assert "Compared with chance, without pins" in detail
    page.click(".outcomes .is-left-out")
    sight.until(f"document.querySelectorAll('.row:not([hidden])').length === {len(expected.pin_outcomes['left out'])}")
    assert set(words(".kind")) == set(expected.pin_outcomes["left out"])


def test_a_result_under_pins_without_its_data_names_them_first(opened, server, cancer, tmp_path):
    bench = BrowserSession().show_result(cancer.explore().without("worst area").result, "only a result")
    server.sessions[server.token] = bench
    sight = opened(server.address)
    page = sight.page
    page.wait_for_selector(".row")
    assert (
        page.locator(".summary").inner_text().startswith("Intervals are those over the models that satisfy these pins")
    )
    assert sight.row("worst area").locator(".effect").inner_text() == "pinned, left out"
    assert page.locator(".outcomes .is-left-out").is_visible()
    page.click(".menu summary")
    with page.expect_download() as download:
        page.click('[data-kind="svg"]')
    download.value.save_as(tmp_path / "chart.svg")
    assert "Under these pins: without worst area" in (tmp_path / "chart.svg").read_text()
    assert sight.errors == []
    page.context.close()
    bench.close()


def test_everything_by_keyboard(sight):
    page = sight.page
    page.keyboard.press("/")
    page.keyboard.type("worst")
    page.locator('.row[data-feature="worst area"] .name').focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.closest('.row').dataset.feature") == "worst radius"
    page.keyboard.press("Tab")  # the lower handle
    assert page.evaluate("document.activeElement.getAttribute('role')") == "slider"
    for _ in range(5):
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    sight.until("relspan.state.view.pins.length === 1")
    pin = page.evaluate("relspan.state.view.pins[0]")
    assert pin["feature"] == "worst radius"
    assert pin["low"] == pytest.approx(0.15, abs=0.01)
    now = float(page.locator('.row[data-feature="worst radius"] .handle-min').get_attribute("aria-valuenow"))
    assert now == pytest.approx(pin["low"], abs=1e-3)
    page.keyboard.press("Delete")
    sight.until("relspan.state.view.pins.length === 0")
    page.keyboard.press("w")
    sight.until("relspan.state.view.pins[0]?.asked === 'without'")


def test_an_impossible_pin_is_explained_kept_and_remedied(sight):
    page = sight.page
    sight.row("worst radius").locator(".name").click()
    page.fill("#pin-low", "0.3")
    page.keyboard.press("Enter")
    sight.until("relspan.state.view.pins.length === 1")
    sight.row("worst area").locator(".name").click()
    page.fill("#pin-low", "0.5")
    page.keyboard.press("Enter")
    page.wait_for_selector(".conflict button")
    explained = page.locator(".conflict").inner_text()
    assert "worst area: at least 0.500 is impossible" in explained
    assert "worst radius" in explained
    page.wait_for_selector('.row[data-feature="worst area"] .track-refused[visibility="visible"]', state="attached")
    page.click(".conflict button:has-text('Use the nearest')")
    sight.until("relspan.state.view.pins.length === 2")
    page.wait_for_selector(".conflict", state="hidden")
    page.locator(".pin-free").last.click()
    sight.until("relspan.state.view.pins.length === 1")
    page.fill("#pin-low", "0.5")
    page.keyboard.press("Enter")
    page.wait_for_selector(".conflict button")
    page.click(".conflict button:has-text('Unpin worst radius')")
    sight.until("relspan.state.view.pins.length === 1 && relspan.state.view.pins[0].feature === 'worst area'")


def test_a_substitute_is_swapped_in_and_scenarios_are_compared(sight):
    page = sight.page
    sight.row("worst area").locator(".name").click()
    page.click(".ask-alternatives")
    page.wait_for_selector(".alternative")
    other = page.locator(".alternative .link").first.inner_text()
    page.locator(".alternative button:has-text('Swap in')").first.click()
    sight.until("relspan.state.view.pins.length === 2")
    sight.settled()
    assert page.locator(".alternative").count() == 0  # they were asked for without these pins
    assert sight.interval("worst area") == (0.0, 0.0)
    assert sight.interval(other)[0] > 0.05
    page.click("#tab-scenarios")
    page.fill('[aria-label="name of the scenario"]', "<b>swap</b>")
    page.fill('textarea[aria-label="note"]', "cheaper to measure")
    page.click("text=Save the current pins")
    page.wait_for_selector(".scenario")
    assert page.locator(".scenario strong").inner_text() == "<b>swap</b>"
    page.select_option('[aria-label="second scenario"]', "<b>swap</b>")
    page.click(".compare-now")
    page.wait_for_selector("table.compare")
    assert page.locator("table.compare tbody tr").count() > 3
    assert "worst area" in page.locator("table.compare").inner_text()


def test_the_cheapest_panel_follows_the_costs(sight):
    page = sight.page
    page.click("#tab-panels")
    page.click(".costs-section summary")
    page.fill('[aria-label="find a feature to price"]', "worst texture")
    page.fill('[aria-label="cost of worst texture"]', "50")
    page.keyboard.press("Tab")
    sight.until("relspan.state.costs['worst texture'] === 50")
    page.click("button:has-text('Cheapest panel')")
    page.wait_for_selector(".panel-features", timeout=40_000)
    panel = page.locator(".panel-features .tag").all_inner_texts()
    assert len(panel) >= 4
    assert "worst texture" not in panel
    assert "roven" in page.locator(".panel-answer").inner_text()


def test_exports_come_as_files_and_the_session_opens_again(sight, tmp_path):
    page = sight.page
    sight.row("worst area").locator(".name").focus()
    page.keyboard.press("w")
    sight.until("relspan.state.view.pins.length === 1")
    sight.settled()
    before = sight.interval("worst radius")
    files = {}
    for kind in ("session", "csv", "json", "svg", "png"):
        page.click(".menu summary")
        with page.expect_download() as download:
            page.click(f'[data-kind="{kind}"]')
        files[kind] = tmp_path / download.value.suggested_filename
        download.value.save_as(files[kind])
    assert files["csv"].read_text().startswith("name,under_pins,relevance,min,max")
    chart = files["svg"].read_text()
    assert chart.count("<rect") > 60
    assert "Under these pins: without worst area" in chart
    assert "stroke-dasharray" not in chart  # no reach of chance was computed under the pins
    assert files["png"].read_bytes()[:4] == b"\x89PNG"
    page.click(".menu summary")
    page.click('[data-kind="python"]')
    page.wait_for_selector("dialog[open] textarea.code")
    assert "explorer.pin('worst area', 'without')" in page.locator("textarea.code").input_value()
    page.click(".dialog >> text=Close")
    page.click(".reset")
    page.set_input_files("#file", files["session"])
    page.wait_for_selector(".row")
    sight.settled()
    assert page.evaluate("relspan.state.view.pins[0].asked") == "without"
    assert sight.interval("worst radius") == before


def test_a_table_is_opened_analysed_and_its_hostile_names_stay_text(sight):
    page = sight.page
    page.click(".reset")
    nasty = "<img src=x onerror=alert(1)>"
    rows = "\n".join(f"{i % 7},{(i * 5) % 11},{'' if i == 3 else i % 3},1,{int(i % 7 > 3)}" for i in range(60))
    table = f"a,{nasty},gap,flat,outcome\n{rows}\n".encode()
    page.set_input_files("#file", {"name": "<b>table</b>.csv", "mimeType": "text/csv", "buffer": table})
    page.wait_for_selector(".choose")
    shown = page.locator("main").inner_text()
    assert "<b>table</b>.csv" in shown
    assert "gap (1)" in shown
    assert "flat" in shown
    assert page.locator("#target").input_value() == "outcome"
    page.click("button:has-text('Analyse')")
    page.wait_for_selector("[role=alert]:has-text('Values are missing')")
    page.select_option("#impute", "median")
    page.click("button:has-text('Analyse')")
    page.wait_for_selector(".row", timeout=60_000)
    row = page.locator(".row", has_text=nasty)
    assert row.count() == 1
    row.locator(".name").click()
    assert page.locator("#panel-feature h2").inner_text() == nasty
    assert page.locator("#root img").count() == 0


@pytest.mark.parametrize(("scheme", "width"), SCREENS)
def test_axe_finds_nothing_serious(show, cancer, scheme, width):
    sight = show(cancer, color_scheme=scheme, width=width)
    page = sight.page
    assert serious_violations(page) == []  # the first screen
    sight.row("worst area").locator(".name").click()
    page.fill("#pin-low", "0.9")
    page.keyboard.press("Enter")
    page.wait_for_selector(".conflict button")
    for tab in ("feature", "model", "panels", "map", "scenarios"):
        page.click(f"#tab-{tab}")
        page.wait_for_timeout(60)
        assert serious_violations(page) == []


def test_reduced_motion_moves_nothing(show, cancer):
    sight = show(cancer, reduced_motion="reduce")
    spent = "getComputedStyle(document.querySelector('.track-bar')).transitionDuration"
    assert set(sight.page.evaluate(spent).replace("s", "").split(", ")) == {"0"}


def test_a_second_browser_without_the_token_sees_nothing(sight, opened):
    other = opened(f"http://{urlsplit(sight.page.url).netloc}/")
    other.page.wait_for_selector(".message:has-text('token is missing or wrong')")
    assert other.page.locator(".row").count() == 0
    other.page.context.close()


def test_a_page_of_another_site_can_neither_read_nor_change(sight, opened, server):
    """It knows the port, and even the token: the browser's Origin gives it away."""
    hostile = opened("data:text/html,<title>hostile</title>")
    code = """([port, token]) => fetch(`http://127.0.0.1:${port}/api/unpin_all`, {method: "POST", body: "{}",
        headers: {"X-Relspan-Token": token}}).then((a) => `read ${a.status}`, (e) => "blocked")"""
    assert hostile.page.evaluate(code, [server.port, server.token]) == "blocked"
    simple = """([port]) => fetch(`http://127.0.0.1:${port}/api/undo`, {method: "POST", body: "{}", mode: "no-cors"})
        .then((a) => a.type, (e) => "blocked")"""
    assert hostile.page.evaluate(simple, [server.port]) in ("opaque", "blocked")
    assert sight.page.evaluate("relspan.state.phase") == "ready"
    hostile.page.context.close()


@pytest.fixture(scope="module")
def thousand():
    data = simulate(60, strong=3, weak=4, irrelevant=993, random_state=0)
    settings = {"C": 0.05, "n_probes": 8, "delta_norm": 0.02, "delta_loss": 0.01, "random_state": 0}
    return RelevanceClassifier(**settings).fit(NamedMatrix(data.X, data.names), data.y)


def test_a_thousand_features_scroll_filter_and_pin(show, thousand):
    sight = show(thousand)
    page = sight.page
    assert page.locator(".row").count() < 60  # only what is in sight exists
    page.evaluate("document.querySelector('.scroller').scrollTop = 20000")
    page.wait_for_timeout(100)
    assert int(page.locator(".row:visible").first.get_attribute("aria-posinset")) > 500
    page.fill(".search", "weak")
    page.wait_for_timeout(100)
    names = page.locator(".row:visible").evaluate_all("rows => rows.map((row) => row.dataset.feature)")
    assert sorted(names) == ["weak1_1", "weak1_2", "weak1_3", "weak1_4"]
    widest = max(names, key=lambda name: thousand.result_[name].max)
    before = {name: sight.interval(name) for name in names if name != widest}
    sight.row(widest).locator(".handle-min").focus()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    sight.until("relspan.state.view.pins.length === 1")
    for name in names:  # those in sight are solved first
        sight.page.wait_for_selector(f'.row[data-feature="{name}"].is-exact')
    assert page.evaluate("relspan.state.view.pending") > 0
    assert all(sight.interval(name)[1] < ends[1] for name, ends in before.items())
