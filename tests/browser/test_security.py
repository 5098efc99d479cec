"""Hostile requests: refused with 4xx, logged once, and the server lives on."""

from __future__ import annotations

import gzip
import json
import logging
import threading

import pytest

from relspan.browser.background_fit import read_settings
from relspan.browser.browser_session import BrowserSession
from relspan.browser.security import HEADERS, JSON_LIMIT, TOKEN
from relspan.browser.server import prepare_server
from relspan.errors import ParameterError
from relspan.result import SCHEMA_VERSION


@pytest.fixture
def refused(client, caplog):
    """Send something hostile: the status is 4xx, the log has one line, and a fair request still gets its answer."""

    def refused(method, path, **request):
        caplog.clear()
        with caplog.at_level(logging.WARNING, logger="relspan.browser"):
            answer = client.request(method, path, **request)
        assert 400 <= answer.status < 500
        assert [record.levelname for record in caplog.records] == ["WARNING"]
        assert client.ask("state")["phase"] == "ready"
        return answer.status

    return refused


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1:9", "127.0.0.1", "localhost.evil.example:8123", "", "[::1]"]
)
def test_another_host_is_refused(refused, host):
    assert refused("POST", "/api/state", payload={}, headers={"Host": host}) == 421


def test_the_page_is_not_for_another_host_either(refused):
    assert refused("GET", "/", headers={"Host": "rebound.example:8123"}) == 421


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:9", "http://localhost", ""])
def test_a_page_of_another_origin_is_refused(refused, origin):
    assert refused("POST", "/api/state", payload={}, headers={"Origin": origin}) == 403


def test_the_own_origin_is_answered(client):
    own = {"Origin": f"http://{client.host}"}
    assert client.request("POST", "/api/state", payload={}, headers=own).status == 200


def test_a_browser_that_says_cross_site_is_refused(refused):
    assert refused("POST", "/api/state", payload={}, headers={"Sec-Fetch-Site": "cross-site"}) == 403


@pytest.mark.parametrize("change", [lambda t: "", lambda t: None, lambda t: t[:-1], lambda t: t + "x", lambda t: "ä"])
def test_without_the_token_nothing_is_answered(refused, client, change):
    assert refused("POST", "/api/state", payload={}, headers={TOKEN: change(client.token)}) == 401


def test_a_token_in_the_address_is_no_token(refused, client):
    assert refused("POST", f"/api/state?token={client.token}", payload={}, headers={TOKEN: None}) == 401


@pytest.mark.parametrize("action", ["state", "export", "undo", "cancel"])
def test_a_link_or_an_image_cannot_ask(refused, action):
    assert refused("GET", f"/api/{action}") == 405


def test_an_oversized_upload_is_refused(refused):
    assert refused("POST", "/api/upload", content=b"x" * (2**20 + 1)) == 413


def test_an_upload_that_lies_about_its_size_is_refused(refused):
    assert refused("POST", "/api/upload", content=iter([b"x" * 2**19] * 3)) == 413


def test_an_oversized_question_is_refused(refused):
    assert refused("POST", "/api/pin", content=b" " * (JSON_LIMIT + 1)) == 413


@pytest.mark.slow
def test_a_small_file_that_unpacks_to_a_large_one_is_refused(refused):
    assert refused("POST", "/api/upload?name=bomb.csv.gz", content=gzip.compress(b"0" * 2**26)) == 422


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\x01\x02",
        b"a,b\n1\n",
        b"a,a\n1,2\n",
        b'a,b\n"1,2\n',
        b"\xff\xfe\x00",
        b"\x1f\x8bbroken",
        b"PK\x03\x04zip",
        b"PAR1parquet",
        b"\x80\x04\x95pickle",
        b"{",
        b'{"format": "relspan model"}',
        b'{"format": "relspan model", "schema_version": %d, "problem": {}, "session": {}}' % SCHEMA_VERSION,
        b'{"format": "something else"}',
        b"{" + b'"a":[' * 50_000,
    ],
)
def test_a_malformed_file_is_refused(refused, data):
    assert refused("POST", "/api/upload?name=table.csv", content=data) == 422


def test_a_session_may_not_name_anything_but_a_loss(refused, client, bench):
    record = json.loads(bench.explorer.to_bytes())
    record["problem"]["loss"] = {"kind": "dense", "parameters": {}}
    assert refused("POST", "/api/upload?name=s.json", content=json.dumps(record).encode()) == 422


@pytest.mark.parametrize(
    "session",
    [
        [],
        {},
        {"pins": [], "scenarios": [{"name": "a"}]},
        {"pins": [{"feature": "nobody", "low": 0, "high": 1, "asked": "range"}], "scenarios": []},
        {"pins": [{"feature": "weak1_1", "low": "x", "high": 1, "asked": "range"}], "scenarios": []},
        {"pins": 3, "scenarios": []},
    ],
)
def test_a_damaged_session_is_refused_and_changes_nothing(refused, bench, session):
    record = {**json.loads(bench.explorer.to_bytes()), "session": session}
    assert refused("POST", "/api/upload?name=s.json", content=json.dumps(record).encode()) == 422


@pytest.mark.parametrize("kept", [{"stars": "weak1_1"}, {"costs": {"weak1_1": -1}}, {"costs": {"weak1_1": "NaN"}}])
def test_what_a_session_kept_is_checked_before_it_is_shown(refused, bench, kept):
    before = bench.explorer
    assert refused("POST", "/api/upload?name=s.json", content=before.to_bytes(**kept)) == 400
    assert bench.explorer is before


