"""The server: thin routes over a browser session, on 127.0.0.1 and a free port."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
import socket
import tempfile
import threading
import time
import webbrowser
from collections.abc import Coroutine, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from relspan.browser import slow_clients
from relspan.browser.actions import FOLLOW_SECONDS, QUICK_ACTIONS
from relspan.browser.as_json import error_record
from relspan.browser.browser_session import UPLOAD_LIMIT, BrowserSession
from relspan.browser.long_questions import ABANDONED, Superseded
from relspan.browser.security import Guard
from relspan.errors import DataError, InfeasibleFamily, ParameterError, RelspanError, SolverError
from relspan.explore import Explorer

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
STATUS: tuple[tuple[type[Exception], int], ...] = (
    (InfeasibleFamily, 409),
    (Superseded, 409),
    (ParameterError, 400),
    (DataError, 422),
    (SolverError, 422),
    (RelspanError, 422),
)
SECONDS_TO_STOP = 3  # that questions have to end when the server does
log = logging.getLogger("relspan.browser")


def create_app(sessions: Mapping[str, BrowserSession], hosts: list[str], upload_limit: int = UPLOAD_LIMIT) -> ASGIApp:
    """The application over `sessions`, by their tokens; it answers to these hosts only ("127.0.0.1:8000")."""
    pages = {f"/static/{name}": page for name, page in _static(files("relspan.show.html").joinpath("static")).items()}
    pages["/"] = pages.pop("/static/index.html")

    async def page(request: Request) -> Response:
        # a fixed set of files, read at the start: no path of a request ever reaches the disk
        found = pages.get(request.url.path)
        if found is None:
            return JSONResponse({"kind": "Refused", "message": "There is no such page."}, 404)
        return Response(found[0], media_type=found[1])

    routes = [
        Route("/api/upload", _upload, methods=["POST"]),
        Route("/api/{action}", _act, methods=["POST"]),
        Route("/{rest:path}", page, methods=["GET", "HEAD"]),
    ]
    return Guard(Starlette(routes=routes), hosts, sessions, upload_limit)


async def _act(request: Request) -> Response:
    try:
        payload = json.loads(await request.body() or b"{}")
    except (ValueError, RecursionError):
        return _refusal(ParameterError("the request must be JSON"), request)
    if not isinstance(payload, dict):
        return _refusal(ParameterError("the request must be a JSON object"), request)
    session, action = request.scope["session"], request.path_params["action"]
    if action == "follow":  # many pages may wait, so none of them waits in a thread
        await _news(request, session, payload.get("revision"))
        action = "state"
    ask = _at_once if action in QUICK_ACTIONS else _in_a_thread
    return await _answered(request, ask(request, session.ask, action, payload))


async def _news(request: Request, session: BrowserSession, seen: Any) -> None:
    """Wait until there is a newer revision than the one seen, the page is closed, or the time is over."""
    loop, grown = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        loop.call_soon_threadsafe(grown.set)

    with session.news.listening(wake):
        if session.revision == seen:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(_first(grown.wait(), _closed(request)), FOLLOW_SECONDS)


async def _closed(request: Request) -> None:
    """Wait until the page that asked is closed."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _first(*waits: Coroutine[Any, Any, Any]) -> None:
    """Wait until one of them is over, and end the others."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


async def _upload(request: Request) -> Response:
    name = request.query_params.get("name", "table.csv")[:200]
    return await _answered(request, _in_a_thread(request, request.scope["session"].upload, await request.body(), name))


async def _at_once(request: Request, ask: Any, *arguments: Any) -> Any:
    """Ask in this thread: every other thread would have to wait for the interpreter beside the one that solves."""
    return ask(*arguments)


async def _in_a_thread(request: Request, ask: Any, *arguments: Any) -> Any:
    """Ask in a thread of its own, which hears when the page is closed or the server ends."""
    abandoned = threading.Event()
    ABANDONED.set(abandoned)  # a question that takes long looks at it, from the thread that answers it
    watch = asyncio.ensure_future(_closed(request))
    watch.add_done_callback(lambda task: None if task.cancelled() else abandoned.set())
    try:
        return await run_in_threadpool(ask, *arguments)
    except asyncio.CancelledError:
        abandoned.set()
        raise
    finally:
        watch.cancel()


async def _answered(request: Request, answer: Coroutine[Any, Any, Any]) -> Response:
    try:
        return _json(await answer)
    except RelspanError as error:
        return _refusal(error, request)
    except asyncio.CancelledError:  # the server ends, and this question did not stop in time
        return JSONResponse({"kind": "Superseded", "message": "relspan has ended."}, 503)
    except Exception:
        log.exception("an unexpected error, in %.80r", request.url.path)
        message = "relspan failed unexpectedly. The terminal that runs it shows the error."
        return JSONResponse({"kind": "Bug", "message": message}, 500)


def _refusal(error: Exception, request: Request) -> Response:
    status = next(code for kind, code in STATUS if isinstance(error, kind))
    if not isinstance(error, (InfeasibleFamily, Superseded)):  # these are answers, not failures
        log.warning("refused %.80r: %.300r", request.url.path, str(error))
    return _json(error_record(error), status)


def _json(record: Any, status: int = 200) -> Response:
    return Response(json.dumps(record, allow_nan=False), status, media_type="application/json")


def _static(folder: Traversable, prefix: str = "") -> dict[str, tuple[bytes, str]]:
    """All files of the page, by their path."""
    found: dict[str, tuple[bytes, str]] = {}
    for entry in folder.iterdir():
        name = prefix + entry.name
        if entry.is_dir():
            found |= _static(entry, name + "/")
        elif (kind := MEDIA_TYPES.get("." + entry.name.rpartition(".")[2])) is not None:
            found[name] = (entry.read_bytes(), kind)
    return found


class ExplorerServer(uvicorn.Server):
    """A server that stops all computations before it waits for the requests that wait for them."""

    def __init__(self, config: uvicorn.Config, sessions: Mapping[str, BrowserSession]) -> None:
        super().__init__(config)
        self._sessions = sessions

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the sessions, then the connections."""
        for session in self._sessions.values():
            await run_in_threadpool(session.close)
            session.news.grow()  # whoever follows need not wait for news any longer
        await super().shutdown(sockets)


