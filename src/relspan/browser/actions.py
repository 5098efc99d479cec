"""The actions: what a page may ask of a browser session. Each takes the session and a JSON object and answers one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from relspan.browser import open_table
from relspan.browser.background_fit import BackgroundFit, read_settings
from relspan.browser.column_parts import column_parts
from relspan.browser.exports import export
from relspan.browser.live_intervals import EXACT
from relspan.browser.long_questions import LANES, MAPS
from relspan.browser.request_values import read_costs, read_demand, read_names, read_number, read_text, read_whole
from relspan.checks import one_of
from relspan.errors import ParameterError
from relspan.explore import Explorer
from relspan.explore.pins import read_pin

if TYPE_CHECKING:
    from relspan.browser.browser_session import BrowserSession

Payload = dict[str, Any]

FOLLOW_SECONDS = 10.0  # that `follow` waits for news
STOP_SECONDS = 5.0  # that `stop` waits for the analysis to end
NAME_LIMIT, NOTE_LIMIT, SAMPLE_LIMIT = 200, 10_000, 1_000_000  # characters
LONGEST_SEARCH = 600.0  # seconds
USUAL_DRAWS, MOST_DRAWS = 30, 500  # of the samples, for the whiskers
DEMANDS = ("adjust", "rising", "falling")  # lists of columns that matter to the analysis, not to the reading
TABLE_CHOICES = ("target", "impute", "drop", "categorical", "groups", "event", "weights", "text", *DEMANDS)
VALUES_IN_ADVANCE = 4  # of a handle: they are solved before the hand reaches them


# -- the table and its analysis ---------------------------------------------------------------------------------------


def state(session: BrowserSession, payload: Payload) -> Payload:
    """Everything that is shown."""
    return session.state(payload)


def follow(session: BrowserSession, payload: Payload) -> Payload:
    """The state as soon as it is newer than `revision`, or after a while."""
    seen = payload.get("revision")
    if isinstance(seen, int):
        session.news.wait(seen, FOLLOW_SECONDS)
    return session.state(payload)


def open_example(session: BrowserSession, payload: Payload) -> Payload:
    """Open a built-in data set."""
    return session.open(open_table.open_example(read_text(payload, "name"))).state({})


def guess_task(session: BrowserSession, payload: Payload) -> Payload:
    """The task that another target column suggests."""
    event = read_text(payload, "event") if payload.get("event") else None
    return session.require_table().task_of(read_text(payload, "target"), event)


def analyse(session: BrowserSession, payload: Payload) -> Payload:
    """Start the analysis."""
    with session.lock:
        opened, task = session.require_table(), open_table.read_task(payload.get("task"))
        settings = read_settings(payload.get("settings", {}))
        choice: Payload = {key: payload[key] for key in TABLE_CHOICES if key in payload}
        prepared = opened.prepared_as(choice)
        weights = read_text(payload, "weights") if payload.get("weights") else None
        adjust, rising, falling = (read_names(payload.get(key) or [], key) for key in DEMANDS)
        parts = column_parts(prepared, weights, adjust)
        settings |= {"signs": dict.fromkeys(rising, "+") | dict.fromkeys(falling, "-")} if rising or falling else {}
        session.stop_fit()
        session.leave()
        session.choice = choice
        names, done = opened.row_names(prepared), session.fit_finished
        session.fit = BackgroundFit(prepared, parts, task, settings, done, session.news, names)
        session.fit.start()
    return session.state_after_change({})


def stop(session: BrowserSession, payload: Payload) -> Payload:
    """Stop the analysis."""
    if session.fit is not None and session.fit.running:
        session.fit.cancel()
        session.fit.join(STOP_SECONDS)
    return session.state(payload)


def stop_question(session: BrowserSession, payload: Payload) -> Payload:
    """Stop the question that takes long: of one lane, or of all."""
    lane = payload.get("lane")
    session.require_long_questions().cancel(None if lane is None else one_of("lane", lane, LANES))
    return {}


def close_table(session: BrowserSession, payload: Payload) -> Payload:
    """Go back to the choice of a table; what was shown is kept."""
    with session.lock:
        session.stop_fit()
        session.leave()
        session.opened = None
    return session.state_after_change(payload)


def take_up(session: BrowserSession, payload: Payload) -> Payload:
    """Show a result again that was left for another table."""
    session.take_up(read_text(payload, "left"))
    return session.state({})


# -- pins -------------------------------------------------------------------------------------------------------------


def pin(session: BrowserSession, payload: Payload) -> Payload:
    """Pin a feature; the demand null unpins it."""
    feature, demand = read_text(payload, "feature"), read_demand(payload.get("demand"))
    return _change_pins(
        session, payload, lambda explorer: explorer.unpin(feature) if demand is None else explorer.pin(feature, demand)
    )


def pin_all(session: BrowserSession, payload: Payload) -> Payload:
    """Change several pins in one step; the demand null unpins a feature."""
    given = payload.get("demands")
    if not isinstance(given, dict):
        raise ParameterError("demands must map features to demands")
    demands = {str(name): read_demand(demand) for name, demand in given.items()}

    def change(explorer: Explorer) -> None:
        for name in demands:
            session.problem.known(name)
        kept = {pin.feature: pin.demand for pin in explorer.pins if pin.feature not in demands}
        explorer.set_pins({**kept, **{name: demand for name, demand in demands.items() if demand is not None}})

    return _change_pins(session, payload, change)


def unpin_all(session: BrowserSession, payload: Payload) -> Payload:
    """Remove all pins."""
    return _change_pins(session, payload, lambda explorer: explorer.unpin())


def undo(session: BrowserSession, payload: Payload) -> Payload:
    """Go back to the pins before the last change."""
    return _change_pins(session, payload, lambda explorer: explorer.undo())


def redo(session: BrowserSession, payload: Payload) -> Payload:
    """Take back an undo."""
    return _change_pins(session, payload, lambda explorer: explorer.redo())


def load_scenario(session: BrowserSession, payload: Payload) -> Payload:
    """Put the pins of a scenario in force."""
    return _change_pins(session, payload, lambda explorer: explorer.load_scenario(read_text(payload, "name")))


def grab(session: BrowserSession, payload: Payload) -> Payload:
    """A handle was taken: solve some of the values it may be dragged to in advance."""
    explorer, live = session.require_explorer(), session.require_live()
    problem, feature = session.problem, read_text(payload, "feature")
    others = tuple(pin for pin in explorer.pins if pin.feature != feature)
    column = problem.column(feature)
    if column is not None:
        most = float(problem.analysis.ranges.relevances[column, 1] / problem.mu)
        values = (np.arange(VALUES_IN_ADVANCE) + 0.5) / VALUES_IN_ADVANCE * most
        sides = [(0.0, float(v)) if payload.get("side") == "max" else (float(v), np.inf) for v in values[::-1]]
        live.solve_in_advance([(*others, read_pin(problem, feature, side)) for side in sides])
    return {}


def drag(session: BrowserSession, payload: Payload) -> Payload:
    """While a handle moves: inner bounds at once, exact intervals where they are known by now. No pin changes."""
    explorer, live = session.require_explorer(), session.require_live()
    feature, demand = read_text(payload, "feature"), read_demand(payload.get("demand"))
    if demand is None:
        raise ParameterError("demand must be given while a handle is dragged")
    pin = read_pin(session.problem, feature, demand)
    others = tuple(p for p in explorer.pins if p.feature != feature)
    rows, columns = session.in_sight(payload)
    answer = live.answer((*others, pin), columns)
    status = answer.status[columns]
    ends = np.round(answer.relevances[columns], 6).tolist()
    found = [[row, *pair, int(known)] for row, pair, known in zip(rows, ends, status, strict=True)]
    return {"rows": found, "exact": int((status == EXACT).sum())}


def _change_pins(session: BrowserSession, payload: Payload, change: Callable[[Explorer], Any]) -> Payload:
    """Change the pins, and answer with what is known about the new ones at once."""
    with session.lock:
        live = session.require_live()
        with live.solver() as explorer:
            change(explorer)
        live.answer(explorer.pins, session.in_sight(payload)[1])
        live.mark_changed()
        return session.state(payload)


# -- scenarios, stars, costs ------------------------------------------------------------------------------------------


def save_scenario(session: BrowserSession, payload: Payload) -> Payload:
    """Save the current pins under a name."""
    name = read_text(payload, "name", NAME_LIMIT).strip()
    session.require_explorer().save_scenario(name, read_text({"note": "", **payload}, "note", NOTE_LIMIT))
    return session.state_after_change(payload)


def annotate_scenario(session: BrowserSession, payload: Payload) -> Payload:
    """Replace the note of a scenario."""
    session.require_explorer().annotate_scenario(read_text(payload, "name"), read_text(payload, "note", NOTE_LIMIT))
    return session.state_after_change(payload)


def delete_scenario(session: BrowserSession, payload: Payload) -> Payload:
    """Delete a scenario."""
    session.require_explorer().delete_scenario(read_text(payload, "name"))
    return session.state_after_change(payload)


def compare(session: BrowserSession, payload: Payload) -> Payload:
    """Two scenarios side by side, with exact intervals."""
    first, second = read_text(payload, "first"), read_text(payload, "second")
    return session.require_long_questions().compare(session.require_explorer(), first, second)


def toggle_star(session: BrowserSession, payload: Payload) -> Payload:
    """Star a feature, or remove its star."""
    name, shown = read_text(payload, "feature"), session.require_shown()
    session.problem.members(name)
    shown.stars = [star for star in shown.stars if star != name] if name in shown.stars else [*shown.stars, name]
    return session.state_after_change(payload)


def set_costs(session: BrowserSession, payload: Payload) -> Payload:
    """Set what features cost; null removes a cost."""
    given = payload.get("costs")
    if not isinstance(given, dict):
        raise ParameterError("costs must map features to numbers")
    for name in given:
        session.problem.members(name)
    removed = {name for name, value in given.items() if value is None}
    costs = read_costs({name: value for name, value in given.items() if value is not None})
    shown = session.require_shown()
    shown.costs = {**{name: cost for name, cost in shown.costs.items() if name not in removed}, **costs}
    return session.state_after_change(payload)


# -- questions that take longer ---------------------------------------------------------------------------------------


def alternatives(session: BrowserSession, payload: Payload) -> Payload:
    """The features that could take the place of one."""
    return session.require_long_questions().alternatives(session.require_explorer().pins, read_text(payload, "feature"))


def substitution(session: BrowserSession, payload: Payload) -> Payload:
    """A map between features: how much relevance they can exchange, or which intervals move when one is at an end."""
    at = one_of("at", payload.get("at", MAPS[0]), MAPS)
    return session.require_long_questions().substitution(session.require_explorer().pins, at)


def panel(session: BrowserSession, payload: Payload) -> Payload:
    """The smallest or cheapest panel under the current pins, or several; features without a cost cost 1."""
    explorer, include = session.require_explorer(), read_names(payload.get("include", []), "include")
    seconds = read_number(payload.get("seconds", 10.0), "seconds")
    if not 0 < seconds <= LONGEST_SEARCH:
        raise ParameterError(f"seconds must lie between 0 and {LONGEST_SEARCH:g}, not {seconds:g}")
    known = session.require_shown().costs
    costs = {**dict.fromkeys(explorer.feature_names, 1.0), **known} if payload.get("priced") else None
    questions = session.require_long_questions()
    if payload.get("several"):
        return questions.panels(explorer.pins, costs, include, seconds)
    given = payload.get("price_limit")
    price_limit = None if given is None else read_number(given, "price_limit")
    return questions.panel(explorer.pins, costs, include, seconds, price_limit, known)


def budgets(session: BrowserSession, payload: Payload) -> Payload:
    """Intervals and classes at other budgets, without pins."""
    return session.require_long_questions().budgets()


def stability(session: BrowserSession, payload: Payload) -> Payload:
    """How far the intervals move when the samples are drawn again, without pins."""
    draws = read_whole(payload.get("draws", USUAL_DRAWS), "draws")
    if not 2 <= draws <= MOST_DRAWS:
        raise ParameterError(f"draws must lie between 2 and {MOST_DRAWS}, not {draws}")
    return session.require_long_questions().stability(draws)


def question(session: BrowserSession, payload: Payload) -> Payload:
    """A further question about all equally good models under the pins, by its key."""
    names, typed = read_names(payload.get("features", []), "features"), payload.get("fields", {})
    if not isinstance(typed, dict):
        raise ParameterError("fields must map the fields of a question to texts")
    typed = {**typed, "costs": session.require_shown().costs}
    return session.require_long_questions().question(session.require_explorer().pins, payload.get("key"), names, typed)


def samples(session: BrowserSession, payload: Payload) -> Payload:
    """The score interval of every training sample under the pins, or where one feature is not measured at all."""
    pins, unmeasured = session.require_explorer().pins, None
    if payload.get("unmeasured"):
        unmeasured = read_text(payload, "unmeasured")
        session.problem.members(unmeasured)
    found = session.require_long_questions().samples(pins, unmeasured)
    return {**found, "names": list(session.require_shown().row_names)}


def sample(session: BrowserSession, payload: Payload) -> Payload:
    """What the features contribute to one score: of a training sample by its number, or of one that was typed."""
    index = payload.get("index")
    number = None if index is None else read_whole(index, "index")
    text = read_text({"text": "", **payload}, "text", SAMPLE_LIMIT)
    return session.require_long_questions().sample(session.require_explorer().pins, number, text)


def progress(session: BrowserSession, payload: Payload) -> Payload:
    """How far the question of a lane has come."""
    return dict(session.require_long_questions().lanes[one_of("lane", payload.get("lane"), LANES)].progress)


ACTIONS: dict[str, Callable[[BrowserSession, Payload], Payload]] = {
    action.__name__: action
    for action in (
        *(state, follow, open_example, guess_task, analyse, stop, close_table, take_up),
        *(pin, pin_all, unpin_all, undo, redo, load_scenario, grab, drag),
        *(save_scenario, annotate_scenario, delete_scenario, compare, toggle_star, set_costs),
        *(alternatives, substitution, panel, budgets, stability, samples, sample, question),
        *(progress, stop_question, export),
    )
}
QUICK_ACTIONS = frozenset({"grab", "drag"})  # they solve nothing and wait for nothing
