"""Public objects are documented as numpydoc has it: types, defaults, what is returned, where to go on, an example."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("numpydoc")
pytest.importorskip("matplotlib")
pytest.importorskip("starlette")
pytest.importorskip("anywidget")
ROOT = Path(__file__).parents[2]

_spec = importlib.util.spec_from_file_location("check_docstrings", ROOT / "tools" / "check_docstrings.py")
check = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(check)

found = cache(check.incomplete)
ROOMS = sorted({check.short_name(name).split(".")[0] for name in check.public_objects()})


@pytest.mark.parametrize("room", ROOMS)
def test_docstrings_of_public_objects_are_complete(room):
    assert {name: lines for name, lines in found().items() if name.startswith(f"{room}.")} == {}


def test_every_object_has_a_name_of_its_own():
    names = [check.short_name(name) for name in check.public_objects()]
    assert len(names) == len(set(names)) > 200


def documented(a: int, b: int = 1) -> int:
    """Add two numbers.

    Parameters
    ----------
    a : int
        One number.
    b : int, default 1
        Another.

    Returns
    -------
    int
        Their sum.

    See Also
    --------
    sum : Adds more.

    Examples
    --------
    >>> documented(1)
    2
    """
    return a + b


@pytest.mark.parametrize(
    ("part", "instead", "code"),
    [
        ("b : int, default 1", "b : int", "DF01"),
        ("    b : int, default 1\n        Another.\n", "", "PR01"),
        ("One number.", "", "PR07"),
        ("Add two numbers.", "add two numbers.", "SS02"),
        ("Add two numbers.", "Are two numbers one?", None),
        ("    Returns\n    -------\n    int\n        Their sum.\n\n", "", "RT01"),
        ("    See Also\n    --------\n    sum : Adds more.\n\n", "", "SA01"),
        ("\n    Examples\n    --------\n    >>> documented(1)\n    2\n", "", "EX01"),
    ],
)
def test_the_check_can_fail(part, instead, code, monkeypatch):
    name = f"{__name__}.documented"
    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])
    assert check.complaints(name, documented) == []
    assert part in documented.__doc__
    monkeypatch.setattr(documented, "__doc__", documented.__doc__.replace(part, instead))
    assert {line[:4] for line in check.complaints(name, documented)} == ({code} if code else set())
