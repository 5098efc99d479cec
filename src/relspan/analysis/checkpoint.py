"""A checkpoint: a journal of finished blocks, so that a run that was killed can go on where it was.

The file is JSON lines. The first line describes the question (the hash of the data, the parameters, the version). Each
further line is an answer: its stage, its block, and its arrays to the last bit (in NumPy's format, compressed, with a
checksum). Lines are only ever added, and each is on the disk before the next block counts as finished. So a run may be
killed at any time: at worst the last line is incomplete, which shows because it has no line end, and that block is
solved again. A journal of another question is refused.

The baseline is an answer too: a run that goes on measures "equally good" from the very same model.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import warnings
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from types import TracebackType
from typing import IO, Any, TypeVar

import numpy as np
from scipy import sparse

from relspan.analysis.baseline import Baseline
from relspan.analysis.held_out import HeldOutLosses
from relspan.analysis.units import Units
from relspan.checks import file_path
from relspan.errors import ParameterError, RelspanWarning
from relspan.losses import Loss
from relspan.unpacking import most_unpacked

try:
    import fcntl
except ImportError:  # not on this system, where two runs on one file go unnoticed
    fcntl = None  # type: ignore[assignment]

CHECKPOINT_FORMAT = 1
# what foreign bytes in a journal can raise; the memory runs out where an array states a size that it does not have
UNREADABLE = (ValueError, KeyError, TypeError, RecursionError, MemoryError, EOFError, zlib.error, zipfile.BadZipFile)
Answer = TypeVar("Answer")
Arrays = dict[str, np.ndarray]
Meaning = Callable[[range], bytes]


def by_number(block: range) -> bytes:
    """The default meaning of a block: empty, because its numbers identify it."""
    return b""


class CheckpointError(ParameterError):
    """A checkpoint cannot be written, is damaged, or belongs to another run."""


class Checkpoint:
    """The journal at `path`, created if it does not exist, of the question that `identity` describes."""

    def __init__(self, path: str | os.PathLike[str], identity: Mapping[str, Any]) -> None:
        self.path = file_path("checkpoint", path)
        self._found: dict[tuple[str, int, int, int], Arrays] = {}
        self._failed = False
        try:
            self._file: IO[bytes] = self.path.open("a+b")
        except OSError as error:
            raise CheckpointError(f"cannot write the checkpoint {str(path)!r}: {error.strerror or error}") from error
        try:
            self._lock()
            self._read({"relspan_checkpoint": CHECKPOINT_FORMAT, **json.loads(json.dumps(identity))})
        except OSError as error:
            self._close()
            raise CheckpointError(f"cannot write the checkpoint {str(path)!r}: {error.strerror or error}") from error
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    # -- used while a run goes on ------------------------------------------------------------------------------------

    def finished(
        self, stage: str, blocks: Sequence[range], answer: type[Answer], meaning: Meaning = by_number
    ) -> dict[range, Answer]:
        """The answers that are in the journal; each is returned once."""
        found = {block: self._found.pop(_key(stage, block, meaning), None) for block in blocks}
        try:
            return {block: answer(**_whole(arrays)) for block, arrays in found.items() if arrays is not None}
        except TypeError as error:
            raise CheckpointError(
                f"the checkpoint {str(self.path)!r} was written by another version of relspan"
            ) from error

    def record(self, stage: str, block: range, answer: Any, meaning: Meaning = by_number) -> None:
        """Write an answer to the journal. If the journal cannot be written any more, a warning says so."""
        if self._failed:
            return
        packed = _packed(_flat({f.name: getattr(answer, f.name) for f in fields(answer)}))
        try:
            self._write({**dict(zip(BLOCK_KEY, _key(stage, block, meaning), strict=True)), **packed})
        except OSError as error:
            self._failed = True
            warnings.warn(
                f"The checkpoint {str(self.path)!r} cannot be written any more ({error.strerror or error}). The run "
                "goes on without it; what is in the file serves a later run, once there is room.",
                RelspanWarning,
                stacklevel=2,
            )

    # -- the file ----------------------------------------------------------------------------------------------------

    def _close(self) -> None:
        with suppress(OSError):  # what a full disk has not taken is lost already
            self._file.close()

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CheckpointError(
                f"another run is writing to the checkpoint {str(self.path)!r}: wait for it, or choose another file"
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
            if not line.endswith(b"\n"):  # incomplete: the run that wrote it was killed
                break
            try:
                read = json.loads(line)
                if number == 0:
                    self._compare(read, identity)
                else:
                    stage, first, stop, mark = (read[name] for name in BLOCK_KEY)
                    self._found[stage, first, stop, mark] = _unpacked(read)
            except UNREADABLE as error:
                if isinstance(error, CheckpointError):
                    raise
                what = "is not a checkpoint of relspan" if number == 0 else f"is damaged in line {number + 1}"
                raise CheckpointError(f"{str(self.path)!r} {what}: delete it, or choose another file") from error
            whole += len(line)
        if whole == 0 and os.fstat(self._file.fileno()).st_size > 0 and not self._began(identity):
            raise CheckpointError(f"{str(self.path)!r} is not a checkpoint of relspan: choose another file")
        self._file.truncate(whole)
        if whole == 0:
            self._write(identity)

    def _began(self, identity: Mapping[str, Any]) -> bool:
        """Whether the file holds nothing but an incomplete first line of this very journal."""
        self._file.seek(0)
        return json.dumps(identity).encode().startswith(self._file.read())

    def _compare(self, found: Any, asked: Mapping[str, Any]) -> None:
        if not isinstance(found, dict) or found["relspan_checkpoint"] != CHECKPOINT_FORMAT:
            raise KeyError("relspan_checkpoint")
        differences = _differences(found, asked)
        if differences:
            raise CheckpointError(
                f"the checkpoint {str(self.path)!r} belongs to another run ({'; '.join(differences)}): "
                "run that one again, delete the file, or choose another"
            )


BLOCK_KEY = ("stage", "first", "stop", "meaning")


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


def _differences(found: Mapping[str, Any], asked: Mapping[str, Any]) -> list[str]:
    """The entries that differ, one text each."""
    texts = []
    for key in sorted({*found, *asked}):
        old, new = found.get(key, "not given"), asked.get(key, "not given")
        if isinstance(old, dict) and isinstance(new, dict):
            texts += _differences(old, new)
        elif old != new:
            texts.append(f"other {key}" if key == "data" else f"{key} was {old}, is {new}")
    return texts


def _flat(values: Mapping[str, Any]) -> Arrays:
    """Dense arrays only: a sparse array becomes the four that it consists of."""
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
    stream, most = zlib.decompressobj(), most_unpacked(len(small))
    whole = stream.decompress(small, most)
    if not stream.eof or _stated_size(whole) > len(whole):
        raise ValueError(f"it unpacks to more than {most} bytes")
    with np.load(io.BytesIO(whole), allow_pickle=False) as read:
        return dict(read)


def _stated_size(data: bytes) -> int:
    """The bytes of all files in a zip file, as far as it states them."""
    with zipfile.ZipFile(io.BytesIO(data)) as files:
        return sum(file.file_size for file in files.infolist())


# -- the baseline ------------------------------------------------------------------------------------------------------

BASELINE_STAGE, BASELINE_BLOCK = "baseline", range(1)


@dataclass(frozen=True, eq=False)
class BaselineArrays:
    """The numbers of a baseline. `choice` is its place among the losses; `scores` has one row per C scored."""

    C: np.ndarray
    weights: np.ndarray
    offsets: np.ndarray
    norm: np.ndarray
    loss: np.ndarray
    null_loss: np.ndarray
    multipliers: np.ndarray
    null_preferred: np.ndarray
    choice: np.ndarray
    scored: np.ndarray
    scores: np.ndarray
    tried: np.ndarray
    held_out_losses: np.ndarray
    held_out_null: np.ndarray
    repeats: np.ndarray


def record_baseline(checkpoint: Checkpoint | None, baseline: Baseline, losses: Sequence[Loss]) -> None:
    """Write the baseline to the checkpoint, if there is one."""
    if checkpoint is None:
        return
    apart = {"scores", "loss_function", "held_out", "units", "standard_error"}
    numbers = {f.name: np.asarray(getattr(baseline, f.name)) for f in fields(Baseline) if f.name not in apart}
    held_out = baseline.held_out or HeldOutLosses(np.zeros(0), np.zeros((0, 0)), np.zeros(0), 0)
    arrays = BaselineArrays(
        **numbers,
        choice=np.asarray(list(losses).index(baseline.loss_function)),
        scored=np.array(list(baseline.scores)),
        scores=np.array(list(baseline.scores.values())),
        tried=held_out.costs,
        held_out_losses=held_out.losses,
        held_out_null=held_out.null,
        repeats=np.asarray(held_out.repeats),
    )
    checkpoint.record(BASELINE_STAGE, BASELINE_BLOCK, arrays)


def recorded_baseline(checkpoint: Checkpoint | None, losses: Sequence[Loss], units: Units) -> Baseline | None:
    """The baseline in the checkpoint; None if there is none."""
    found = {} if checkpoint is None else checkpoint.finished(BASELINE_STAGE, [BASELINE_BLOCK], BaselineArrays)
    if not found:
        return None
    read = found[BASELINE_BLOCK]
    return Baseline(
        loss_function=losses[int(read.choice)],
        C=float(read.C),
        weights=read.weights,
        offsets=read.offsets,
        norm=float(read.norm),
        loss=float(read.loss),
        null_loss=float(read.null_loss),
        multipliers=read.multipliers,
        scores={float(C): row for C, row in zip(read.scored, read.scores, strict=True)},
        null_preferred=bool(read.null_preferred),
        held_out=HeldOutLosses(read.tried, read.held_out_losses, read.held_out_null, int(read.repeats))
        if len(read.tried)
        else None,
        units=units,
    )
