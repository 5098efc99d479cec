"""The journal of finished blocks: what it keeps, what it survives, and what it refuses."""

from __future__ import annotations

import base64
import io
import json
import pickle
import zipfile
import zlib
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import sparse

from relspan.analysis.checkpoint import Checkpoint, CheckpointError, data_hash
from relspan.analysis.parallel import blocks_of, run_blocks
from relspan.errors import ParameterError

IDENTITY = {"relspan": "1", "data": "abc", "parameters": {"delta_norm": "0.1", "C": "None"}}
BLOCKS = blocks_of(5, 2)


@dataclass
class Square:
    """An answer."""

    values: np.ndarray
    name: np.ndarray


class Count:
    """Squares a block's numbers, and counts how often it was asked."""

    asked = 0

    def __call__(self, block):
        Count.asked += 1
        return Square(np.sqrt(np.arange(block.start, block.stop)), np.array("a"))


@pytest.fixture
def path(tmp_path):
    with Checkpoint(tmp_path / "c.jsonl", IDENTITY) as checkpoint:
        run_blocks("s", Count(), BLOCKS, Square, checkpoint=checkpoint)
    return tmp_path / "c.jsonl"


def asked_again(path, identity=IDENTITY):
    """How many blocks are solved with this checkpoint, and their answers."""
    Count.asked = 0
    with Checkpoint(path, identity) as checkpoint:
        answers = run_blocks("s", Count(), BLOCKS, Square, checkpoint=checkpoint)
    return Count.asked, np.concatenate([a.values for a in answers])


def test_what_is_written_comes_back_to_the_last_bit_and_is_not_asked_again(path):
    asked, values = asked_again(path)
    assert asked == 0
    np.testing.assert_array_equal(values, np.sqrt(np.arange(5)))


def test_sparse_arrays_come_back_sparse(path):
    few = sparse.csr_array(np.diag([1.0, 0.0, 1 / 3]))
    with Checkpoint(path, IDENTITY) as checkpoint:
        checkpoint.record("t", range(1), Square(few, np.array("a")))
    with Checkpoint(path, IDENTITY) as checkpoint:
        back = checkpoint.finished("t", [range(1)], Square)[range(1)].values
    assert sparse.issparse(back)
    assert back.nnz == 2
    np.testing.assert_array_equal(back.toarray(), few.toarray())


def test_stages_and_blocks_are_kept_apart(path):
    with Checkpoint(path, IDENTITY) as checkpoint:
        assert checkpoint.finished("other", BLOCKS, Square) == {}
        assert checkpoint.finished("s", blocks_of(5, 3), Square) == {}
        assert checkpoint.finished("s", BLOCKS, Square, lambda block: b"other") == {}
        assert list(checkpoint.finished("s", BLOCKS, Square)) == BLOCKS


@pytest.mark.slow
def test_however_a_line_is_torn_only_its_block_is_solved_again(path):
    whole = path.read_bytes()
    first, second, third, fourth = whole.splitlines(keepends=True)
    for kept in range(len(whole) + 1):
        if kept % 97 and kept not in (0, 1, len(first), len(first) - 1, len(whole), len(whole) - 1):
            continue
        path.write_bytes(whole[:kept])
        finished = sum(kept >= end for end in np.cumsum([len(first + second), len(third), len(fourth)]))
        asked, values = asked_again(path)
        assert asked == 3 - finished
        np.testing.assert_array_equal(values, np.sqrt(np.arange(5)))
        assert asked_again(path)[0] == 0


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"data": "xyz"}, "other data"),
        ({"relspan": "2"}, "relspan was 1, is 2"),
        ({"parameters": {"delta_norm": "0.2", "C": "None"}}, "delta_norm was 0.1, is 0.2"),
        ({"parameters": {"delta_norm": "0.1"}}, "C was None, is not given"),
    ],
)
def test_another_question_is_refused_and_the_file_stays(path, change, difference):
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match=f"belongs to another run.*{difference}"):
        Checkpoint(path, {**IDENTITY, **change})
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["name,y\n1,2\n", "no line end", "{}\n", "[1]\n", '{"relspan_checkpoint": 99}\n'])
def test_another_file_is_refused_and_stays(tmp_path, text):
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(CheckpointError, match=r"table\.csv' is not a checkpoint of relspan"):
        Checkpoint(path, IDENTITY)
    assert path.read_text() == text


