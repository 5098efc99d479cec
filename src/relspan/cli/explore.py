"""``relspan explore``: the explorer in the browser, served from this machine to this machine."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated, Any

import typer

from relspan.cli.exit_codes import complain
from relspan.cli.options import analysis as fitting
from relspan.cli.options import pins as pinning
from relspan.cli.options import table as reading
from relspan.cli.options.analysis import DEFAULTS
from relspan.cli.options.pins import read_pins
from relspan.cli.panel import read_costs
from relspan.errors import ParameterError
from relspan.explore.saved_session import read_bytes
from relspan.tables import PreparedTable
from relspan.tasks.registry import guess_task

SERVER = "Server"
READ = ("separator", "decimal", "encoding", "missing")
PREPARED = ("categorical", "impute", "drop")
ANALYSED = ("task", "C", "delta_norm", "delta_loss", "n_probes", "jobs", "seed")
SHOWN = ("pin", "without", "costs")


def _option(*names: str, help: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=SERVER, **more)


def explore_command(
    context: typer.Context,
    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="A table, or a saved session (JSON); none: choose in the page."),
    ] = None,
    target: Annotated[
        str | None, typer.Option("--target", "-t", help="Column to explain; none: choose in the page.")
    ] = None,
    *,
    sample: Annotated[
        str | None, typer.Option("--sample", metavar="NAME", help="A built-in data set, such as 'breast cancer'.")
    ] = None,
    task: Annotated[
        str | None, typer.Option("--task", help="What the target asks for.", show_default="guessed")
    ] = None,
    costs: Annotated[str | None, typer.Option(metavar="FILE", help="Names and costs, for panels.")] = None,
    pin: pinning.Pins,
    without: pinning.Without,
    host: Annotated[str, _option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, _option("--port", help="0 takes a free one.")] = 0,
    allow_remote: Annotated[
        bool, _option("--allow-remote", help="Let --host be reachable from other machines.")
    ] = False,
    no_browser: Annotated[bool, _option("--no-browser", help="Print the address only.")] = False,
    max_upload: Annotated[int, _option("--max-upload", min=1, help="Largest file the page may open, in MiB.")] = 64,
    quiet: fitting.Quiet = False,
    categorical: reading.Categorical,
    impute: reading.Impute = None,
    drop: reading.Drop,
    separator: reading.Separator = None,
    decimal: reading.Decimal = None,
    encoding: reading.Encoding = "utf-8",
    missing: reading.Missing,
    C: fitting.Cost = DEFAULTS.C,
    delta_norm: fitting.DeltaNorm = DEFAULTS.delta_norm,
    delta_loss: fitting.DeltaLoss = None,
    n_probes: fitting.ProbeCount = DEFAULTS.n_probes,
    jobs: fitting.Jobs = DEFAULTS.n_jobs,
    seed: fitting.Seed = 0,
) -> None:
    """Explore a table in the browser: pin features, see what moves, find panels. Nothing leaves this machine."""
    try:
        from relspan.browser.browser_session import BrowserSession
        from relspan.browser.server import prepare_server
    except ModuleNotFoundError as error:
        raise ParameterError(f"the explorer needs {error.name!r}: pip install 'relspan[web]'") from error
    refuse_idle(context, file, target, sample)
    bench = BrowserSession(upload_limit=max_upload * 2**20)
    running = prepare_server(bench, host, port, allow_remote)  # a bad address is told before any work
    table = {
        "categorical": categorical,
        "impute": impute,
        "drop": drop,
        "separator": separator,
        "decimal": decimal,
        "encoding": encoding,
        "missing": missing,
    }
    settings = {"C": C, "delta_norm": delta_norm, "delta_loss": delta_loss, "n_probes": n_probes, "n_jobs": jobs}
    with running.closed_on_error():
        _load(bench, file, target, sample, task, table, dict(settings, random_state=seed), quiet)
        if costs is not None:
            bench.ask("cost", {"costs": read_costs(costs)})
        if pin or without:
            demands = read_pins(pin, without, bench.exploring.feature_names)
            with bench.live.solver() as explorer:
                explorer.pin_all(demands)
    if allow_remote and host not in ("127.0.0.1", "::1", "localhost"):
        complain(f"warning: {host} can be reached from other machines; the address below is the only key to the data")
    typer.echo(running.address)
    if not quiet:
        typer.echo("the explorer is open; Ctrl-C ends it", err=True)
    logging.basicConfig(format="relspan: %(message)s", level=logging.WARNING)
    if not no_browser:
        running.open()
    running.wait()


def _load(
    bench: Any,
    file: str | None,
    target: str | None,
    sample: str | None,
    task: str | None,
    table: dict[str, Any],
    settings: dict[str, Any],
    quiet: bool,
) -> None:
    """Put onto the workbench what the command names."""
    from relspan.browser.open_table import Opened, open_sample, read_task

    if sample is not None:
        opened = open_sample(sample)
    elif file is None:
        return
    elif is_session(file):
        bench.upload(read_bytes(file), Path(file).name)
        return
    elif target is None:
        bench.open(Opened(Path(file).name, reading.load_table(file, **{name: table[name] for name in READ})))
        return
    else:
        opened = Opened(file, prepared=reading.load(file, target, **table, quiet=quiet))
    bench.open(opened)
    prepared: PreparedTable = opened.prepared  # type: ignore[assignment]
    chosen, reason = (read_task(task), "as asked") if task else guess_task(prepared.y)
    if not quiet:
        typer.echo(f"task: {chosen} ({reason})", err=True)
    bench.choice |= {"target": prepared.report.target, "impute": table["impute"], "drop": table["drop"]}
    if table["categorical"]:
        bench.choice["text"] = "encode"
    bench.settings, bench.task = {k: v for k, v in settings.items() if v is not None and k != "n_jobs"}, chosen
    fitted = fitting.fitted_for(chosen, prepared, quiet, settings)
    bench.show_fitted(fitted)


def is_session(file: str) -> bool:
    """Whether a file's name is that of a saved session."""
    return file.lower().endswith((".json", ".json.gz"))


def refuse_idle(context: typer.Context, file: str | None, target: str | None, sample: str | None) -> None:
    """Refuse options that this start would ignore."""
    if sample is not None and file is not None:
        raise ParameterError("give a FILE or --sample, not both")
    idle: tuple[str, ...]
    if sample is not None:
        idle, why = ("target", *READ, *PREPARED), "--sample, which brings a table of its own"
    elif file is None:
        idle, why = ("target", *READ, *PREPARED, *ANALYSED, *SHOWN), "a page that asks for the table; give a FILE"
    elif is_session(file):
        idle, why = ("target", *READ, *PREPARED, *ANALYSED), "a saved session, which has been analysed before"
    elif target is None:
        idle, why = (*PREPARED, *ANALYSED, *SHOWN), "a table whose target is chosen in the page; give --target"
    else:
        return
    for name in idle:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise ParameterError(f"--{name.replace('_', '-')} means nothing for {why}")
