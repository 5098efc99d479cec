"""Option packs: a command takes one object per group of options, and its flags are made from the objects' classes.

    def panel_command(file: File, *, table: TableOptions, task: TaskOptions, output: OutputOptions) -> None: ...

Every parameter that is annotated with a dataclass stands for one flag per field made by `relspan.options.option`. Help
shows the flags under the parameter's name, and the command receives one object. ``Annotated[Pack, Only("a", "b")]``
offers some of the pack's options, ``Without("c")`` all others. A field made by `generated` holds options that need not
be known when the class is written, since a function lists them: those that were given, by name.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import wraps
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import typer

from relspan.errors import ParameterError
from relspan.options import flag_of

FILE_METAVARS = ("FILE", "RESULT", "OLD", "NEW")  # of options and arguments that name a file
WRITTEN_FILES = ("output", "save_model", "checkpoint", "truth", "plot", "table")  # those that are written to
DISPLAY = ("metavar", "show_default", "hidden", "min", "max")  # what `typer.Option` and an option's metadata share


@dataclass(frozen=True)
class Flag:
    """One option of a command: the parameter it is handed over as, its type and default, and how help shows it."""

    name: str
    type: Any
    default: Any
    metadata: Mapping[str, Any]

    @property
    def several(self) -> bool:
        """Whether the flag may be repeated."""
        return get_origin(self.type) in (tuple, list)


class Only:
    """The options of a pack that a command offers; the others keep their defaults."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def __call__(self, flags: Iterable[Flag]) -> list[Flag]:
        """The flags of these names, in this order."""
        by_name = {flag.name: flag for flag in flags}
        return [by_name[name] for name in self.names]


class Without(Only):
    """The options of a pack that a command does not offer."""

    def __call__(self, flags: Iterable[Flag]) -> list[Flag]:
        """The other flags."""
        return [flag for flag in flags if flag.name not in self.names]


def generated(flags: Callable[[], Iterable[Flag]]) -> Any:
    """A field of a pack that holds the options which `flags` lists: those that were given, by name."""
    return field(default_factory=dict, metadata={"generated": flags})


def with_flags(command: Callable[..., None]) -> Callable[..., None]:
    """The command with one parameter per option, as typer reads it."""
    hints = get_type_hints(command, include_extras=True)
    packs: dict[str, tuple[type, Only | None]] = {}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        pack, only = _pack_of(hints[name])
        if pack is None:
            parameters.append(parameter.replace(annotation=hints[name], kind=parameter.KEYWORD_ONLY))
            continue
        packs[name] = pack, only
        title = name.replace("_", " ").capitalize()
        parameters += [_parameter(flag, title) for flag in flags_of_pack(pack, only)]

    files = {parameter.name for parameter in parameters if _metavar(parameter.annotation) in FILE_METAVARS}

    @wraps(command)
    def flat(**given: Any) -> None:
        refuse_shared_files({name: value for name, value in given.items() if name in files and value})
        objects = {name: _filled(pack, only, given) for name, (pack, only) in packs.items()}
        command(**given, **objects)

    flat.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    flat.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    del flat.__wrapped__  # else typer would read the signature of the command
    return flat


def refuse_shared_files(files: Mapping[str, str]) -> None:
    """Refuse a file that is written and read by one command, or written twice."""
    for name, path in files.items():
        for other, second in files.items():
            if name in WRITTEN_FILES and name != other and path != "-" and _same_file(path, second):
                raise ParameterError(
                    f"{path!r} is given twice, as {_shown(name)} and as {_shown(other)}: it would be overwritten; "
                    f"choose another file for {_shown(name)}"
                )


def _same_file(first: str, second: str) -> bool:
    return Path(first).resolve() == Path(second).resolve()


def _shown(name: str) -> str:
    return flag_of(name, {}) if name in WRITTEN_FILES else name


def _metavar(annotation: Any) -> str | None:
    given = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return next((extra.metavar for extra in given if hasattr(extra, "metavar")), None)


def flags_of_pack(pack: type, only: Only | None = None) -> list[Flag]:
    """The options of a pack, in the order of its fields."""
    hints = get_type_hints(pack)
    flags: list[Flag] = []
    for f in fields(pack):
        if "generated" in f.metadata:
            flags += f.metadata["generated"]()
        elif "help" in f.metadata:
            flags.append(flag_of_field(f, hints[f.name]))
    return flags if only is None else only(flags)


def flag_of_field(f: Field[Any], hint: Any) -> Flag:
    """The option that a field made by `relspan.options.option` stands for."""
    return Flag(f.name, hint, f.default_factory() if f.default_factory is not MISSING else f.default, f.metadata)


def _pack_of(hint: Any) -> tuple[type | None, Only | None]:
    plain, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    only = next((extra for extra in extras if isinstance(extra, Only)), None)
    return (plain, only) if isinstance(plain, type) and is_dataclass(plain) else (None, None)


def _parameter(flag: Flag, title: str) -> inspect.Parameter:
    shown = {key: flag.metadata[key] for key in DISPLAY if flag.metadata.get(key) is not None}
    names = [flag_of(flag.name, flag.metadata), *filter(None, [flag.metadata.get("short")])]
    kind, default, help = flag.type, flag.default, flag.metadata["help"]
    if "choices" in flag.metadata:
        help = f"{help} One of {', '.join(flag.metadata['choices']())}."
    if flag.several:
        kind, default = list[str], inspect.Parameter.empty
        shown = {"show_default": False, "default_factory": list, **shown}
    elif default is None and not _optional(kind):
        kind = kind | None
    option = typer.Option(*names, help=help, rich_help_panel=title, **shown)
    return inspect.Parameter(
        flag.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]
    )


def _optional(kind: Any) -> bool:
    return get_origin(kind) in (Union, UnionType) and NoneType in get_args(kind)


def _filled(pack: type, only: Only | None, given: dict[str, Any]) -> Any:
    """An object of the pack, from the values of its options, which are taken out of `given`."""
    own = {
        flag.name: tuple(given.pop(flag.name)) if flag.several else given.pop(flag.name)
        for flag in flags_of_pack(pack, only)
    }
    values: dict[str, Any] = {f.name: own.pop(f.name) for f in fields(pack) if f.name in own}
    rest = {name: value for name, value in own.items() if value is not None and value is not False and value != ()}
    for f in fields(pack):
        if "generated" in f.metadata:
            values[f.name] = rest
    return pack(**values)
