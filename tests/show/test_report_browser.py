"""The report of breast cancer in a real browser, from disk, without a network."""

from __future__ import annotations

import json
import shutil
from itertools import chain
from pathlib import Path

import pytest

from made_up_results import feature, made_up, made_up_under_pins, made_up_with_totals
from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import OutputOptions
from relspan.cli.options.task import TaskOptions
from relspan.cli.table_fit import fit
from relspan.tables.examples import breast_cancer

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium here"),
    pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning"),
]


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def cancer(tmp_path_factory):
    """The result, and its report on disk."""
    result = fit(breast_cancer(), TaskOptions(), AnalysisOptions({"C": 2.0, "n_probes": 10}), OutputOptions(quiet=True))
    path = tmp_path_factory.mktemp("report") / "breast cancer.html"
    path.write_text(result.to_html(), encoding="utf-8")
    return result, path


class Opened:
    """A page, what it asked for, and what it complained about."""

    def __init__(self, browser, path: Path, **options) -> None:
        self.context = browser.new_context(offline=True, **options)
        self.page = self.context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda said: self.complaints.append(said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(path.as_uri())
        self.page.wait_for_selector(".interval-list .row")

    def rows(self) -> list[str]:
        visible = "rows => rows.filter(r => !r.hidden).map(r => [r.getAttribute('aria-posinset'), r.dataset.feature])"
        found = self.page.eval_on_selector_all(".interval-list .row", visible)
        return [name for _, name in sorted(found, key=lambda pair: int(pair[0]))]

    def box(self, selector: str) -> dict:
        return self.page.eval_on_selector(selector, "e => { const r = e.getBoundingClientRect(); return r.toJSON() }")


@pytest.fixture
def opened(browser, cancer):
    seen = Opened(browser, cancer[1], viewport={"width": 1200, "height": 900})
    yield seen
    seen.context.close()


def test_it_is_small_whole_and_asks_for_nothing(opened, cancer):
    assert cancer[1].stat().st_size < 1_000_000
    assert opened.requests == [cancer[1].as_uri()]
    assert opened.complaints == []


def test_its_numbers_are_those_of_the_json(opened, cancer):
    result = cancer[0]
    rows = opened.page.eval_on_selector_all(
        "tr[data-feature]",
        "rows => rows.map(r => [r.dataset.feature, ...[...r.querySelectorAll('data')].map(d => Number(d.value))])",
    )
    assert {name: numbers for name, *numbers in rows} == {f.name: [f.min, f.max, f.lo, f.hi] for f in result.features}
    embedded = opened.page.eval_on_selector("#relspan-result", "e => JSON.parse(e.textContent)")
    assert embedded == json.loads(result.to_json())


def test_the_chart_draws_the_same_intervals(opened, cancer):
    result = cancer[0]
    drawn = opened.page.eval_on_selector_all(
        ".interval-list .row",
        """rows => rows.map(r => { const bar = r.querySelector('.track-bar'), line = r.querySelector('.track-line');
           return [r.dataset.feature, Number(bar.getAttribute('x')), Number(bar.getAttribute('width')),
                   Number(line.getAttribute('x1')), Number(line.getAttribute('x2')), r.className,
                   r.querySelector('.numbers').textContent] })""",
    )
    assert len(drawn) == 30
    reach = max(f.max for f in result.features)
    widest = max(drawn, key=lambda row: row[2])
    unit = reach / widest[2]  # of relevance a pixel
    for name, x, width, start, _, kind, numbers in drawn:
        f = result[name]
        assert f"is-{f.relevance}" in kind
        assert numbers == f"{f.min:.3f} – {f.max:.3f}"
        assert (x - start) * unit == pytest.approx(f.min, abs=3 * unit)
        assert (x - start + width) * unit == pytest.approx(f.max, abs=3 * unit)


def test_search_order_and_classes(opened, cancer):
    ordered = sorted(cancer[0].features, key=lambda f: (["strong", "weak", "irrelevant"].index(f.relevance), -f.max))
    assert opened.rows() == [f.name for f in ordered]
    opened.page.fill("input[type=search]", "TEXTURE")
    assert set(opened.rows()) == {"mean texture", "texture error", "worst texture"}
    opened.page.fill("input[type=search]", "")
    opened.page.select_option("select", "table")
    assert opened.rows() == [f.name for f in cancer[0].features]
    for kind in opened.page.query_selector_all(".report-tools input[type=checkbox]"):
        kind.uncheck()
    assert opened.rows() == []


def test_a_click_tells_more_of_a_feature(opened, cancer):
    assert not opened.page.is_visible(".report-detail")
    opened.page.click(".row[data-feature='worst texture'] .name")
    selected = opened.page.eval_on_selector_all("tr.is-selected", "rows => rows.map(r => r.dataset.feature)")
    assert selected == ["worst texture"]
    f = cancer[0]["worst texture"]
    assert f"{f.min:.3f} – {f.max:.3f}" in opened.page.inner_text(".report-detail")
    assert opened.page.eval_on_selector_all(".report-detail .probe", "dots => dots.length") == 10
    assert f"Evidence: {f.evidence:.2f}; in this table" in opened.page.inner_text(".evidence")
    assert f"Route: {f.route}." in opened.page.inner_text(".evidence")
    opened.page.click(".evidence .cluster button")
    selected = opened.page.eval_on_selector_all("tr.is-selected", "rows => rows.map(r => r.dataset.feature)")
    assert selected == [f.cluster[0]]
    opened.page.click(".report-close")
    assert not opened.page.is_visible(".report-detail")


@pytest.mark.parametrize("width", [1200, 400])
def test_nothing_is_wider_than_the_page(browser, cancer, width):
    seen = Opened(browser, cancer[1], viewport={"width": width, "height": 800})
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    assert seen.box(".track")["right"] <= width
    seen.context.close()


def test_dark_where_the_reader_has_it_dark_and_light_on_paper(browser, cancer):
    seen = Opened(browser, cancer[1], color_scheme="dark")
    background = "getComputedStyle(document.body).backgroundColor"
    assert seen.page.evaluate(background) == "rgb(16, 20, 24)"
    assert len(seen.page.pdf(format="A4")) > 10_000
    seen.page.emulate_media(media="print")
    seen.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert seen.page.evaluate(background) == "rgb(255, 255, 255)"
    assert seen.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--ink')") == "#1b1f24"
    paper = seen.box(".report")
    assert paper["width"] == 680  # what A4 has between its margins
    assert paper["left"] <= seen.box(".track")["left"] < seen.box(".track")["right"] <= paper["right"]
    seen.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert seen.page.evaluate("document.documentElement.hasAttribute('data-theme')") is False
    seen.context.close()


def test_on_paper_every_page_of_the_chart_has_its_axis_and_no_row_is_cut(browser, tmp_path):
    pypdf = pytest.importorskip("pypdf")
    names = [f"feature{k:03d}" for k in range(90)]
    path = tmp_path / "long.html"
    path.write_text(made_up(*(feature(name, 0.1, 0.2 + k / 200, "strong") for k, name in enumerate(names))).to_html())
    seen = Opened(browser, path)
    seen.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    (tmp_path / "long.pdf").write_bytes(seen.page.pdf(format="A4"))
    seen.context.close()
    pages = [page.extract_text() for page in pypdf.PdfReader(tmp_path / "long.pdf").pages]
    rows = [[name for name in names if f"● {name}" in text] for text in pages]  # the table has the mark behind the name
    assert sorted(chain(*rows)) == names
    assert sum(bool(own) for own in rows) >= 3
    for text, own in zip(pages, rows, strict=True):
        assert ("min – max" in text) == bool(own)  # its head stands on every page of the chart, and on no other
        for name in own:  # what belongs to a row stands on one page
            assert f"0.100 – {0.2 + names.index(name) / 200:.3f}" in text


def test_on_paper_bars_and_tables_keep_within_the_page(browser, tmp_path):
    """What is drawn before the printer's own rules hold has the width that it has under them."""
    path = tmp_path / "wide.html"
    names = [f"a marker with a long name, number {k}" for k in range(70)]
    path.write_text(made_up(*(feature(n, 0.0, 0.9, "weak") for n in names)).to_html())
    seen = Opened(browser, path)
    print_now = (
        "dispatchEvent(new Event('beforeprint')), Number(document.querySelector('.track').getAttribute('width'))"
    )
    drawn = seen.page.evaluate(print_now)  # at once, as a printer does
    seen.page.emulate_media(media="print")
    shown = seen.page.eval_on_selector(".track", "svg => svg.parentElement.clientWidth")
    assert abs(drawn - shown) <= 1
    assert seen.box("table.features")["right"] <= seen.box(".report")["right"] + 1
    seen.context.close()


def test_a_script_in_a_name_is_a_name(browser, tmp_path):
    name = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">'
    path = tmp_path / "hostile.html"
    path.write_text(made_up(feature(name, 0.1, 0.5, "strong")).to_html(title=name), encoding="utf-8")
    seen = Opened(browser, path)
    assert seen.page.evaluate("window.hacked") is None
    assert seen.rows() == [name]
    assert seen.page.inner_text("h1") == name
    assert seen.complaints == []
    seen.context.close()


def test_a_thousand_features_open_with_the_relevant_ones(browser, tmp_path):
    rest = (feature(f"i{j}", 0.0, 0.1, "irrelevant") for j in range(990))
    many = made_up(*(feature(f"r{j}", 0.0, 0.5, "weak") for j in range(10)), *rest)
    path = tmp_path / "many.html"
    path.write_text(many.to_html(), encoding="utf-8")
    seen = Opened(browser, path)
    assert len(seen.rows()) == 10
    seen.page.check("input[data-class=irrelevant]")
    assert len(seen.rows()) == 1000
    seen.context.close()


def test_under_pins_a_report_has_classes_without_them_and_what_they_do(browser, tmp_path):
    path = tmp_path / "pinned.html"
    path.write_text(made_up_under_pins().to_html(), encoding="utf-8")
    seen = Opened(browser, path)
    assert seen.page.inner_text("header .summary").startswith("Under these pins (without lost): 1 left out")
    effect = "row => [row.className, row.querySelector('.effect').textContent, row.querySelector('.kind').textContent]"
    kind, effect, relevance = seen.page.eval_on_selector(".row[data-feature='lost']", effect)
    assert "is-weak" in kind
    assert (effect, relevance) == ("pinned, left out", "weak")
    ghost = "row => Number(row.querySelector('.track-ghost').getAttribute('width'))"
    bar = "row => Number(row.querySelector('.track-bar').getAttribute('width'))"
    row = ".row[data-feature='substitute']"
    assert seen.page.eval_on_selector(row, ghost) > seen.page.eval_on_selector(row, bar) > 0
    assert seen.page.locator(".axis-threshold").count() == 0
    seen.page.click(f"{row} .name")
    told = seen.page.inner_text(".report-detail")
    assert "Under these pins: needed." in told
    assert "Without pins: 0.000 – 0.800, weak." in told
    assert "was not computed" in told
    assert seen.complaints == []
    seen.context.close()


def test_the_mark_of_chance_is_that_of_totals(browser, tmp_path):
    path = tmp_path / "totals.html"
    path.write_text(made_up_with_totals().to_html(), encoding="utf-8")
    seen = Opened(browser, path)
    assert "up to 0.600" in seen.page.eval_on_selector(".axis title", "title => title.textContent")
    seen.page.click(".row[data-feature='size'] .name")
    told = seen.page.inner_text(".report-detail")
    assert "chance is estimated to reach up to 0.600" in told
    assert "10 probes" in told
    assert seen.complaints == []
    seen.context.close()


def test_the_weights_of_several_classes_are_shown_for_a_feature(browser, tmp_path):
    parts = {"setosa": (0.05, 0.2), "virginica": (-0.3, -0.1)}
    path = tmp_path / "classes.html"
    path.write_text(made_up(feature("size", 0.1, 0.5, "strong", parts=parts)).to_html(), encoding="utf-8")
    seen = Opened(browser, path)
    seen.page.click(".row[data-feature='size'] .name")
    told = seen.page.inner_text(".report-detail")
    assert "Weights by class" in told
    assert "positive in every" not in told  # its total has no sign
    rows = seen.page.eval_on_selector_all(".report-detail table.parts tbody tr", "rows => rows.map(r => r.innerText)")
    assert [row.split() for row in rows] == [["setosa", "0.050", "0.200", "+"], ["virginica", "-0.300", "-0.100", "−"]]
    seen.context.close()
