"""The actions: what a browser asks is what the explorer answers."""

from __future__ import annotations

import base64
import gzip
import json
import threading

import numpy as np
import pytest

from relspan import RelevanceClassifier
from relspan.browser.actions import QUICK_ACTIONS
from relspan.browser.as_json import scenario_records
from relspan.browser.browser_session import BrowserSession
from relspan.explore import Explorer
from relspan.result import RelevanceResult
from relspan.simulate import simulate
from relspan.tasks import TASKS


def intervals(state):
    return np.array([row[:4] for row in state["view"]["rows"]])


def intervals_of(result):
    return np.array([[f.min, f.max, f.lo, f.hi] for f in result.features])


@pytest.mark.slow
@pytest.mark.parametrize("demand", ["without", "max", "min", 0.05, [0.02, 0.1], [0.03, None]])
def test_a_pin_gives_the_explorers_intervals(client, fitted, demand):
    client.ask("pin", feature="weak1_1", demand=demand)
    state = client.settled()
    own = fitted.explore()
    asked = tuple(np.inf if v is None else v for v in demand) if isinstance(demand, list) else demand
    np.testing.assert_allclose(intervals(state), intervals_of(own.pin("weak1_1", asked).result), atol=1e-7)
    assert [row[4] for row in state["view"]["rows"]] == [f.under_pins.outcome for f in own.result.features]
    assert [f["relevance"] for f in state["result"]["features"]] == [f.relevance for f in own.result.features]
    assert {row[5] for row in state["view"]["rows"]} == {"exact"}


def test_the_first_answer_is_a_bound_that_says_so(client, fitted):
    at_once = client.ask("pin", feature="weak1_1", demand=[0, 0.1])
    exact = intervals_of(fitted.explore().pin("weak1_1", (0, 0.1)).result)
    for row, ends in zip(at_once["view"]["rows"], exact, strict=True):
        if row is None:  # nothing is known yet but the interval without pins
            continue
        if row[5] == "inner":
            assert ends[0] - 1e-6 <= row[0]
            assert row[1] <= ends[1] + 1e-6
        if row[5] == "outer":
            assert row[0] <= ends[0] + 1e-6
            assert ends[1] <= row[1] + 1e-6


def test_dragging_changes_no_pin_but_shows_what_would_be(client, fitted):
    rows = list(range(10))
    answer = client.ask("drag", feature="weak1_1", demand=[0, 0.08], rows=rows)
    exact = intervals_of(fitted.explore().pin("weak1_1", (0, 0.08)).result)
    assert [row[0] for row in answer["rows"]] == rows
    for index, least, most, status in answer["rows"]:
        assert status >= 1
        assert exact[index, 0] - 1e-5 <= least
        assert most <= exact[index, 1] + 1e-5
    assert client.ask("state")["view"]["pins"] == []


@pytest.mark.parametrize("action", sorted(QUICK_ACTIONS))
def test_what_the_server_answers_without_a_thread_waits_for_no_solver(bench, action):
    """Another question holds the solver and the session; an answer that waited would hold up the whole server."""
    held, enough = threading.Event(), threading.Event()

    def other_question():
        with bench.lock, bench.require_live()._lock:
            held.set()
            enough.wait(20)

    other = threading.Thread(target=other_question)
    other.start()
    held.wait(20)
    answers = []
    asked = {"feature": "weak1_1", "side": "max", "demand": [0, 0.08], "rows": [0, 1]}
    quick = threading.Thread(target=lambda: answers.append(bench.ask(action, asked)), daemon=True)
    quick.start()
    quick.join(10)
    enough.set()
    other.join()
    assert len(answers) == 1


def test_impossible_pins_are_explained_and_change_nothing(client):
    client.ask("pin", feature="weak1_1", demand="without")
    answer = client.request("POST", "/api/pin", payload={"feature": "strong1", "demand": "without"})
    said = json.loads(answer.text)
    assert answer.status == 409
    assert said["kind"] == "InfeasiblePins"
    assert said["conflict"] == ["strong1"]
    assert 0 < said["nearest"]["strong1"] < 1
    assert [pin["feature"] for pin in client.ask("state")["view"]["pins"]] == ["weak1_1"]


