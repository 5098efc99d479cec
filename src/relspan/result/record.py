"""Records: what relspan writes as JSON, and reads again.

Every file and every output that relspan writes as JSON holds `SCHEMA_VERSION`: results, saved sessions, comparisons,
and what the commands print. There is one version for all of them. It rises whenever a reader of the older form would
misread the newer one, and a file of another version is refused.

Two forms of a value are in use:

    plain    what a person or another program reads: arrays are lists
    packed   what relspan reads again to the last bit: arrays keep their shape and type, and are short where they are
             mostly zeros
"""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
from scipy import sparse

from relspan import checks
from relspan.errors import DataError
from relspan.unpacking import LARGEST_RATIO

SCHEMA_VERSION = 5
PACKAGES = ("relspan", "numpy", "scipy", "scikit-learn", "highspy")
TYPES = {"float64": np.float64, "int64": np.int64, "bool": np.bool_, "str": np.str_}
PARTS_OF_AN_ARRAY = {"shape", "type", "values"}
WIDEST_INDENT = 100  # spaces per level
DEEPEST = 40  # levels of a record; relspan's own have about ten
LARGEST_ARRAYS = 2**30  # bytes that the arrays of any record may take
WORTH_PACKING = 3  # an array is written as its nonzero values where it has so many times more places than those


def current_versions() -> dict[str, str]:
    """The versions of what computes a result.

    Returns
    -------
    dict of str to str
        The versions of Python, of relspan and of the packages it computes with.

    See Also
    --------
    RelevanceResult : Records them as `versions`.

    Examples
    --------
    >>> list(current_versions())
    ['python', 'relspan', 'numpy', 'scipy', 'scikit-learn', 'highspy']
    """
    return {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}}


def write_record(record: Mapping[str, Any], indent: int | None = 2) -> str:
    """The record as JSON, with the schema version first. A value that JSON cannot hold raises ValueError."""
    if indent is not None:
        checks.whole("indent", indent, at_least=0, at_most=WIDEST_INDENT)
    return json.dumps({"schema_version": SCHEMA_VERSION, **plain(record)}, indent=indent, allow_nan=False)


def read_record(text: str | bytes, what: str) -> dict[str, Any]:
    """The record that `write_record` wrote, without its schema version.

    Parameters
    ----------
    text : str or bytes
        JSON from anywhere.
    what : str
        What it should be, for the message of a refusal: "the JSON of a relspan result".

    Raises
    ------
    DataError
        If it is something else, or has another schema version.
    """
    try:
        record = json.loads(text)
    except (ValueError, TypeError, RecursionError) as reason:
        raise DataError(f"this is not {what}: {reason_in_words(reason)}") from reason
    if not isinstance(record, dict) or "schema_version" not in record:
        raise DataError(f"this is not {what}: relspan's own JSON holds a 'schema_version'")
    refuse_bombs(record, what)
    found = record.pop("schema_version")
    if found != SCHEMA_VERSION:
        raise DataError(f"this has schema_version {found!r}, not {SCHEMA_VERSION}: another version of relspan wrote it")
    return record


def reason_in_words(error: Exception) -> str:
    """Why foreign JSON cannot be read, for a reader who does not know Python's exceptions."""
    if isinstance(error, KeyError):
        return f"it lacks {error.args[0]!r}"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"it is no JSON ({error})"
    return str(error) if isinstance(error, DataError) else f"a part of it has another form ({error})"


def refuse_bombs(record: Any, what: str) -> None:
    """Refuse JSON that is nested too deeply, or has numbers beyond the range of a double; without recursion."""
    level = [record]
    for _ in range(DEEPEST):
        if any(isinstance(one, float) and not math.isfinite(one) for one in level):
            raise DataError(f"this is not {what}: it holds NaN, or a number that is too large")
        inner = [one.values() if isinstance(one, dict) else one for one in level if isinstance(one, (dict, list))]
        level = [item for items in inner for item in items]
    if level:
        raise DataError(f"this is not {what}: it is nested too deeply")


