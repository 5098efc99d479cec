"""The biomedical tables of the FRI paper that are public, and how a replicate of one is prepared.

A replicate is a bootstrap sample: a share of n rows drawn with replacement to learn from, and the rows that were not
drawn to be judged by: about 37 % where n rows are drawn, about half where .7 n are, as in the paper. Everything that is
learnt, is learnt from the drawn rows:

    missing values    the column's mean over the drawn rows
    scale             mean 0 and deviation 1 over the drawn rows
    imbalance         where the rarer class has less than a third of the rows: SMOTE, then edited nearest neighbours
                      (imbalanced-learn), on the drawn rows alone; the rows to be judged by keep their shares

t21 and flip of the paper are not public.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import StandardScaler

TABLES = {"breast cancer": (), "SPECTF": ("SPECTF.train", "SPECTF.test"), "colposcopy": ("colposcopy.csv",)}
NOT_PUBLIC = ("t21", "flip")
IMBALANCED = 1 / 3


@dataclass(frozen=True, eq=False)
class Table:
    """Rows with classes 0 and 1."""

    name: str
    X: np.ndarray
    y: np.ndarray

    @property
    def imbalanced(self) -> bool:
        """Whether the rarer class has less than a third of the rows."""
        return bool(min(self.y.mean(), 1 - self.y.mean()) < IMBALANCED)


@dataclass(frozen=True, eq=False)
class Replicate:
    """A prepared bootstrap sample. Columns that do not vary in it are left out of all of its tables.

    Attributes
    ----------
    X, y
        The drawn rows, imputed and scaled, balanced where the table is imbalanced: what selectors and the judge see.
    drawn, drawn_y, origin
        The same rows before they were balanced, and the row of the table each one is. Copies of a row must not lie in
        two folds when the judge's C is tuned.
    test, test_y
        The rows that were not drawn.
    """

    X: np.ndarray
    y: np.ndarray
    drawn: np.ndarray
    drawn_y: np.ndarray
    origin: np.ndarray
    test: np.ndarray
    test_y: np.ndarray


def missing_files(name: str, folder: str | None) -> list[str]:
    """The files of a table that are not in the folder."""
    return [file for file in TABLES[name] if folder is None or not (Path(folder) / file).exists()]


def load(name: str, folder: str | None) -> Table:
    """A table by name; breast cancer comes with scikit-learn, the others from files in the folder."""
    if name == "breast cancer":
        data = load_breast_cancer()
        return Table(name, data.data, data.target)
    places = [Path(folder or ".") / file for file in TABLES[name]]
    if name == "SPECTF":
        rows = np.vstack([np.loadtxt(place, delimiter=",") for place in places])
        return Table(name, rows[:, 1:], rows[:, 0].astype(int))
    rows = np.genfromtxt(places[0], delimiter=",", skip_header=1)
    return Table(name, rows[:, :-1], rows[:, -1].astype(int))


def replicate(table: Table, seed: int, share: float = 1.0) -> Replicate:
    """The bootstrap sample of a seed, `share` times as many rows as the table has, prepared by its own drawn rows."""
    n = len(table.y)
    drawn = np.random.default_rng(seed).integers(0, n, round(share * n))
    held_out = np.setdiff1d(np.arange(n), drawn)
    y, test_y = table.y[drawn], table.y[held_out]
    if len(np.unique(y)) < 2 or len(np.unique(test_y)) < 2:
        raise ValueError(f"replicate {seed} of {table.name} has rows of one class only")
    imputer = SimpleImputer(keep_empty_features=True).fit(table.X[drawn])
    scaler = StandardScaler().fit(imputer.transform(table.X[drawn]))
    X, test = (scaler.transform(imputer.transform(table.X[rows])) for rows in (drawn, held_out))
    more_X, more_y = _balanced(X, y, seed) if table.imbalanced else (X, y)
    varies = more_X.std(axis=0) > 0  # balancing drops rows, after which another column may be constant
    return Replicate(more_X[:, varies], more_y, X[:, varies], y, drawn, test[:, varies], test_y)


def _balanced(X: np.ndarray, y: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    from imblearn.combine import SMOTEENN  # belongs to the extra `bench`

    more_X, more_y = SMOTEENN(random_state=seed).fit_resample(X, y)
    return more_X, more_y