def test_undo_redo_and_scenarios(client):
    client.ask("pin", feature="weak1_1", demand="without")
    client.ask("save_scenario", name="no first", note="as <b>agreed</b>")
    state = client.ask("undo")
    assert (state["view"]["pins"], state["view"]["redo"], state["view"]["undo"]) == ([], True, False)
    assert [pin["asked"] for pin in client.ask("redo")["view"]["pins"]] == ["without"]
    client.ask("unpin_all")
    both = client.ask("compare", first="unpinned", second="no first")
    row = next(row for row in both["rows"] if row["feature"] == "weak1_1")
    assert row["moved"]
    assert row["second"] == [0.0, 0.0]
    client.ask("annotate_scenario", name="no first", note="changed")
    assert client.ask("load_scenario", name="no first")["view"]["scenarios"][0]["note"] == "changed"
    assert client.ask("delete_scenario", name="no first")["view"]["scenarios"] == []


@pytest.mark.slow
def test_the_price_of_pins_follows(client):
    client.ask("pin", feature="weak1_1", demand="without")
    state = client.settled()
    for _ in range(100):
        if state["view"]["best"] and "score" in state["view"]["best"]:
            break
        state = client.ask("follow", revision=state["revision"])
    price = state["view"]["best"]
    assert 0 <= price["score"]["mean"] <= 1
    assert all(weight["feature"] != "weak1_1" for weight in price["model"]["weights"])


@pytest.mark.slow
def test_alternatives_substitution_and_panels(client):
    found = client.ask("alternatives", feature="weak1_1")["alternatives"]
    assert found[0]["feature"] in ("weak1_2", "weak1_3", "weak1_4")
    assert "weak1_1" in found[0]["sentence"]
    for at in ("exchange", "min", "max"):
        matrix = client.ask("substitution", at=at)
        assert np.shape(matrix["values"]) == (len(matrix["features"]),) * 2
        assert np.min(matrix["values"]) >= 0
    panel = client.ask("panel", seconds=10)
    assert panel["proven"]
    in_findings = next(entry for entry in client.ask("state")["findings"] if entry["key"] == "score")
    assert f"{panel['score']['all_features']:.3f}" in in_findings["sentence"] or panel["score"]["one_division"]
    weak = next(name for name in panel["features"] if name.startswith("weak"))
    client.ask("set_costs", costs={weak: 100.0})
    assert weak not in client.ask("panel", seconds=10, priced=True)["features"]
    assert client.ask("set_costs", costs={weak: None})["costs"] == {}


def test_an_exported_session_opens_again_with_everything(client):
    client.ask("pin", feature="weak1_1", demand=[0.01, 0.1])
    client.ask("save_scenario", name="mine", note="a note")
    client.ask("toggle_star", feature="weak1_2")
    client.ask("set_costs", costs={"weak1_2": 3})
    before = client.settled()
    file = client.ask("export", kind="session")
    data = base64.b64decode(file["data"])
    client.ask("close_table")
    answer = client.request("POST", "/api/upload?name=session.json", content=data)
    assert answer.status == 200
    after = client.settled()
    np.testing.assert_allclose(intervals(after), intervals(before), atol=1e-7)
    assert after["view"]["scenarios"] == before["view"]["scenarios"]
    assert (after["stars"], after["costs"]) == (["weak1_2"], {"weak1_2": 3.0})
    assert Explorer.from_bytes(data)[0].pins[0].feature == "weak1_1"


def test_exports_hold_the_pinned_intervals(client, fitted):
    client.ask("pin", feature="weak1_1", demand="max")
    own = fitted.explore().pin("weak1_1", "max").result
    written = RelevanceResult.from_json(base64.b64decode(client.ask("export", kind="json")["data"]).decode())
    np.testing.assert_allclose(intervals_of(written), intervals_of(own), atol=1e-7)
    lines = base64.b64decode(client.ask("export", kind="csv")["data"]).decode().splitlines()
    assert lines[0].startswith("name,under_pins,relevance,min,max")
    assert len(lines) == 11
    report = base64.b64decode(client.ask("export", kind="html")["data"]).decode()
    assert report.lower().startswith("<!doctype html>")
    assert "weak1_1" in report


