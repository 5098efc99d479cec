"""Files compressed with gzip, unpacked only as far as is sane: a small file can hold a very large one."""

from __future__ import annotations

import zlib

from relspan.errors import DataError

GZIP_MAGIC = b"\x1f\x8b"
ALWAYS_UNPACKED = 256 * 2**20  # bytes that any file may hold
LARGEST_RATIO = 100  # of unpacked to packed bytes beyond that; tables and JSON shrink to a tenth or less
MOST_MEMBERS = 1000  # gzip files joined to one; each costs time even if it is empty


def most_unpacked(size: int) -> int:
    """The bytes that a file of this size may unpack to."""
    return max(ALWAYS_UNPACKED, LARGEST_RATIO * size)


def unpacked_gzip(data: bytes, name: str, limit: int | None = None) -> bytes:
    """What gzip packed; other data stay as they are. DataError where it is damaged, or unpacks to more than the limit.

    The default limit grows with the file.
    """
    if not data.startswith(GZIP_MAGIC):
        return data
    most = most_unpacked(len(data)) if limit is None else limit
    whole, members, rest = bytearray(), 0, memoryview(data)
    while len(rest) and bytes(rest[:2]) == GZIP_MAGIC:
        members += 1
        if members > MOST_MEMBERS:
            raise DataError(f"{name!r} holds more than {MOST_MEMBERS} gzip files in one; unpack it first")
        stream = zlib.decompressobj(wbits=31)
        try:
            whole += stream.decompress(rest, most + 1 - len(whole))
        except zlib.error as error:
            raise DataError(f"{name!r} is a damaged gzip file: {error}") from error
        if len(whole) > most:
            raise DataError(
                f"{name!r} unpacks to more than {most / 2**20:,.0f} MiB; unpack it first if that is not a mistake"
            )
        if not stream.eof:
            raise DataError(f"{name!r} is a damaged gzip file: it ends too early")
        rest = rest[len(rest) - len(stream.unused_data) :]
    if bytes(rest).strip(b"\0"):  # gzip itself pads with zeros
        raise DataError(f"{name!r} is a damaged gzip file: something follows its end")
    return bytes(whole)
