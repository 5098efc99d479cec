"""The batched engine's array operations on PyTorch tensors, CPU or CUDA (extra `gpu`)."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
import torch
from scipy import sparse

Array = Any


@cache
def triangle_of(size: int) -> np.ndarray:
    """For each entry of a symmetric matrix its place in the upper triangle, row by row."""
    place = np.empty((size, size), dtype=np.intp)
    row, column = np.triu_indices(size)
    place[row, column] = place[column, row] = np.arange(len(row))
    return place.ravel()


def free_bytes(device: torch.device) -> int:
    """Bytes that a device has left; on the CPU as much as NumPy's batches may take."""
    return int(torch.cuda.mem_get_info(device)[0]) if device.type == "cuda" else 2**30


class TorchArrays:
    """PyTorch on one device: a batch may take half of the memory that is free, and is read every few steps."""

    resident = True
    most_programs = 8704
    steps_per_look = 4

    def __init__(self, device: str = "cpu", dtype: torch.dtype = torch.float64) -> None:
        self.device, self.dtype = torch.device(device), dtype
        self.name = f"torch on {device}"
        self.memory = free_bytes(self.device) // 2
        self._triangles: dict[int, Array] = {}

    def array(self, values: Any) -> Array:
        if sparse.issparse(values):
            entries = values.tocoo()
            whole = self.zeros(*entries.shape)
            whole[self.index(entries.row), self.index(entries.col)] = self.array(entries.data)
            return whole
        numbers = np.ascontiguousarray(values, dtype=np.float64)
        return torch.as_tensor(numbers, device=self.device).to(self.dtype)

    def single(self, values: Array) -> Array:
        return values.float()

    def double(self, values: Array) -> Array:
        return values.double()

    def in_single_precision(self) -> TorchArrays:
        return TorchArrays(str(self.device), torch.float32)

    def to_numpy(self, values: Array) -> np.ndarray:
        return np.asarray(values.cpu().numpy())

    def to_sparse(self, values: Array) -> sparse.csr_array:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that sparse tensors may change
            rows = values.to_sparse_csr()
        parts = (self.to_numpy(part) for part in (rows.values(), rows.col_indices(), rows.crow_indices()))
        return sparse.csr_array(tuple(parts), shape=tuple(values.shape))

    def zeros(self, *shape: int) -> Array:
        return torch.zeros(shape, dtype=self.dtype, device=self.device)

    def zeros_like(self, values: Array, shape: tuple[int, ...]) -> Array:
        return torch.zeros(shape, dtype=values.dtype, device=self.device)

    def full(self, shape: tuple[int, ...], value: float) -> Array:
        return torch.full(shape, value, dtype=self.dtype, device=self.device)

    def unit(self, programs: int, size: int, j: int) -> Array:
        one = self.zeros(programs, size)
        one[:, j] = 1.0
        return one

    def concat(self, parts: list[Array], axis: int) -> Array:
        return torch.cat(parts, dim=axis)

    def stack(self, parts: list[Array], axis: int = 0) -> Array:
        return torch.stack(parts, dim=axis)

    def sum(self, values: Array) -> Array:
        return values.sum(dim=1, keepdim=True)

    def dot(self, u: Array, v: Array) -> Array:
        return torch.linalg.vecdot(u, v)[:, None]

    def largest(self, values: Array) -> Array:
        return values.amax(dim=1).clamp(min=0.0) if values.shape[1] else self.zeros(values.shape[0])

    def largest_size(self, values: Array) -> Array:
        return torch.linalg.vector_norm(values, ord=torch.inf, dim=1) if values.shape[1] else self.zeros(len(values))

    def add_product(self, values: Array, u: Array, v: Array, sign: int = 1) -> Array:
        return torch.addcmul(values, u, v, value=sign)

    def at_least(self, values: Array, least: float) -> Array:
        return values.clamp(min=least)

    def broadcast(self, values: Array, shape: tuple[int, ...]) -> Array:
        return values.expand(shape)

    def smallest(self, values: Array) -> Array:
        return values.amin(dim=1)

    def groups(self, group_of: np.ndarray, count: int) -> Array:
        place = torch.as_tensor(np.stack([group_of, np.arange(len(group_of))]), device=self.device)
        ones = torch.ones(len(group_of), dtype=self.dtype, device=self.device)
        return torch.sparse_coo_tensor(place, ones, (count, len(group_of)), check_invariants=True).coalesce()

    def added_up(self, values: Array, groups: Array) -> Array:
        return torch.sparse.mm(groups, values.T).T.contiguous()

    def leading(self, values: Array, count: int) -> Array:
        if count >= values.shape[1]:
            return torch.arange(values.shape[1], device=self.device).expand(values.shape)
        known = torch.nan_to_num(values, nan=-torch.inf, posinf=torch.inf, neginf=-torch.inf)
        return known.topk(count, dim=1, sorted=False).indices.sort(dim=1).values

    def take(self, values: Array, places: Array) -> Array:
        return values.gather(1, places)

    def entries(self, table: Array, rows: Array, columns: Array) -> Array:
        return table[rows[:, :, None], columns[:, None, :]]

    def put(self, values: Array, places: Array, those: Array) -> Array:
        return values.scatter(1, places, those)

    def outer(self, u: Array, v: Array) -> Array:
        return torch.outer(u, v)

    def transpose(self, values: Array) -> Array:
        return values.transpose(-1, -2)

    def diagonal(self, matrices: Array) -> Array:
        return matrices.diagonal(dim1=1, dim2=2)

    def add_diagonal(self, matrices: Array, diagonal: Array) -> Array:
        matrices.diagonal(dim1=1, dim2=2).add_(diagonal)
        return matrices

    def symmetric(self, triangles: Array, size: int, last: Array | None = None) -> Array:
        if size not in self._triangles:
            self._triangles[size] = torch.as_tensor(triangle_of(size), device=self.device)
        shared = triangles.index_select(1, self._triangles[size]).view(-1, size, size)
        if last is None:
            return shared
        top = torch.cat([shared, last[:, :size, None]], dim=2)
        return torch.cat([top, last[:, None, :]], dim=1)

    def pairs(self, columns: Array) -> Array:
        row, column = (torch.as_tensor(index, device=self.device) for index in np.triu_indices(columns.shape[1]))
        return columns[:, row] * columns[:, column]

    def own_grams(self, matrices: Array, weights: Array) -> Array:
        return (matrices * weights[:, None, :]) @ matrices.transpose(1, 2)

    def cholesky(self, matrices: Array) -> tuple[Array, Array]:
        factors, info = torch.linalg.cholesky_ex(matrices)
        failed = (info > 0) | ~torch.isfinite(factors[:, -1, -1])
        eye = torch.eye(matrices.shape[-1], dtype=matrices.dtype, device=self.device)  # so that only one program fails
        return torch.where(failed[:, None, None], eye, factors), failed

    def cholesky_solve(self, factor: Array, right: Array) -> Array:
        return torch.cholesky_solve(right.to(factor.dtype), factor).to(right.dtype)

    def solve(self, matrices: Array, right: Array) -> Array:
        solved, info = torch.linalg.solve_ex(matrices, right)
        return torch.where((info > 0)[:, None, None], torch.nan, solved)

    def where(self, condition: Array, yes: Array, no: Array) -> Array:
        return torch.where(condition, yes, no)

    def index(self, kept: np.ndarray) -> Array:
        return torch.as_tensor(kept, device=self.device)
