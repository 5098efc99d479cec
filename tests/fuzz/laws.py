"""What every answer must satisfy, whatever the problem. A law that is broken raises `Broken`.

A problem may also be refused, by an error of relspan that says why. Any other exception is a fault.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from exact_proofs import faults
from recipes import MadeProblem, Recipe, made

from relspan.engines import ReferenceEngine
from relspan.errors import InfeasiblePins, ParameterError, RelspanError, RelspanWarning
from relspan.explore import Explorer
from relspan.family import unit_directions
from relspan.result import RelevanceResult

PROVEN = 1e-6  # of the norm: what every end is certified to
SAME = 2e-6  # of the norm: two answers that are each certified to 1e-6
NOISE = 1e-4  # of the norm: a relevance below is rounding
NO_GAIN = 1e-9  # of the null model's loss
ROWS_OF_EXACT_PROOFS = 30


class Broken(AssertionError):
    """A law does not hold."""


def hold(condition: bool, text: str) -> None:
    if not condition:
        raise Broken(text)


def checked(recipe: Recipe, more: int = 2) -> str:
    """Fit the problem of a recipe and check its laws: the first ones, and so many of the others.

    Returns "proven", "null" where no feature helps, or the name of the error by which the problem is refused.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RelspanWarning)
        warnings.simplefilter("ignore", UserWarning)
        problem = made(recipe)
        try:
            fit = problem.fitted()
        except RelspanError as reason:
            hold(len(str(reason)) > 20, f"{type(reason).__name__} gives no reason: {reason!r}")
            return type(reason).__name__
        for law in (reads_back, in_order, no_class_of_noise):
            law(problem, fit)
        if fit.result_.is_null:
            return "null"
        if not fit.result_.is_proven:
            return "not proven, and stated"
        for law in (certified, explains_something, proven_in_fractions, twin_agrees):
            law(problem, fit)
        rng = np.random.default_rng(recipe.seed)
        for law in rng.permutation(np.array(MORE_LAWS, dtype=object))[:more]:
            law(problem, fit)
    return "proven"


# -- laws of one answer ------------------------------------------------------------------------------------------------


def certified(problem: MadeProblem, fit: Any) -> None:
    """Every end is proven to 1e-6 of the norm (of the end, where that is larger).

    Totals of several weights are excepted: the result states their gaps.
    """
    result = fit.result_
    single = [f for f in (*result.features, *result.privileged) if f.parts is None]
    gap = max((max(f.gap_lo, f.gap_hi) / max(1.0, f.max) for f in single), default=0.0)
    hold(gap <= PROVEN, f"a gap of {gap:.2e} of the norm passes as an answer")
    violation = float(result.certificates.extremes.violations.max(initial=0.0))
    hold(violation <= PROVEN, f"a model exceeds its budgets by {violation:.2e}")
    fault = result.certificates.verify()
    hold(fault is None or fault <= PROVEN, f"verify() finds {fault}")
    ends = [*result.probes["lo"], *result.probes["hi"]]
    hold(bool(np.isfinite(ends).all()), "a probe has an end that is not finite")


def explains_something(problem: MadeProblem, fit: Any) -> None:
    """A best model that saves no loss is the null model."""
    best = fit.result_.baseline
    hold(best["loss"] < (1 - NO_GAIN) * best["null_loss"], f"loss {best['loss']!r} of {best['null_loss']!r} is no gain")


def in_order(problem: MadeProblem, fit: Any) -> None:
    """Ends are finite and in order, and none exceeds the norm budget."""
    most = np.inf if problem.recipe.loss_budget == "combined" else 1 + problem.recipe.delta_norm
    for f in (*fit.result_.features, *fit.result_.privileged, *fit.result_.groups):
        hold(bool(np.isfinite([f.min, f.max]).all()), f"{f.name} has [{f.min}, {f.max}]")
        hold(0 <= f.min <= f.max + PROVEN, f"{f.name} has [{f.min}, {f.max}]")
        hold(f.max <= most + PROVEN, f"{f.name} reaches {f.max}, beyond the norm budget {most}")
    hold(bool(np.isfinite(fit.coef_).all()), "a weight is not finite")
    hold(bool(np.isfinite(fit.predict(problem.X).astype(float)).all()), "a prediction is not finite")


def no_class_of_noise(problem: MadeProblem, fit: Any) -> None:
    """What no equally good model uses is irrelevant, and what is strong is in all of them."""
    for f in fit.result_.features:
        hold(f.relevance == "irrelevant" or f.max > NOISE, f"{f.name} is {f.relevance} with [{f.min}, {f.max}]")
        hold(f.relevance != "strong" or f.min > NOISE, f"{f.name} is strong with [{f.min}, {f.max}]")


