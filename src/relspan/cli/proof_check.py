"""Exit code 0 means proven: an answer that is not proven to the usual tolerance is written, then reported as such."""

from __future__ import annotations

from collections.abc import Iterable

import typer

from relspan.analysis.proof_limits import FIGURES
from relspan.checks import listed
from relspan.cli.exit_codes import ExitCode, complain
from relspan.explore import Predictions, RelevancePath
from relspan.result import RelevanceResult
from relspan.tolerances import CERTIFIED_GAP


def exit_unproven(result: RelevanceResult) -> None:
    """A result that is not proven to the usual tolerance is reported as such, and the command ends with its code."""
    if not result.is_proven:
        complain(gap_sentence(result))
        raise typer.Exit(ExitCode.SOLVER)


def gap_sentence(result: RelevanceResult) -> str:
    """Which ends are not proven to the usual tolerance."""
    wide = result.unproven
    if not wide:
        worst = max(result.proofs, key=lambda name: result.proofs[name])
        return f"the result is not proven to the usual {CERTIFIED_GAP:g}: {FIGURES[worst].format(result.proofs[worst])}"
    return (
        f"the intervals of {listed(wide)} are certified only to within {result.largest_gap:.1e} of the best model's "
        f"norm, not to the usual {CERTIFIED_GAP:g}; the columns gap_lo and gap_hi have the gap of every end"
    )


def exit_unproven_path(path: RelevancePath) -> None:
    """The same for the steps of a path."""
    wide = [step for step in path.steps if not step.largest_gap <= CERTIFIED_GAP * _largest(step.intervals.values())]
    if wide:
        values = listed(f"{step.value:.4g}" for step in wide)
        complain(
            f"at {path.along} = {values} the intervals are certified only to within "
            f"{max(step.largest_gap for step in wide):.1e} of the norm, not to the usual {CERTIFIED_GAP:g}"
        )
        raise typer.Exit(ExitCode.SOLVER)


def exit_unproven_predictions(found: Predictions) -> None:
    """The same for the scores of new rows."""
    size = max((abs(end) for one in found.samples for end in (one.lo, one.hi)), default=0.0)
    gap = max((one.gap for one in found.samples), default=0.0)
    if not gap <= CERTIFIED_GAP * size:
        complain(f"the intervals of scores are certified only to within {gap:.1e}; the json has the gap of every row")
        raise typer.Exit(ExitCode.SOLVER)


def _largest(intervals: Iterable[tuple[float, float]]) -> float:
    """The largest end, at least 1: the unit of a gap."""
    return max([1.0, *(high for _, high in intervals)])
