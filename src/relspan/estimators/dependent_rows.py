"""Signs that rows are not independent, though no groups were given: repeated identifiers, and duplicated rows.

A column looks like an identifier if it holds whole numbers, most of which occur a few times, and if the rows of one
number belong together: they always share the target although it changes back and forth along the numbers, or they agree
in the other columns. Agreement is the intraclass correlation of a column, the share of its variance that lies between
the numbers. An ordinary column of whole numbers, such as an age, agrees with others as well, but smoothly: neighbouring
numbers then have similar means, which those of an identifier have not. A column that is named like an identifier needs
no further sign.

Exactly duplicated rows count only in tables where rows cannot coincide by chance because a column has many values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from relspan.arrays import Bools, Floats, Ints, Matrix
from relspan.checks import listed

FEWEST_NUMBERS = 10  # different numbers that an identifier has
MOST_REPEATS = 20.0  # rows per number, on average; numbers of ordinary columns occur more often in long tables
REPEATED_ROWS = 0.8  # share of rows whose number occurs more than once
FEWEST_OTHERS = 3  # columns in which rows may agree; fewer could do so by chance
AGREEMENT = 0.25  # least intraclass correlation of half of the other columns
ROUGHNESS = 0.5  # least von Neumann ratio of the means: 1 where neighbours have nothing in common, 0 if smooth
DUPLICATES = (5, 0.02)  # rows that repeat another one: at least so many, and this share of all
MANY_VALUES = 0.25  # different values per row in the column that has most
NAMED = re.compile(r"(?i:(^|[\W_])(id|patient|subject|participant|donor)s?($|[\W_]))|(?<=[a-z])I[Dd]$")


def dependence_remarks(X: Matrix, y: Floats, names: Sequence[str]) -> list[str]:
    """What is to be known of rows that seem to belong together; nothing for a sparse table."""
    if not isinstance(X, np.ndarray):
        return []
    remarks = []
    found = [names[j] for j in identifiers(X, y, names)]
    if found:
        remarks.append(
            f"{listed(found)} {'looks' if len(found) == 1 else 'look'} like the name of what several rows belong to, "
            "such as a patient. If so, these rows are not independent, and chance looks smaller than it is: leave the "
            "column out of the features and give it as groups (--groups on the command line)."
        )
    count = duplicates(X, y)
    if count:
        remarks.append(
            f"{count} of {len(y)} rows repeat another row exactly. If they are copies, chance looks smaller than it "
            "is: leave the copies out, or give rows that belong together the same label in groups (--groups)."
        )
    return remarks


def identifiers(X: Floats, y: Floats, names: Sequence[str]) -> list[int]:
    """The columns that look like identifiers with repeated values."""
    whole = np.flatnonzero((np.rint(X) == X).all(axis=0))
    found = []
    for j in whole.tolist():
        _, numbers, counts = np.unique(X[:, j], return_inverse=True, return_counts=True)
        few_repeats = FEWEST_NUMBERS <= len(counts) <= len(y) / 2 and len(y) / len(counts) <= MOST_REPEATS
        if not few_repeats or counts[counts > 1].sum() < REPEATED_ROWS * len(y):
            continue
        others = np.delete(X, j, axis=1)
        if NAMED.search(names[j]) or _shares_target(y, numbers, counts) or _agrees(others, numbers, counts):
            found.append(j)
    return found


def duplicates(X: Floats, y: Floats) -> int:
    """The number of rows that repeat another one, where that is no coincidence; 0 where it may be one."""
    columns = np.column_stack([X, y])
    sums = np.sort(columns @ np.random.default_rng(0).standard_normal(columns.shape[1]))
    fewest = max(DUPLICATES[0], DUPLICATES[1] * len(y))
    if (np.diff(sums) <= np.spacing(np.abs(sums).max()) * columns.shape[1]).sum() < fewest:
        return 0
    repeated = len(y) - len(np.unique(columns, axis=0))
    many = max(len(np.unique(column)) for column in X.T) >= MANY_VALUES * len(y)
    return repeated if many and repeated >= fewest else 0


def _shares_target(y: Floats, numbers: Ints, counts: Ints) -> bool:
    """Whether rows of one number have one target, which changes often from one number to the next."""
    means = np.bincount(numbers, weights=y) / counts
    if not np.allclose(means[numbers], y):
        return False
    return bool((np.diff(means) != 0).sum() >= len(counts) / 8)


def _agrees(others: Floats, numbers: Ints, counts: Ints) -> bool:
    """Whether rows of one number agree in half of the other columns, while neighbouring numbers do not."""
    others = others[:, (others != others[0]).any(axis=0)]
    if others.shape[1] < FEWEST_OTHERS:
        return False
    n, m = len(numbers), len(counts)
    centred = others - others.mean(axis=0)
    sums = np.zeros((m, others.shape[1]))
    np.add.at(sums, numbers, centred)
    means = sums / counts[:, None]
    between = (counts[:, None] * means**2).sum(axis=0) / (m - 1)
    within = ((centred - means[numbers]) ** 2).sum(axis=0) / (n - m)
    size = (n - (counts**2).sum() / n) / (m - 1)
    share = (between - within) / np.maximum(between + (size - 1) * within, np.finfo(float).tiny)
    rough: Bools = (np.diff(means, axis=0) ** 2).sum(axis=0) / 2 >= ROUGHNESS * means.var(axis=0) * m
    return bool(((share > AGREEMENT) & rough).mean() >= 0.5)
