"""A table is opened: what is in it, what stands in the way, and what is probably asked of it.

Nothing is computed here and nothing repaired: guesses are told with their reasons, and a person decides.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from relspan.errors import DataError, ParameterError
from relspan.simulate import simulate
from relspan.tables import MissingValueError, Preparation, PreparedTable, Table, parse_table, prepare_table
from relspan.tables.examples import breast_cancer, diabetes
from relspan.tables.table import absent, numeric
from relspan.tasks import TASKS, guess_task

LIKELY = ("y", "target", "class", "label", "outcome", "diagnosis", "response", "status")
GZIP, PARQUET = b"\x1f\x8b", b"PAR1"


@dataclass(frozen=True, eq=False)
class Opened:
    """A table that was opened but not analysed; `prepared` where it came without a file."""

    source: str
    table: Table | None = None
    prepared: PreparedTable | None = None
    sample: str | None = None

    def summary(self) -> dict[str, Any]:
        """Columns, and what is missing, constant or text, before anything is computed."""
        if self.prepared is not None:
            names, rows = (*self.prepared.names, self.prepared.report.target), len(self.prepared.y)
            columns = [{"name": n, "kind": "number", "missing": 0, "constant": False} for n in names[:-1]]
            columns.append({"name": names[-1], "kind": "target", "missing": 0, "constant": False})
        else:
            assert self.table is not None
            rows = len(self.table)
            columns = [
                {
                    "name": name,
                    "kind": "number" if numeric(column) else "text",
                    "missing": int(absent(column).sum()),
                    "constant": _constant(column),
                }
                for name, column in zip(self.table.names, self.table.columns, strict=True)
            ]
        target, why = self.likely_target()
        return {
            "source": self.source,
            "sample": self.sample,
            "rows": rows,
            "columns": columns,
            "format": self.table.format if self.table else "embedded",
            "missing": {c["name"]: c["missing"] for c in columns if c["missing"]},
            "constant": [c["name"] for c in columns if c["constant"]],
            "text": [c["name"] for c in columns if c["kind"] == "text"],
            "target": target,
            "why": why,
            **self.task_of(target),
        }

    def likely_target(self) -> tuple[str, str]:
        """The column that is probably meant, and why."""
        if self.prepared is not None:
            return self.prepared.report.target, "the data set's own target"
        assert self.table is not None
        named = {name.casefold(): name for name in reversed(self.table.names)}
        for word in LIKELY:
            if word in named:
                return named[word], f"a column is called {named[word]!r}"
        return self.table.names[-1], "it is the last column"

    def task_of(self, target: str) -> dict[str, Any]:
        """The task that a target asks for; `task` is None, with the reason, where it asks for none."""
        try:
            if self.prepared is not None:
                y = self.prepared.y
            else:
                assert self.table is not None
                column = self.table.column(target)
                y = np.array([value for value, gap in zip(column, absent(column), strict=True) if not gap])
                y = y.astype(np.float64) if numeric(column) else y.astype(str)
            task, reason = guess_task(y)
        except DataError as error:
            return {"task": None, "task_why": str(error)}
        return {"task": task, "task_why": reason, "explorable": TASKS[task].target_not_explorable(y) is None}

    def to_numbers(self, choice: dict[str, Any]) -> PreparedTable:
        """Features and target as chosen: target, impute, drop, and whether text is encoded or left out."""
        if self.prepared is not None:
            return self.prepared
        assert self.table is not None
        target, impute = _text(choice, "target"), choice.get("impute") or None
        drop = choice.get("drop") or []
        if not isinstance(drop, list) or not all(isinstance(name, str) for name in drop):
            raise ParameterError("drop must be a list of column names")
        text = choice.get("text", "refuse")
        if text not in ("refuse", "encode", "drop"):
            raise ParameterError(f"text columns can be refused, encoded or dropped, not {text!r}")
        if text == "drop":
            words = [n for n in self.table.names if n != target and not self.table.is_numeric(n)]
            drop = sorted({*drop, *words}, key=self.table.names.index)
        try:
            return prepare_table(
                self.table, target, categorical="all" if text == "encode" else None, impute=impute, drop=drop
            )
        except MissingValueError as error:
            raise DataError(f"{error} (choose below how to treat missing values)") from error


def open_bytes(data: bytes, name: str, limit: int) -> Opened:
    """A table from uploaded text, plain or compressed with gzip; anything else is refused, and nothing unpickled."""
    data = unpacked(data, name, limit)
    if data.startswith(PARQUET):
        raise DataError(f"{name!r} is a Parquet file; open it with `relspan explore FILE`, or save it as CSV")
    return Opened(name, parse_table(data, name))


def open_sample(name: str) -> Opened:
    """One of the built-in data sets."""
    if name not in SAMPLES:
        raise ParameterError(f"no built-in data set {name!r}; there are {', '.join(SAMPLES)}")
    prepared = SAMPLES[name][1]()
    return Opened(prepared.report.source, prepared=prepared, sample=name)


def read_task(task: Any) -> str:
    """A task's name, checked."""
    if not isinstance(task, str) or task not in TASKS:
        raise ParameterError(f"task must be one of {', '.join(sorted(TASKS))}, not {task!r}")
    return str(task)


def known_truth() -> PreparedTable:
    """A simulated table whose names tell the truth."""
    data = simulate(300, strong=4, weak=6, irrelevant=20, random_state=0)
    report = Preparation("y", (), (), {}, {}, "simulated, truth known", "", "simulated")
    return PreparedTable(data.X, data.y, data.names, report)


SAMPLES: dict[str, tuple[str, Callable[[], PreparedTable]]] = {
    "breast cancer": ("569 tumours, 30 measurements: benign or malignant?", breast_cancer),
    "diabetes": ("442 patients, 10 measurements: how fast does the disease progress?", diabetes),
    "known truth": ("simulated: 4 strong, 6 weak and 20 irrelevant features", known_truth),
}


def _constant(column: Any) -> bool:
    present = column[~absent(column)]
    return len(present) > 0 and bool((present == present[0]).all())


def _text(choice: dict[str, Any], key: str) -> str:
    value = choice.get(key)
    if not isinstance(value, str):
        raise ParameterError(f"{key} must be the name of a column, not {value!r}")
    return value


def unpacked(data: bytes, name: str, limit: int) -> bytes:
    """Unpack gzip, but no more than the limit: a small file can hold a very large one. Other data stay as they are."""
    whole = b""
    while data.startswith(GZIP):  # a file may consist of several parts
        stream = zlib.decompressobj(wbits=31)
        try:
            whole += stream.decompress(data, limit + 1 - len(whole))
        except zlib.error as error:
            raise DataError(f"{name!r} is a damaged gzip file: {error}") from error
        if len(whole) > limit:
            raise DataError(f"{name!r} unpacks to more than the {limit // 2**20} MiB that are allowed")
        if not stream.eof:
            raise DataError(f"{name!r} is a damaged gzip file: it ends too early")
        data = stream.unused_data.lstrip(b"\0")
        if not data:
            return whole
    if whole:
        raise DataError(f"{name!r} is a damaged gzip file: something follows its end")
    return data
