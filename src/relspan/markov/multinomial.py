r"""Deviances of many small multinomial logistic regressions at once.

For a response of K classes and a design of q columns, class 0 being the reference,

.. math::
    D = \min_B \; -2 \sum_i \log \pi_{i, y_i}, \qquad
    \pi_{ik} \propto \exp(b_k \cdot x_i), \quad b_0 = 0

by Newton's method with a batched Hessian, step halving where the deviance would rise, and a vanishing Levenberg term in
the step only, so that separable data (D towards 0, coefficients towards infinity) and zero columns of the design do no
harm and the minimum itself is not moved.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from relspan.arrays import Bools, Floats
from relspan.tolerances import LOGIT_GAIN, LOGIT_RIDGE

_MOST_ITERATIONS = 40


def multinomial_deviance(design: Floats, response: npt.NDArray[np.int64], n_classes: int) -> Floats:
    """Deviance of every regression in a batch.

    Parameters
    ----------
    design : array of shape (m, n, q)
        The columns should have similar lengths; the constant must be among them.
    response : array of shape (m, n) or (1, n)
        Classes 0 to n_classes - 1.
    n_classes : int

    Returns
    -------
    array of shape (m,)
    """
    m, n, q = design.shape
    classes = n_classes - 1
    observed = (response[:, :, None] == np.arange(1, n_classes)).astype(float)
    observed = np.broadcast_to(observed, (m, n, classes))
    coefficients = np.zeros((m, q, classes))
    deviance, share = _deviance(design, observed, coefficients)
    active: Bools = np.ones(m, dtype=bool)
    for _ in range(_MOST_ITERATIONS):
        which = np.flatnonzero(active)
        if not len(which):
            break
        step = _newton_step(design[which], observed[which], share[which])
        better, trial, trial_share = _halve_until_better(
            design[which], observed[which], coefficients[which], step, deviance[which]
        )
        gain = deviance[which] - better
        coefficients[which], share[which], deviance[which] = trial, trial_share, better
        active[which[gain <= LOGIT_GAIN * (1.0 + better)]] = False
    return deviance


def _deviance(design: Floats, observed: Floats, coefficients: Floats) -> tuple[Floats, Floats]:
    score = design @ coefficients  # (m, n, K - 1); the reference class scores 0
    top = np.maximum(score.max(axis=2, keepdims=True), 0.0)
    weight = np.exp(score - top)
    total = weight.sum(axis=2, keepdims=True) + np.exp(-top)
    log_total = (np.log(total) + top)[:, :, 0]
    deviance: Floats = 2.0 * (log_total - (score * observed).sum(axis=2)).sum(axis=1)
    return np.maximum(deviance, 0.0), weight / total


def _newton_step(design: Floats, observed: Floats, share: Floats) -> Floats:
    m, _, q = design.shape
    classes = observed.shape[2]
    gradient = np.swapaxes(design, 1, 2) @ (observed - share)  # (m, q, K - 1)
    hessian = np.empty((m, q, classes, q, classes))
    for k in range(classes):
        for l in range(k, classes):
            curvature = share[:, :, k] * ((k == l) - share[:, :, l])
            block = np.swapaxes(design * curvature[:, :, None], 1, 2) @ design
            hessian[:, :, k, :, l] = block
            hessian[:, :, l, :, k] = block
    size = q * classes
    flat = hessian.reshape(m, size, size)
    level = np.trace(flat, axis1=1, axis2=2)[:, None, None] / size
    flat = flat + (LOGIT_RIDGE[0] * level + LOGIT_RIDGE[1]) * np.eye(size)
    step: Floats = np.linalg.solve(flat, gradient.reshape(m, size, 1)).reshape(m, q, classes)
    return step


def _halve_until_better(
    design: Floats, observed: Floats, start: Floats, step: Floats, current: Floats
) -> tuple[Floats, Floats, Floats]:
    """The first of the steps 1, 1/2, 1/4, ... that does not raise the deviance; none of them means stay."""
    length = np.ones(len(start))
    for _ in range(12):
        trial = start + length[:, None, None] * step
        deviance, share = _deviance(design, observed, trial)
        worse = ~(deviance <= current)
        if not worse.any():
            return deviance, trial, share
        length[worse] *= 0.5
    length[worse] = 0.0
    trial = start + length[:, None, None] * np.where(worse[:, None, None], 0.0, step)
    deviance, share = _deviance(design, observed, trial)
    return deviance, trial, share
