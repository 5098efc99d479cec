"""The baseline as a checkpoint holds it: a run that goes on measures "as good" from the very same model."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from relspan.baseline import Baseline
from relspan.relevance.checkpoint import Checkpoint

STAGE, WHOLE = "baseline", range(1)


@dataclass(frozen=True, eq=False)
class BaselineArrays:
    """A baseline's numbers; its scores are a table with a row for each C."""

    C: np.ndarray
    weights: np.ndarray
    offsets: np.ndarray
    norm: np.ndarray
    loss: np.ndarray
    null_loss: np.ndarray
    multipliers: np.ndarray
    tried: np.ndarray
    scores: np.ndarray


def remember(checkpoint: Checkpoint | None, baseline: Baseline) -> None:
    """Write the baseline down, where there is a checkpoint."""
    if checkpoint is None:
        return
    numbers = {f.name: np.asarray(getattr(baseline, f.name)) for f in fields(Baseline) if f.name != "scores"}
    tried = np.array(list(baseline.scores))
    scores = np.array(list(baseline.scores.values()))
    checkpoint.record(STAGE, WHOLE, BaselineArrays(**numbers, tried=tried, scores=scores))


def recalled(checkpoint: Checkpoint | None) -> Baseline | None:
    """The baseline of a checkpoint, if it holds one."""
    held = {} if checkpoint is None else checkpoint.finished(STAGE, [WHOLE], BaselineArrays)
    if not held:
        return None
    read = held[WHOLE]
    return Baseline(
        C=float(read.C),
        weights=read.weights,
        offsets=read.offsets,
        norm=float(read.norm),
        loss=float(read.loss),
        null_loss=float(read.null_loss),
        multipliers=read.multipliers,
        scores={float(C): row for C, row in zip(read.tried, read.scores, strict=True)},
    )
