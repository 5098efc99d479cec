"""Records: what is packed comes back to the last bit, and what is damaged is refused."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import sparse

from relspan.errors import DataError
from relspan.result.record import SCHEMA_VERSION, packed, plain, read_record, unpacked, write_record


@dataclass(frozen=True)
class Point:
    name: str
    at: np.ndarray


def through_json(value):
    return unpacked(json.loads(json.dumps(packed(value), allow_nan=False)))


numbers = st.one_of(
    arrays(np.float64, array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=5)),
    arrays(np.int64, array_shapes(min_dims=1, max_dims=2, min_side=0)),
    arrays(np.bool_, array_shapes(min_dims=1, max_dims=2, min_side=0)),
)


@pytest.mark.slow
@given(numbers)
def test_arrays_come_back_with_shape_type_and_every_bit(array):
    again = through_json(array)
    assert again.shape == array.shape
    assert again.dtype == array.dtype
    np.testing.assert_array_equal(again, array)


def test_words_and_single_values():
    words = np.array(["a", "größe"])
    np.testing.assert_array_equal(through_json(words), words)
    assert through_json({"n": np.int64(3), "x": np.float64(0.1), "b": np.bool_(True)}) == {"n": 3, "x": 0.1, "b": True}


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_arrays_of_zeros_are_short_and_stay_what_they_were(kind):
    dense = np.zeros((40, 50))
    dense[3, 7] = 0.1
    again = through_json(kind(dense))
    assert sparse.issparse(again) == sparse.issparse(kind(dense))
    np.testing.assert_array_equal(again.toarray() if sparse.issparse(again) else again, dense)
    assert len(json.dumps(packed(kind(dense)))) < 500


def test_a_dataclass_is_its_fields():
    again = through_json([Point("p", np.array([1.0, np.inf]))])
    assert again[0]["name"] == "p"
    np.testing.assert_array_equal(again[0]["at"], [1.0, np.inf])


def test_plain_values_are_for_readers():
    value = {1: (np.float64(0.5), np.arange(2)), "b": [True, None]}
    assert plain(value) == {"1": [0.5, [0, 1]], "b": [True, None]}


@pytest.mark.parametrize(
    "damage",
    [
        {"shape": [3, 3]},
        {"shape": "two"},
        {"type": "object"},
        {"values": ["rm -rf"]},
        {"values": None},
        {"columns": [9], "row_ends": [0, 1], "sparse": False},
        {"columns": [0, 1], "row_ends": [0, 5], "sparse": True},
        {"columns": [0, 1], "row_ends": [0, 2]},
    ],
)
def test_a_damaged_array_is_refused(damage):
    record = {**packed(np.array([[1.0, 2.0]])), **damage}
    with pytest.raises(DataError, match="damaged"):
        unpacked(record)


def test_every_record_has_the_schema_version():
    text = write_record({"a": np.arange(2)})
    assert json.loads(text) == {"schema_version": SCHEMA_VERSION, "a": [0, 1]}
    assert read_record(text, "a record") == {"a": [0, 1]}
    with pytest.raises(ValueError, match="JSON"):
        write_record({"a": float("nan")})
    with pytest.raises(DataError, match="schema_version 99"):
        read_record('{"schema_version": 99}', "a record")
    for wrong in ("", "[]", "3", "{}", b"\xff", "[" * 100_000):
        with pytest.raises(DataError, match="not a record"):
            read_record(wrong, "a record")
