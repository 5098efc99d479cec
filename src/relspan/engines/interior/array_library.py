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
from scipy.linalg import blas, lapack

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

    def double(self, values: Array) -> Array:
        """In double precision."""
        ...

    def in_single_precision(self) -> Arrays:
        """The same library, with arrays of single precision."""
        ...

    def to_numpy(self, values: Array) -> np.ndarray: ...
    def to_sparse(self, values: Array) -> sparse.csr_array:
        """A matrix that is mostly 0, as a sparse array of SciPy's."""
        ...

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

    def leading(self, values: Array, count: int) -> Array:
        """The places of so many of the largest values of each row, in rising order; NaN counts as the smallest."""
        ...

    def take(self, values: Array, places: Array) -> Array:
        """For each row the values in its places."""
        ...

    def entries(self, table: Array, rows: Array, columns: Array) -> Array:
        """The entries of a table in rows and columns of each program's own, (programs, rows, columns)."""
        ...

    def put(self, values: Array, places: Array, those: Array) -> Array:
        """For each row the values with others in its places."""
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

    def own_grams(self, matrices: Array, weights: Array) -> Array:
        """A diag(weights) A' for each of the matrices A; `cholesky` reads nothing below the diagonal."""
        ...

    def cholesky(self, matrices: Array) -> tuple[Array, Array]: ...
    def cholesky_solve(self, factor: Array, right: Array) -> Array:
        """In the factor's precision, the answer in that of the right hand side."""
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

    def double(self, values: Array) -> Array:
        return values.astype(np.float64, copy=False)

    def in_single_precision(self) -> Arrays:
        raise NotImplementedError("NumPy's vectors are in double precision: single precision gained nothing")

    def to_numpy(self, values: Array) -> np.ndarray:
        return np.asarray(values)

    def to_sparse(self, values: Array) -> sparse.csr_array:
        return sparse.csr_array(values)

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

    def leading(self, values: Array, count: int) -> Array:
        if count >= values.shape[1]:
            return np.tile(np.arange(values.shape[1]), (len(values), 1))
        return np.sort(np.argpartition(-np.nan_to_num(values, nan=-np.inf), count - 1, axis=1)[:, :count], axis=1)

    def take(self, values: Array, places: Array) -> Array:
        return np.take_along_axis(values, places, 1)

    def entries(self, table: Array, rows: Array, columns: Array) -> Array:
        found = np.empty((len(rows), rows.shape[1], columns.shape[1]))
        for own, r, c in zip(found, rows, columns, strict=True):  # at once they would not fit into the cache
            own[:] = table[r[:, None], c]
        return found

    def put(self, values: Array, places: Array, those: Array) -> Array:
        changed = np.array(values)
        np.put_along_axis(changed, places, those, 1)
        return changed

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

    def own_grams(self, matrices: Array, weights: Array) -> Array:
        roots = np.sqrt(weights)
        multiply = blas.ssyrk if matrices.dtype == np.float32 else blas.dsyrk
        grams = np.empty((len(matrices), matrices.shape[1], matrices.shape[1]), dtype=matrices.dtype)
        for gram, matrix, root in zip(grams, matrices, roots, strict=True):  # transposed it is in BLAS's own order
            multiply(1.0, (matrix * root).T, trans=1, lower=1, c=gram.T, overwrite_c=1)
        return grams

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
        single = factor.dtype == np.float32
        if right.shape[2] == 1:  # twice as fast as LAPACK's, which would rearrange the factor
            substitute = blas.strsv if single else blas.dtrsv
            for i in range(len(factor)):
                half = substitute(factor[i].T, right[i, :, 0], lower=1)
                solved[i, :, 0] = substitute(factor[i].T, half, lower=1, trans=1, overwrite_x=1)
            return solved
        substitute = lapack.spotrs if single else lapack.dpotrs
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
