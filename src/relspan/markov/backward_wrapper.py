"""The last stage of HITON: drop what the classifier does not need.

One backward pass over the blanket, weakest association first. With v(F) the cross-validated score of the learner on the
features F, always on identical folds:

    for X in order:   if |F| > 1 and v(F - {X}) >= v(F) - tol:   F <- F - {X}, for good

The score of the final set was used to choose it, so it is too good: an honest figure needs nested cross-validation
(put the whole selector in a pipeline and cross-validate that).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class WrapperStep:
    """One question of the pass: the score without the variable, the score to hold, and the answer."""

    variable: int
    score_without: float
    score_with: float
    dropped: bool


@dataclass
class WrapperResult:
    """What is left, its score on the folds that chose it, and every step."""

    kept: list[int]
    score: float
    steps: list[WrapperStep] = field(default_factory=list)


def backward_pass(
    score: Callable[[Sequence[int]], float], weakest_first: Sequence[int], tol: float = 0.0
) -> WrapperResult:
    """Drop variables one by one, weakest first, as long as the score holds; the last one always stays."""
    kept = sorted(weakest_first)
    current = score(kept)
    steps = []
    for variable in weakest_first:
        if len(kept) == 1:
            break
        rest = [x for x in kept if x != variable]
        without = score(rest)
        dropped = without >= current - tol
        steps.append(WrapperStep(variable, without, current, dropped))
        if dropped:
            kept, current = rest, without
    return WrapperResult(kept, current, steps)
