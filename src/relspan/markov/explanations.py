"""Sentences that give the reason why a variable was kept or dropped."""

from __future__ import annotations

import math
from collections.abc import Callable

from relspan.markov.blanket import BlanketResult
from relspan.markov.outcomes import Decision, PCResult, Separation
from relspan.tolerances import PLAIN_P

NameOf = Callable[[int], str]


def p_text(log_p: float) -> str:
    """A p-value as text, also far below the smallest float."""
    if log_p > math.log(PLAIN_P):
        return f"p = {math.exp(log_p):.3g}"
    if not math.isfinite(log_p):
        return "p = 0"
    exponent = math.floor(log_p / math.log(10))
    return f"p = {math.exp(log_p - exponent * math.log(10)):.2g}e{exponent}"


def _condition_text(given: tuple[int, ...], name: NameOf) -> str:
    return "on its own" if not given else "given " + ", ".join(name(s) for s in given)


def pc_reason(pc: PCResult, variable: int, name: NameOf) -> str:
    """The reason for a decision of HITON-PC."""
    x, t = name(variable), name(pc.target)
    decision = Decision(int(pc.decisions[variable]))
    if decision is Decision.MEMBER:
        closest = _closest_test_text(pc.weakest.get(variable), name)
        return f"{x} was kept: no set that was tried separates it from {t}{closest}."
    if decision is Decision.INDEPENDENT:
        return f"{x} was dropped: on its own it is independent of {t} ({p_text(float(pc.marginal.log_p[variable]))})."
    if decision is Decision.UNRELIABLE:
        df = float(pc.marginal.df[variable])
        return f"{x} was dropped: there are too few samples to test it against {t} ({df:g} degrees of freedom)."
    if decision is Decision.UNDECIDED:
        return f"{x} was not decided: {pc.stopped}."
    found = pc.separations[variable]
    test = f"({p_text(found.log_p)}, statistic {found.statistic:.4g} on {found.df:g} degrees of freedom)"
    if decision is Decision.ASYMMETRIC:
        return (
            f"{x} was dropped by the symmetry correction: {t} is not among the parents and children of {x}, "
            f"because it is independent of {x} {_condition_text(found.given, name)} {test}."
        )
    return f"{x} was dropped: it is independent of {t} {_condition_text(found.given, name)} {test}."


def _closest_test_text(weakest: Separation | None, name: NameOf) -> str:
    if weakest is None:
        return ""
    return f" (the closest: {_condition_text(weakest.given, name)}, {p_text(weakest.log_p)})"


def blanket_reason(blanket: BlanketResult, variable: int, name: NameOf) -> str:
    """The reason for a decision of HITON-MB; a spouse names its common children."""
    if variable in blanket.spouses:
        through = blanket.spouses[variable]
        best = min(through.values(), key=lambda test: test.log_p)
        children = ", ".join(map(name, through))
        return (
            f"{name(variable)} was kept as a spouse of {name(blanket.target)} through {children}: "
            f"the two are dependent {_condition_text(best.given, name)} ({p_text(best.log_p)})."
        )
    return pc_reason(blanket.pc, variable, name)