@pytest.mark.parametrize("settings", [{"checkpoint": "x"}, {"n_probes": 2.5}, {"C": True}, {"n_probes": 1e400}, [], 3])
def test_settings_are_known_names_and_numbers(settings):
    with pytest.raises(ParameterError):
        read_settings(settings)


@pytest.mark.parametrize("cut", [1, 8, 20, 60])
def test_a_compressed_file_that_ends_too_early_is_refused(refused, cut):
    rows = "".join(f"{i},{i * i % 7},{i % 2}\n" for i in range(200))
    data = gzip.compress(f"a,b,y\n{rows}".encode())[:-cut]
    assert refused("POST", "/api/upload?name=t.csv.gz", content=data) == 422


@pytest.mark.parametrize("body", [b"{", b"[]", b"1", b'"state"', b"\xff", b"[" * 100_000])
def test_malformed_json_is_refused(refused, body):
    assert refused("POST", "/api/state", content=body) == 400


@pytest.mark.parametrize(
    ("action", "payload"),
    [
        ("nothing", {}),
        ("__init__", {}),
        ("_close", {}),
        ("pin", {}),
        ("pin", {"feature": 3, "demand": "min"}),
        ("pin", {"feature": "nobody", "demand": "min"}),
        ("pin", {"feature": "strong1", "demand": {"low": 1}}),
        ("pin", {"feature": "strong1", "demand": [-1, 2]}),
        ("pin", {"feature": "strong1", "demand": True}),
        ("drag", {"feature": "strong1", "demand": None}),
        ("save_scenario", {"name": "x" * 300}),
        ("load_scenario", {"name": "never saved"}),
        ("compare", {"first": "current"}),
        ("set_costs", {"costs": {"strong1": "NaN"}}),
        ("set_costs", {"costs": {"strong1": -1}}),
        ("panel", {"include": "strong1"}),
        ("panel", {"seconds": 1e9}),
        ("substitution", {"at": "sideways"}),
        ("export", {"kind": "../../etc/passwd"}),
        ("open_example", {"name": "../../etc/passwd"}),
        ("analyse", {"task": "classification", "settings": {"checkpoint": "x"}}),
        ("undo", {}),
    ],
)
def test_an_action_takes_only_what_it_means(refused, action, payload):
    assert refused("POST", f"/api/{action}", payload=payload) == 400


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/static/..%2f..%2fserver.py",
        "/static//etc/passwd",
        "/static/js/%00.js",
        "/etc/passwd",
        "/static/css/",
        "/api",
    ],
)
def test_no_path_leaves_the_page(client, path):
    answer = client.request("GET", path)
    assert answer.status == 404
    assert "root:" not in answer.text
    assert client.ask("state")["phase"] == "ready"


def test_every_answer_has_the_policy(client):
    for method, path in (("GET", "/"), ("GET", "/nowhere"), ("POST", "/api/state"), ("PUT", "/")):
        answer = client.request(method, path)
        assert {name: answer.headers.get(name.lower()) for name in HEADERS} == HEADERS
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "default-src 'none'" in policy


def test_the_page_holds_no_inline_script_or_style_and_nothing_from_elsewhere(client):
    page = client.request("GET", "/").text
    assert "://" not in page
    assert "style=" not in page
    assert page.count("<script") == page.count('<script type="module" src="/static/')
    assert "<style" not in page


@pytest.mark.slow
def test_two_sessions_do_not_see_each_other(fitted, client):
    other = prepare_server(BrowserSession().show(fitted.explore())).start()
    try:
        client.ask("pin", feature="weak1_1", demand="without")
        client.ask("save_scenario", name="secret plan")
        client.ask("toggle_star", feature="weak1_1")
        second = type(client)(other.port, other.token)
        seen = second.ask("state")
        assert (seen["view"]["pins"], seen["view"]["scenarios"], seen["stars"]) == ([], [], [])
        assert [pin["feature"] for pin in client.ask("state")["view"]["pins"]] == ["weak1_1"]
        crossed = client.request("POST", "/api/state", payload={}, headers={TOKEN: other.token})
        assert crossed.status == 401
    finally:
        other.stop()


@pytest.mark.slow
def test_many_at_once_get_their_own_answers(client):
    """Eight readers pin and free at the same time: every answer is whole, and the last state is consistent."""
    names = [f["name"] for f in client.ask("state")["result"]["features"]]

    def work(k):
        for demand in ("max", None, "max"):
            client.request("POST", "/api/pin", payload={"feature": names[k], "demand": demand})

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    state = client.settled()
    assert len({pin["feature"] for pin in state["view"]["pins"]}) == len(state["view"]["pins"])


def test_script_in_names_stays_text(client):
    name = "<script>alert(1)</script>"
    rows = "\n".join(f"{i % 7},{(i * 5) % 11},{i % 2}" for i in range(40))
    title = "%3Cimg%20src=x%20onerror=alert(1)%3E.csv"
    answer = client.request("POST", f"/api/upload?name={title}", content=f"{name},b,y\n{rows}\n".encode())
    assert answer.headers["content-type"] == "application/json"
    table = json.loads(answer.text)["table"]
    assert [column["name"] for column in table["columns"]] == [name, "b", "y"]


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.0.1", "example.org", "::"])
def test_other_machines_only_when_asked_for(host):
    with pytest.raises(ParameterError, match="--allow-remote"):
        prepare_server(BrowserSession(), host)


def test_the_real_server_is_on_loopback_and_a_free_port():
    running = prepare_server(BrowserSession())
    assert running.sockets[0].getsockname()[0] == "127.0.0.1"
    assert running.address == f"http://127.0.0.1:{running.port}/#token={running.token}"
    assert len(running.token) >= 40
    running.sockets[0].close()
