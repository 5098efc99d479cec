"""What every answer must satisfy, whatever the problem. A law that is broken raises `Broken`.

A problem may also be refused, by an error of relspan that says why. Any other exception is a fault.
"""

from __future__ import annotations

import pickle
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from exact_proofs import RationalRows, faults
from recipes import MadeProblem, Recipe, made

from relspan.engines import ReferenceEngine
from relspan.engines.certificates import worth_of_violations
from relspan.errors import InfeasiblePins, ParameterError, RelspanError, RelspanWarning, SolverError
from relspan.explore import Explorer
from relspan.family import unit_directions
from relspan.result import RelevanceResult
from relspan.tasks.task import loss_parameters
from relspan.tolerances import LARGEST_VIOLATION

PROVEN = 1e-6  # of the norm: what every end is certified to
SAME = 2e-6  # of the norm: two answers that are each certified to 1e-6
NOISE = 1e-4  # of the norm: a relevance below is rounding
NO_GAIN = 1e-6  # of the null model's loss
SIZE_OF_EXACT_PROOFS = 400  # rows times columns


class Broken(AssertionError):
    """A law does not hold."""


def hold(condition: bool, text: str) -> None:
    if not condition:
        raise Broken(text)


@dataclass
class Tally:
    """What a run has found: how problems ended, and how often each thing was checked."""

    endings: Counter[tuple[str, str]] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.endings + other.endings, self.checks + other.checks)


def checked(recipe: Recipe, more: int = 2, tally: Tally | None = None) -> str:
    """Fit the problem of a recipe and check its laws: the first ones, and so many of the others that apply to it.

    Returns "proven", "null" where no feature helps, or the name of the error by which the problem is refused.
    """
    checks = Counter[str]() if tally is None else tally.checks
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RelspanWarning)
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("error", RuntimeWarning)  # of NumPy: an overflow is a fault
        problem = made(recipe)
        try:
            fit = problem.fitted()
        except RelspanError as reason:
            hold(len(str(reason)) > 20, f"{type(reason).__name__} gives no reason: {reason!r}")
            checks[refused_in_any_unit.__name__] += refused_in_any_unit(problem, reason)
            return type(reason).__name__
        for law in (reads_back, in_order, no_class_of_noise):
            law(problem, fit)
        if fit.result_.is_null:
            return "null"
        if not fit.result_.is_proven:
            return not_proven(fit)
        for law in (certified, explains_something, proven_in_fractions, twin_agrees):
            checks[law.__name__] += law(problem, fit)
        rng, left = np.random.default_rng(recipe.seed), more
        for law in rng.permutation(np.array(MORE_LAWS, dtype=object)):
            if left and law(problem, fit):
                checks[law.__name__] += 1
                left -= 1
    return "proven"


def not_proven(fit: Any) -> str:
    """Which ends are not proven: the result must state them."""
    result = fit.result_
    hold(any("certified" in text or "exceeds" in text for text in result.warnings), "what is not proven is not stated")
    totals = all(size <= PROVEN for size in result.proofs.values())
    return "total bracketed, and stated" if totals else "not proven, and stated"


# -- laws of one answer ------------------------------------------------------------------------------------------------


def certified(problem: MadeProblem, fit: Any) -> int:
    """Every end is proven to 1e-6 of the norm (of the end, where that is larger). Returns how many ends."""
    result = fit.result_
    ends = [*result.features, *result.privileged, *result.groups]
    gap = max((max(f.gap_lo, f.gap_hi) / max(1.0, f.max) for f in ends), default=0.0)
    hold(gap <= PROVEN, f"a gap of {gap:.2e} of the norm passes as an answer")
    violation = float(result.certificates.extremes.violations.max(initial=0.0))
    hold(violation <= PROVEN, f"a model exceeds its budgets by {violation:.2e}")
    fault = result.certificates.verify()
    hold(fault is None or fault <= PROVEN, f"verify() finds {fault}")
    probed = [*result.probes["lo"], *result.probes["hi"]]
    hold(bool(np.isfinite(probed).all()), "a probe has an end that is not finite")
    return 2 * len(ends)


