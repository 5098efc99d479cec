"""Files are written whole or not at all: first beside their place, under another name, then renamed.

A full disk, a crash or Ctrl-C leaves the older file as it was. Devices and pipes, which cannot be replaced, are written
to as they are. Everything that relspan writes at once is written here; only a checkpoint grows line by line.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from relspan.errors import ParameterError

UNFINISHED = ".part"  # the ending of a file that is being written


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A binary stream whose contents become the file once all is written; else ParameterError, and nothing changes."""
    try:
        place = Path(os.path.realpath(path))  # a link stays a link
    except ValueError as error:  # a zero byte, or characters that no file system knows
        raise ParameterError(f"cannot write {os.fspath(path)!r}: this cannot be the name of a file") from error
    try:
        if place.exists() and not place.is_file():
            with place.open("wb") as stream:
                yield stream
            return
        if place.exists() and not os.access(place, os.W_OK):
            raise PermissionError(None, "the file is write-protected")
        handle, name = tempfile.mkstemp(prefix=f".{place.name}.", suffix=UNFINISHED, dir=place.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(name, _mode(place))
            os.replace(name, place)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise
    except BrokenPipeError:
        raise
    except OSError as error:
        raise ParameterError(f"cannot write {str(path)!r}: {error.strerror or error}; nothing was changed") from error


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file at once."""
    with whole_file(path) as stream:
        stream.write(data)


def _mode(place: Path) -> int:
    """The permissions of the file that is replaced, or those that a new file gets here."""
    if place.exists():
        return stat.S_IMODE(place.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
