"""Other selectors, as functions of a table: each gives a mask of the features it calls relevant.

They are methods of relspan's own registry, `relspan.compare.METHODS`, under the names that the benchmarks' records and
pages have for them.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable

import numpy as np

from relspan.compare import METHODS

SELECTORS = {
    "L2-SVM": METHODS["l2-svm"],
    "L1-SVM": METHODS["lasso"],
    "elastic net": METHODS["elastic-net-cv"],
    "forward": METHODS["mlxtend-forward"],
    "backward": METHODS["mlxtend-backward"],
    "stability selection": METHODS["stability"],
    "ensemble": METHODS["ensemble"],
    "Boruta": METHODS["boruta"],
}


def lacking(methods: Iterable[str]) -> dict[str, str]:
    """The methods that cannot be run here, and the package each needs."""
    asked = {name: SELECTORS[name] for name in methods if name in SELECTORS}
    return {name: method.package for name, method in asked.items() if method.package and not method.installed}


def selected(name: str, X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """The mask of a method on a table scaled to mean 0 and deviation 1; its warnings are its own affair."""
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return SELECTORS[name].select(Z, y, "classification", seed) > 0
