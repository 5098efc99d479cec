"""Does a result follow from a table? The analysis is made again, and everything that the result reports is compared."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

from relspan.analysis.settings import NOT_IN_THE_ANSWER
from relspan.checks import listed
from relspan.errors import ParameterError, RelspanWarning, VerificationError
from relspan.result import RelevanceResult
from relspan.tasks.registry import estimator_for
from relspan.tasks.task import TASKS
from relspan.tolerances import CERTIFIED_GAP

NOT_COMPARED = ("seconds", "versions", "engine")  # how a result was computed, not what it says
BY_CHANCE = (
    *("probes", "thresholds", "relevance", "evidence", "route", "threshold", "passed", "norm_made", "details"),
    *("random_state", "warnings", "probe_gap"),
)
SHARES = ("features", "groups", "privileged", "probes", "thresholds", "proofs")  # of the norm, or of the samples
SAME_NUMBER = 2 * CERTIFIED_GAP  # two ends that are each proven to the usual gap may differ by this


@dataclass(frozen=True)
class Verification:
    """What a verification has compared.

    Parameters
    ----------
    compared : int
        How many numbers, names and classes agree.
    largest_difference : float
        The largest difference between two numbers that agree, as a share of the number where it is larger than 1.
    left_out : tuple of str, default=()
        What could not be compared, because no seed was recorded.

    See Also
    --------
    RelevanceResult.verify : Compares them.

    Examples
    --------
    >>> from relspan.tasks.repeated_analysis import Verification
    >>> str(Verification(40, 0.0))
    'verified: all 40 numbers, names and classes follow from the table, to within 0.0e+00'
    """

    compared: int
    largest_difference: float
    left_out: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = (
            f"verified: all {self.compared} numbers, names and classes follow from the table, to within "
            f"{self.largest_difference:.1e}"
        )
        rest = "; no seed was recorded, so these were left out: " + ", ".join(self.left_out)
        return text + (rest if self.left_out else "")


def verify(
    result: RelevanceResult,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    groups: Any = None,
    privileged: Any = None,
) -> Verification:
    """Make the analysis again with the recorded parameters, check its proofs, and compare every reported value.

    Raises VerificationError where a proof fails or a value differs.
    """
    if result.task not in TASKS:
        raise ParameterError(f"results of the task {result.task!r} cannot be verified; there are {', '.join(TASKS)}")
    if result.partial or result.is_pinned:
        kind = "partial" if result.partial else "under pins"
        raise ParameterError(f"a result that is {kind} cannot be verified; verify the whole one without pins")
    samples = {"sample_weight": sample_weight, "groups": groups, "privileged": privileged}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RelspanWarning)
        again = estimator_for(result.task, **_parameters(result, y)).fit(
            X, y, **{name: value for name, value in samples.items() if value is not None}
        )
    if again.result_.certificates is not None:
        again.result_.certificates.verify()
    seeded = isinstance(result.parameters.get("random_state"), Integral)
    return compared_results(result, again.result_, () if seeded else BY_CHANCE)


def compared_results(result: RelevanceResult, again: RelevanceResult, left_out: tuple[str, ...] = ()) -> Verification:
    """Compare what a result reports with what the table gives again.

    Not claimed, and so not compared, are `NOT_COMPARED`, what `data` holds beyond the analysis (the file, its checksum,
    how its columns were read), further warnings, and the parameters `NOT_IN_THE_ANSWER`. Shares agree to within
    `SAME_NUMBER`, and numbers in the units of the table to within as much of themselves.
    """
    reported, found = (_comparable(one, left_out) for one in (result, again))
    reported["data"] = {name: value for name, value in reported["data"].items() if name in found["data"]}
    if "warnings" in found:
        reported["warnings"] = [text for text in reported["warnings"] if text in found["warnings"]]
    unit = min((size for size in map(found["baseline"].get, ("l1_norm", "null_loss")) if size), default=1.0)
    pairs = [
        (where, old, new, 1.0 if where.startswith(SHARES) else min(1.0, unit))
        for where, old, new in _pairs("", reported, found)
    ]
    differing = [(where, old, new) for where, old, new, size in pairs if not _agree(old, new, size)]
    if differing:
        texts = [f"{where} is {old!r}, but the table gives {new!r}" for where, old, new in differing]
        raise VerificationError(f"the result does not follow from this table: {listed(texts)}")
    numbers = [_distance(old, new, size) for _, old, new, size in pairs if _is_number(old)]
    return Verification(len(pairs), max(numbers, default=0.0), left_out)


def _parameters(result: RelevanceResult, y: Any) -> dict[str, Any]:
    """The parameters that decide the answer, as the estimator takes them; JSON holds class names as text."""
    known = TASKS[result.task].estimator().get_params()
    given = {
        name: value for name, value in result.parameters.items() if name in known and name not in NOT_IN_THE_ANSWER
    }
    if isinstance(given.get("class_weight"), Mapping):
        labels = {str(label): label for label in np.unique(np.asarray(y)).tolist()}
        given["class_weight"] = {labels.get(str(name), name): v for name, v in given["class_weight"].items()}
    if not isinstance(given.get("random_state"), Integral):
        given["random_state"] = 0
    return given


def _comparable(result: RelevanceResult, left_out: tuple[str, ...]) -> dict[str, Any]:
    """The record of a result without what differs from run to run."""

    def kept(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: kept(item) for name, item in value.items() if name not in (*NOT_COMPARED, *left_out)}
        return [kept(item) for item in value] if isinstance(value, list) else value

    found: dict[str, Any] = kept(json.loads(result.to_json()))
    decisive = {name: value for name, value in found["parameters"].items() if name not in NOT_IN_THE_ANSWER}
    return {**found, "parameters": decisive}


def _pairs(where: str, old: Any, new: Any) -> Iterator[tuple[str, Any, Any]]:
    """All values of two records, side by side, each with its place."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in [*old, *(name for name in new if name not in old)]:
            yield from _pairs(f"{where}.{name}" if where else name, old.get(name), new.get(name))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            name = one.get("name", number) if isinstance(one, dict) else number
            yield from _pairs(f"{where}[{name}]", one, other)
    else:
        yield where, old, new


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _agree(old: Any, new: Any, size: float) -> bool:
    return _distance(old, new, size) <= SAME_NUMBER if _is_number(old) and _is_number(new) else bool(old == new)


def _distance(old: Any, new: Any, size: float) -> float:
    """The difference as a share of the larger number, or of the size below which numbers are rounding."""
    return abs(float(old) - float(new)) / max(size, abs(float(old)), abs(float(new)))