def plain(value: Any) -> Any:
    """NumPy values, tuples and mappings as JSON holds them."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist()) if isinstance(value, np.ndarray) else value.item()
    return value


def packed(value: Any) -> Any:
    """The same for values that are read again: arrays keep shape and type, a dataclass is a dict of its fields."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: packed(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): packed(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [packed(item) for item in value]
    if isinstance(value, np.ndarray) or sparse.issparse(value):
        return _packed_array(value)
    return value.item() if isinstance(value, np.generic) else value


def unpacked(record: Any) -> Any:
    """What `packed` was given; tuples are lists and dataclasses are dicts.

    Raises
    ------
    DataError
        Where an array's parts do not fit together, or where all arrays together are larger than they have a reason to
        be: the record may come from anywhere, and a few zeros can stand for many.
    """
    sizes = [_unpacked_size(array) for array in _packed_arrays(record)]
    written, needed = sum(size for size, _ in sizes), sum(size for _, size in sizes)
    if needed > max(LARGEST_ARRAYS, LARGEST_RATIO * written):
        raise DataError(
            f"the arrays of this record would take {needed / 2**30:,.0f} GiB, though few values are written"
        )
    return _unpacked(record)


def _unpacked(record: Any) -> Any:
    if isinstance(record, Mapping):
        if set(record) >= PARTS_OF_AN_ARRAY:
            return _unpacked_array(record)
        return {key: _unpacked(item) for key, item in record.items()}
    return [_unpacked(item) for item in record] if isinstance(record, list) else record


def _packed_arrays(record: Any) -> Iterator[Mapping[str, Any]]:
    """All arrays of a record, as they are written."""
    if isinstance(record, Mapping) and set(record) >= PARTS_OF_AN_ARRAY:
        yield record
    elif isinstance(record, (Mapping, list)):
        for item in record.values() if isinstance(record, Mapping) else record:
            yield from _packed_arrays(item)


def _unpacked_size(record: Mapping[str, Any]) -> tuple[int, int]:
    """The bytes of the values that are written, and of all places of the array once it is unpacked."""
    try:
        longest = max((len(value) for value in record["values"]), default=0) if record["type"] == "str" else 2
        count, places = len(record["values"]), math.prod(map(int, record["shape"]))
    except (ArithmeticError, TypeError, ValueError) as reason:
        raise DataError(f"an array of this record is damaged ({reason})") from reason
    return 8 * count, 4 * longest * (count if record.get("sparse") else max(count, places))


def _packed_array(array: Any) -> dict[str, Any]:
    is_sparse = sparse.issparse(array)
    name = {"f": "float64", "i": "int64", "u": "int64", "b": "bool", "U": "str", "O": "str"}[array.dtype.kind]
    record = {"shape": list(array.shape), "type": name}
    if is_sparse or (array.ndim == 2 and name == "float64" and WORTH_PACKING * np.count_nonzero(array) < array.size):
        rows = sparse.csr_array(array)
        more = {"columns": rows.indices.tolist(), "row_ends": rows.indptr.tolist(), "sparse": bool(is_sparse)}
        return {**record, "values": _values(rows.data), **more}
    return {**record, "values": _values(array.ravel())}


def _values(array: np.ndarray) -> list[Any]:
    """A list of the values; JSON has no infinity and no NaN, so they are written as words."""
    values: list[Any] = array.tolist()
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        values = [value if np.isfinite(value) else str(value) for value in values]
    return values


def _unpacked_array(record: Mapping[str, Any]) -> Any:
    try:
        values: Any = np.array(record["values"], dtype=TYPES[record["type"]])
        shape = tuple(map(int, record["shape"]))
        if "columns" not in record:
            return values.reshape(shape)
        parts = (values, np.array(record["columns"], dtype=np.int64), np.array(record["row_ends"], dtype=np.int64))
        rows = sparse.csr_array(parts, shape=shape)
        rows.check_format(full_check=True)
        return rows if record["sparse"] else rows.toarray()
    except (ArithmeticError, LookupError, TypeError, ValueError) as reason:
        raise DataError(f"an array of this record is damaged ({reason})") from reason
