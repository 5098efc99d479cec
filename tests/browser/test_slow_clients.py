"""Clients that stall are cut off, and nobody else waits for them."""

from __future__ import annotations

import json
import socket

import pytest

from relspan.browser import slow_clients
from relspan.browser.security import TOKEN


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(slow_clients, "HEADER_SECONDS", 0.3)
    monkeypatch.setattr(slow_clients, "BODY_SECONDS", 0.3)


def connected(client, data: bytes) -> socket.socket:
    slow = socket.create_connection(("127.0.0.1", client.port), timeout=30)
    slow.sendall(data)
    return slow


def all_received(slow: socket.socket) -> bytes:
    """What arrives until the server closes the connection."""
    whole = b""
    while part := slow.recv(4096):
        whole += part
    return whole


@pytest.mark.parametrize("data", [b"", b"GET / HTTP/1.1\r\nHost: ", b"P"])
def test_a_request_that_never_comes_is_cut_off(client, data) -> None:
    with connected(client, data) as slow:
        assert all_received(slow) == b""


def test_slow_clients_keep_nobody_waiting(client) -> None:
    stalled = [connected(client, b"GET / HTTP/1.1\r\n") for _ in range(60)]
    assert client.request("GET", "/").status == 200
    assert [all_received(one) for one in stalled] == [b""] * 60
    for one in stalled:
        one.close()


def still_waits(follower: socket.socket) -> bool:
    """Whether nothing has come back yet; the connection is closed then."""
    follower.setblocking(False)
    try:
        follower.recv(1)
        return False
    except BlockingIOError:
        return True
    finally:
        follower.close()


def test_more_followers_than_threads_keep_nobody_waiting(client, monkeypatch) -> None:
    """Each waits for news, and none of them in one of the threads (40) that answer questions."""
    monkeypatch.setattr(slow_clients, "HEADER_SECONDS", 60.0)  # a hundred of them take their time to connect
    monkeypatch.setattr(slow_clients, "BODY_SECONDS", 60.0)
    for _ in range(5):  # there may be news in between, such as a score, and then all of them are answered
        body = json.dumps({"revision": client.ask("state")["revision"]}).encode()
        head = f"POST /api/follow HTTP/1.1\r\nHost: {client.host}\r\n{TOKEN}: {client.token}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        followers = [connected(client, head.encode() + body) for _ in range(100)]
        client.ask("state")
        waiting = [still_waits(follower) for follower in followers]
        if all(waiting):  # while a question was answered, every follower still waited
            return
    pytest.fail(f"{waiting.count(False)} of 100 followers were answered without news")


def test_a_stalled_upload_is_answered_and_ended(client) -> None:
    head = (
        f"POST /api/upload HTTP/1.1\r\nHost: {client.host}\r\n{TOKEN}: {client.token}\r\n"
        "Content-Length: 1000\r\nConnection: close\r\n\r\n"
    )
    with connected(client, head.encode() + b"a,b\n") as slow:
        answer = all_received(slow)
    assert b" 408 " in answer.splitlines()[0]
    assert b"did not arrive in time" in answer


def test_a_connection_that_is_used_again_is_kept(client) -> None:
    request = f"GET / HTTP/1.1\r\nHost: {client.host}\r\n\r\n".encode()
    with connected(client, request) as kept:
        assert kept.recv(20).startswith(b"HTTP/1.1 200")
        while b"</html>" not in kept.recv(2**16):
            pass
        kept.sendall(request)
        assert kept.recv(20).startswith(b"HTTP/1.1 200")
