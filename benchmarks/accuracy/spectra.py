"""The near-infrared tables of the metric-learning paper: spectra with three classes, and the paper's split.

Neither table is part of the repository: a folder holds tecator.csv (240 rows: 100 absorbances, 22 principal components,
moisture, fat, protein) and wine_nir.csv (256 absorbances, alcohol, and the word "train" or "test").

Both targets are numbers, which the paper bins "into 3 classes of similar size". It does not print the limits; here they
are the terciles of the rows that are learned from, or of all rows. The paper exchanges the parts of the usual splits:
it learns from the smaller one.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.model_selection import train_test_split

FILES = ("tecator.csv", "wine_nir.csv")
WINE_OUTLIERS = [33, 34, 83]  # samples 34, 35 and 84 of the paper
Split = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Spectra, classes, the rows to learn from, and the rows to test with."""


def missing_spectra(folder: str | None) -> list[str]:
    """The files that are not in the folder."""
    return [file for file in FILES if folder is None or not (Path(folder) / file).exists()]


def terciles(values: np.ndarray, of: np.ndarray) -> np.ndarray:
    """Classes 0, 1 and 2 by the terciles of the given rows."""
    return np.searchsorted(np.quantile(values[of], [1 / 3, 2 / 3]), values)


def tecator(folder: Path, limits_by: str = "train") -> Split:
    """100 absorbances and three classes of fat: the last 43 of 215 rows to learn from, the first 172 to test."""
    X, fat = _tecator_table(folder)
    train, test = np.arange(172, 215), np.arange(172)
    return X, terciles(fat, train if limits_by == "train" else np.arange(215)), train, test


def tecator_drawn(folder: Path, split: int) -> Split:
    """The same table with classes by the terciles of all rows, and 43 rows drawn to learn from."""
    X, fat = _tecator_table(folder)
    y = terciles(fat, np.arange(215))
    return X, y, *train_test_split(np.arange(215), train_size=43, stratify=y, random_state=split)


def wine_nir(folder: Path, limits_by: str = "train") -> Split:
    """256 absorbances and three classes of alcohol: the 30 usual test rows to learn from, 91 to test."""
    lines = (folder / "wine_nir.csv").read_text().split()[1:]
    table = np.array([line.split(",")[:-1] for line in lines], dtype=float)
    part = np.array([line.split(",")[-1] for line in lines])
    train = np.flatnonzero(part == "test")
    test = np.setdiff1d(np.flatnonzero(part == "train"), WINE_OUTLIERS)
    rows = train if limits_by == "train" else np.concatenate([train, test])
    return table[:, :256], terciles(table[:, 256], rows), train, test


def _tecator_table(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    table = np.genfromtxt(folder / "tecator.csv", delimiter=",", skip_header=1)[:215]
    return table[:, :100], table[:, -2]