@dataclass
class RunningServer:
    """A server that is ready to answer, or answering.

    Parameters
    ----------
    address : str
        The address to open in a browser; it holds the token.
    token : str
        The secret that every request must carry.
    port : int
        The port.
    sessions : dict of str to BrowserSession
        What is served, by token.
    server : uvicorn.Server
        The server itself.
    sockets : list of socket
        The sockets it listens on.

    See Also
    --------
    relspan.explore.Explorer.show : Serve an explorer.

    Examples
    --------
    >>> from relspan.browser.browser_session import BrowserSession
    >>> from relspan.browser.server import prepare_server
    >>> server = prepare_server(BrowserSession()).start()
    >>> server.address.startswith("http://127.0.0.1:")
    True
    >>> server.stop()
    """

    address: str
    token: str
    port: int
    sessions: dict[str, BrowserSession]
    server: uvicorn.Server
    sockets: list[socket.socket]
    _thread: threading.Thread | None = field(default=None, init=False, repr=False)
    _redirects: list[Path] = field(default_factory=list, init=False, repr=False)

    def wait(self) -> None:
        """Serve in this thread until Ctrl-C."""
        with contextlib.suppress(KeyboardInterrupt):
            self.server.run(sockets=self.sockets)
        self._end()

    def start(self) -> RunningServer:
        """Serve in a thread of its own.

        Returns
        -------
        RunningServer
            This server.
        """
        self._thread = threading.Thread(
            target=self.server.run, args=(self.sockets,), name="relspan-server", daemon=True
        )
        self._thread.start()
        while not self.server.started and self._thread.is_alive():
            time.sleep(0.01)
        return self

    def stop(self) -> None:
        """Stop the server and its sessions."""
        self.server.should_exit = True
        if self._thread is not None:
            self._thread.join(10.0)
        self._end()

    def _end(self) -> None:
        for session in self.sessions.values():
            session.close()
        for page in self._redirects:
            page.unlink(missing_ok=True)
        self._redirects.clear()

    @contextlib.contextmanager
    def closed_on_error(self) -> Iterator[None]:
        """Close the port where what is to be served cannot be made.

        Yields
        ------
        None
            While it is made.
        """
        try:
            yield
        except BaseException:
            for bound in self.sockets:
                bound.close()
            raise

    def open(self) -> None:
        """Open the address in a browser.

        The browser is given a file that leads to the address, and that nobody else can read: other users of this
        machine see every command line, and the address holds the token.
        """
        handle, name = tempfile.mkstemp(prefix="relspan-", suffix=".html")  # readable by its owner only
        page = (
            f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={escape(self.address)}">'
        )
        with open(handle, "w", encoding="utf-8") as file:
            file.write(f'{page}<title>relspan</title><a href="{escape(self.address)}">Open the explorer</a>\n')
        self._redirects.append(Path(name))
        webbrowser.open(Path(name).as_uri())


