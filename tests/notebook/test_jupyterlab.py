"""The explorer in a real JupyterLab: one notebook is run, looked at, pinned in, saved and shown in a second view.

Skipped where JupyterLab or chromium is missing; ``pip install jupyterlab`` is enough.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

pytest.importorskip("jupyterlab")
pytest.importorskip("ipykernel")
pytest.importorskip("anywidget")
pytest.importorskip("matplotlib")
playwright = pytest.importorskip("playwright.sync_api")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium here"),
]
PATIENCE = 120_000  # milliseconds: a kernel starts slowly on a busy machine
CELLS = [
    "from relspan import RelevanceClassifier\n"
    "from relspan.notebook import ExplorerWidget\n"
    "from relspan.simulate import simulate\n"
    "data = simulate(80, strong=2, weak=2, irrelevant=2, random_state=0)\n"
    "model = RelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(data.X, data.y)\n"
    "widget = ExplorerWidget(model)\n"
    "widget",
    "%matplotlib inline\nmodel.result_.plot()",
    "model.explore().groups()",
    "print('pinned', [pin.feature for pin in widget.explorer.pins])",
]


def notebook_file(folder: Path) -> Path:
    cells = [
        {"cell_type": "code", "id": f"cell{i}", "source": text, "metadata": {}, "outputs": [], "execution_count": None}
        for i, text in enumerate(CELLS)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    file = folder / "try.ipynb"
    file.write_text(
        json.dumps({"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5})
    )
    return file


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A page with the notebook in JupyterLab, all cells run; its file; and a way to run Lab's own commands."""
    folder = tmp_path_factory.mktemp("lab")
    file, port, token = notebook_file(folder), free_port(), secrets.token_hex(16)
    own = {name: str(folder / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")}
    words = [
        "-m",
        "jupyterlab",
        "--no-browser",
        "--expose-app-in-browser",
        "--allow-root",
        "--ServerApp.port_retries=0",
    ]
    words += [f"--ServerApp.port={port}", f"--ServerApp.root_dir={folder}", "--ServerApp.ip=127.0.0.1"]
    words += ["--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, *words], env={**os.environ, **own, "JUPYTER_TOKEN": token}, stdout=log, stderr=log
        )
    try:
        wait_for(f"http://127.0.0.1:{port}/api?token={token}", server, folder / "server.log")
        with playwright.sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
            page.set_default_timeout(PATIENCE)
            page.goto(f"http://127.0.0.1:{port}/lab/tree/{file.name}?token={token}")
            page.wait_for_selector(".jp-NotebookPanel .jp-CodeCell")
            page.wait_for_function("window.jupyterapp && !document.querySelector('#jupyterlab-splash')")
            page.wait_for_selector("#jp-main-statusbar :text('Idle')")  # a kernel is there, or Lab asks for one
            page.evaluate("void jupyterapp.commands.execute('notebook:run-all-cells')")
            page.wait_for_selector(".relspan-explorer .row")
            yield page, file
            browser.close()
    finally:
        server.terminate()
        server.wait(30)


def wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        if server.poll() is not None:
            pytest.fail(f"JupyterLab ended: {log.read_text()[-2000:]}")
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:
            time.sleep(0.3)
    pytest.fail("JupyterLab did not start")


def test_the_widget_fits_its_cell_and_a_pin_reaches_the_kernel(lab):
    page, _ = lab
    assert page.evaluate("document.querySelector('.relspan-explorer .track').getBoundingClientRect().width") > 200
    overflow = (
        "(() => { const e = document.querySelector('.relspan-explorer'); return e.scrollWidth - e.clientWidth })()"
    )
    assert page.evaluate(overflow) <= 1
    page.click(".relspan-explorer .row[data-feature='x0'] .quick[data-words='as much as possible']")
    page.wait_for_selector(".relspan-explorer .row.is-pinned")
    run_last_cell(page)
    page.wait_for_selector(".jp-OutputArea-output:has-text(\"pinned ['x0']\")")


def run_last_cell(page):
    page.locator(".jp-CodeCell").nth(len(CELLS) - 1).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")


def test_figures_and_answers_are_shown_without_a_wall_of_text(lab):
    page, _ = lab
    figure = page.locator(".jp-CodeCell").nth(1)
    figure.locator("img").first.wait_for()
    assert figure.locator("img").count() == 1  # and not twice, by the display and by its figure
    assert len(figure.locator(".jp-OutputArea").inner_text()) < 200
    groups = page.locator(".jp-CodeCell").nth(2)
    groups.locator(".relspan-answer").wait_for()
    assert "group" in groups.locator(".relspan-answer").inner_text()


def test_ctrl_s_inside_the_widget_saves_the_notebook(lab):
    page, file = lab
    page.locator(".jp-CodeCell").nth(1).locator(".cm-content").click()
    page.keyboard.type("# typed\n")
    before = file.read_text()
    page.focus(".relspan-explorer .row .name")
    page.keyboard.press("Control+s")
    end = time.monotonic() + 30
    while file.read_text() == before and time.monotonic() < end:
        page.wait_for_timeout(200)
    assert "# typed" in file.read_text()


def test_it_follows_the_theme(lab):
    page, _ = lab
    paper = "getComputedStyle(document.querySelector('.relspan-explorer')).getPropertyValue('--paper').trim()"
    light = page.evaluate(paper)
    page.evaluate("jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    page.wait_for_function(f"{paper} !== '{light}'")
    page.evaluate("jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Light' })")
    page.wait_for_function(f"{paper} === '{light}'")


def test_a_second_view_stays_in_step(lab):
    page, _ = lab
    page.locator(".jp-CodeCell").nth(0).locator(".cm-content").click()
    page.evaluate("jupyterapp.commands.execute('notebook:create-output-view')")
    page.wait_for_selector(".jp-LinkedOutputView .relspan-explorer .row")
    first, second = ".jp-NotebookPanel .relspan-explorer", ".jp-LinkedOutputView .relspan-explorer"
    if not page.locator(f"{first} .row.is-pinned").count():
        page.click(f"{first} .row[data-feature='x0'] .quick[data-words='as much as possible']")
    page.wait_for_selector(f"{second} .row.is-pinned")
    page.click(f"{first} button:has-text('Undo')")
    page.wait_for_selector(f"{second} .row.is-pinned", state="detached")
