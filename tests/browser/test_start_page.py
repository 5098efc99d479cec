"""The start page: a preview of the table, what each column is used as, and how much worse a model may be."""

from __future__ import annotations

import pytest
from chromium_driver import IN_A_BROWSER, SCREENS, serious_violations

from relspan.browser.browser_session import BrowserSession
from relspan.browser.server import prepare_server

pytestmark = IN_A_BROWSER
ROWS = "\n".join(f"p{i:03d},{i // 2},{i % 7},{(i * 5) % 11},{'uvw'[i % 3]},{int(i % 7 > 3)}" for i in range(60))
TABLE = f"name,patient,a,b,word,outcome\n{ROWS}\n".encode()


def test_columns_are_used_as_they_are_marked():
    bench = BrowserSession()
    state = bench.upload(TABLE, "t.csv")
    plan = {column["name"]: column for column in state["table"]["plan"]}
    assert plan["name"]["kind"] == "identifier"
    assert list(plan["a"]["examples"][:3]) == ["0", "1", "2"]
    asked = {"target": "outcome", "task": "classification", "drop": ["name"], "groups": "patient"}
    bench.ask("analyse", {**asked, "categorical": ["word"], "settings": {"n_probes": 5}})
    bench.fit and bench.fit.join(60)
    result = bench.ask("state", {})["result"]
    names = [f["name"] for f in result["features"]]
    assert "name" not in names
    assert "patient" not in names
    assert {"a", "b"} < set(names)
    assert any(name.startswith("word") for name in names)
    bench.close()


@pytest.mark.parametrize(("scheme", "width"), SCREENS)
def test_axe_finds_nothing_serious_before_the_analysis(opened, server, scheme, width):
    server.sessions[server.token] = BrowserSession()
    sight = opened(server.address, color_scheme=scheme, width=width)
    page = sight.page
    page.wait_for_selector(".drop")
    assert serious_violations(page) == []
    page.set_input_files("#file", {"name": "t.csv", "mimeType": "text/csv", "buffer": TABLE})
    page.wait_for_selector(".preview")
    assert serious_violations(page) == []
    page.context.close()


def test_a_person_sees_the_columns_and_leaves_one_out(opened):
    bench = BrowserSession()
    running = prepare_server(bench).start()
    sight = opened(running.address)
    page = sight.page
    page.set_input_files("#file", {"name": "t.csv", "mimeType": "text/csv", "buffer": TABLE})
    page.wait_for_selector(".preview")
    assert page.locator("[data-column=outcome]").is_hidden()  # the target
    assert page.locator("[aria-label='name is used as']").input_value() == "drop"
    page.select_option("[aria-label='patient is used as']", "groups")
    page.select_option("[aria-label='word is used as']", "category")
    page.select_option("[aria-label='b is used as']", "drop")
    page.select_option("[aria-label='a is used as']", "rising")
    page.fill("#worse", "5")
    page.click("button:has-text('Analyse')")
    page.wait_for_selector(".row", timeout=60_000)
    names = {f["name"] for f in page.evaluate("relspan.state.result.features")}
    assert "a" in names
    assert not names & {"b", "name", "patient", "outcome"}
    assert page.evaluate("relspan.state.result.parameters.delta_loss") == 0.05
    assert page.evaluate("relspan.state.result.parameters.signs") == {"a": "+"}
    assert "at most 5 %" in page.locator(".equally-good").inner_text()
    assert sight.errors == []
    page.context.close()
    running.stop()
