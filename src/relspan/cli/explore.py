"""``relspan explore``: the explorer in the browser, served from this machine to this machine."""

from __future__ import annotations

import logging
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import typer

from relspan.checks import quoted
from relspan.cli.exit_codes import complain
from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import OutputOptions
from relspan.cli.options.packs import Only, Without, flags_of_pack
from relspan.cli.options.pins import PinOptions
from relspan.cli.options.table import prepared_from, read
from relspan.cli.options.task import TaskOptions
from relspan.cli.panel import read_costs
from relspan.cli.table_fit import estimate
from relspan.errors import ParameterError
from relspan.explore.saved_session import read_bytes
from relspan.options import option
from relspan.tables import TableOptions

LOCAL_HOSTS = ("127.0.0.1", "::1", "localhost")
EXPLORABLE_TASK, EXPLORED_ANALYSIS = Without("privileged", "group"), Without("checkpoint")
TABLE_OPTIONS = tuple(f.name for f in fields(TableOptions))
PREPARATION = ("categorical", "impute", "drop", "event")  # those that need a target; the others only read the file


@dataclass(frozen=True)
class ServerOptions:
    """Where the page is served, and to whom."""

    host: str = option("127.0.0.1", help="The address to listen on.")
    port: int = option(0, help="The port to listen on; 0 takes a free one.")
    allow_remote: bool = option(False, help="Allow a host that other machines can reach.")
    no_browser: bool = option(False, help="Print the page's address and do not open it.")
    max_upload: int = option(64, min=1, metavar="MIB", help="The size of the largest file that the page may open.")


def explore_command(
    context: typer.Context,
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE", help="A table, or a saved session (JSON). Without it, the page asks for a table."
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            "--time",
            metavar="NAME",
            help="The column to explain; with --event, its time. Without it, the page asks for it.",
        ),
    ] = None,
    *,
    example: Annotated[
        str | None,
        typer.Option(
            "--example", metavar="NAME", help="A built-in data set instead of a file, such as 'breast cancer'."
        ),
    ] = None,
    costs: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A table of two columns, names and costs, for the cheapest panel."),
    ] = None,
    pins: PinOptions,
    server: ServerOptions,
    output: Annotated[OutputOptions, Only("quiet")],
    table: TableOptions,
    task: Annotated[TaskOptions, EXPLORABLE_TASK],
    analysis: Annotated[AnalysisOptions, EXPLORED_ANALYSIS],
) -> None:
    """Explore a table in the browser: pin features, see what moves, find panels. Nothing leaves this machine."""
    try:
        from relspan.browser.browser_session import BrowserSession
        from relspan.browser.server import prepare_server
    except ModuleNotFoundError as error:
        raise ParameterError(f"the explorer needs {error.name!r}: pip install 'relspan[web]'") from error
    refuse_idle(context, file, target, example)
    prices, kits = read_costs(costs) if costs is not None else (None, {})
    if kits:
        raise ParameterError(f"--costs {costs}: the page knows no kits ({quoted(list(kits))}); relspan panel does")
    session = BrowserSession(upload_limit=server.max_upload * 2**20)
    running = prepare_server(session, server.host, server.port, remote=server.allow_remote)  # refuses before any work
    with running.closed_on_error():
        _open(session, file, target, example, table, task, analysis, output)
        if prices is not None:
            session.ask("set_costs", {"costs": prices})
        if pins:
            open_explorer = session.require_explorer()
            demands = pins.demands([*open_explorer.feature_names, *open_explorer.categories])
            with session.require_live().solver() as explorer:
                explorer.pin_all(demands)
    if server.allow_remote and server.host not in LOCAL_HOSTS:
        complain(
            f"warning: {server.host} can be reached from other machines; the address below is the only key to the data"
        )
    typer.echo(running.address)
    output.note("the explorer is open; Ctrl-C ends it")
    logging.basicConfig(format="relspan: %(message)s", level=logging.WARNING)
    if not server.no_browser:
        running.open()
    running.wait()


def _open(
    session: Any,
    file: str | None,
    target: str | None,
    example: str | None,
    table: TableOptions,
    task: TaskOptions,
    analysis: AnalysisOptions,
    output: OutputOptions,
) -> None:
    """Put into the session what the command names."""
    from relspan.browser.open_table import OpenedTable, open_example
    from relspan.browser.row_names import row_names

    names: tuple[str, ...] = ()
    if example is not None:
        opened = open_example(example)
    elif file is None:
        return
    elif is_session(file):
        session.upload(read_bytes(file), Path(file).name)
        return
    elif target is None:
        session.open(OpenedTable(Path(file).name, read(file, table)))
        return
    else:
        raw = read(file, table)
        opened = OpenedTable(file, prepared=prepared_from(raw, file, target, table, output))
        assert opened.prepared is not None
        names = row_names(raw, opened.prepared)
    session.open(opened)
    assert opened.prepared is not None
    session.show_fitted(estimate(opened.prepared, task, analysis, output), names)


def is_session(file: str) -> bool:
    """Whether a file's name is that of a saved session."""
    return file.lower().endswith((".json", ".json.gz"))


def refuse_idle(context: typer.Context, file: str | None, target: str | None, example: str | None) -> None:
    """Refuse options that this start would ignore."""
    packs = [*flags_of_pack(TaskOptions, EXPLORABLE_TASK), *flags_of_pack(AnalysisOptions, EXPLORED_ANALYSIS)]
    analysed, pinned = [flag.name for flag in packs], ("pin", "without", "costs")
    if example is not None and file is not None:
        raise ParameterError("give a FILE or --example, not both")
    if example is not None:
        idle, why = ["target", *TABLE_OPTIONS], "--example, which brings a table of its own"
    elif file is None:
        idle, why = ["target", *TABLE_OPTIONS, *analysed, *pinned], "a page that asks for the table; give a FILE"
    elif is_session(file):
        idle, why = ["target", *TABLE_OPTIONS, *analysed], "a saved session, which is analysed already"
    elif target is None:
        idle, why = [*PREPARATION, *analysed, *pinned], "a table whose target is chosen in the page; give --target"
    else:
        return
    flags = {parameter.name: parameter.opts[0] for parameter in context.command.params}
    for name in idle:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise ParameterError(f"{flags[name]} does not apply to {why}")
