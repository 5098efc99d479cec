"""Three people who see the page for the first time, each with a question of a doctor. What they misread was mended."""

from __future__ import annotations

import base64

import numpy as np
import pytest
from chromium_driver import IN_A_BROWSER

from relspan.browser.browser_session import BrowserSession
from relspan.browser.open_table import OpenedTable
from relspan.errors import DataError
from relspan.explore import Explorer
from relspan.show.findings import exchange_groups
from relspan.tables import parse_table

pytestmark = IN_A_BROWSER
PATIENTS = 120
PRICES = {"sex": 0, "CRP": 12, "ESR": 6, "lactate": 45, "sodium": 6, "glucose": 5}


@pytest.fixture(scope="module")
def table():
    """Blood values with the names of patients; CRP and ESR replace each other, lactate is needed."""
    rng = np.random.default_rng(4)
    infection, lactate = rng.normal(size=PATIENTS), rng.normal(size=PATIENTS)
    columns = {
        "patient_id": [f"P{1000 + i}" for i in range(PATIENTS)],
        "sex": np.where(rng.random(PATIENTS) < 0.5, "f", "m"),
        "CRP": infection + 0.1 * rng.normal(size=PATIENTS),
        "ESR": infection + 0.1 * rng.normal(size=PATIENTS),
        "lactate": lactate,
        "sodium": rng.normal(size=PATIENTS),
        "glucose": rng.normal(size=PATIENTS),
        "died": np.where(infection + lactate + 0.6 * rng.normal(size=PATIENTS) > 0, "yes", "no"),
    }
    rows = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    return "\n".join([",".join(columns), *rows, ""]).encode()


@pytest.fixture(scope="module")
def saved(table):
    """A session on this table, as a file."""
    bench = BrowserSession()
    bench.upload(table, "blood.csv")
    asked = {"target": "died", "task": "classification", "drop": ["patient_id"], "categorical": ["sex"]}
    bench.ask("analyse", {**asked, "settings": {"n_probes": 10}})
    bench.fit and bench.fit.join(120)
    data = base64.b64decode(bench.ask("export", {"kind": "session"})["data"])
    bench.close()
    return data


@pytest.fixture
def blood(saved, opened, server):
    bench = BrowserSession()
    bench.upload(saved, "blood.json")
    server.sessions[server.token] = bench
    sight = opened(server.address)
    sight.page.wait_for_selector(".row")
    yield sight
    assert sight.errors == []
    sight.page.context.close()
    bench.close()


def test_which_two_blood_values_could_replace_each_other(blood, saved):
    """They read "can stand in for one another" of columns that are only similar: now it says may, and leads on."""
    page = blood.page
    groups = exchange_groups(Explorer.from_bytes(saved)[0].result)
    assert groups == [["CRP", "ESR"]]
    assert "may stand in for one another: CRP and ESR" in page.locator(".findings").inner_text()
    assert "may stand in for one another" in page.locator(".list-legend").inner_text()
    page.click(".find-pairs")  # the finding leads to the answer
    page.wait_for_selector(".substitute-pairs li", timeout=60_000)
    assert page.locator(".substitute-pairs li").first.inner_text().startswith("CRP and ESR can replace each other: ")


def test_the_cheapest_panel_under_a_price_that_keeps_what_was_typed(blood, tmp_path):
    """They typed a name without pressing Add, and missed that lines of their price list were skipped."""
    page = blood.page
    (tmp_path / "prices.csv").write_text(
        "test,price\n" + "".join(f"{name},{price}\n" for name, price in PRICES.items()) + "troponin,31\n"
    )
    page.click("#tab-panels")
    page.click(".costs-section summary")
    page.set_input_files("[aria-label='costs from a file']", tmp_path / "prices.csv")
    blood.until("Object.keys(relspan.state.costs).length === 6")
    assert page.evaluate("relspan.state.costs['sex=m']") == 0  # the category that one column stands for
    skipped = page.locator(".costs-skipped").inner_text()
    assert "6 costs were read." in skipped
    assert '"troponin,31"' in skipped
    page.fill("[aria-label='feature that every panel must have']", "troponin")
    page.click("button:has-text('Cheapest panel')")
    page.wait_for_selector(".must-unknown:has-text('no feature troponin')")
    assert page.locator(".panel-answer .panel-features").count() == 0
    page.fill("[aria-label='feature that every panel must have']", "CRP")
    page.fill(".price-limit", "100")
    page.click("button:has-text('Cheapest panel')")
    page.wait_for_selector(".panel-answer .panel-features", timeout=60_000)
    found = page.locator(".panel-answer .panel-features .tag").all_inner_texts()
    assert {"CRP", "lactate"} <= set(found)
    assert "within the limit of 100" in page.locator(".panel-answer").inner_text()
    price = sum(PRICES[name.removesuffix("=m")] for name in found)
    assert f"cost {price}" in page.locator(".panel-answer .big-numbers").inner_text()


