"""Check the docstrings of all public objects: python tools/check_docstrings.py [NAME ...]

Public is what `relspan` and its public packages export, with the public methods and properties that relspan itself
defines. numpydoc's validation is applied, with the checks listed below. Two rules are added to it: a parameter that has
a default says so ("default ..." or "optional" in its type), and the fields of a dataclass may be described under
Attributes in place of Parameters. A question is a sentence, too.

NAME limits the check to objects whose name contains it.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import sys
import warnings
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from types import FunctionType

from numpydoc.docscrape import ClassDoc, FunctionDoc
from numpydoc.validate import validate

PACKAGES = (
    "relspan",
    "relspan.browser",
    "relspan.compare",
    "relspan.errors",
    "relspan.explore",
    "relspan.markov",
    "relspan.metric",
    "relspan.metrics",
    "relspan.notebook",
    "relspan.plots",
    "relspan.result",
    "relspan.selectors",
    "relspan.simulate",
    "relspan.tables",
    "relspan.tasks",
)

# The form, a summary of one line that is a sentence, and for a property nothing more
SUMMARY = {"GL01", "GL02", "GL03", "GL05", "GL08", "SS01", "SS02", "SS03", "SS04", "SS06"}
# Sections in the usual order; every parameter with type and description; what is returned or yielded
CALL = {"GL06", "GL07", "GL10", "PR01", "PR02", "PR03", "PR04", "PR05", "PR06", "PR07", "PR08", "PR09", "PR10"}
CALL |= {"RT01", "RT02", "RT03", "RT04", "RT05", "YD01"}
# Classes and functions also lead on, and show themselves at work
ENTRY = {"SA01", "SA02", "SA03", "SA04", "EX01"}


def exported(package: str) -> list[str]:
    """Names that a package exports: those of `__all__`, else the public ones that it defines."""
    module = importlib.import_module(package)
    if hasattr(module, "__all__"):
        return list(module.__all__)
    return [name for name, thing in vars(module).items() if name[0] != "_" and _home(thing) == package]


def public_objects() -> dict[str, object]:
    """Every public class, function, method and property, by the full name of its definition."""
    found: dict[str, object] = {}
    for package in PACKAGES:
        for name in exported(package):
            thing = getattr(importlib.import_module(package), name)
            if isinstance(thing, (type, FunctionType)) and _home(thing).startswith("relspan"):
                found[f"{_home(thing)}.{thing.__qualname__}"] = thing
                found |= dict(_members(thing)) if isinstance(thing, type) else {}
    return dict(sorted(found.items()))


def complaints(name: str, thing: object) -> list[str]:
    """What is missing or wrong in the docstring of one object, as lines 'CODE message'."""
    if isinstance(thing, (property, cached_property)):
        wanted = SUMMARY
    elif "." in getattr(thing, "__qualname__", ""):
        wanted = SUMMARY | CALL
    elif isinstance(thing, type) and issubclass(thing, BaseException):
        wanted = SUMMARY | CALL  # an exception is met, not called
    elif isinstance(thing, type) and (issubclass(thing, Enum) or getattr(thing, "_is_protocol", False)):
        wanted = SUMMARY | ENTRY  # nobody calls these: they have no parameters
    else:
        wanted = SUMMARY | CALL | ENTRY
    report = validate(name)
    found = [f"{code} {message}" for code, message in report["errors"] if code in wanted]
    if report["docstring"].split("\n\n")[0].strip().endswith("?"):
        found = [line for line in found if not line.startswith("SS03")]
    if dataclasses.is_dataclass(thing):
        found = [line for line in found if line[:4] not in ("PR01", "PR02", "PR03")] + _undescribed_fields(thing)
    if not isinstance(thing, (property, cached_property)):
        found += _unstated_defaults(thing)
    return found


def short_name(name: str) -> str:
    """The room and the object, 'explore.Explorer.pin': a name that stays when a file is renamed."""
    parts = name.split(".")
    first = next(i for i, part in enumerate(parts) if part != part.lower()) if name != name.lower() else len(parts) - 1
    return ".".join([parts[1], *parts[first:]])


def incomplete() -> dict[str, list[str]]:
    """The complaints about every object that has any, by its short name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # numpydoc looks at every attribute of a widget
        found = {short_name(name): complaints(name, thing) for name, thing in public_objects().items()}
    return {name: lines for name, lines in sorted(found.items()) if lines}


def _home(thing: object) -> str:
    return str(getattr(thing, "__module__", "") or "")


def _members(cls: type) -> Iterator[tuple[str, object]]:
    """Public methods and properties of a class and of its bases, as far as relspan defines them."""
    for base in cls.__mro__:
        if not _home(base).startswith("relspan"):
            continue
        for name, member in vars(base).items():
            plain = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
            if name[0] != "_" and isinstance(plain, (FunctionType, property, cached_property)):
                yield f"{_home(base)}.{base.__qualname__}.{name}", plain


def _undescribed_fields(cls: type) -> list[str]:
    document = ClassDoc(cls)
    described = {
        name.strip(): " ".join(text)
        for entry in [*document["Parameters"], *document["Attributes"]]
        for name, text in ((part, entry.desc) for part in entry.name.split(","))
    }
    names = [field.name for field in dataclasses.fields(cls) if field.name[0] != "_"]
    missing = [name for name in names if not described.get(name)]
    return [f"PR01 Fields {{{', '.join(missing)}}} not described"] if missing else []


def _unstated_defaults(thing: object) -> list[str]:
    """Parameters that have a default, but do not state it."""
    document = ClassDoc(thing) if isinstance(thing, type) else FunctionDoc(thing)
    types = {part.strip(): entry.type for entry in document["Parameters"] for part in entry.name.split(",")}
    try:
        signature = inspect.signature(thing)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return []
    silent = [
        name
        for name, parameter in signature.parameters.items()
        if parameter.default is not parameter.empty
        and name in types
        and not any(word in types[name] for word in ("default", "optional"))
    ]
    return [f"DF01 Parameters {{{', '.join(silent)}}} do not state their default"] if silent else []


def main() -> None:
    words = sys.argv[1:]
    found = {name: lines for name, lines in incomplete().items() if not words or any(word in name for word in words)}
    for name, lines in found.items():
        print("\n  ".join([name, *lines]))
    sys.exit(f"{len(found)} docstrings are not complete" if found else 0)


if __name__ == "__main__":
    main()
