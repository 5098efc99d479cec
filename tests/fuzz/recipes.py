"""Recipes of random problems: a few plain values from which a table, a target and an estimator are made again.

A recipe is small enough for a file, a seed makes the same problem on every machine, and hypothesis can shrink it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy import sparse

from relspan import (
    OrdinalRelevanceClassifier,
    QuantileRelevanceRegressor,
    RejectRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
    RelevanceSurvival,
)

CHOICES: dict[str, tuple[Any, ...]] = {
    "task": (
        *("two classes", "logistic", "three classes", "four classes", "reject", "ordinal"),
        *("numbers", "numbers", "quantile", "survival"),
    ),
    "n": (5, 6, 7, 8, 9, 9, 12, 12, 14, 14, 20, 20, 24, 30, 40, 60),
    "d": (1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8, 12),
    "values": ("normal", "whole", "whole", "few", "heavy", "binary", "far"),
    "signal": ("clear", "noisy", "noisy", "none", "exact"),
    "columns": ("free", "free", "copies", "sums", "constant", "blocks"),
    "weights": ("none", "whole", "wide", "equal", "some zero"),
    "rows": ("free", "free", "groups", "repeated"),
    "privileged": (0, 0, 0, 0, 0, 1, 2),
    "covariates": (0, 0, 0, 0, 0, 0, 1, 2),
    "grouped": (False, False, False, False, False, True),
    "form": ("dense", "dense", "sparse", "frame"),
    "C": (0.05, 0.5, 0.5, 5.0, 5.0, 500.0, None, 1e-9),  # the last leaves rounding of a null model to penalty l2
    "epsilon": (0.1, 0.0, 0.5, None),
    "partners": (20, 3, None),
    "delta_norm": (0.1, 0.1, 0.0, 0.001, 1.0),
    "delta_loss": (0.02, 0.02, 0.0, 0.001, 0.3),
    "loss_budget": ("explained", "explained", "relative", "combined"),
    "penalty": ("l1", "l1", "l1", "l1", "l1", "l2"),
    "class_weight": (None, None, None, "balanced"),
    "engine": ("auto", "auto", "exact", "exact", "exact", "batched", "reference"),
    "screen": (False, False, False, False, True),
    "probes": ("append", "append", "append", "append", "replace"),
    "rule": ("evidence", "published"),
    "standardize": (True, True, False),
    "target_unit": (1.0, 1.0, 2.0**-40, 2.0**40, 1e-12, 1e12),
    "target_offset": (0.0, 0.0, 2.0**26),
    "weight_unit": (1.0, 1.0, 1.0, 1e-300, 1e-9, 1e9, 1e300),
    "column_unit": (1.0, 1.0, 1e-150, 1e-6, 1e6, 1e150),
}
LARGE_TABLES = ((70, 35), (30, 60), (150, 8), (12, 90), (300, 3), (90, 20))  # rows and columns
LARGE_SHARE = 1 / 50  # of the problems of a long run: most are small, so that many can be tried
SLOW_CHOICES = {"engine": "reference", "partners": None}  # the slow twin, and all pairs: minutes for a large table
NUMBERS = ("numbers", "quantile")
CLASS_COUNTS = {"three classes": 3, "four classes": 4, "ordinal": 3}
WITH_PRIVILEGED = ("two classes", "ordinal", "numbers", "quantile")
WITH_COVARIATES = ("two classes", "logistic", "reject", "ordinal", "numbers", "quantile", "survival")
PROBES = 5  # few: fuzzing is about programs, not about how chance is measured


@dataclass(frozen=True)
class Recipe:
    """What a problem is made of; see `CHOICES`."""

    seed: int
    task: str = "two classes"
    n: int = 24
    d: int = 5
    values: str = "normal"
    signal: str = "noisy"
    columns: str = "free"
    weights: str = "none"
    rows: str = "free"
    privileged: int = 0
    covariates: int = 0
    grouped: bool = False
    form: str = "dense"
    C: float | None = None
    epsilon: float | None = None
    partners: int | None = 20
    delta_norm: float = 0.1
    delta_loss: float = 0.02
    loss_budget: str = "explained"
    penalty: str = "l1"
    class_weight: str | None = None
    engine: str = "auto"
    screen: bool = False
    probes: str = "append"
    rule: str = "evidence"
    standardize: bool = True
    target_unit: float = 1.0
    target_offset: float = 0.0
    weight_unit: float = 1.0
    column_unit: float = 1.0

    def to_json(self) -> str:
        return json.dumps({name: value for name, value in asdict(self).items() if value != Recipe.__dict__.get(name)})

    @classmethod
    def from_json(cls, text: str) -> Recipe:
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in json.loads(text).items() if name in known})

    def in_plain_units(self) -> Recipe:
        """The same problem in units of about 1."""
        return replace(self, target_unit=1.0, target_offset=0.0, weight_unit=1.0, column_unit=1.0)

    def in_units(self, target: float = 1.0, weight: float = 1.0, column: float = 1.0) -> Recipe:
        """The same problem in other units."""
        return replace(self, target_unit=target, weight_unit=weight, column_unit=column)


def recipes() -> st.SearchStrategy[Recipe]:
    """Recipes for hypothesis, which shrinks them towards the first choice of everything."""
    parts = {name: st.sampled_from(choices) for name, choices in CHOICES.items()}
    return st.builds(Recipe, seed=st.integers(0, 2**20), **parts)


def random_recipe(rng: np.random.Generator) -> Recipe:
    """A recipe for a long run."""
    drawn = {name: choices[int(rng.integers(len(choices)))] for name, choices in CHOICES.items()}
    if rng.random() < LARGE_SHARE:
        drawn["n"], drawn["d"] = LARGE_TABLES[int(rng.integers(len(LARGE_TABLES)))]
        drawn |= {name: CHOICES[name][0] for name, slow in SLOW_CHOICES.items() if drawn[name] == slow}
    return Recipe(seed=int(rng.integers(2**31)), **drawn)


@dataclass(frozen=True, eq=False)
class MadeProblem:
    """A table and a target, and how they are fitted. `plain` is the table as an array."""

    recipe: Recipe
    plain: np.ndarray
    y: np.ndarray
    options: dict[str, Any]
    fit_options: dict[str, Any]

    @property
    def is_exact(self) -> bool:
        """Whether the table has whole numbers, which the solver sees as they are."""
        return self.recipe.values in ("whole", "few", "binary") and not self.recipe.standardize

    @property
    def X(self) -> Any:
        if self.recipe.form == "sparse":
            return sparse.csr_array(self.plain)
        if self.recipe.form == "frame":
            import pandas as pd

            return pd.DataFrame(self.plain, columns=[f"c{j}" for j in range(self.plain.shape[1])])
        return self.plain

    def estimator(self, **changed: Any) -> Any:
        """The estimator, not fitted yet."""
        return ESTIMATORS[self.recipe.task](**{**self.options, **changed})

    def fitted(self, **changed: Any) -> Any:
        """The fitted estimator."""
        return self.estimator(**changed).fit(self.X, self.y, **self.fit_options)

    def with_signs(self, signs: np.ndarray) -> MadeProblem:
        """The same with some columns negated."""
        return replace(self, plain=self.plain * signs)

    def with_columns(self, order: np.ndarray) -> MadeProblem:
        """The same with its columns in another order."""
        return replace(self, plain=np.ascontiguousarray(self.plain[:, order]))

    def with_rows(self, chosen: np.ndarray, **fit_options: Any) -> MadeProblem:
        """The same with some rows, some of them several times."""
        more = {name: np.asarray(value)[chosen] for name, value in self.fit_options.items()}
        more = {name: value for name, value in {**more, **fit_options}.items() if value is not None}
        return replace(self, plain=self.plain[chosen], y=self.y[chosen], fit_options=more)


def reject_classifier(**options: Any) -> Any:
    return RejectRelevanceClassifier(reject_cost=0.3, **options)


def logistic_classifier(**options: Any) -> Any:
    return RelevanceClassifier(loss="logistic", **options)


ESTIMATORS: dict[str, Any] = {
    "two classes": RelevanceClassifier,
    "logistic": logistic_classifier,
    "three classes": RelevanceClassifier,
    "four classes": RelevanceClassifier,
    "reject": reject_classifier,
    "ordinal": OrdinalRelevanceClassifier,
    "numbers": RelevanceRegressor,
    "quantile": QuantileRelevanceRegressor,
    "survival": RelevanceSurvival,
}


def made(recipe: Recipe) -> MadeProblem:
    """The problem of a recipe."""
    rng = np.random.default_rng(recipe.seed)
    X = _values(recipe, rng)
    y = _target(recipe, X, rng)
    fit_options: dict[str, Any] = {}
    n = len(X)
    if recipe.rows == "groups":
        fit_options["groups"] = rng.integers(0, max(3, n // 3), n)
    if recipe.privileged and recipe.task in WITH_PRIVILEGED and recipe.form != "sparse":
        fit_options["privileged"] = rng.standard_normal((n, recipe.privileged))
    weights = _weights(recipe, n, rng)
    if weights is not None:
        fit_options["sample_weight"] = weights * recipe.weight_unit
    X = X * (recipe.column_unit if recipe.standardize else 1.0)
    options = _options(recipe, X.shape[1], weights is not None, "privileged" in fit_options)
    return MadeProblem(recipe, X, y, options, fit_options)


def _options(recipe: Recipe, d: int, weighted: bool, privileged: bool) -> dict[str, Any]:
    """The parameters of the estimator: those of the recipe that it has, and that go together."""
    known = {field.name for field in fields(ESTIMATED[recipe.task])}
    options = {name: getattr(recipe, name) for name in CHOICES if name in known and name != "covariates"}
    if options["C"] is not None and weighted:
        options["C"] = options["C"] / recipe.weight_unit
    if options.get("epsilon") is not None:
        options["epsilon"] = options["epsilon"] * recipe.target_unit
    left = d
    if recipe.task in WITH_COVARIATES and recipe.form != "sparse" and not privileged:
        left = max(1, d - recipe.covariates)
        options["covariates"] = list(range(left, d)) or None
    if recipe.grouped:
        options["feature_groups"] = {"all": list(range(left)), "first": [0]}
    several = CLASS_COUNTS.get(recipe.task, 2) > 2 and recipe.task != "ordinal"
    if recipe.grouped or privileged or several:
        options["screen"] = False
    if "penalty" in options and (several or recipe.task == "logistic"):
        options["penalty"] = "l1"
    return {**options, "n_probes": PROBES, "random_state": recipe.seed % 1000}


ESTIMATED = {**ESTIMATORS, "logistic": RelevanceClassifier, "reject": RejectRelevanceClassifier}


def _values(recipe: Recipe, rng: np.random.Generator) -> np.ndarray:
    n, d = recipe.n, recipe.d
    X: np.ndarray = {
        "normal": lambda: rng.standard_normal((n, d)),
        "whole": lambda: rng.integers(-4, 5, (n, d)).astype(float),
        "few": lambda: rng.integers(0, 3, (n, d)).astype(float),
        "heavy": lambda: rng.standard_cauchy((n, d)),
        "binary": lambda: rng.integers(0, 2, (n, d)).astype(float),
        "far": lambda: rng.standard_normal((n, d)) + 1e6,
    }[recipe.values]()
    if recipe.columns == "copies" and d > 1:
        X[:, d // 2 :] = X[:, : d - d // 2]
    elif recipe.columns == "sums" and d > 2:
        X[:, -1] = X[:, :-1].sum(axis=1)
    elif recipe.columns == "constant" and d > 1:
        X[:, -1] = 3.0
    elif recipe.columns == "blocks" and d > 2:
        X[:, 1 : d // 2] = X[:, :1] + np.round(0.01 * rng.standard_normal((n, len(range(1, d // 2)))), 4)
    if recipe.rows == "repeated":
        X[n // 2 :] = X[: n - n // 2]
    return X


def _target(recipe: Recipe, X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    n, d = X.shape
    w = rng.standard_normal(d) * (rng.random(d) < 0.5)
    w[0] = 1.0
    spread = X.std(axis=0)
    score = ((X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)) @ w
    noise = {"clear": 0.1, "noisy": 1.0, "none": 0.0, "exact": 0.0}[recipe.signal] * rng.standard_normal(n)
    score = rng.standard_normal(n) if recipe.signal == "none" else score + noise
    if recipe.task in NUMBERS:
        whole = np.round(np.clip(score, -1e6, 1e6) * 2.0**10) / 2.0**10  # so that an offset can be added exactly
        return recipe.target_unit * (whole + recipe.target_offset)
    if recipe.task == "survival":
        times = np.round(np.exp(-np.clip(score, -20.0, 20.0)) * 2.0**10) + 1.0
        return np.column_stack([recipe.target_unit * times, rng.random(n) < 0.7])
    count = CLASS_COUNTS.get(recipe.task, 2)
    ranks = np.argsort(np.argsort(score, kind="stable"), kind="stable")
    return np.asarray(ranks * count // n)


def _weights(recipe: Recipe, n: int, rng: np.random.Generator) -> np.ndarray | None:
    return {
        "none": lambda: None,
        "whole": lambda: rng.integers(1, 4, n).astype(float),
        "wide": lambda: 10.0 ** rng.uniform(-5, 1, n),
        "equal": lambda: np.ones(n),
        "some zero": lambda: rng.integers(0, 3, n).astype(float),
    }[recipe.weights]()
