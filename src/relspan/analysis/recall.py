"""The baseline as a checkpoint holds it: a run that goes on measures "as good" from the very same model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from relspan.analysis.baseline import Baseline
from relspan.analysis.checkpoint import Checkpoint
from relspan.losses import Loss

STAGE, WHOLE = "baseline", range(1)


@dataclass(frozen=True, eq=False)
class BaselineArrays:
    """A baseline's numbers; its scores are a table with a row for each C, `choice` is its place among the losses."""

    C: np.ndarray
    weights: np.ndarray
    offsets: np.ndarray
    norm: np.ndarray
    loss: np.ndarray
    null_loss: np.ndarray
    multipliers: np.ndarray
    null_preferred: np.ndarray
    choice: np.ndarray
    tried: np.ndarray
    scores: np.ndarray


def remember(checkpoint: Checkpoint | None, baseline: Baseline, losses: Sequence[Loss]) -> None:
    """Write the baseline down, where there is a checkpoint."""
    if checkpoint is None:
        return
    apart = {"scores", "loss_function"}
    numbers = {f.name: np.asarray(getattr(baseline, f.name)) for f in fields(Baseline) if f.name not in apart}
    choice = np.asarray(list(losses).index(baseline.loss_function))
    tried = np.array(list(baseline.scores))
    scores = np.array(list(baseline.scores.values()))
    checkpoint.record(STAGE, WHOLE, BaselineArrays(**numbers, choice=choice, tried=tried, scores=scores))


def recalled(checkpoint: Checkpoint | None, losses: Sequence[Loss]) -> Baseline | None:
    """The baseline of a checkpoint, if it holds one."""
    held = {} if checkpoint is None else checkpoint.finished(STAGE, [WHOLE], BaselineArrays)
    if not held:
        return None
    read = held[WHOLE]
    return Baseline(
        loss_function=losses[int(read.choice)],
        C=float(read.C),
        weights=read.weights,
        offsets=read.offsets,
        norm=float(read.norm),
        loss=float(read.loss),
        null_loss=float(read.null_loss),
        multipliers=read.multipliers,
        scores={float(C): row for C, row in zip(read.tried, read.scores, strict=True)},
        null_preferred=bool(read.null_preferred),
    )
