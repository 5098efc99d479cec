"""Stability: how much would intervals and classes move with another sample?

The samples are drawn again with replacement (each class as often as it was, where there are classes), and the whole
analysis is repeated at the same C and with the same settings and scaling: best model, family, intervals, probes,
classes. The whiskers are quantiles of both end points over the draws. Every draw has its own seed, so the answer does
not depend on how many workers share the draws.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

import numpy as np
from joblib import Parallel, delayed

from relspan.analysis.classes import NAMES
from relspan.analysis.pipeline import run_analysis
from relspan.arrays import Floats
from relspan.errors import DegenerateBaseline, ParameterError
from relspan.explore.fitted_problem import FittedProblem


@dataclass(frozen=True)
class FeatureStability:
    """One feature: quantiles (low, middle, high) of both end points, and how often it fell into each class."""

    name: str
    interval: tuple[float, float]
    min: tuple[float, float, float]
    max: tuple[float, float, float]
    classes: dict[str, float]

    @property
    def usual(self) -> str:
        """The class it fell into most often."""
        return max(self.classes, key=lambda name: self.classes[name])


@dataclass(frozen=True)
class Stability:
    """The stability of all features. `degenerate` draws had no model with a feature and are not counted."""

    features: tuple[FeatureStability, ...]
    n_draws: int
    degenerate: int
    level: float

    def __getitem__(self, name: str) -> FeatureStability:
        for feature in self.features:
            if feature.name == name:
                return feature
        raise KeyError(f"no feature {name!r}")

    def to_json(self, indent: int | None = 2) -> str:
        return json.dumps(asdict(self), indent=indent)


def stability(
    problem: FittedProblem,
    n_draws: int = 50,
    level: float = 0.9,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> Stability:
    """Bootstrap whiskers that hold a share `level` of the draws, and class frequencies."""
    if n_draws < 2:
        raise ParameterError(f"n_draws must be at least 2, not {n_draws!r}; 50 serves well")
    if not 0 < level < 1:
        raise ParameterError(f"level must lie between 0 and 1, not {level!r}; e.g. .9")
    seeds = np.random.SeedSequence(seed).spawn(n_draws)
    found: list[tuple[Floats, np.ndarray] | None] = []
    for answer in Parallel(n_jobs=n_jobs, return_as="generator")(delayed(_draw)(problem, one) for one in seeds):
        found.append(answer)
        progress(len(found) / n_draws)
    kept = [answer for answer in found if answer is not None]
    if not kept:
        raise DegenerateBaseline(f"in all {n_draws} draws the best model at C = {problem.analysis.baseline.C:g} is 0")
    ends = np.array([problem.everywhere(intervals) for intervals, _ in kept])
    classes = np.array([problem.everywhere(kinds.astype(np.float64)) for _, kinds in kept])
    cut = (1 - level) / 2
    quantiles = np.quantile(ends, [cut, 0.5, 1 - cut], axis=0)
    features = tuple(
        FeatureStability(
            feature.name,
            (feature.min, feature.max),
            tuple(quantiles[:, j, 0].tolist()),
            tuple(quantiles[:, j, 1].tolist()),
            {name: float((classes[:, j] == kind).mean()) for kind, name in enumerate(NAMES)},
        )
        for j, feature in enumerate(problem.result.features)
    )
    return Stability(features, n_draws, n_draws - len(kept), level)


def _draw(problem: FittedProblem, seed: np.random.SeedSequence) -> tuple[Floats, np.ndarray] | None:
    """Intervals and classes of one draw; None where the best model uses no feature."""
    draw, probes = seed.spawn(2)
    rng = np.random.default_rng(draw)
    groups = [np.arange(len(problem.y))] if problem.classes is None else _by_class(problem.y)
    chosen = np.concatenate([rng.choice(group, len(group)) for group in groups])
    weights = problem.sample_weight
    settings = replace(problem.settings, C=problem.analysis.baseline.C, n_jobs=None)
    try:
        again = run_analysis(
            [problem.loss],
            problem.X[chosen],
            problem.y[chosen],
            None if weights is None else weights[chosen],
            problem.columns,
            settings,
            problem.splitter,
            probes,
        )
    except DegenerateBaseline:
        return None
    return again.ranges.relevances / again.baseline.norm, again.classes


def _by_class(y: Floats) -> list[np.ndarray]:
    return [np.flatnonzero(y == value) for value in np.unique(y)]