def test_a_damaged_line_is_refused(path):
    lines = path.read_text().splitlines()
    middle = len(lines[2]) * 2 // 3
    lines[2] = lines[2][:middle] + ("A" if lines[2][middle] != "A" else "B") + lines[2][middle + 1 :]
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(CheckpointError, match="damaged in line 3"):
        Checkpoint(path, IDENTITY)


class Bomb:
    """Must never be unpickled."""

    def __reduce__(self):
        return pytest.fail, ("a checkpoint was unpickled",)


def test_nothing_is_ever_unpickled(path):
    stream = io.BytesIO()
    np.savez(stream, values=np.array([Bomb()], dtype=object))
    with pytest.raises(pytest.fail.Exception):
        pickle.loads(pickle.dumps(Bomb()))
    append(path, stream.getvalue())
    with pytest.raises(CheckpointError, match="damaged in line 5"):
        Checkpoint(path, IDENTITY)


def append(path, arrays):
    """Add a line with these bytes for arrays."""
    small = zlib.compress(arrays)
    block = {"stage": "s", "first": 0, "stop": 2, "meaning": 0}
    line = {**block, "sum": zlib.crc32(small), "arrays": base64.b64encode(small).decode()}
    path.write_text(path.read_text() + json.dumps(line) + "\n")


def stored_zeros():
    """A file of NumPy with a megabyte of zeros."""
    stream = io.BytesIO()
    np.savez(stream, values=np.zeros(2**17), name=np.array("a"))
    return stream.getvalue()


def packed_zeros():
    """The same, packed once more inside."""
    stream = io.BytesIO()
    np.savez_compressed(stream, values=np.zeros(2**17), name=np.array("a"))
    return stream.getvalue()


def array_without_its_values():
    """An array that states more values than any memory holds."""
    head, stream = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f8", "fortran_order": False, "shape": (10**15,)})
    with zipfile.ZipFile(stream, "w") as files:
        files.writestr("values.npy", head.getvalue())
    return stream.getvalue()


@pytest.mark.parametrize("bytes_of", [stored_zeros, packed_zeros, array_without_its_values])
def test_a_small_line_does_not_unpack_to_a_large_array(path, bytes_of, monkeypatch):
    monkeypatch.setattr("relspan.unpacking.ALWAYS_UNPACKED", 1000)
    append(path, bytes_of())
    with pytest.raises(CheckpointError, match="damaged in line 5"):
        Checkpoint(path, IDENTITY)


def test_nothing_is_ever_pickled(path):
    with Checkpoint(path, IDENTITY) as checkpoint, pytest.raises(TypeError, match="numbers only"):
        checkpoint.record("t", range(2), Square(np.array([Bomb()], dtype=object), np.array("a")))


def test_two_runs_do_not_share_a_file(path):
    pytest.importorskip("fcntl")
    with Checkpoint(path, IDENTITY), pytest.raises(CheckpointError, match="another run is writing"):
        Checkpoint(path, IDENTITY)
    assert asked_again(path)[0] == 0


def test_a_path_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="cannot write the checkpoint"):
        Checkpoint(tmp_path / "no folder" / "c.jsonl", IDENTITY)


def test_the_hash_of_data_sees_values_shapes_and_weights():
    X, y = np.arange(6.0).reshape(2, 3), np.array([1.0, -1.0])
    same = data_hash(np.asfortranarray(X), y.copy(), None)
    assert data_hash(X, y, None) == same
    others = [(X + np.eye(2, 3) * 1e-15, y, None), (X.reshape(3, 2), y, None), (X, y, y), (X, -y, None), (X.T, y, None)]
    assert same not in {data_hash(*other) for other in others}
    assert data_hash(sparse.csr_array(X)) == data_hash(sparse.csc_array(X))
    assert data_hash(sparse.csr_array(X)) != data_hash(sparse.csr_array(2 * X))
