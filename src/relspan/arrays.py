"""The array types that every part of the package speaks of, and the operations that hide whether one is sparse."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.intp]
Bools: TypeAlias = NDArray[np.bool_]
# A dense array or a scipy.sparse array (CSR or CSC). A sparse one is never expanded as a whole.
Matrix: TypeAlias = Any


def dense(matrix: Matrix) -> Floats:
    """The same numbers as a plain array."""
    return np.asarray(matrix.toarray() if sparse.issparse(matrix) else matrix, dtype=np.float64)


def product(left: Matrix, right: Matrix) -> Matrix:
    """The products of the numbers of two matrices of one kind, place by place."""
    return left.multiply(right) if sparse.issparse(left) else left * right


def side_by_side(*matrices: Matrix) -> Matrix:
    """The columns of all matrices in one; sparse if any of them is."""
    if any(sparse.issparse(matrix) for matrix in matrices):
        return sparse.hstack(matrices, format="csr")
    return np.hstack(matrices)


def even_size(count: int, most: int) -> int:
    """The size of as few runs of at most `most` as hold so many, all of them of nearly that size."""
    runs = max(1, -(-count // most))
    return max(1, -(-count // runs))


def content_hash(words: str, arrays: Iterable[NDArray[Any]]) -> bytes:
    """A hash of some words and of the content of arrays, whatever their shapes and memory layouts."""
    content = blake2b(words.encode())
    for values in arrays:
        content.update(np.ascontiguousarray(values).data)
    return content.digest()


def largest_values(matrix: Matrix) -> Floats:
    """The largest absolute value of every column; 1 where all are 0."""
    largest = dense(abs(matrix).max(axis=0)).ravel()
    return np.where(largest > 0, largest, 1.0)