def reads_back(problem: MadeProblem, fit: Any) -> None:
    """JSON holds the whole result."""
    hold(RelevanceResult.from_json(fit.result_.to_json()) == fit.result_, "JSON does not read back")


def twin_agrees(problem: MadeProblem, fit: Any) -> None:
    """The slow twin, the papers' programs by scipy, has the same ends."""
    certificates = fit.result_.certificates
    family, d = certificates.family, certificates.family.n_features
    chosen = np.random.default_rng(problem.recipe.seed).choice(d, min(d, 2), replace=False)
    solved = certificates.solved or (True,) * d
    chosen = [int(j) for j in chosen if solved[j]]
    try:
        slow = ReferenceEngine(family).maxima(unit_directions(chosen, family))
    except RelspanError:
        return  # the twin gives up more easily
    for place, j in enumerate(chosen):
        ours, theirs = certificates.extremes.values[2 * j : 2 * j + 2], slow.values[2 * place : 2 * place + 2]
        off = float(np.abs(ours - theirs).max()) / family.largest_norm
        certain = float(slow.gaps[2 * place : 2 * place + 2].max()) <= PROVEN * family.largest_norm
        hold(off <= SAME or not certain, f"the twin's ends of column {j} differ by {off:.2e}")


def proven_in_fractions(problem: MadeProblem, fit: Any) -> None:
    """In rational arithmetic the model is inside, and the multipliers prove the bound."""
    certificates = fit.result_.certificates
    family, recipe = certificates.family, problem.recipe
    if family.constraints.n_rows or family.rows.n_rows > ROWS_OF_EXACT_PROOFS or recipe.values not in ("whole", "few"):
        return
    which = int(np.random.default_rng(recipe.seed).integers(2 * family.n_features))
    direction = unit_directions([which // 2], family)[which % 2]
    excess, gap = faults(family, direction, certificates.extremes, which)
    hold(excess <= PROVEN, f"in fractions a model exceeds its budgets by {excess:.2e}")
    hold(-PROVEN <= gap <= PROVEN, f"in fractions the gap is {gap:.2e} of the norm budget")


# -- laws of two answers -----------------------------------------------------------------------------------------------


def same(found: Any, wanted: Any, what: str, order: np.ndarray | None = None) -> None:
    """Two fits have the same intervals and classes."""
    order = np.arange(len(wanted.intervals_)) if order is None else order
    slack = SAME * (1 + float(wanted.intervals_.max(initial=0.0)))
    off = float(np.abs(found.intervals_ - wanted.intervals_[order]).max(initial=0.0))
    totals = any(f.parts for f in wanted.result_.features)  # whose ends are attained, but not always the true ones
    slack += 2 * max(found.result_.largest_gap, wanted.result_.largest_gap) if totals else 0.0
    hold(off <= slack, f"{what}: intervals differ by {off:.2e}")
    hold(bool((found.relevance_ == wanted.relevance_[order]).all()), f"{what}: classes differ")


def again(problem: MadeProblem, **changed: Any) -> Any | None:
    """Another fit; None where it is refused."""
    try:
        return problem.fitted(**changed)
    except RelspanError:
        return None


def units_do_not_count(problem: MadeProblem, fit: Any) -> None:
    """Other units of target, weights and columns give the same answer."""
    plain = problem.recipe.in_plain_units()
    if problem.recipe == plain:
        plain = replace(plain, target_unit=2.0**-30, weight_unit=2.0**70, column_unit=2.0**50)
    if problem.options["C"] is None and plain.target_unit not in (1.0, 2.0**-30):
        return
    other = made(plain).fitted()
    if problem.recipe.C is not None or exact_units(problem.recipe):
        same(other, fit, "other units")


def exact_units(recipe: Recipe) -> bool:
    """Whether changing the units rounds nothing: then even the choice of C cannot change."""
    units = (recipe.target_unit, recipe.weight_unit, recipe.column_unit)
    return all(np.log2(unit) % 1 == 0 for unit in units)


def column_order_does_not_count(problem: MadeProblem, fit: Any) -> None:
    if problem.recipe.C is None or problem.recipe.grouped:
        return
    order = np.random.default_rng(problem.recipe.seed).permutation(problem.plain.shape[1])
    other = again(problem.with_columns(order), rule="published")
    if other is not None:
        off = float(np.abs(other.intervals_ - fit.intervals_[order]).max(initial=0.0))
        gaps = other.result_.largest_gap + fit.result_.largest_gap
        hold(off <= SAME * (1 + float(fit.intervals_.max())) + gaps, f"columns permuted: differ by {off:.2e}")


def weights_are_repetitions(problem: MadeProblem, fit: Any) -> None:
    """A whole weight equals so many rows."""
    recipe = problem.recipe
    if recipe.weights not in ("whole", "some zero") or recipe.C is None or recipe.weight_unit != 1.0:
        return
    times = problem.fit_options["sample_weight"].astype(int)
    other = again(problem.with_rows(np.repeat(np.arange(len(times)), times), sample_weight=None), rule="published")
    if other is not None:
        off = float(np.abs(other.intervals_ - fit.intervals_).max(initial=0.0))
        gaps = other.result_.largest_gap + fit.result_.largest_gap
        hold(off <= SAME * (1 + float(fit.intervals_.max())) + gaps, f"rows repeated: differ by {off:.2e}")


def larger_budgets_hold_more(problem: MadeProblem, fit: Any) -> None:
    if problem.recipe.C is None:
        return
    more = {"delta_norm": problem.recipe.delta_norm + 0.1, "delta_loss": problem.recipe.delta_loss + 0.05}
    wider = again(problem, **more)
    if wider is None or wider.result_.is_null:
        return
    slack = SAME * (1 + float(wider.intervals_.max())) + wider.result_.largest_gap + fit.result_.largest_gap
    hold(bool((wider.intervals_[:, 0] <= fit.intervals_[:, 0] + slack).all()), "a larger budget raises a minimum")
    hold(bool((wider.intervals_[:, 1] >= fit.intervals_[:, 1] - slack).all()), "a larger budget lowers a maximum")
    grown = (wider.relevance_ == 2) & (fit.relevance_ < 2)
    hold(not grown.any(), "a larger budget makes a feature strong")


def engines_agree(problem: MadeProblem, fit: Any) -> None:
    if problem.recipe.C is None:
        return
    for engine in ("exact", "batched"):
        other = again(problem, engine=engine)
        if other is not None:
            same(other, fit, f"engine {engine}")


# -- laws of a session -------------------------------------------------------------------------------------------------


def explored(fit: Any) -> Explorer | None:
    try:
        return fit.explore()
    except ParameterError:
        return None


def pins_narrow(problem: MadeProblem, fit: Any) -> None:
    """Under pins every interval lies inside the one without, and what is refused names the pins."""
    session, rng = explored(fit), np.random.default_rng(problem.recipe.seed)
    if session is None:
        return
    before = {f.name: (f.min, f.max) for f in fit.result_.features}
    for name in rng.permutation(list(before))[:2].tolist():
        low, high = before[name]
        demand = ["min", "max", float(rng.uniform(low, high)), (low, (low + high) / 2), 0.0, 2.0][int(rng.integers(6))]
        try:
            session = session.pin(name, demand)
        except InfeasiblePins as reason:
            hold(bool(reason.conflict), f"{demand!r} of {name} is refused without a conflict")
            continue
        except RelspanError:
            continue
        for f in session.result.features:
            least, most = before[f.name]
            inside = least - 2 * SAME <= f.min <= f.max + SAME and f.max <= most + 2 * SAME
            hold(inside, f"under {name} = {demand!r} {f.name} has [{f.min}, {f.max}], without [{least}, {most}]")


def predictions_are_inside(problem: MadeProblem, fit: Any) -> None:
    """The best model's score lies in its interval."""
    session = explored(fit)
    if session is None or problem.recipe.form == "sparse":
        return
    for one in session.predictions(problem.X[:3]).samples:
        slack = PROVEN * (1 + abs(one.score)) + one.gap + PROVEN * abs(problem.recipe.target_unit)
        hold(one.lo - slack <= one.score <= one.hi + slack, f"a score of {one.score} outside [{one.lo}, {one.hi}]")


def panels_are_models(problem: MadeProblem, fit: Any) -> None:
    """The smallest panel holds every feature that all models use, and is not smaller than its bound."""
    session = explored(fit)
    if session is None:
        return
    panel = session.smallest_panel(time_limit=3.0)
    needed = {f.name for f in fit.result_.features if f.min > NOISE}
    hold(needed <= set(panel.features), f"the panel lacks {needed - set(panel.features)}, which every model uses")
    hold(panel.bound <= len(panel.features) + PROVEN, f"a panel of {len(panel.features)} below its bound {panel.bound}")


def sessions_can_be_saved(problem: MadeProblem, fit: Any) -> None:
    session = explored(fit)
    if session is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        session.save(Path(folder) / "session.json.gz")
        hold(Explorer.load(Path(folder) / "session.json.gz").result == session.result, "a session does not read back")


MORE_LAWS: tuple[Callable[[MadeProblem, Any], None], ...] = (
    units_do_not_count,
    column_order_does_not_count,
    weights_are_repetitions,
    larger_budgets_hold_more,
    engines_agree,
    pins_narrow,
    predictions_are_inside,
    panels_are_models,
    sessions_can_be_saved,
)
