"""The few array operations the batched engine needs, over NumPy or PyTorch (CPU or CUDA).

Everything is in double precision but matrices that were made from `single` arrays, which are factorised as they come.

Arithmetic, indexing and matrix products are written with the arrays' own operators, which all libraries of the array
API share; this file holds what differs between them or is not in the standard: batched Cholesky factors that report
failures program by program, and symmetric matrices from their upper triangles.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from scipy import sparse
from scipy.linalg import lapack

Array = Any


class Arrays(Protocol):
    """One array library on one device."""

    name: str
    memory: int  # bytes that a batch, and the table of pairwise products, may take
    resident: bool  # whether certificates are computed with these arrays, and not on the host
    most_programs: int  # per batch
    steps_per_look: int  # of a batch, after which the host reads what has converged

    def array(self, values: Any) -> Array: ...
    def single(self, values: Array) -> Array:
        """In single precision."""
        ...

    def to_numpy(self, values: Array) -> np.ndarray: ...
    def zeros(self, *shape: int) -> Array: ...
    def zeros_like(self, values: Array, shape: tuple[int, ...]) -> Array:
        """Zeros in the precision of some values."""
        ...

    def full(self, shape: tuple[int, ...], value: float) -> Array: ...
    def unit(self, programs: int, size: int, j: int) -> Array: ...
    def concat(self, parts: list[Array], axis: int) -> Array: ...
    def stack(self, parts: list[Array], axis: int = 0) -> Array: ...
    def sum(self, values: Array) -> Array:
        """Row sums, kept as a column."""
        ...

    def dot(self, u: Array, v: Array) -> Array:
        """The product of each pair of rows, as a column."""
        ...

    def largest(self, values: Array) -> Array:
        """The largest entry of each row (0 where rows are empty)."""
        ...

    def largest_size(self, values: Array) -> Array:
        """The largest absolute value of each row (0 where rows are empty)."""
        ...

    def add_product(self, values: Array, u: Array, v: Array, sign: int = 1) -> Array:
        """values + sign u v, in one pass where the library has one."""
        ...

    def at_least(self, values: Array, least: float) -> Array: ...
    def broadcast(self, values: Array, shape: tuple[int, ...]) -> Array: ...
    def smallest(self, values: Array) -> Array:
        """The smallest entry of each row."""
        ...

    def groups(self, group_of: np.ndarray, count: int) -> Array:
        """Which entry belongs to which of `count` groups, as `added_up` takes it."""
        ...

    def added_up(self, values: Array, groups: Array) -> Array:
        """The sums of each row's entries over the groups."""
        ...

    def outer(self, u: Array, v: Array) -> Array: ...
    def transpose(self, values: Array) -> Array: ...
    def diagonal(self, matrices: Array) -> Array: ...
    def add_diagonal(self, matrices: Array, diagonal: Array) -> Array: ...
    def symmetric(self, triangles: Array, size: int, last: Array | None = None) -> Array:
        """Matrices from their upper triangles, row by row, and a last column where they have one more.

        `cholesky` reads nothing below the diagonal.
        """
        ...

    def pairs(self, columns: Array) -> Array:
        """Products of all pairs of columns, in the order of `symmetric`'s triangles."""
        ...

    def cholesky(self, matrices: Array) -> tuple[Array, Array]: ...
    def cholesky_solve(self, factor: Array, right: Array) -> Array:
        """In the factor's precision, the answer in double precision."""
        ...

    def solve(self, matrices: Array, right: Array) -> Array: ...
    def where(self, condition: Array, yes: Array, no: Array) -> Array: ...
    def index(self, kept: np.ndarray) -> Array:
        """Places as this library takes them."""
        ...


