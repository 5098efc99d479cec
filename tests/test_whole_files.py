"""Files are written whole or not at all, and packed files are unpacked within limits."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from relspan.errors import DataError, ParameterError
from relspan.unpacking import ALWAYS_UNPACKED, MOST_MEMBERS, unpacked_gzip
from relspan.whole_files import whole_file, write_whole


class Stopped(BaseException):
    """An interruption that no handler expects."""


@pytest.mark.parametrize("reason", [OSError(28, "No space left on device"), Stopped(), KeyboardInterrupt()])
def test_what_is_not_finished_leaves_the_older_file(tmp_path: Path, reason: BaseException) -> None:
    place = tmp_path / "result.json"
    place.write_bytes(b"old")

    def write_half() -> None:
        with whole_file(place) as stream:
            stream.write(b"half")
            raise reason

    with pytest.raises((ParameterError, Stopped, KeyboardInterrupt)):
        write_half()
    assert place.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["result.json"]


def test_a_full_disk_is_named_and_nothing_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    place = tmp_path / "result.json"
    place.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ParameterError, match=r"cannot write '.*result.json': No space left on device; nothing was ch"):
        write_whole(place, b"new")
    assert place.read_bytes() == b"old"


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    place, link = tmp_path / "a.json", tmp_path / "b.json"
    place.write_bytes(b"old")
    place.chmod(0o640)
    link.symlink_to(place)
    write_whole(link, b"new")
    assert (place.read_bytes(), link.is_symlink(), place.stat().st_mode & 0o777) == (b"new", True, 0o640)
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "c.json", b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "c.json").stat().st_mode & 0o777 == 0o640


def test_devices_are_written_to_as_they_are() -> None:
    write_whole(os.devnull, b"gone")
    assert Path(os.devnull).is_char_device()


def test_a_folder_that_is_not_there_is_an_error_of_relspan(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="cannot write"):
        write_whole(tmp_path / "none" / "a.json", b"")


def test_several_members_and_padding_are_read() -> None:
    packed = gzip.compress(b"one ") + gzip.compress(b"two") + b"\0" * 20
    assert unpacked_gzip(packed, "a.gz") == b"one two"
    assert unpacked_gzip(b"plain", "a") == b"plain"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (gzip.compress(b"") * (MOST_MEMBERS + 1), "more than 1000 gzip files in one"),
        (gzip.compress(b"\0" * (ALWAYS_UNPACKED + 1)), "unpacks to more than 256 MiB"),
        (gzip.compress(b"abc")[:-5], "it ends too early"),
        (gzip.compress(b"abc") + b"more", "something follows its end"),
        (b"\x1f\x8bnot gzip", "damaged gzip file"),
    ],
    ids=["members", "bomb", "cut", "followed", "damaged"],
)
def test_bombs_and_damage_are_refused(data: bytes, words: str) -> None:
    with pytest.raises(DataError, match=words):
        unpacked_gzip(data, "a.gz")