def test_for_which_patients_is_the_answer_certain(blood, saved):
    """They looked for patients and found numbers of rows; and the details opened out of sight."""
    page = blood.page
    page.click("#tab-samples")
    page.click(".ask-samples")
    page.wait_for_selector(".samples-sentence", timeout=60_000)
    page.select_option("[aria-label='samples shown']", "certain")
    page.select_option("[aria-label='order of the samples']", "row")
    own = Explorer.from_bytes(saved)[0].predictions()
    certain = [f"P{1000 + k}" for k, one in enumerate(own.samples) if one.certain]
    assert page.locator(".sample-row").all_inner_texts() == certain
    page.fill(".find-sample", certain[-1].lower())
    assert page.locator(".sample-row").all_inner_texts() == [certain[-1]]
    page.fill(".find-sample", "")
    page.locator(".sample-button").last.click()
    page.wait_for_selector(".contributions")
    assert page.locator(".sample-detail h3").inner_text() == f"{certain[-1]} (row {int(certain[-1][1:]) - 999})"
    blood.until(
        "(() => { const { top } = document.querySelector('.sample-detail').getBoundingClientRect();"
        " return top > 0 && top < innerHeight })()"
    )


@pytest.mark.parametrize(
    ("head", "drop", "different", "found"),
    [
        ("", [], True, True),  # the row labels that pandas and R write
        ("patient_id", ["patient_id"], True, True),
        ("patient_id", ["patient_id"], False, False),  # what repeats itself names no row
    ],
)
def test_rows_go_by_what_names_them(head, drop, different, found):
    names = tuple(f"P{k if different else k % 3}" for k in range(20))
    target = ["" if k == 2 else str(k % 2) for k in range(20)]  # a row without a target is left out
    rows = [f"{name},{k % 7},{(k * 3) % 5},{y}" for k, (name, y) in enumerate(zip(names, target, strict=True))]
    opened = OpenedTable("t.csv", parse_table("\n".join([f"{head},b,c,outcome", *rows, ""]).encode(), "t.csv"))
    with pytest.raises(DataError, match=r"missing in outcome\. Choose"):  # in words of the page
        opened.prepared_as({"target": "outcome", "drop": drop})
    prepared = opened.prepared_as({"target": "outcome", "drop": drop, "impute": "median"})
    assert len(prepared.y) == 19
    assert opened.row_names(prepared) == ((*names[:2], *names[3:]) if found else ())


def test_names_of_rows_stay_out_of_a_page_to_share(saved):
    bench = BrowserSession()
    bench.upload(saved, "blood.json")
    assert bench.ask("samples", {})["names"][:2] == ["P1000", "P1001"]
    for samples in (False, True):
        text = base64.b64decode(bench.ask("export", {"kind": "shared", "samples": samples})["data"]).decode()
        assert "P1000" not in text
        assert "P1001" not in text
    bench.close()


def test_rows_without_a_target_are_a_decision_on_the_page(table, opened, server):
    server.sessions[server.token] = BrowserSession()
    sight = opened(server.address)
    page = sight.page
    gap = table.replace(b",yes\n", b",\n", 1)
    page.set_input_files("#file", {"name": "blood.csv", "mimeType": "text/csv", "buffer": gap})
    page.wait_for_selector(".preview")
    assert "Rows without a value of died are left out" in page.locator(".notice:has(#impute) .detail").inner_text()
    assert sight.errors == []
    page.context.close()


def test_columns_that_are_not_used_ask_for_no_decision(table, opened, server):
    """They read "2 columns contain text" as a fault, although both were dealt with in the table below."""
    server.sessions[server.token] = BrowserSession()
    sight = opened(server.address)
    page = sight.page
    page.set_input_files("#file", {"name": "blood.csv", "mimeType": "text/csv", "buffer": table})
    page.wait_for_selector(".preview")
    assert page.locator("#text").is_hidden()
    page.select_option("[aria-label='patient_id is used as']", "feature")
    assert page.locator("#text").is_visible()
    assert page.locator("#impute").is_hidden()
    assert "patient_id" in page.locator(".notice:has(#text) .detail").inner_text()
    assert sight.errors == []
    page.context.close()
