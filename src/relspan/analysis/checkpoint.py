"""A checkpoint: a journal of finished blocks, so that a run that was killed goes on where it was.

The file is JSON lines. The first tells what is asked (the data's hash, the parameters, the version); each further one
is an answer: its stage, its block, and its arrays to the last bit (NumPy's own format, packed, with a checksum). Lines
are only ever added, and each is on the disk before the next block is counted as finished. So a run may be killed at
any time: at worst the last line is torn, which shows (it has no end), and that block is solved again. A journal of
another question is refused.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from types import TracebackType
from typing import IO, Any, TypeVar

import numpy as np
from scipy import sparse

from relspan.errors import ParameterError

try:
    import fcntl
except ImportError:  # not on this system: two runs on one file are not noticed
    fcntl = None  # type: ignore[assignment]

FORMAT = 1
Answer = TypeVar("Answer")
Arrays = dict[str, np.ndarray]
Meaning = Callable[[range], bytes]


def by_number(block: range) -> bytes:
    """A block means its numbers, and nothing else."""
    return b""


class CheckpointError(ParameterError):
    """A checkpoint cannot be written, is damaged, or belongs to another run."""


class Checkpoint:
    """The journal at `path`, made if it is not there, of the question that `identity` describes."""

    def __init__(self, path: str | os.PathLike[str], identity: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self._found: dict[tuple[str, int, int, int], Arrays] = {}
        try:
            self._file: IO[bytes] = self.path.open("a+b")
        except OSError as error:
            raise CheckpointError(f"cannot write the checkpoint {str(path)!r}: {error.strerror or error}") from error
        try:
            self._lock()
            self._read({"relspan_checkpoint": FORMAT, **json.loads(json.dumps(identity))})
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    # -- asked while a run goes on -----------------------------------------------------------------------------------

    def finished(
        self, stage: str, blocks: Sequence[range], answer: type[Answer], meaning: Meaning = by_number
    ) -> dict[range, Answer]:
        """The answers that are in the journal; they are handed out once."""
        held = {block: self._found.pop(_key(stage, block, meaning), None) for block in blocks}
        try:
            return {block: answer(**_whole(arrays)) for block, arrays in held.items() if arrays is not None}
        except TypeError as error:
            raise CheckpointError(f"the checkpoint {str(self.path)!r} was written by another relspan") from error

    def record(self, stage: str, block: range, answer: Any, meaning: Meaning = by_number) -> None:
        """Write an answer down, for good."""
        packed = _packed(_flat({f.name: getattr(answer, f.name) for f in fields(answer)}))
        self._write({**dict(zip(KEY, _key(stage, block, meaning), strict=True)), **packed})

    # -- the file ----------------------------------------------------------------------------------------------------

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CheckpointError(
                f"another run is writing to the checkpoint {str(self.path)!r}: wait for it, or name another file"
            ) from error
        except OSError:  # a file system without locks
            return

    def _write(self, line: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self, identity: Mapping[str, Any]) -> None:
        self._file.seek(0)
        whole = 0
        for number, line in enumerate(self._file):
            if not line.endswith(b"\n"):  # torn by the end of the run that wrote it
                break
            try:
                read = json.loads(line)
                if number == 0:
                    self._compare(read, identity)
                else:
                    stage, first, stop, mark = (read[name] for name in KEY)
                    self._found[stage, first, stop, mark] = _unpacked(read)
            except (ValueError, KeyError, TypeError, zlib.error) as error:
                if isinstance(error, CheckpointError):
                    raise
                what = "is no checkpoint of relspan" if number == 0 else f"is damaged in line {number + 1}"
                raise CheckpointError(f"{str(self.path)!r} {what}: delete it, or name another file") from error
            whole += len(line)
        if whole == 0 and self._file.tell() > 0 and not self._began(identity):
            raise CheckpointError(f"{str(self.path)!r} is no checkpoint of relspan: name another file")
        self._file.truncate(whole)
        if whole == 0:
            self._write(identity)

    def _began(self, identity: Mapping[str, Any]) -> bool:
        """Whether the file holds nothing but the torn beginning of this very journal."""
        self._file.seek(0)
        return json.dumps(identity).encode().startswith(self._file.read())

    def _compare(self, held: Any, asked: Mapping[str, Any]) -> None:
        if not isinstance(held, dict) or held["relspan_checkpoint"] != FORMAT:
            raise KeyError("relspan_checkpoint")
        differences = _differences(held, asked)
        if differences:
            raise CheckpointError(
                f"the checkpoint {str(self.path)!r} belongs to another run ({'; '.join(differences)}): "
                "run that one again, delete the file, or name another"
            )


KEY = ("stage", "first", "stop", "meaning")


def _key(stage: str, block: range, meaning: Meaning) -> tuple[str, int, int, int]:
    return stage, block.start, block.stop, zlib.crc32(meaning(block))


def data_hash(*arrays: Any) -> str:
    """SHA-256 of arrays (dense, sparse or None), with their shapes and types."""
    digest = hashlib.sha256()
    for array in arrays:
        if array is None:
            parts: list[Any] = []
        elif sparse.issparse(array):
            rows = array.tocsr()
            parts = [rows.data, rows.indices, rows.indptr]
        else:
            parts = [np.asarray(array)]
        digest.update(f"{len(parts)} {getattr(array, 'shape', None)}".encode())
        for part in parts:
            plain = part if part.dtype != object else part.astype(str)
            digest.update(f" {plain.dtype.str} ".encode())
            digest.update(np.ascontiguousarray(plain).tobytes())
    return digest.hexdigest()


def _differences(held: Mapping[str, Any], asked: Mapping[str, Any]) -> list[str]:
    """What is not the same, told one by one."""
    told = []
    for key in sorted({*held, *asked}):
        old, new = held.get(key, "not given"), asked.get(key, "not given")
        if isinstance(old, dict) and isinstance(new, dict):
            told += _differences(old, new)
        elif old != new:
            told.append(f"other {key}" if key == "data" else f"{key} was {old}, is {new}")
    return told


def _flat(values: Mapping[str, Any]) -> Arrays:
    """Dense arrays only: a sparse one is told as the four that make it."""
    flat: Arrays = {}
    for name, value in values.items():
        if sparse.issparse(value):
            rows = value.tocsr()
            parts = {"data": rows.data, "indices": rows.indices, "indptr": rows.indptr, "shape": np.array(rows.shape)}
            flat |= {f"{name}.{part}": array for part, array in parts.items()}
        else:
            flat[name] = np.asarray(value)
    return flat


def _whole(flat: Arrays) -> dict[str, Any]:
    """What `_flat` was given."""
    whole: dict[str, Any] = {name: array for name, array in flat.items() if "." not in name}
    for name in {key.split(".")[0] for key in flat if "." in key}:
        data, indices, indptr, shape = (flat[f"{name}.{part}"] for part in ("data", "indices", "indptr", "shape"))
        whole[name] = sparse.csr_array((data, indices, indptr), shape=tuple(shape.tolist()))
    return whole


def _packed(arrays: Arrays) -> dict[str, Any]:
    if any(array.dtype.hasobject for array in arrays.values()):
        raise TypeError("a checkpoint holds numbers only")  # NumPy would pickle them
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    small = zlib.compress(stream.getvalue(), level=1)
    return {"sum": zlib.crc32(small), "arrays": base64.b64encode(small).decode("ascii")}


def _unpacked(line: Mapping[str, Any]) -> Arrays:
    small = base64.b64decode(line["arrays"], validate=True)
    if zlib.crc32(small) != line["sum"]:
        raise ValueError("the checksum is wrong")
    with np.load(io.BytesIO(zlib.decompress(small)), allow_pickle=False) as read:
        return dict(read)
