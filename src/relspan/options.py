"""Options that describe themselves: a dataclass field with its help text and its flag.

A group of options that belong together is a frozen dataclass whose fields are made by `option`. The command line turns
such a class into flags and hands the command one object of it; a result records the object; `flags_of` writes the
object as the words of a command again. So an option is described once, and what is recorded can be repeated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, field, fields
from typing import Any


def option(default: Any, *, help: str, flag: str | None = None, short: str | None = None, **display: Any) -> Any:
    """A field of a dataclass of options.

    Parameters
    ----------
    default : object
        The value where the option is not given; a list, dict or set is copied for each object.
    help : str
        A whole sentence for ``--help``.
    flag : str, optional
        How the command line spells it; by default the field's name with hyphens, ``--delta-norm``.
    short : str, optional
        A one-letter spelling, such as ``-C``.
    **display
        How help shows it: `metavar`, `show_default`, `hidden`; `min` and `max` of a number; `choices`, a function that
        lists the names among which the value is.
    """
    metadata = {"help": help, "flag": flag, "short": short, **display}
    if isinstance(default, (list, dict, set)):
        return field(default_factory=lambda: type(default)(default), metadata=metadata)
    return field(default=default, metadata=metadata)


def option_of(owner: type, name: str) -> Any:
    """The same option as another group has: its default, help text and spelling."""
    other = owner.__dataclass_fields__[name]  # type: ignore[attr-defined]
    return field(default=other.default, metadata=other.metadata)


def flag_of(name: str, metadata: Mapping[str, Any]) -> str:
    """The spelling of an option on the command line."""
    return metadata.get("flag") or f"--{name.replace('_', '-')}"


def changed(options: Any) -> dict[str, Any]:
    """The options whose values are not the defaults, by name."""
    found = {}
    for f in fields(options):
        default = f.default_factory() if f.default_factory is not MISSING else f.default
        if getattr(options, f.name) != default:
            found[f.name] = getattr(options, f.name)
    return found


def flags_of(options: Any) -> list[str]:
    """The words of a command that give these options: those that differ from the defaults."""
    by_name = {f.name: f.metadata for f in fields(options)}
    words: list[str] = []
    for name, value in changed(options).items():
        words += words_of(flag_of(name, by_name[name]), value)
    return words


def words_of(flag: str, value: Any) -> list[str]:
    """One flag with its value: a switch stands alone, a list repeats the flag."""
    if value is True:
        return [flag]
    if value is None or value is False:
        return []
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [word for item in value for word in (flag, str(item))]
    return [flag, str(value)]
