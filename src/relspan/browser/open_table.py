"""An open table before its analysis: what it holds, what stands in the way, and what is probably wanted.

Nothing is computed and nothing is repaired here. Guesses come with their reasons, and a person decides.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from relspan.browser.request_values import read_names, read_text
from relspan.browser.row_names import row_names
from relspan.checks import listed, one_of
from relspan.errors import DataError
from relspan.show.example_tables import example_table
from relspan.survival_times import survival_target
from relspan.tables import PreparedTable, Table, TableOptions, inspect_table, parse_table, prepare_table
from relspan.tables.categories import as_booleans
from relspan.tables.parquet import PARQUET_MAGIC
from relspan.tables.table import absent, numeric
from relspan.tasks import TASKS, Task, guess_task
from relspan.unpacking import unpacked_gzip

LIKELY_TARGETS = ("y", "target", "class", "label", "outcome", "diagnosis", "response", "status")
MOST_PREVIEWED = 200  # columns that the page lists
TEXT_CHOICES = ("refuse", "encode", "drop")


@dataclass(frozen=True, eq=False)
class OpenedTable:
    """A table that is open but not analysed: as it was read from a file, or `prepared` already."""

    source: str
    table: Table | None = None
    prepared: PreparedTable | None = None

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
        plan = [] if self.table is None else inspect_table(self.table, target).records()
        return {
            "plan": plan[:MOST_PREVIEWED],
            "source": self.source,
            "rows": rows,
            "columns": columns,
            "format": self.table.format if self.table else "built-in data set",
            "missing": {c["name"]: c["missing"] for c in columns if c["missing"]},
            "constant": [c["name"] for c in columns if c["constant"]],
            "text": [c["name"] for c in columns if c["kind"] == "text"],
            "targets": [target] if self.prepared is not None else [c["name"] for c in columns],
            "target": target,
            "target_reason": why,
            **self.task_of(target),
        }

    def likely_target(self) -> tuple[str, str]:
        """The column that is probably the target, and the reason for the guess."""
        if self.prepared is not None:
            return self.prepared.report.target, "It is the target of this data set."
        assert self.table is not None
        named = {name.casefold(): name for name in reversed(self.table.names)}
        for word in LIKELY_TARGETS:
            if word in named:
                return named[word], f"Guessed, because its name is {named[word]!r}."
        return self.table.names[-1], "Guessed, because it is the last column."

    def task_of(self, target: str, event: str | None = None) -> dict[str, Any]:
        """The task that a column suggests, with the reason, and all tasks that it could be the target of.

        With a column of events the target is a time.

        `task` is None where the column cannot be a target. Each entry of `tasks` has a `refusal` where the column
        cannot be the target of this task, and `not_explorable` where its result could not be explored.
        """
        y = self._target_values(target) if event is None else self._times(target, event)
        tasks = [_task_record(task, y, target) for task in TASKS.values()]
        try:
            task, reason = guess_task(y)
        except DataError as error:
            return {"task": None, "task_reason": str(error), "tasks": tasks}
        return {"task": task, "task_reason": reason, "tasks": tasks}

    def _target_values(self, target: str) -> np.ndarray:
        """The values of a column that are there, as a task sees them."""
        if self.prepared is not None:
            return self.prepared.y
        assert self.table is not None
        column = self.table.column(target)
        y = np.array([value for value, gap in zip(column, absent(column), strict=True) if not gap])
        return y.astype(np.float64) if numeric(column) else y.astype(str)

    def _times(self, target: str, event: str) -> np.ndarray:
        """The target as times with events, from the rows that have both; only these two columns are looked at."""
        if self.table is None:
            raise DataError("The times of a built-in data set come with their events.")
        times, seen = self.table.column(target), self.table.column(event)
        both = ~(absent(times) | absent(seen))
        if not numeric(times):
            raise DataError(f"The times {target!r} contain text; a time is a number.")
        events = seen[both] if numeric(seen) else as_booleans(event, [str(value) for value in seen[both]])
        return survival_target(times[both], events, f"the times {target!r}", f"the events {event!r}")

    def prepared_as(self, choice: dict[str, Any]) -> PreparedTable:
        """Features and target as chosen: the target, what to do about gaps, which columns to drop, and text columns."""
        if self.prepared is not None:
            return self.prepared
        assert self.table is not None
        target, impute = read_text(choice, "target"), choice.get("impute") or None
        drop, categorical = (read_names(choice.get(key) or [], key) for key in ("drop", "categorical"))
        groups, event = (read_text(choice, key) if choice.get(key) else None for key in ("groups", "event"))
        text = one_of("text", choice.get("text", "refuse"), TEXT_CHOICES)
        if text == "drop":
            words = [n for n in self.table.names if n not in (target, groups, event) and not self.table.is_numeric(n)]
            words = [name for name in words if name not in categorical]
            drop = sorted({*drop, *words}, key=self.table.names.index)
        self._refuse_unchosen(target, {*drop, *categorical, *filter(None, (groups, event))}, impute, text)
        encoded = ("all",) if text == "encode" else tuple(categorical)
        options = TableOptions(categorical=encoded, impute=impute, drop=tuple(drop), groups=groups, event=event)
        return prepare_table(self.table, target, **options.preparing(self.table.names))

    def row_names(self, prepared: PreparedTable) -> tuple[str, ...]:
        """What the table calls the rows that were prepared; empty where nothing names them."""
        return () if self.table is None else row_names(self.table, prepared)

    def _refuse_unchosen(self, target: str, decided: Collection[str], impute: str | None, text: str) -> None:
        """Refuse gaps and text columns about which nothing was chosen, in terms of the page's choices."""
        assert self.table is not None
        features = [name for name in self.table.names if name != target and name not in decided]
        gaps = [name for name in (*features, target) if absent(self.table.column(name)).any()]
        if gaps and impute is None:
            raise DataError(f"Values are missing in {listed(gaps)}. Choose how to treat missing values.")
        texts = [name for name in features if not self.table.is_numeric(name)]
        if texts and text == "refuse":
            raise DataError(f"There is text in {listed(texts)}. Choose how to treat text columns.")


def _task_record(task: Task, y: np.ndarray, target: str) -> dict[str, Any]:
    try:
        task.refuse_target(y, target)
    except DataError as error:
        return {"name": task.name, "target": task.target, "refusal": str(error), "not_explorable": None}
    return {"name": task.name, "target": task.target, "refusal": None, "not_explorable": task.target_not_explorable(y)}


def open_bytes(data: bytes, name: str, limit: int) -> OpenedTable:
    """A table from uploaded text, plain or compressed with gzip; anything else is refused, and nothing unpickled."""
    data = unpacked_gzip(data, name, limit)
    if data.startswith(PARQUET_MAGIC):
        raise DataError(
            f"{name!r} is a Parquet file. Open it with the command relspan explore FILE, or save it as CSV."
        )
    return OpenedTable(name, parse_table(data, name))


def open_example(name: str) -> OpenedTable:
    """Open a built-in data set."""
    prepared = example_table(name).load()
    return OpenedTable(prepared.report.source, prepared=prepared)


def read_task(task: Any) -> str:
    """The name of a task, checked."""
    return one_of("task", task, sorted(TASKS))


def _constant(column: Any) -> bool:
    present = column[~absent(column)]
    return len(present) > 0 and bool((present == present[0]).all())
