"""The notebook's explorer in a real browser: a page of somebody else hosts the widget, as Jupyter would."""

from __future__ import annotations

import json
import queue
import shutil

import pytest

pytest.importorskip("anywidget")
playwright = pytest.importorskip("playwright.sync_api")

from relspan import RelevanceClassifier  # noqa: E402
from relspan.notebook import ExplorerWidget  # noqa: E402
from relspan.simulate import simulate  # noqa: E402
from relspan.tables import NamedMatrix  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")]

HOST = """<!doctype html><meta charset="utf-8"><style>body { font-family: serif; color: rgb(1, 2, 3) }</style>
<body data-jp-theme-light="true"><p id="theirs">somebody else's text</p>
<div id="code" contenteditable="true">their code</div><div id="cell"></div><div id="other"></div>"""

MOUNT = """async ([script, style]) => {
  document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
  const listeners = new Set();
  const model = {
    send: (content) => window.kernel(JSON.stringify(content)),
    on: (kind, listener) => listeners.add(listener),
    off: (kind, listener) => listeners.delete(listener),
  };
  const widget = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  window.stop = widget.default.render({ model, el: document.getElementById("cell") });
  window.second = () => widget.default.render({ model, el: document.getElementById("other") });
  window.listeners = listeners;
  setInterval(async () => {
    for (const answer of JSON.parse(await window.answers())) {
      for (const listener of [...listeners]) listener(answer, []);
    }
  }, 20);
}"""


@pytest.fixture(scope="module")
def fitted():
    data = simulate(120, strong=2, weak=4, irrelevant=4, random_state=3)
    names = ("<b>bold</b>", *data.names[1:])
    return RelevanceClassifier(n_probes=10, random_state=0).fit(NamedMatrix(data.X, names), data.y)


@pytest.fixture
def cell(fitted):
    """A page that hosts a widget, and the widget."""
    widget = ExplorerWidget(fitted)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_context(offline=True, viewport={"width": 1280, "height": 900}).new_page()
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))

        sent = queue.SimpleQueue()
        widget.send = sent.put

        def answers() -> str:
            return json.dumps([sent.get() for _ in range(sent.qsize())])

        page.set_content(HOST)
        page.expose_function("kernel", lambda text: widget._receive(widget, json.loads(text), []))
        page.expose_function("answers", answers)
        page.evaluate(MOUNT, [str(widget._esm), str(widget._css)])
        page.wait_for_selector(".relspan-explorer .row")
        yield page, widget
        browser.close()
    widget.close()


def test_it_shows_the_features_and_pins_them_in_python(cell, fitted):
    page, widget = cell
    shown = page.eval_on_selector_all(".row", "rows => rows.filter(r => !r.hidden).map(r => r.dataset.feature)")
    assert set(shown) <= {f.name for f in fitted.result_.features}
    assert "<b>bold</b>" in shown
    page.click(".row[data-feature='<b>bold</b>'] .quick[data-words='as much as possible']")
    page.wait_for_selector(".row.is-pinned")
    assert [pin.feature for pin in widget.explorer.pins] == ["<b>bold</b>"]
    assert page.problems == []


def test_the_notebook_around_it_stays_as_it_was(cell):
    page, _ = cell
    style = page.eval_on_selector("#theirs", "e => { const s = getComputedStyle(e); return [s.fontFamily, s.color] }")
    assert style == ["serif", "rgb(1, 2, 3)"]
    own = page.eval_on_selector(".relspan-explorer", "e => getComputedStyle(e).fontFamily")
    assert "serif" not in own.split(",")[0]
    assert page.eval_on_selector(".relspan-explorer", "e => e.getBoundingClientRect().height") == 720
    page.focus("#code")
    page.keyboard.type("/?")
    assert page.evaluate("document.activeElement.id") == "code"
    assert "/?" in page.inner_text("#code")


def test_its_own_keys_stay_inside(cell):
    page, _ = cell
    page.evaluate("document.addEventListener('keydown', (event) => { window.heard = event.key })")
    page.focus(".relspan-explorer .row .name")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.classList.contains('search')")
    assert page.evaluate("window.heard") is None


def test_a_cleared_cell_asks_no_more(cell):
    page, _ = cell
    page.evaluate("window.stop()")
    assert page.evaluate("window.listeners.size") == 0


def test_two_views_stay_in_step(cell):
    page, widget = cell
    page.evaluate("void window.second()")
    page.wait_for_selector("#other .row")
    page.click("#cell .row .quick[data-words='as much as possible'] >> nth=0")
    page.wait_for_selector("#other .row.is-pinned")
    assert len(widget.explorer.pins) == 1


def test_it_follows_the_theme_of_the_notebook(cell):
    page, _ = cell
    paper = "getComputedStyle(document.querySelector('.relspan-explorer')).getPropertyValue('--paper')"
    light = page.evaluate(paper)
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    page.wait_for_function(f"{paper} !== '{light}'")
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    page.wait_for_function(f"{paper} === '{light}'")


def test_the_notebook_hears_its_own_shortcuts(cell):
    page, _ = cell
    page.evaluate("document.addEventListener('keydown', (event) => { if (event.ctrlKey) window.heard = event.key })")
    for place in (".relspan-explorer .row .name", ".relspan-explorer .search"):
        page.focus(place)
        page.keyboard.press("Control+s")
        assert page.evaluate("window.heard") == "s"
        page.evaluate("window.heard = undefined")


def test_it_fits_its_cell_not_the_window(cell):
    page, _ = cell
    page.set_viewport_size({"width": 1600, "height": 900})
    for width, columns in ((1500, 2), (1000, 1)):
        page.evaluate("width => { document.getElementById('cell').style.width = `${width}px` }", width)
        page.wait_for_timeout(150)
        grid = page.evaluate("getComputedStyle(document.querySelector('.ready')).gridTemplateColumns")
        assert len(grid.split()) == columns
        assert page.evaluate("document.querySelector('.track').getBoundingClientRect().width") > 250


def test_chips_keep_their_shape(cell):
    page, _ = cell
    page.add_style_tag(content="body button { border-radius: 2px; border: 0; background: red }")
    chip = "getComputedStyle(document.querySelector('.chip'))"
    assert page.evaluate(f"{chip}.borderRadius") == "999px"
    assert page.evaluate(f"{chip}.backgroundColor") != "rgb(255, 0, 0)"
