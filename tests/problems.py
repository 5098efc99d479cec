"""Small tables, the families around their best models, and a slow obvious twin of every engine."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
from scipy.optimize import linprog
from sklearn.model_selection import StratifiedKFold

from relspan.analysis.baseline import Baseline, fit_baseline
from relspan.analysis.intervals import WeightRanges, ranges_of
from relspan.engines import ENGINES, BatchedEngine, Engine
from relspan.engines.auto_choice import has_gpu
from relspan.family import Family, unit_directions
from relspan.family.budgets import family_of
from relspan.losses import Hinge


def batched_on_torch(family: Family) -> Engine:
    """The batched engine as a GPU runs it, on the CPU."""
    from relspan.engines.interior.torch_library import TorchArrays

    return BatchedEngine(family, TorchArrays("cpu"))


ENGINES_HERE = [name for name in sorted(ENGINES) if name != "gpu" or has_gpu()]
"""The names of relspan's engines that work on this machine."""

MAKERS: dict[str, Callable[[Family], Engine]] = {name: ENGINES[name] for name in ENGINES_HERE}
"""How to open an engine, by name; one more than relspan has where there is PyTorch without a GPU."""
if find_spec("torch") is not None:
    MAKERS["batched on torch"] = batched_on_torch


def opened(engine: str, family: Family) -> Engine:
    """The engine of that name, for that family."""
    return MAKERS[engine](family)


def two_classes(
    n: int, d: int, seed: int, flips: float = 0.1, copies: int = 0, integers: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """A table whose first columns tell the classes apart; the last `copies` columns repeat the first ones.

    With flips = 0 the classes are separated by a margin.
    """
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, (n, d)).astype(float) if integers else rng.standard_normal((n, d))
    if copies:
        X[:, d - copies :] = X[:, :copies]
    useful = min(d, 3)
    score = X[:, :useful] @ np.array([1.0, -0.8, 0.6])[:useful] + 0.1
    y = np.where(score > np.median(score), 1.0, -1.0)
    y[rng.random(n) < flips] *= -1
    y[:2] = 1.0, -1.0  # never one class only
    if flips == 0:
        y = np.where(score > 0, 1.0, -1.0)
        X[:, 0] += y
        X[:2, 0], y[:2] = [5.0, -5.0], [1.0, -1.0]
        X[:2, 1:] = 0.0
        if copies:
            X[:, d - copies :] = X[:, :copies]
    return X, y


def best(X: np.ndarray, y: np.ndarray, C: float, sample_weight: np.ndarray | None = None) -> Baseline:
    return fit_baseline(Hinge(), X, y, sample_weight, C, StratifiedKFold(3))


def family_around(
    X: np.ndarray,
    y: np.ndarray,
    C: float = 1.0,
    delta_norm: float = 0.1,
    delta_loss: float = 0.1,
    kind: str = "relative",
    sample_weight: np.ndarray | None = None,
) -> tuple[Family, Baseline]:
    """The hinge family of a table, and the best model it is measured from."""
    baseline = best(X, y, C, sample_weight)
    return family_of(Hinge().rows(X, y, sample_weight), baseline, delta_norm, delta_loss, kind), baseline


def all_ranges(engine: str, family: Family) -> WeightRanges:
    return ranges_of(opened(engine, family).maxima(unit_directions(range(family.n_features), family)))


def largest(family: Family, direction: np.ndarray) -> float:
    """max v.z over the family, by one scipy program over (p, q, b, x) with w = p - q.

    s.t.  p_k 1.(p + q) + q_k c.x <= B_k,   F (p - q) + O b + x >= h,   lower <= A (p - q, b) <= upper
    """
    rows, extra = family.rows, family.constraints
    d, k, m = family.n_features, family.n_offsets, rows.n_rows
    A = [np.hstack([-rows.features, rows.features, -rows.offsets, -np.eye(m)])]
    b = [-rows.heights]
    for budget in family.budgets:
        price = np.concatenate([np.full(2 * d, budget.norm_price), np.zeros(k), budget.loss_price * rows.costs])
        A.append(price[None])
        b.append(np.array([budget.limit]))
    for sign, side in ((1.0, extra.upper), (-1.0, -extra.lower)):
        finite = np.isfinite(side)
        line = np.hstack([extra.features, -extra.features, extra.offsets, np.zeros((extra.n_rows, m))])
        A.append(sign * line[finite])
        b.append(side[finite])
    cost = -np.concatenate([direction[:d], -direction[:d], direction[d:], np.zeros(m)])
    bounds = [(0, None)] * (2 * d) + [(None, None)] * k + [(0, None)] * m
    found = linprog(cost, A_ub=np.vstack(A), b_ub=np.concatenate(b), bounds=bounds, method="highs")
    assert found.status == 0, found.message
    return float(-found.fun)


def best_by_scipy(X: np.ndarray, y: np.ndarray, C: float, v: np.ndarray | None = None) -> tuple[float, np.ndarray]:
    """Objective and model of the L1 hinge machine over (p, q, b, x): the program written out for one task only."""
    n, d = X.shape
    cost = np.concatenate([np.ones(2 * d), [0.0], C * (np.ones(n) if v is None else v)])
    A = np.hstack([-y[:, None] * X, y[:, None] * X, -y[:, None], -np.eye(n)])
    bounds = [(0, None)] * (2 * d) + [(None, None)] + [(0, None)] * n
    found = linprog(cost, A_ub=A, b_ub=-np.ones(n), bounds=bounds)
    assert found.status == 0
    return float(found.fun), np.concatenate([found.x[:d] - found.x[d : 2 * d], found.x[2 * d : 2 * d + 1]])