def show(explorer: Explorer, *, browser: bool = True) -> RunningServer:
    """Serve an explorer in a thread, and open it in the browser.

    Parameters
    ----------
    explorer : Explorer
        The session to show. What is pinned in the page is pinned in this object.
    browser : bool, default=True
        Whether to open a browser window.

    Returns
    -------
    RunningServer
        The server, with its `address`; end it with ``stop()``.

    See Also
    --------
    prepare_server : More choices.

    Examples
    --------
    >>> from relspan import RelevanceClassifier
    >>> from relspan.browser import show
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=1, random_state=0)
    >>> server = show(RelevanceClassifier(random_state=0).fit(data.X, data.y).explore(), browser=False)
    >>> server.stop()
    """
    running = prepare_server(BrowserSession().show(explorer)).start()
    if browser:
        running.open()
    return running


def prepare_server(
    session: BrowserSession, host: str = "127.0.0.1", port: int = 0, *, remote: bool = False
) -> RunningServer:
    """Bind a port for a session; the server answers once it is started.

    Parameters
    ----------
    session : BrowserSession
        What is served.
    host : str, default="127.0.0.1"
        The address to listen on.
    port : int, default=0
        The port; 0 takes a free one.
    remote : bool, default=False
        Whether the host may be one that other machines can reach. Whoever has the address can then see the data.

    Returns
    -------
    RunningServer
        The server; call its ``start()`` or ``wait()``.

    See Also
    --------
    show : Serve an explorer in one call.

    Examples
    --------
    >>> from relspan.browser.browser_session import BrowserSession
    >>> from relspan.browser.server import prepare_server
    >>> server = prepare_server(BrowserSession()).start()
    >>> server.stop()
    """
    if not remote and not _is_loopback(host):
        raise ParameterError(
            f"host {host!r} can be reached from other machines, and whoever has the address could see the data; "
            "allow it explicitly (--allow-remote) if that is wanted"
        )
    # the protocol is named because asyncio sends small answers at once (TCP_NODELAY) only where it is: 40 ms each
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(128)  # whoever reads the address may ask at once
    except (OSError, OverflowError) as error:  # the second: there is no such port
        bound.close()
        raise ParameterError(f"cannot listen on {host}:{port}: {getattr(error, 'strerror', None) or error}") from error
    port = bound.getsockname()[1]
    token = secrets.token_urlsafe(32)
    shown = (socket.gethostname() if host in ("0.0.0.0", "::") else host).lower()  # as browsers write names
    shown = f"[{shown}]" if ":" in shown else shown
    names = dict.fromkeys((shown, "localhost", "127.0.0.1"))
    hosts = [f"{name}:{port}" for name in names] + [name for name in names if port == 80]  # and 80 they leave out
    sessions = {token: session}
    config = uvicorn.Config(
        create_app(sessions, hosts, session.upload_limit),
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        http=slow_clients.ImpatientProtocol,
        timeout_graceful_shutdown=SECONDS_TO_STOP,
    )
    address = f"http://{shown}:{port}/#token={token}"
    return RunningServer(address, token, port, sessions, ExplorerServer(config, sessions), [bound])


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