class NumpyArrays:
    """NumPy, with LAPACK called matrix by matrix, which reports what factorisation failed."""

    name = "numpy"
    memory = 2**29
    resident = False
    most_programs = 1024
    steps_per_look = 1

    def array(self, values: Any) -> Array:
        return np.ascontiguousarray(values, dtype=np.float64)

    def single(self, values: Array) -> Array:
        return values.astype(np.float32, copy=False)

    def to_numpy(self, values: Array) -> np.ndarray:
        return np.asarray(values)

    def zeros(self, *shape: int) -> Array:
        return np.zeros(shape)

    def zeros_like(self, values: Array, shape: tuple[int, ...]) -> Array:
        return np.zeros(shape, dtype=values.dtype)

    def full(self, shape: tuple[int, ...], value: float) -> Array:
        return np.full(shape, value)

    def unit(self, programs: int, size: int, j: int) -> Array:
        one = np.zeros((programs, size))
        one[:, j] = 1.0
        return one

    def concat(self, parts: list[Array], axis: int) -> Array:
        return np.concatenate(parts, axis=axis)

    def stack(self, parts: list[Array], axis: int = 0) -> Array:
        return np.stack(parts, axis=axis)

    def sum(self, values: Array) -> Array:
        return values.sum(axis=1, keepdims=True)

    def dot(self, u: Array, v: Array) -> Array:
        return np.vecdot(u, v)[:, None]

    def largest(self, values: Array) -> Array:
        return values.max(axis=1, initial=0.0)

    def largest_size(self, values: Array) -> Array:
        return np.abs(values).max(axis=1, initial=0.0)

    def add_product(self, values: Array, u: Array, v: Array, sign: int = 1) -> Array:
        product = u * v
        return np.add(values, product, out=product) if sign > 0 else np.subtract(values, product, out=product)

    def at_least(self, values: Array, least: float) -> Array:
        return np.maximum(values, least)

    def broadcast(self, values: Array, shape: tuple[int, ...]) -> Array:
        return np.broadcast_to(values, shape)

    def smallest(self, values: Array) -> Array:
        return values.min(axis=1)

    def groups(self, group_of: np.ndarray, count: int) -> Array:
        entries = np.arange(len(group_of))
        return sparse.csr_array((np.ones(len(group_of)), (group_of, entries)), shape=(count, len(group_of)))

    def added_up(self, values: Array, groups: Array) -> Array:
        return np.ascontiguousarray((groups @ values.T).T)

    def outer(self, u: Array, v: Array) -> Array:
        return np.multiply.outer(u, v)

    def transpose(self, values: Array) -> Array:
        return np.swapaxes(values, -1, -2)

    def diagonal(self, matrices: Array) -> Array:
        return np.diagonal(matrices, axis1=1, axis2=2)

    def add_diagonal(self, matrices: Array, diagonal: Array) -> Array:
        index = np.arange(matrices.shape[-1])
        matrices[:, index, index] += diagonal
        return matrices

    def symmetric(self, triangles: Array, size: int, last: Array | None = None) -> Array:
        whole = size + (last is not None)
        upper, first = np.empty((len(triangles), whole, whole), dtype=triangles.dtype), 0
        for row in range(size):  # what lies below the diagonal is never read
            upper[:, row, row:size] = triangles[:, first : first + size - row]
            first += size - row
        if last is not None:
            upper[:, :, size] = last
        return upper

    def pairs(self, columns: Array) -> Array:
        each = np.ascontiguousarray(columns.T)
        return np.concatenate([each[i] * each[i:] for i in range(len(each))]).T

    def cholesky(self, matrices: Array) -> tuple[Array, Array]:
        failed = np.zeros(len(matrices), dtype=bool)
        factorise = lapack.spotrf if matrices.dtype == np.float32 else lapack.dpotrf
        for i, matrix in enumerate(matrices):  # transposed they are in LAPACK's own order, and worked on in place
            _, info = factorise(matrix.T, lower=1, clean=0, overwrite_a=1)
            if info != 0 or not np.isfinite(matrix[-1, -1]):
                failed[i], matrices[i] = True, np.eye(len(matrix))
        return matrices, failed

    def cholesky_solve(self, factor: Array, right: Array) -> Array:
        solved, right = np.empty_like(right), right.astype(factor.dtype, copy=False)
        substitute = lapack.spotrs if factor.dtype == np.float32 else lapack.dpotrs
        for i in range(len(factor)):
            solved[i] = substitute(factor[i].T, right[i], lower=1)[0]
        return solved

    def solve(self, matrices: Array, right: Array) -> Array:
        try:
            return np.linalg.solve(matrices, right)
        except np.linalg.LinAlgError:
            return np.stack([self._solve_one(m, r) for m, r in zip(matrices, right, strict=True)])

    @staticmethod
    def _solve_one(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
        try:
            return np.linalg.solve(matrix, right)
        except np.linalg.LinAlgError:
            return np.full_like(right, np.nan)

    def where(self, condition: Array, yes: Array, no: Array) -> Array:
        return np.where(condition, yes, no)

    def index(self, kept: np.ndarray) -> Array:
        return kept
