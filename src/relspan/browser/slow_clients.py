"""Clients that send slowly, or not at all: their connections are closed, so that they keep nobody else waiting."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 20.0  # within which the head of a request must have arrived
BODY_SECONDS = 30.0  # within which a further part of a body must arrive


class ImpatientProtocol(H11Protocol):
    """HTTP that waits for the head of a request for a limited time."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to count when a client connects."""
        super().connection_made(transport)
        self._expect_request()

    def data_received(self, data: bytes) -> None:
        """Begin again with the first bytes of a further request."""
        super().data_received(data)
        if self._is_waiting and self._deadline is None:
            self._expect_request()
        elif not self._is_waiting:
            self._forget_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting."""
        self._forget_deadline()
        super().connection_lost(exc)

    @property
    def _is_waiting(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or bool(self.cycle.response_complete)

    def _expect_request(self) -> None:
        self._deadline = self.loop.call_later(HEADER_SECONDS, self._give_up)

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if self._is_waiting and not self.transport.is_closing():
            self.transport.close()
