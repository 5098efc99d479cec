"""Finished parts of a long benchmark, one JSON line each: what is there is not computed again.

A part is that of one version of relspan and of one rule of classes; parts of others are computed anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.registry import CLASSES_SINCE


class Units:
    """A file of finished units; without a path nothing is kept."""

    def __init__(self, path: str | None) -> None:
        self.path = Path(path) if path else None
        self.known: dict[str, Any] = {}
        if self.path is not None and self.path.exists():
            for line in self.path.read_text(encoding="utf-8", errors="replace").splitlines():
                try:
                    unit = json.loads(line)
                except ValueError:
                    continue  # the line that was being written when the run was stopped
                if (unit["version"], unit.get("classes_since")) == (version("relspan"), CLASSES_SINCE):
                    self.known[unit["key"]] = unit["value"]

    def get(self, key: str, compute: Callable[[], Any]) -> Any:
        """The unit's value, from the file or computed and written down."""
        if key not in self.known:
            self.known[key] = compute()
            if self.path is not None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                made_by = {"version": version("relspan"), "classes_since": CLASSES_SINCE}
                line = json.dumps({"key": key, **made_by, "value": self.known[key]}) + "\n"
                with self.path.open("ab") as file:
                    file.write((_line_end(self.path) + line).encode())
        return self.known[key]


def _line_end(path: Path) -> str:
    """What a line that was cut off in the middle lacks: the next unit must not become part of it."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(size - 1, 0))
        return "" if file.read(1) in (b"", b"\n") else "\n"