def explains_something(problem: MadeProblem, fit: Any) -> bool:
    """A best model that saves no loss is the null model."""
    best = fit.result_.baseline
    hold(best["loss"] < (1 - NO_GAIN) * best["null_loss"], f"loss {best['loss']!r} of {best['null_loss']!r} is no gain")
    return True


def in_order(problem: MadeProblem, fit: Any) -> bool:
    """Ends are finite and in order, and none exceeds the norm budget."""
    most = np.inf if problem.recipe.loss_budget == "combined" else 1 + problem.recipe.delta_norm
    for f in (*fit.result_.features, *fit.result_.privileged, *fit.result_.groups):
        hold(bool(np.isfinite([f.min, f.max]).all()), f"{f.name} has [{f.min}, {f.max}]")
        hold(0 <= f.min <= f.max + PROVEN, f"{f.name} has [{f.min}, {f.max}]")
        hold(f.max <= most + PROVEN, f"{f.name} reaches {f.max}, beyond the norm budget {most}")
    hold(bool(np.isfinite(fit.coef_).all()), "a weight is not finite")
    hold(bool(np.isfinite(fit.predict(problem.X).astype(float)).all()), "a prediction is not finite")
    return True


def no_class_of_noise(problem: MadeProblem, fit: Any) -> bool:
    """What no equally good model uses is irrelevant, and what is strong is in all of them."""
    for f in fit.result_.features:
        hold(f.relevance == "irrelevant" or f.max > NOISE, f"{f.name} is {f.relevance} with [{f.min}, {f.max}]")
        hold(f.relevance != "strong" or f.min > NOISE, f"{f.name} is strong with [{f.min}, {f.max}]")
    return True


def reads_back(problem: MadeProblem, fit: Any) -> bool:
    """JSON holds the whole result."""
    hold(RelevanceResult.from_json(fit.result_.to_json()) == fit.result_, "JSON does not read back")
    return True


def twin_agrees(problem: MadeProblem, fit: Any) -> int:
    """The slow twin, the papers' programs by scipy, has the same ends. Returns how many ends were compared."""
    certificates = fit.result_.certificates
    family, d = certificates.family, certificates.family.n_features
    chosen = np.random.default_rng(problem.recipe.seed).choice(d, min(d, 2), replace=False)
    solved = certificates.solved or (True,) * d
    chosen = [int(j) for j in chosen if solved[j]]
    if not chosen:
        return 0
    directions = unit_directions(chosen, family)
    try:
        slow = ReferenceEngine(family).maxima(directions)
    except RelspanError:
        return 0  # the twin gives up more easily
    multipliers = slow.hinge_multipliers, slow.constraint_multipliers
    worth = worth_of_violations(family, directions, *multipliers, slow.violations)
    compared = 0
    for place, j in enumerate(chosen):
        both = slice(2 * place, 2 * place + 2)  # a model outside the family is no answer, whatever bound it meets
        certain = float((slow.gaps + worth)[both].max()) <= PROVEN * family.largest_norm
        certain &= float(slow.violations[both].max()) <= LARGEST_VIOLATION
        off = float(np.abs(certificates.extremes.values[2 * j : 2 * j + 2] - slow.values[both]).max())
        off /= family.largest_norm
        hold(off <= SAME or not certain, f"the twin's ends of column {j} differ by {off:.2e}")
        compared += 2 * certain
    return compared


