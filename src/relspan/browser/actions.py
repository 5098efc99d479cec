"""The verbs: what a page may ask of a workbench. Each takes the workbench and a JSON object and answers one."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import numpy as np

from relspan.browser.as_json import told_comparison
from relspan.browser.background_fit import Fit, read_settings
from relspan.browser.exports import export
from relspan.browser.open_table import open_sample, read_task
from relspan.browser.request_values import read_costs, read_demand, read_number, read_text
from relspan.errors import ParameterError
from relspan.explore import Explorer
from relspan.explore.pins import read_pin

if TYPE_CHECKING:
    from relspan.browser.browser_session import BrowserSession

PATIENCE = 10.0  # seconds that `follow` waits for something new
NAME_LIMIT, NOTE_LIMIT = 200, 10_000
CHOICES = ("target", "impute", "drop", "text")
GRID = 4  # values of a handle that are solved in advance


# -- the table and its analysis ---------------------------------------------------------------------------------------


def state(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Everything that is shown."""
    return bench.state(payload)


def follow(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """The state as soon as it is newer than `revision`, or after a while."""
    seen, until = payload.get("revision"), monotonic() + PATIENCE
    while monotonic() < until and bench.revision == seen and not bench.is_fitting:
        sleep(0.02)
    return bench.state(payload)


def sample(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Open a built-in data set."""
    return bench.open(open_sample(read_text(payload, "name"))).state({})


def target(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """The task that another target asks for."""
    return bench.table.task_of(read_text(payload, "target"))


def analyse(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Start the analysis."""
    with bench.turn:
        opened, task = bench.table, read_task(payload.get("task"))
        settings = read_settings(payload.get("settings", {}))
        choice: dict[str, Any] = {key: payload[key] for key in CHOICES if key in payload}
        prepared = opened.to_numbers(choice)
        bench.drop_work()
        bench.choice, bench.settings, bench.task = choice, settings, task
        bench.result = bench.explorer = None
        bench.fit = Fit(prepared, task, settings, bench.finished)
        bench.fit.start()
    return bench.state({})


def cancel(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Stop the analysis, or the question that takes long."""
    if bench.fit is not None and bench.fit.running:
        bench.fit.cancel()
        bench.fit.join(5.0)
    bench.stop_questions()
    return bench.state(payload)


def reset(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Back to the choice of a table."""
    with bench.turn:
        bench.drop_work()
        bench.opened = bench.explorer = bench.result = None
    return bench.state(payload)


# -- pins -------------------------------------------------------------------------------------------------------------


def pin(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Pin a feature; demand null frees it."""
    feature, demand = read_text(payload, "feature"), read_demand(payload.get("demand"))
    return changed(bench, payload, lambda ex: ex.unpin(feature) if demand is None else ex.pin(feature, demand))


def pin_all(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Several pins in one step; those with null are freed."""
    given = payload.get("demands")
    if not isinstance(given, dict) or len(given) > 1000:
        raise ParameterError("demands must be an object of features and demands")
    demands = {str(name): read_demand(demand) for name, demand in given.items()}

    def change(explorer: Explorer) -> None:
        kept = {pin.feature: pin.demand for pin in explorer.pins if pin.feature not in demands}
        explorer.set_pins({**kept, **{name: demand for name, demand in demands.items() if demand is not None}})

    return changed(bench, payload, change)


def clear(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Free everything."""
    return changed(bench, payload, lambda explorer: explorer.unpin())


def undo(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Back to the pins before."""
    return changed(bench, payload, lambda explorer: explorer.undo())


def redo(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Take back an undo."""
    return changed(bench, payload, lambda explorer: explorer.redo())


def recall(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Go to a scenario."""
    return changed(bench, payload, lambda explorer: explorer.load_scenario(read_text(payload, "name")))


def grab(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """A handle was taken: solve some of its values in advance."""
    explorer, problem, live, feature = bench.exploring, bench.problem, bench.live, read_text(payload, "feature")
    others = tuple(pin for pin in explorer.pins if pin.feature != feature)
    column = problem.column(feature)
    if column is not None:
        _, most = problem.analysis.ranges.relevances[column] / problem.mu
        shares = (np.arange(GRID) + 0.5) / GRID * float(most)
        sides = [(0.0, float(v)) if payload.get("side") == "max" else (float(v), np.inf) for v in shares[::-1]]
        live.grid([(*others, read_pin(problem, feature, side)) for side in sides])
    return {}


def wish(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """While a handle moves: intervals from inside at once, exact ones where they are known by now."""
    explorer, problem, live, feature = bench.exploring, bench.problem, bench.live, read_text(payload, "feature")
    demand = read_demand(payload.get("demand"))
    if demand is None:
        raise ParameterError("a wish needs a demand")
    pin = read_pin(problem, feature, demand)
    others = tuple(p for p in explorer.pins if p.feature != feature)
    rows, columns = bench.in_sight(payload)
    answer = live.answer((*others, pin), columns)
    status = answer.status[columns]
    ends = np.round(answer.relevances[columns], 6).tolist()
    told = [[row, *pair, int(known)] for row, pair, known in zip(rows, ends, status, strict=True)]
    return {"rows": told, "exact": int((status == 2).sum())}


def changed(bench: BrowserSession, payload: dict[str, Any], change: Callable[[Explorer], Any]) -> dict[str, Any]:
    """Change the pins and tell what they leave, as far as it is known at once."""
    with bench.turn:
        live = bench.live
        with live.solver() as explorer:
            change(explorer)
        live.answer(explorer.pins, bench.in_sight(payload)[1])
        live.touch()
        return bench.state(payload)


# -- scenarios, stars, costs ------------------------------------------------------------------------------------------


def keep(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Remember the current pins under a name."""
    name, note = read_text(payload, "name", NAME_LIMIT).strip(), read_text({"note": "", **payload}, "note", NOTE_LIMIT)
    bench.exploring.save_scenario(name, note)
    return bench.noticed(payload)


def note(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Write a note to a scenario."""
    bench.exploring.annotate_scenario(read_text(payload, "name"), read_text(payload, "note", NOTE_LIMIT))
    return bench.noticed(payload)


def forget(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Drop a scenario."""
    bench.exploring.delete_scenario(read_text(payload, "name"))
    return bench.noticed(payload)


def compare(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Two scenarios side by side, exactly."""
    first, second = read_text(payload, "first"), read_text(payload, "second")
    deep, explorer = bench.deep, bench.exploring
    return told_comparison(deep.compare(explorer, first, second))


def star(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Mark a feature, or take the mark away."""
    name = bench.problem.known(read_text(payload, "feature"))
    bench.stars = [star for star in bench.stars if star != name] if name in bench.stars else [*bench.stars, name]
    return bench.noticed(payload)


def cost(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """What features cost; null takes a cost away."""
    given = payload.get("costs")
    if not isinstance(given, dict):
        raise ParameterError("costs must be an object of features and numbers")
    for name in given:
        bench.problem.known(name)
    gone = {name for name, value in given.items() if value is None}
    costs = read_costs({name: value for name, value in given.items() if value is not None})
    bench.costs = {**{name: cost for name, cost in bench.costs.items() if name not in gone}, **costs}
    return bench.noticed(payload)


# -- questions that take longer ---------------------------------------------------------------------------------------


def alternatives(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """What replaces a feature?"""
    return bench.deep.alternatives(bench.exploring.pins, read_text(payload, "feature"))


def substitution(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """Which features can take one another's place, or who moves when one is at its min or max?"""
    at = payload.get("at", "exchange")
    if at not in ("exchange", "min", "max"):
        raise ParameterError(f"at must be 'exchange', 'min' or 'max', not {str(at)[:40]!r}")
    return bench.deep.substitution(bench.exploring.pins, at)


def panel(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """The smallest or cheapest panel at the current pins; features without a cost cost 1."""
    explorer = bench.exploring
    include = payload.get("include", [])
    if not isinstance(include, list):
        raise ParameterError("include must be a list of features")
    seconds = read_number(payload.get("seconds", 10.0))
    if not 0 < seconds <= 600:
        raise ParameterError(f"seconds must lie between 0 and 600, not {seconds:g}")
    prices = {n: bench.costs.get(n, 1.0) for n in explorer.feature_names} if payload.get("priced") else None
    return bench.deep.panel(explorer.pins, prices, [str(name) for name in include], seconds)


def job(bench: BrowserSession, payload: dict[str, Any]) -> dict[str, Any]:
    """How far the question that takes long has come."""
    return bench.deep.told()


VERBS: dict[str, Callable[[BrowserSession, dict[str, Any]], dict[str, Any]]] = {
    verb.__name__: verb
    for verb in (
        *(state, follow, sample, target, analyse, cancel, reset),
        *(pin, pin_all, clear, undo, redo, recall, grab, wish),
        *(keep, note, forget, compare, star, cost),
        *(alternatives, substitution, panel, job, export),
    )
}
