"""Numerical limits live in one file, each with its reason, and are used under the name they have there."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path

import relspan

ROOT = Path(relspan.__file__).parent
FILE = ROOT / "tolerances.py"
SMALLEST_OUTSIDE = 1e-5  # literals below are numerical limits; parameters' defaults and layouts are larger


def test_every_limit_is_followed_by_its_unit_and_reason() -> None:
    body = ast.parse(FILE.read_text(encoding="utf-8")).body
    limits = [(node, after) for node, after in pairwise(body) if isinstance(node, ast.Assign)]
    assert len(limits) > 60
    for node, after in limits:
        reason = after.value if isinstance(after, ast.Expr) else None
        assert isinstance(reason, ast.Constant), f"no reason for {ast.unparse(node)}"
        assert len(str(reason.value).split()) > 5, f"no reason for {ast.unparse(node)}"
    assert isinstance(body[-1], ast.Expr)


def test_every_limit_is_used() -> None:
    names = {n.targets[0].id for n in ast.parse(FILE.read_text(encoding="utf-8")).body if isinstance(n, ast.Assign)}
    used: set[str] = set()
    for file in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "relspan.tolerances":
                assert all(name.asname is None for name in node.names), file
                used |= {name.name for name in node.names}
    internal = {"SOLVER_TOLERANCE"}  # others are multiples of it
    assert names - used - internal == set()


def test_no_other_file_has_a_limit_of_its_own() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}: {node.value}"
        for file in sorted(ROOT.rglob("*.py"))
        if file != FILE
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and 0 < node.value < SMALLEST_OUTSIDE
    ]
    assert found == []
