"""One small analysis for all tests of the explorer, a real server, and a client that knows its token."""

from __future__ import annotations

import contextlib
import http.client
import json
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from chromium_driver import browsing

from relspan import RelevanceClassifier
from relspan.browser.browser_session import BrowserSession
from relspan.browser.security import TOKEN
from relspan.browser.server import prepare_server
from relspan.simulate import simulate
from relspan.tables import NamedMatrix
from relspan.tables.examples import breast_cancer


@pytest.fixture(scope="session")
def fitted():
    data = simulate(120, strong=2, weak=4, irrelevant=4, random_state=3)
    return RelevanceClassifier(n_probes=10, random_state=0).fit(NamedMatrix(data.X, data.names), data.y)


@pytest.fixture
def bench(fitted):
    bench = BrowserSession(upload_limit=2**20).show(fitted.explore())
    yield bench
    bench.close()


class Client:
    """Plain HTTP to the server, with nothing added that a test did not say."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.token, self.host = port, token, f"127.0.0.1:{port}"

    def request(self, method, path, content=None, payload=None, headers=None):
        body = content if payload is None else json.dumps(payload).encode()
        sent = {"Host": self.host, TOKEN: self.token, **(headers or {})}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                if value is not None:
                    connection.putheader(name, value)
            chunked = body is not None and not isinstance(body, bytes)
            if chunked:
                connection.putheader("Transfer-Encoding", "chunked")
            else:
                connection.putheader("Content-Length", str(len(body or b"")))
            # the server may refuse before it has read everything
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.endheaders(body, encode_chunked=chunked)
            answer = connection.getresponse()
            text = answer.read()
            return SimpleNamespace(status=answer.status, headers=dict(answer.getheaders()), text=text.decode())
        finally:
            connection.close()

    def ask(self, action, **payload):
        answer = self.request("POST", f"/api/{action}", payload=payload)
        assert answer.status == 200, answer.text
        return json.loads(answer.text)

    def settled(self):
        """The state once every interval is exact."""
        state = self.ask("state")
        for _ in range(400):
            if not state["view"]["pending"]:
                return state
            state = self.ask("follow", revision=state["revision"])
        raise AssertionError("it never settled")


@pytest.fixture(scope="session")
def server():
    running = prepare_server(BrowserSession(upload_limit=2**20)).start()
    yield running
    running.stop()


@pytest.fixture
def client(server, bench):
    server.sessions[server.token] = bench
    return Client(server.port, server.token)


# -- a person at the explorer: a real server, a real browser ----------------------------------------------------------


@pytest.fixture(scope="session")
def cancer():
    prepared = breast_cancer()
    return RelevanceClassifier(C=2.29, n_probes=20, random_state=0).fit(prepared.named, prepared.y)


@pytest.fixture(scope="module")
def opened():
    with browsing() as opened:
        yield opened


@pytest.fixture
def show(opened, server):
    """Open the explorer on a fitted model; nothing may go wrong in the page, and nothing may leave this machine."""
    shown = []

    def show(fitted, **context):
        bench = BrowserSession().show_fitted(fitted)
        server.sessions[server.token] = bench
        sight = opened(server.address, **context)
        shown.append((sight, bench))
        sight.page.wait_for_selector(".row")
        return sight

    yield show
    for sight, bench in shown:
        sight.page.context.close()
        bench.close()
        assert sight.errors == []
        asked = {urlsplit(url) for url in sight.requests}
        assert {url.hostname for url in asked if url.scheme not in ("blob", "data")} == {"127.0.0.1"}


@pytest.fixture
def sight(show, cancer):
    return show(cancer)