def test_a_table_is_opened_guessed_reported_and_analysed():
    rows = "\n".join(f"{i % 7},{(i * 5) % 11},{'' if i == 3 else i % 3},1,{int(i % 7 > 3)}" for i in range(60))
    bench = BrowserSession()
    state = bench.upload(f"a,b,gap,flat,outcome\n{rows}\n".encode(), "t.csv")
    table = state["table"]
    assert (state["phase"], table["target"], table["task"]) == ("choose", "outcome", "classification")
    assert (table["missing"], table["constant"]) == ({"gap": 1}, ["flat"])
    with pytest.raises(ValueError, match="Values are missing in gap"):
        bench.ask("analyse", {"target": "outcome", "task": "classification"})
    asked = {"target": "outcome", "task": "classification", "impute": "median", "settings": {"n_probes": 5}}
    assert bench.ask("analyse", asked)["phase"] in ("fitting", "ready")
    bench.fit and bench.fit.join(60)
    state = bench.ask("state", {})
    assert state["phase"] == "ready"
    assert next(f for f in state["result"]["features"] if f["name"] == "a")["relevance"] != "irrelevant"
    code = bench.ask("export", {"kind": "python"})["text"]
    assert "prepare_table(read_table('t.csv'), 'outcome', impute='median')" in code
    bench.close()


def test_an_analysis_can_be_stopped():
    bench = BrowserSession()
    bench.ask("open_example", {"name": "breast cancer"})
    state = bench.ask("analyse", {"target": "diagnosis", "task": "classification"})
    assert state["phase"] == "fitting"
    state = bench.ask("stop", {})
    assert (state["phase"], state["trouble"]) == ("choose", "The analysis was stopped.")
    bench.close()


@pytest.mark.slow
def test_what_cannot_be_explored_is_shown_with_the_reason():
    rows = "\n".join(f"{i % 7},{(i * 5) % 11},{'abc'[i % 3]}" for i in range(60))
    bench = BrowserSession()
    assert bench.upload(f"a,b,y\n{rows}\n".encode(), "t.csv")["table"]["task"] == "classification"
    bench.ask("analyse", {"target": "y", "task": "classification", "settings": {"n_probes": 5}})
    bench.fit and bench.fit.join(60)
    state = bench.ask("state", {})
    assert state["phase"] == "ready"
    assert not state["explorable"]
    assert "several weights per feature" in state["reason"]
    bench.close()


@pytest.mark.slow
def test_the_recipes_run_and_give_the_same(client, fitted, tmp_path):
    bench = BrowserSession()
    bench.ask("open_example", {"name": "known truth"})
    bench.ask("analyse", {"target": "y", "task": "classification", "settings": {"n_probes": 5, "delta_loss": 0.05}})
    bench.fit and bench.fit.join(60)
    name = max(bench.explorer.result.features, key=lambda f: f.max - f.min).name
    bench.ask("pin", {"feature": name, "demand": [0, 0.01]})
    code = bench.ask("export", {"kind": "python"})["text"]
    scope: dict = {}
    exec(code.replace("print(explorer.result)", ""), scope)
    np.testing.assert_allclose(intervals_of(scope["explorer"].result), intervals_of(bench.explorer.result), atol=1e-7)
    command = bench.ask("export", {"kind": "command"})["text"]
    assert command.startswith("relspan explore --example 'known truth' --task classification")
    assert "--delta-loss 0.05 --n-probes 5" in command
    assert f"--pin {name}=0.0..0.01" in command
    bench.close()


def test_the_recipes_name_the_task_and_the_columns_that_were_left_out():
    rows = "\n".join(f"{i % 7},{(i * 5) % 11},{'uvw'[i % 3]},{int(i % 7 > 3)}" for i in range(60))
    bench = BrowserSession()
    bench.upload(f"a,b,word,y\n{rows}\n".encode(), "t.csv")
    bench.ask("analyse", {"target": "y", "task": "reject", "text": "drop", "settings": {"n_probes": 5}})
    bench.fit and bench.fit.join(60)
    code, command = (bench.ask("export", {"kind": kind})["text"] for kind in ("python", "command"))
    assert "RejectRelevanceClassifier(" in code
    assert "prepare_table(read_table('t.csv'), 'y', drop=['word'])" in code
    assert command.startswith("relspan explore t.csv --target y --drop word --task reject")
    bench.close()


