"""Where text goes: to stdout, or to a file if one was named."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from relspan.errors import ParameterError


@contextmanager
def open_output(path: str) -> Iterator[IO[str]]:
    """A text stream for writing; ``-`` is stdout."""
    if path == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    try:
        with Path(path).open("w", encoding="utf-8", newline="") as stream:
            yield stream
    except OSError as error:
        raise ParameterError(f"cannot write {path!r}: {error.strerror or error}") from error
