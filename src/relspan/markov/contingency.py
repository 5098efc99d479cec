"""Contingency tables of many candidates at once.

For a target T and strata S every sample lies in one *cell* (s, t). A candidate's table is the number of samples per
cell and level of X. Two ways to count, the same numbers:

- **packed**: the column of a two-valued variable is one bit per sample, 64 samples per word. With one mask per cell,
  ``count(x = 1, cell) = popcount(column & mask)``. A test over three binary conditions touches 16 n / 64 words.
- **bincount**: one integer code per sample and candidate, counted in one call.

Two-valued columns are *only* kept packed: 139,351 of them on 2,543 samples take 45 MB.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from relspan.arrays import Bools, Ints

_CHUNK_NUMBERS = 1 << 21  # codes, or counts, alive at once in the bincount way
_CHUNK_ROWS = 2048  # packed columns counted together; keeps them inside the second-level cache


class DiscreteColumns:
    """Columns of levels 0, 1, ..., counted fast.

    Parameters
    ----------
    blocks : sequence of arrays of shape (n_samples, n_columns_of_the_block)
        The variables, numbered through all blocks. Any values that can be sorted; each different value is a level.
    """

    def __init__(self, blocks: Sequence[npt.NDArray[np.generic]]) -> None:
        self.n_samples = int(blocks[0].shape[0])
        self.n_variables = sum(int(block.shape[1]) for block in blocks)
        self._words = -(-self.n_samples // 64)
        self.levels: Ints = np.ones(self.n_variables, dtype=np.intp)
        # Row of a variable in _packed (two-valued) or in _wide (more levels), as _is_packed says.
        self._row: Ints = np.zeros(self.n_variables, dtype=np.intp)
        self._is_packed = np.zeros(self.n_variables, dtype=bool)
        packed: list[npt.NDArray[np.uint64]] = []
        wide: list[npt.NDArray[np.int32]] = []
        start = 0
        for block in blocks:
            for left in range(0, block.shape[1], 4096):
                part = block[:, left : left + 4096]
                self._encode(part, start + left, packed, wide)
            start += block.shape[1]
        self._packed = np.concatenate(packed) if packed else np.zeros((0, self._words), dtype=np.uint64)
        self._all_samples = self._pack(np.ones((self.n_samples, 1), dtype=bool))
        self._wide = np.array(wide, dtype=np.int32).reshape(len(wide), self.n_samples)

    def _encode(
        self,
        part: npt.NDArray[np.generic],
        start: int,
        packed: list[npt.NDArray[np.uint64]],
        wide: list[npt.NDArray[np.int32]],
    ) -> None:
        """Encode a few columns and file them under packed or wide."""
        width = part.shape[1]
        here = slice(start, start + width)
        filed = sum(map(len, packed))
        if part.dtype.kind in "biuf" and bool(np.all((part == 0) | (part == 1))):
            ones = part.astype(bool)
            ones[:, ones.all(axis=0)] = False  # a constant column has the one level 0
            self._is_packed[here] = True
            self._row[here] = filed + np.arange(width)
            self.levels[here] = 1 + ones.any(axis=0)
            packed.append(self._pack(ones))
            return
        two_valued: list[Bools] = []
        for offset in range(width):
            values, codes = np.unique(part[:, offset], return_inverse=True)
            variable = start + offset
            self.levels[variable] = len(values)
            if len(values) <= 2:
                self._is_packed[variable] = True
                self._row[variable] = filed + len(two_valued)
                two_valued.append(codes.astype(bool))
            else:
                self._row[variable] = len(wide)
                wide.append(codes.astype(np.int32))
        if two_valued:
            packed.append(self._pack(np.stack(two_valued, axis=1)))

    def _pack(self, ones: Bools) -> npt.NDArray[np.uint64]:
        """Bits of (n_samples, m) columns as (m, words)."""
        octets = np.packbits(ones, axis=0, bitorder="little")
        padded = np.zeros((ones.shape[1], self._words * 8), dtype=np.uint8)
        padded[:, : octets.shape[0]] = octets.T
        return padded.view(np.uint64)

    def codes(self, variable: int) -> npt.NDArray[np.int64]:
        """Levels of one variable, one number per sample."""
        codes: npt.NDArray[np.int64] = self._codes(np.array([variable]))[0]
        return codes

    def _codes(self, variables: Ints) -> npt.NDArray[np.int64]:
        codes = np.empty((len(variables), self.n_samples), dtype=np.int64)
        bits = self._is_packed[variables]
        if bits.any():
            rows = self._packed[self._row[variables[bits]]].view(np.uint8)
            codes[bits] = np.unpackbits(rows, axis=1, count=self.n_samples, bitorder="little")
        if not bits.all():
            codes[~bits] = self._wide[self._row[variables[~bits]]]
        return codes

    def strata(self, given: Sequence[int]) -> tuple[npt.NDArray[np.int64], int]:
        """One number per sample for its combination of levels of `given`, and how many numbers are in use."""
        stratum = np.zeros(self.n_samples, dtype=np.int64)
        size = 1
        for variable in given:
            levels = int(self.levels[variable])
            stratum = stratum * levels + self.codes(variable)
            size *= levels
            if size > self.n_samples:  # most combinations are empty: number only those that occur
                seen, stratum = np.unique(stratum, return_inverse=True)
                size = len(seen)
        return stratum, size

    def tables(
        self, candidates: Ints, target: int, given: Sequence[int]
    ) -> Iterator[tuple[Ints, npt.NDArray[np.int64]]]:
        """Yield (positions in candidates, counts of shape (m, strata, levels of T, levels of X))."""
        n_levels = int(self.levels[target])
        packed = self._is_packed[candidates]
        if packed.all() and self._is_packed[[target, *given]].all() and len(given) <= 6:
            masks = self._masks_of_bits([*given, target])
            yield from self._by_popcount(np.arange(len(candidates)), candidates, masks, n_levels)
            return
        stratum, n_strata = self.strata(given)
        cell = stratum * n_levels + self.codes(target)
        n_cells = n_strata * n_levels
        # Cost in passes over the samples: a mask is built once per cell, then costs 1/64 per candidate; a code costs 4.
        n_packed = int(packed.sum())
        if n_cells * (1 + n_packed / 64) > 4 * n_packed:
            packed = np.zeros(len(candidates), dtype=bool)
        if packed.any():
            masks = self._pack(cell[:, None] == np.arange(n_cells))
            yield from self._by_popcount(np.flatnonzero(packed), candidates, masks, n_levels)
        for positions in self._by_levels(np.flatnonzero(~packed), candidates, n_cells):
            counts = self._bincount(candidates[positions], cell, n_cells)
            yield positions, counts.reshape(-1, n_strata, n_levels, counts.shape[-1])

    @property
    def two_valued(self) -> bool:
        """Whether all variables are kept packed."""
        return bool(self._is_packed.all())

    def tables_of_sets(self, candidates: Ints, target: int, sets: Sequence[Sequence[int]]) -> npt.NDArray[np.int64]:
        """Counts of shape (sets, m, strata, 2, 2) by popcount, of packed variables, for sets of one size.

        A constant variable has an empty second level, which changes neither statistic nor degrees of freedom.
        """
        given = np.array([[*one, target] for one in sets], dtype=np.intp)
        masks = np.broadcast_to(self._all_samples, (len(sets), 1, self._words))
        for place in range(given.shape[1]):
            ones = self._packed[self._row[given[:, place]]][:, None, :]
            finer = np.empty((len(sets), 2 * masks.shape[1], self._words), dtype=np.uint64)
            np.bitwise_and(masks, ~ones, out=finer[:, ::2])
            np.bitwise_and(masks, ones, out=finer[:, 1::2])
            masks = finer
        columns = np.ascontiguousarray(self._packed[self._row[candidates]].T)  # sums run along m
        counts = np.empty((len(sets), len(candidates), masks.shape[1], 2), dtype=np.int64)
        for number, own in enumerate(masks):
            ones_in = np.bitwise_count(columns[None, :, :] & own[:, :, None])
            counts[number, :, :, 1] = ones_in.sum(axis=1, dtype=np.uint32).T
        counts[..., 0] = np.bitwise_count(masks).sum(axis=2, dtype=np.int64)[:, None, :] - counts[..., 1]
        return counts.reshape(len(sets), len(candidates), -1, 2, 2)

    def _by_levels(self, positions: Ints, candidates: Ints, n_cells: int) -> Iterator[Ints]:
        """Chunks that fit in memory; a variable of many levels does not share a chunk with one of few."""
        groups = np.ceil(np.log2(np.maximum(self.levels[candidates[positions]], 4)))
        for group in np.unique(groups):
            members = positions[groups == group]
            step = max(1, _CHUNK_NUMBERS // max(self.n_samples, n_cells * 2 ** int(group)))
            for left in range(0, len(members), step):
                yield members[left : left + step]

    def _masks_of_bits(self, variables: Sequence[int]) -> npt.NDArray[np.uint64]:
        """Bit masks of all combinations of two-valued variables, the last one changing fastest."""
        masks = self._all_samples
        for variable in variables:
            if self.levels[variable] == 2:
                ones = self._packed[self._row[variable]]
                finer = np.empty((2 * len(masks), self._words), dtype=np.uint64)
                np.bitwise_and(masks, ~ones, out=finer[::2])
                np.bitwise_and(masks, ones, out=finer[1::2])
                masks = finer
        return masks

    def _by_popcount(
        self, bits: Ints, candidates: Ints, masks: npt.NDArray[np.uint64], n_levels: int
    ) -> Iterator[tuple[Ints, npt.NDArray[np.int64]]]:
        """Tables of two-valued candidates: count(x = 1, cell) = popcount(column & mask)."""
        totals = np.bitwise_count(masks).sum(axis=1, dtype=np.int64)
        for left in range(0, len(bits), _CHUNK_ROWS):
            positions = bits[left : left + _CHUNK_ROWS]
            columns = np.ascontiguousarray(self._packed[self._row[candidates[positions]]].T)  # sums run along m
            counts = np.zeros((len(positions), len(masks), 2), dtype=np.int64)
            if len(positions) * masks.size < 1 << 16:  # a short batch: all masks in one call
                ones = np.bitwise_count(columns[None, :, :] & masks[:, :, None])
                counts[:, :, 1] = ones.sum(axis=1, dtype=np.uint32).T
            else:
                for cell in np.flatnonzero(totals):
                    ones = np.bitwise_count(columns & masks[cell][:, None])
                    counts[:, cell, 1] = np.add.reduce(ones, axis=0, dtype=np.uint32)
            counts[:, :, 0] = totals - counts[:, :, 1]
            yield positions, counts.reshape(len(positions), -1, n_levels, 2)

    def _bincount(self, candidates: Ints, cell: npt.NDArray[np.int64], n_cells: int) -> npt.NDArray[np.int64]:
        width = int(self.levels[candidates].max())
        codes = self._codes(candidates)
        codes += (cell * width)[None, :]
        codes += (np.arange(len(candidates)) * (n_cells * width))[:, None]
        counts = np.bincount(codes.ravel(), minlength=len(candidates) * n_cells * width)
        return counts.reshape(len(candidates), n_cells, width)
