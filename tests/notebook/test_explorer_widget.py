"""The Python side of the notebook's explorer: every message is answered, and its pins are the session's."""

from __future__ import annotations

import json
import threading

import pytest

pytest.importorskip("anywidget")

from relspan import RelevanceClassifier
from relspan.errors import ParameterError
from relspan.notebook import ExplorerWidget, answer_message, session_of
from relspan.simulate import simulate
from relspan.tables import NamedMatrix


@pytest.fixture(scope="module")
def fitted():
    data = simulate(120, strong=2, weak=4, irrelevant=4, random_state=3)
    return RelevanceClassifier(n_probes=10, random_state=0).fit(NamedMatrix(data.X, data.names), data.y)


class Page:
    """The other end of a widget: asks, and waits for the answer to each question."""

    def __init__(self, widget, monkeypatch) -> None:
        self.widget, self.answers, self.news = widget, {}, threading.Condition()
        monkeypatch.setattr(widget, "send", self._heard)

    def _heard(self, content) -> None:
        with self.news:
            self.answers[content["id"]] = content
            self.news.notify_all()

    def say(self, content, buffers=()) -> None:
        self.widget._handle_custom_msg(content, list(buffers))

    def wait(self, number) -> dict:
        with self.news:
            assert self.news.wait_for(lambda: number in self.answers, timeout=60)
            return self.answers.pop(number)

    def ask(self, action, **payload) -> dict:
        self.say({"id": "question", "action": action, "payload": payload})
        return self.wait("question")


@pytest.fixture
def page(fitted, monkeypatch):
    widget = ExplorerWidget(fitted)
    yield Page(widget, monkeypatch)
    widget.close()


def test_the_state_carries_the_result(page, fitted):
    state = page.ask("state")["answer"]
    assert state["phase"] == "ready"
    assert state["explorable"]
    assert state["result"] == json.loads(fitted.result_.to_json())


def test_what_is_pinned_in_the_cell_is_pinned_in_python(page):
    name = page.widget.explorer.feature_names[0]
    view = page.ask("pin", feature=name, demand="max")["answer"]["view"]
    assert [pin["feature"] for pin in view["pins"]] == [name]
    assert [pin.feature for pin in page.widget.explorer.pins] == [name]
    page.ask("undo")
    assert page.widget.explorer.pins == ()


def test_an_impossible_pin_is_explained_and_nothing_changes(page):
    strong = page.widget.explorer.unpinned_result.names("strong")[0]
    refused = page.ask("pin", feature=strong, demand="without")
    assert refused["status"] == 409
    assert refused["refusal"]["conflict"]
    assert strong in refused["refusal"]["message"]
    assert page.widget.explorer.pins == ()


def test_a_question_that_waits_keeps_no_other_waiting(page):
    revision = page.ask("state")["answer"]["revision"]
    while (newer := page.ask("state")["answer"]["revision"]) != revision:  # until the first answers are all in
        revision = newer
    page.say({"id": "waits", "action": "follow", "payload": {"revision": revision}})
    name = page.widget.explorer.feature_names[0]
    assert "answer" in page.ask("pin", feature=name, demand="max")
    assert page.wait("waits")["answer"]["revision"] != revision


@pytest.mark.parametrize(
    "content",
    [
        None,
        3,
        "state",
        [],
        {},
        {"id": 1},
        {"id": 1, "action": "no such action"},
        {"id": 1, "action": "__init__"},
        {"id": 1, "action": 3},
        {"id": 1, "action": "pin", "payload": []},
        {"id": 1, "action": "pin", "payload": {"feature": {"a": 1}}},
        {"id": 1, "action": "pin", "payload": {"feature": "nobody", "demand": "max"}},
        {"id": 1, "upload": "table.csv"},
    ],
)
def test_a_message_that_means_nothing_is_refused(page, content):
    refused = answer_message(page.widget.session, content, [])
    assert refused["status"] == 400
    assert refused["refusal"]["message"]
    page.say(content)
    assert page.wait(content.get("id") if isinstance(content, dict) else None)["refusal"]


def test_uploads_have_a_limit(page):
    page.widget.session.upload_limit = 10
    assert "at most 10" in answer_message(page.widget.session, {"upload": "t.csv"}, [b"x" * 11])["refusal"]["message"]


def test_a_bug_is_answered_without_its_traceback(page, monkeypatch, caplog):
    monkeypatch.setattr(page.widget.session, "ask", lambda *_: 1 / 0)
    refused = page.ask("state")
    assert refused["status"] == 500
    assert "division" not in json.dumps(refused)
    assert "division" in caplog.text


def test_what_can_be_shown(fitted):
    assert ExplorerWidget(fitted.explore()).explorer is not None
    bare = ExplorerWidget(fitted.result_)
    assert bare.explorer is None
    state = answer_message(bare.session, {"action": "state"}, [])["answer"]
    assert not state["explorable"]
    assert "fitted estimator" in state["reason"]
    with pytest.raises(ParameterError, match="not RelevanceClassifier"):
        session_of(RelevanceClassifier())


def test_an_explorer_makes_its_own_widget(fitted):
    explorer = fitted.explore()
    widget = explorer.widget()
    assert widget.explorer is explorer
    widget.close()


def test_the_script_is_one_module_that_loads_nothing():
    script, style = ExplorerWidget._esm, ExplorerWidget._css
    assert str(script).rstrip().endswith("export default { render: renderNotebook };")
    assert "@import" not in str(style)
    assert "url(" not in str(style)