def test_an_analysis_that_nobody_waits_for_any_more_changes_nothing(fitted):
    """It may end in the moment in which another one is started."""
    bench = BrowserSession()
    bench.ask("open_example", {"name": "breast cancer"})
    bench.ask("analyse", {"target": "diagnosis", "task": "classification"})
    late = bench.fit
    bench.ask("analyse", {"target": "diagnosis", "task": "classification", "settings": {"n_probes": 5}})
    current = bench.fit
    bench.fit_finished(late, fitted)
    assert bench.fit is current
    assert bench.result is None
    bench.ask("close_table", {})
    bench.fit_finished(current, fitted)
    assert bench.ask("state", {})["phase"] == "open"
    bench.close()


@pytest.mark.parametrize("parts", [1, 2])
def test_a_compressed_table_is_read_to_its_end(parts):
    rows = [f"{i % 7},{int(i % 7 > 3)}\n".encode() for i in range(60)]
    cut = len(rows) // parts
    packed = gzip.compress(b"a,y\n" + b"".join(rows[:cut]))
    packed += gzip.compress(b"".join(rows[cut:])) if parts > 1 else b""
    assert BrowserSession().upload(packed, "t.csv.gz")["table"]["rows"] == 60


def test_a_compressed_session_opens_again(bench):
    bench.ask("toggle_star", {"feature": "weak1_1"})
    again = BrowserSession()
    state = again.upload(gzip.compress(bench.shown.session_file()), "session.json.gz")
    assert (state["phase"], state["stars"]) == ("ready", ["weak1_1"])
    again.close()


def test_a_state_is_whole_though_the_session_goes_away_meanwhile(bench, monkeypatch):
    """A page follows while it asks for changes: a change waits until the state is complete."""
    change = threading.Thread(target=bench.ask, args=("close_table", {}))

    def interrupted(explorer):
        change.start()
        change.join(0.2)
        return scenario_records(explorer)

    monkeypatch.setattr("relspan.browser.browser_session.scenario_records", interrupted)
    state = bench.state({})
    assert (state["phase"], len(state["result"]["features"])) == ("ready", 10)
    change.join(10.0)
    assert bench.result is None


class UnregisteredClassifier(RelevanceClassifier):
    """An estimator of a task that nobody has registered."""

    def _fit(self, losses, task, *rest, **more):
        super()._fit(losses, "unregistered", *rest, **more)


def test_a_task_that_is_not_registered_is_shown_saved_and_opened_again():
    data = simulate(80, strong=1, weak=2, irrelevant=2, random_state=0)
    fitted = UnregisteredClassifier(n_probes=5, random_state=0).fit(data.X, data.y)
    bench = BrowserSession().show(fitted.explore())
    assert bench.ask("state", {})["result"]["task"] == "unregistered"
    bench.ask("pin", {"feature": "x1", "demand": "without"})
    file = base64.b64decode(bench.ask("export", {"kind": "session"})["data"])
    again = BrowserSession()
    assert [pin["feature"] for pin in again.upload(file, "session.json")["view"]["pins"]] == ["x1"]
    for each in (bench, again):
        each.close()


def test_the_page_offers_every_registered_task_that_the_target_allows():
    rows = "\n".join(f"{i % 7},{(i * 5) % 11},{'abc'[i % 3]}" for i in range(60))
    table = BrowserSession().upload(f"a,b,y\n{rows}\n".encode(), "t.csv")["table"]
    offered = {task["name"]: task for task in table["tasks"]}
    assert list(offered) == list(TASKS)
    assert offered["classification"]["refusal"] is None
    assert "3 classes" in offered["classification"]["not_explorable"]
    assert "y" in offered["regression"]["refusal"]