def proven_in_fractions(problem: MadeProblem, fit: Any) -> int:
    """In rational arithmetic the models are inside, and the multipliers prove the bounds.

    Whole numbers that the solver sees as they are have all their ends proven so, other small tables one end. Returns
    how many ends.
    """
    certificates = fit.result_.certificates
    family, recipe = certificates.family, problem.recipe
    if family.constraints.n_rows or family.rows.n_rows * family.n_features > SIZE_OF_EXACT_PROOFS:
        return 0
    solved = np.flatnonzero(np.repeat(certificates.solved or (True,) * family.n_features, 2))
    which = solved if problem.is_exact else np.random.default_rng(recipe.seed).permutation(solved)[:1]
    rows = RationalRows(family)
    for end in which.tolist():
        direction = unit_directions([end // 2], family)[end % 2]
        excess, gap = faults(rows, direction, certificates.extremes, end)
        hold(excess <= PROVEN, f"in fractions a model exceeds its budgets by {excess:.2e}")
        hold(-PROVEN <= gap <= PROVEN, f"in fractions the gap is {gap:.2e} of the norm budget")
    return len(which)


# -- laws of two answers: each returns whether it applies --------------------------------------------------------------


def largest_end(fit: Any) -> float:
    """The largest relevance of a feature; covariates have none."""
    return float(np.nanmax(fit.intervals_, initial=0.0))


def same_intervals(found: Any, wanted: Any, what: str, order: np.ndarray | None = None) -> None:
    """Two fits have the same intervals, up to what is not proven of them."""
    order = np.arange(len(wanted.intervals_)) if order is None else order
    slack = SAME * (1 + largest_end(wanted))
    slack += found.result_.largest_gap + wanted.result_.largest_gap
    off = float(np.nan_to_num(np.abs(found.intervals_ - wanted.intervals_[order])).max(initial=0.0))
    hold(off <= slack, f"{what}: intervals differ by {off:.2e}")


def same(found: Any, wanted: Any, what: str, order: np.ndarray | None = None) -> None:
    """Two fits have the same intervals and classes."""
    same_intervals(found, wanted, what, order)
    order = np.arange(len(wanted.intervals_)) if order is None else order
    hold(bool((found.relevance_ == wanted.relevance_[order]).all()), f"{what}: classes differ")


def again(problem: MadeProblem, **changed: Any) -> Any | None:
    """Another fit; None where it is refused, not proven, or has no feature that helps.

    Of a screened problem another fit may solve other features, so that only `screening_is_safe` applies to it.
    """
    if problem.options["screen"] and "screen" not in changed:
        return None
    try:
        other = problem.fitted(**changed)
    except RelspanError:
        return None
    return other if other.result_.is_proven and not other.result_.is_null else None


def exact_units(recipe: Recipe) -> bool:
    """Whether the units round nothing: then even the choice of C cannot change."""
    units = (recipe.target_unit, recipe.weight_unit, recipe.column_unit)
    return all(np.log2(unit) % 1 == 0 for unit in units)


def choice(fit: Any, recipe: Recipe) -> list[float]:
    """C, and the parameters of the loss, in units of about 1: cross-validation may have chosen them."""
    known = loss_parameters(fit.result_)
    C = fit.result_.baseline["C"] * (recipe.weight_unit if recipe.weights != "none" else 1.0)
    return [C, known.get("epsilon", 0.0) / recipe.target_unit, known.get("price", 0.0)]


def same_choice(found: Any, wanted: Any, recipe: Recipe, other: Recipe | None = None) -> bool:
    """Whether both fits go by the same C and the same loss, whether given or chosen."""
    return bool(
        np.allclose(choice(found, recipe if other is None else other), choice(wanted, recipe), rtol=1e-9, atol=0)
    )


def units_do_not_count(problem: MadeProblem, fit: Any) -> bool:
    """Other units of target, weights and columns give the same answer."""
    plain = problem.recipe.in_plain_units()
    if problem.recipe == plain:
        plain = replace(plain, target_unit=2.0**-30, weight_unit=2.0**70, column_unit=2.0**50)
    if problem.options["screen"]:
        return False
    exact = exact_units(problem.recipe) and exact_units(plain)
    other = made(plain).fitted()
    hold(other.result_.is_null == fit.result_.is_null, "other units: a null model")
    if exact and problem.recipe.values != "far":
        same(other, fit, "other units")
    elif same_choice(other, fit, problem.recipe, plain):
        same_intervals(other, fit, "other units")
    return True


def refused_in_any_unit(problem: MadeProblem, reason: RelspanError) -> bool:
    """What the solver cannot prove, it cannot prove in units of about 1 either."""
    plain = problem.recipe.in_plain_units()
    if not isinstance(reason, SolverError) or problem.recipe == plain:
        return False
    hold(again(made(plain), screen=False) is None, f"proven in other units, but here: {reason}")
    return True


def column_order_does_not_count(problem: MadeProblem, fit: Any) -> bool:
    if problem.recipe.grouped or problem.options.get("covariates") or problem.plain.shape[1] < 2:
        return False
    order = np.random.default_rng(problem.recipe.seed).permutation(problem.plain.shape[1])
    other = again(problem.with_columns(order), rule="published")
    if other is None or not same_choice(other, fit, problem.recipe):
        return False
    same_intervals(other, fit, "columns permuted", order)
    return True


def row_order_does_not_count(problem: MadeProblem, fit: Any) -> bool:
    other = again(problem.with_rows(np.random.default_rng(problem.recipe.seed).permutation(len(problem.plain))))
    if other is None or not same_choice(other, fit, problem.recipe):
        return False
    same_intervals(other, fit, "rows permuted")
    return True


def signs_do_not_count(problem: MadeProblem, fit: Any) -> bool:
    """A negated column has the same interval."""
    signs = np.random.default_rng(problem.recipe.seed).choice([-1.0, 1.0], problem.plain.shape[1])
    other = again(problem.with_signs(signs), rule="published")
    if other is None or not same_choice(other, fit, problem.recipe):
        return False
    same_intervals(other, fit, "columns negated")
    return True


def weights_are_repetitions(problem: MadeProblem, fit: Any) -> bool:
    """A whole weight equals so many rows, at the same choice of C and of the loss.

    Cross-validation may choose otherwise: the copies of a row come into different folds, a weight into one.
    """
    recipe = problem.recipe
    if recipe.weights not in ("whole", "some zero") or recipe.weight_unit != 1.0:
        return False
    if recipe.task == "survival" and problem.options["partners"] is not None:
        return False
    times = problem.fit_options["sample_weight"].astype(int)
    other = again(problem.with_rows(np.repeat(np.arange(len(times)), times), sample_weight=None), rule="published")
    if other is None or not same_choice(other, fit, problem.recipe):
        return False
    same_intervals(other, fit, "rows repeated")
    return True


def larger_budgets_hold_more(problem: MadeProblem, fit: Any) -> bool:
    more = {"delta_norm": problem.recipe.delta_norm + 0.1, "delta_loss": problem.recipe.delta_loss + 0.05}
    wider = again(problem, **more)
    if wider is None or not same_choice(wider, fit, problem.recipe):
        return False
    slack = SAME * (1 + largest_end(wider)) + wider.result_.largest_gap + fit.result_.largest_gap
    raised, grown = (wider.intervals_ - fit.intervals_).T
    hold(not (raised > slack).any(), "a larger budget raises a minimum")
    hold(not (grown < -slack).any(), "a larger budget lowers a maximum")
    # by the papers' own rule a feature is relevant by its maximum alone, which may pass the probes' in a larger family
    stronger = (wider.relevance_ == 2) & (fit.relevance_ < 2) & (problem.recipe.rule != "published")
    hold(not stronger.any(), "a larger budget makes a feature strong")
    return True


def screening_is_safe(problem: MadeProblem, fit: Any) -> bool:
    """What is solved has its interval, and what is not has a bound that its interval does not exceed."""
    whole = again(problem, screen=False) if problem.options["screen"] else None
    if whole is None or not same_choice(whole, fit, problem.recipe):
        return False
    slack = SAME * (1 + largest_end(fit)) + whole.result_.largest_gap + fit.result_.largest_gap
    for screened, true in zip(fit.result_.features, whole.result_.features, strict=True):
        hold(screened.max >= true.max - slack, f"{true.name} reaches {true.max}, beyond its bound {screened.max}")
        hold(screened.min <= true.min + slack, f"{true.name} is screened with [{screened.min}, {screened.max}]")
        exact = not screened.solved or abs(screened.max - true.max) + abs(screened.min - true.min) <= 2 * slack
        hold(exact, f"{true.name} is solved as [{screened.min}, {screened.max}], but has [{true.min}, {true.max}]")
    hold(bool((whole.relevance_ == fit.relevance_).all()), "screening changes a class")
    return True


def engines_agree(problem: MadeProblem, fit: Any) -> bool:
    used = fit.result_.engine["name"]
    other = again(problem, engine="batched" if used == "exact" else "exact")
    if other is None:
        return False
    same(other, fit, "another engine")
    return True


def verify_agrees(problem: MadeProblem, fit: Any) -> bool:
    """The result follows from its table."""
    fit.result_.verify(problem.X, problem.y, **problem.fit_options)
    return True


# -- laws of a session -------------------------------------------------------------------------------------------------


def explored(fit: Any) -> Explorer | None:
    try:
        return fit.explore()
    except ParameterError:
        return None


def pins_narrow(problem: MadeProblem, fit: Any) -> bool:
    """Under pins every interval lies inside the one without, and what is refused names the pins."""
    session, rng = explored(fit), np.random.default_rng(problem.recipe.seed)
    if session is None:
        return False
    before = {f.name: (f.min, f.max) for f in fit.result_.features}
    for name in rng.permutation(list(before))[:3].tolist():
        low, high = before[name]
        beyond = high * (1 + 10.0 ** rng.uniform(-12, -6))  # by hardly anything: it may pass for the end, or not
        demands = ["min", "max", float(rng.uniform(low, high)), (low, (low + high) / 2), 0.0, 2.0, beyond]
        demand = demands[int(rng.integers(len(demands)))]
        try:
            session = session.pin(name, demand)
        except InfeasiblePins as reason:
            hold(bool(reason.conflict), f"{demand!r} of {name} is refused without a conflict")
            continue
        except (ParameterError, SolverError):  # any other error is a fault
            continue
        for f in session.result.features:
            least, most = before[f.name]
            slack = 2 * SAME * max(1.0, most)
            inside = least - slack <= f.min <= f.max + slack and f.max <= most + slack
            hold(inside, f"under {name} = {demand!r} {f.name} has [{f.min}, {f.max}], without [{least}, {most}]")
    return True


def predictions_are_inside(problem: MadeProblem, fit: Any) -> bool:
    """The best model's score lies in its interval. Covariates have no price, so that a score may have no limit."""
    session = explored(fit)
    if session is None or problem.recipe.form == "sparse":
        return False
    try:
        samples = session.predictions(problem.X[:3]).samples
    except SolverError as reason:
        hold(bool(problem.options.get("covariates")) and "no limit" in str(reason), f"predictions: {reason}")
        return False
    for one in samples:
        slack = PROVEN * (1 + abs(one.score)) + one.gap + PROVEN * abs(problem.recipe.target_unit)
        hold(one.lo - slack <= one.score <= one.hi + slack, f"a score of {one.score} outside [{one.lo}, {one.hi}]")
    return True


def panels_are_models(problem: MadeProblem, fit: Any) -> bool:
    """The smallest panel holds every feature that all models use, and is not smaller than its bound."""
    session = explored(fit)
    if session is None:
        return False
    panel = session.smallest_panel(time_limit=3.0)
    needed = {f.name for f in fit.result_.features if f.min > NOISE}
    hold(needed <= set(panel.features), f"the panel lacks {needed - set(panel.features)}, which every model uses")
    hold(panel.bound <= len(panel.features) + PROVEN, f"a panel of {len(panel.features)} below its bound {panel.bound}")
    return True


def sessions_can_be_saved(problem: MadeProblem, fit: Any) -> bool:
    session = explored(fit)
    if session is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        session.save(Path(folder) / "session.json.gz")
        hold(Explorer.load(Path(folder) / "session.json.gz").result == session.result, "a session does not read back")
    return True


def models_can_be_saved(problem: MadeProblem, fit: Any) -> bool:
    """A pickled estimator predicts the same."""
    copied = pickle.loads(pickle.dumps(fit))
    hold(bool((copied.predict(problem.X) == fit.predict(problem.X)).all()), "a pickled estimator predicts otherwise")
    hold(copied.result_ == fit.result_, "a pickled result differs")
    return True


MORE_LAWS: tuple[Callable[[MadeProblem, Any], bool], ...] = (
    units_do_not_count,
    column_order_does_not_count,
    row_order_does_not_count,
    signs_do_not_count,
    weights_are_repetitions,
    larger_budgets_hold_more,
    screening_is_safe,
    engines_agree,
    verify_agrees,
    pins_narrow,
    predictions_are_inside,
    panels_are_models,
    sessions_can_be_saved,
    models_can_be_saved,
)
