"""Who may ask: every request is checked before any part of it is read.

    Host       one of the names the server was started under; else another site could point its name here (rebinding)
    Origin     if there is one, this server's own: a page of another site cannot ask, whatever it guesses
    token      a secret of the session, sent as a header, which a page of another site cannot set and no link carries
    size       a body beyond the limit is not read to its end

A refused request is answered with 4xx and logged once. A page gets a policy that lets it load from this server only.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Collection, Mapping
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from relspan.browser import slow_clients

TOKEN = "X-Relspan-Token"
JSON_LIMIT = 2 * 2**20
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
SENT_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
log = logging.getLogger("relspan.browser")


class Refused(Exception):
    """A request that goes no further."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Guard:
    """The gate in front of the application. Requests to /api/ must carry the token of one of `sessions`."""

    def __init__(
        self, app: ASGIApp, hosts: Collection[str], sessions: Mapping[str, Any], upload_limit: int, scheme: str = "http"
    ) -> None:
        self.app, self.hosts, self.sessions = app, hosts, sessions
        self.upload_limit, self.scheme = upload_limit, scheme

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no other protocol is served; the server closes the connection
        try:
            self._admit(scope)
            if scope["path"].startswith("/api/"):
                scope["session"] = self._session(Headers(scope=scope))
                receive = await self._bounded(scope, receive)
        except Refused as refusal:
            log.warning("refused %s %.80r: %s", scope["method"][:10], scope["path"], refusal)
            answer = JSONResponse({"kind": "Refused", "message": str(refusal)}, refusal.status)
            await answer(scope, receive, _with_headers(send))
            return
        await self.app(scope, receive, _with_headers(send))

    def _admit(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if headers.getlist("host") not in [[host] for host in self.hosts]:
            raise Refused(421, f"This server does not answer to the host {headers.get('host', '')[:80]!r}.")
        origins = headers.getlist("origin")
        if origins and origins != [f"{self.scheme}://{headers['host']}"]:
            raise Refused(403, f"A page of {origins[0][:80]!r} may not send requests here.")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise Refused(403, "A page of another site may not send requests here.")
        if scope["method"] not in (("POST",) if scope["path"].startswith("/api/") else ("GET", "HEAD")):
            raise Refused(405, f"The method {scope['method'][:10]} is not allowed here.")

    def _session(self, headers: Headers) -> Any:
        given = headers.get(TOKEN, "").encode()
        found = None
        for token, session in self.sessions.items():
            if hmac.compare_digest(given, token.encode()):
                found = session
        if found is None:
            raise Refused(401, "The token is missing or wrong. Open the address that relspan printed.")
        return found

    async def _bounded(self, scope: Scope, receive: Receive) -> Receive:
        """The body, read to its end or to the limit."""
        limit = self.upload_limit if scope["path"] == "/api/upload" else JSON_LIMIT
        stated = Headers(scope=scope).get("content-length", "0")
        if not (stated.isascii() and stated.isdigit()) or len(stated) > 15 or int(stated) > limit:
            raise Refused(413, f"The request is larger than the {limit // 2**20} MiB that are allowed here.")
        body = bytearray()
        while True:
            try:
                async with asyncio.timeout(slow_clients.BODY_SECONDS):  # without a task: most bodies are there already
                    message = await receive()
            except TimeoutError:
                raise Refused(408, "The rest of the request did not arrive in time.") from None
            if message["type"] == "http.disconnect":
                raise Refused(400, "The request ended too early.")
            body += message.get("body", b"")
            if len(body) > limit:
                raise Refused(413, f"The request is larger than the {limit // 2**20} MiB that are allowed here.")
            if not message.get("more_body", False):
                break
        left = [bytes(body)]

        async def replay() -> Message:
            if left:
                return {"type": "http.request", "body": left.pop(), "more_body": False}
            return await receive()

        return replay


def _with_headers(send: Send) -> Send:
    """Add the headers that every answer has."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *SENT_HEADERS]}
        await send(message)

    return send_with_headers
