"""The exact engine: the ranges of a family by warm simplex, one program for all directions; see `range_program`.

Of a table with many columns only few are loaded. The first program, min ||w||_1 over the family, finds them: the *core*
are the features whose pressure comes near the price of norm (|s_j| > .8 lambda). A program starts with the core, the
columns that the programs before it loaded, and its own feature; from time to time idle columns are unloaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import RLock

import numpy as np

from relspan.arrays import Floats, Ints, Matrix
from relspan.engines.certificates import CertifiedMaxima, certify
from relspan.engines.simplex.loaded_program import Start, signed
from relspan.engines.simplex.range_program import Optimum, RangeProgram
from relspan.engines.simplex.visiting_order import nearest_neighbour_chain, order_of_directions
from relspan.family import Bounds, Family, norm_and_loss, unit_directions
from relspan.progress import Progress, advance, silent
from relspan.tolerances import NULL_LOSS_ROOM

CORE_PRESSURE = 0.8  # share of the price of norm from which a feature belongs to the core
ALL_COLUMNS_UP_TO = 100  # features whose columns are all loaded from the start
PROGRAMS_BETWEEN_PRUNINGS = 25
REMEMBERED_BOUND_SETS = 32  # sets of bounded weights whose last optima are kept


def is_wide(family: Family) -> bool:
    """Whether the exact engine loads only some of the columns, for which it needs a model to start from."""
    return family.n_features > ALL_COLUMNS_UP_TO and len(family.anchors) > 0


class ExactEngine:
    """Ranges over a family by warm simplex; see the module's text."""

    name = "exact"
    warm = True

    def __init__(self, family: Family, kinks: Ints | None = None) -> None:
        self.family = family
        self._work = WorkingSet(family, kinks)
        self._starts: dict[bytes, Start] = {}
        self._recent: dict[tuple[tuple[int, bool], ...], dict[bytes, Start]] = {}
        self._lock = RLock()  # several threads may ask an explorer, and there is one solver

    def maxima(self, directions: Floats) -> CertifiedMaxima:
        """The largest value of each direction (a row over (w, b)), with certificates."""
        found: dict[int, Optimum] = {}
        for i in self._order(directions):
            found[int(i)] = self._work.solve(directions[i])
            advance(len(found), len(directions))
        return _certified(self.family, directions, [found[i] for i in range(len(directions))])

    def _order(self, directions: Floats) -> Ints:
        """Similar directions one after the other; see `order_of_directions`."""
        if is_wide(self.family):
            scores = np.asarray(self.family.rows.features @ directions[:, : self.family.n_features].T)
            return nearest_neighbour_chain(scores, either_sign=False)
        return order_of_directions(self.family, directions)

    @property
    def kinks(self) -> Ints:
        """The hinge rows that were found to matter."""
        return self._work.program.kinks

    def remember(self, directions: Floats) -> CertifiedMaxima:
        """Solve these directions and keep their bases, from which `maxima_within` starts."""
        found = []
        with self._lock:
            for v in directions:
                found.append(self._work.program.solve(v))
                self._starts[v.tobytes()] = self._work.program.basis()
        return _certified(self.family, directions, found)

    def maxima_within(
        self,
        boxed: Family,
        bounds: Bounds,
        directions: Floats,
        thin: bool = False,
        progress: Progress = silent,
    ) -> CertifiedMaxima:
        """The same over `boxed`, which must be `family.boxed(bounds)`, by the warm program with weights kept in bounds.

        A direction's optimum under other bounds is dual feasible and a nearby start: the one under the last bounds on
        the same weights, as when one bound is moved step by step, else the one without bounds. Where the bounds leave
        little room (`thin`) the last direction's optimum is nearer. Only remembered directions have such starts.
        """
        kind = tuple(sorted((feature, low > 0) for feature, (low, _) in bounds.items()))
        near = self._recent.pop(kind, {})
        found = []
        with self.bounded(bounds) as program:
            for i, v in enumerate(directions):
                progress("bounds", i / len(directions), f"{i} of {len(directions)} programs")
                key = v.tobytes()
                start = None if thin else near.get(key, self._starts.get(key))
                found.append(program.solve(v, start=start))
                if start is not None:
                    near[key] = program.basis()
        if near:
            self._recent = {**dict(list(self._recent.items())[1 - REMEMBERED_BOUND_SETS :]), kind: near}
        pinned = list(bounds)
        sides = [np.concatenate([o.constraint_multipliers, o.bound_multipliers[pinned]]) for o in found]
        return _certified(
            boxed, directions, [replace(o, constraint_multipliers=g) for o, g in zip(found, sides, strict=True)]
        )

    @contextmanager
    def bounded(self, bounds: Bounds) -> Iterator[RangeProgram]:
        """The engine's program while weights are kept within bounds; another thread that asks for it waits."""
        program = self._work.program
        with self._lock:
            for feature, (low, high) in bounds.items():
                program.bound(feature, low, high)
            try:
                yield program
            finally:
                for feature in bounds:
                    program.open(feature)

    def appended(self, columns: Matrix) -> CertifiedMaxima:
        """For each column, appended alone as one more feature: the maxima of +w and -w of that feature."""
        d, k, count = self.family.n_features, self.family.n_offsets, columns.shape[1]
        wider = self.family.with_columns(columns)
        work = WorkingSet(wider, kinks=self._work.program.kinks, closed=range(d, d + count))
        found = []
        for probe in range(count):
            work.program.open(d + probe)
            with_probe = np.concatenate([np.arange(d), [d + probe], d + count + np.arange(k)])
            for direction in unit_directions([d + probe], wider):
                optimum = work.solve(direction)
                found.append(replace(optimum, model=optimum.model[with_probe]))
            work.program.close(d + probe)
            advance(probe + 1, count)
        directions = np.zeros((2 * count, d + 1 + k))
        directions[::2, d], directions[1::2, d] = 1.0, -1.0
        return _certified(self.family, directions, found, extra_column=np.repeat(columns.T, 2, axis=0))


class BlocksInTurn:
    """Maxima over a family whose last weights are used block by block, all by one warm program.

    The first `n_open` weights are always free. The others stay at 0, except those of the block that is asked about.
    """

    def __init__(self, family: Family, n_open: int) -> None:
        self.family, self._n_open = family, n_open
        self._work = WorkingSet(family, closed=range(n_open, family.n_features))

    def with_block(self, block: Ints) -> OneBlock:
        """The engine of the family over the weights that are always free and those of one block, in this order."""
        kept = np.concatenate([np.arange(self._n_open), block])
        return OneBlock(self.family.of_features(kept), self._work, kept, block)


@dataclass(frozen=True, eq=False)
class OneBlock:
    """Answers for the family over some weights of a larger program; those of `block` are opened while it is asked."""

    family: Family
    work: WorkingSet
    weights: Ints
    block: Ints

    def maxima(self, directions: Floats) -> CertifiedMaxima:
        """The largest value of each direction, with certificates; see `ExactEngine.maxima`."""
        program, k = self.work.program, self.family.n_offsets
        places = np.concatenate([self.weights, program.family.n_features + np.arange(k)])
        wide = np.zeros((len(directions), program.family.n_features + k))
        wide[:, places] = directions
        found: dict[int, Optimum] = {}
        for weight in self.block:
            program.open(int(weight))
        try:
            for i in order_of_directions(self.family, directions):
                optimum = self.work.solve(wide[i])
                found[int(i)] = replace(optimum, model=optimum.model[places])
        finally:
            for weight in self.block:
                program.close(int(weight))
        return _certified(self.family, directions, [found[i] for i in range(len(directions))])


def _at_anchor(family: Family, kinks: Ints | None = None) -> RangeProgram:
    """A family's program, started at its first anchor: with all columns, or those the anchor uses if it is wide."""
    reference = family.anchors[0] if len(family.anchors) else None
    weights = signed(family.anchors[0, : family.n_features]) if is_wide(family) else None
    return RangeProgram(family, reference, kinks, weights)


class WorkingSet:
    """A family's warm program and the columns it has loaded: all of them, unless the table is wide.

    `closed` features stay at 0 until they are opened.
    """

    def __init__(self, family: Family, kinks: Ints | None = None, closed: Iterable[int] = ()) -> None:
        self.program = _at_anchor(family, kinks)
        for feature in closed:
            self.program.close(feature)
        self._solved = 0
        self._core = self._find_core() if is_wide(family) else None

    def _find_core(self) -> Ints:
        """The signed weights that are nearly used in the model of least norm."""
        family = self.program.family
        leanest = self.program.solve(None, norm_price=1.0)
        pressures = family.rows.pressures(leanest.hinge_multipliers)
        # with the first anchor's weights the program always has a model
        core = np.union1d(
            signed(pressures, CORE_PRESSURE * float(leanest.norm_price)), signed(family.anchors[0, : family.n_features])
        )
        self.program.load_columns(core)
        self.program.prune(core)
        return core

    def solve(self, direction: Floats) -> Optimum:
        """max direction.z, from where the last program ended."""
        if self._core is not None:
            self.program.load_columns(signed(direction[: self.program.family.n_features]))
            self._solved += 1
            if self._solved % PROGRAMS_BETWEEN_PRUNINGS == 0:
                self.program.prune(self._core)
        return self.program.solve(direction)


def least_norm(family: Family) -> float:
    """L: the L1 norm of a shortest model of the family."""
    model = _at_anchor(family).solve(None, norm_price=1.0).model
    return float(np.abs(model[: family.n_features]).sum())


def nearest_member(family: Family, null_model: Floats) -> Optimum:
    """The model that keeps all budgets but the last and needs least of this one: inside the family, if any model is.

    Where none is, its multipliers prove that (`is_proven_empty`). `null_model` satisfies the constraints, so that this
    program always has an answer. To ask whether a family has a model at all is harder: where it barely has none, the
    simplex method may not terminate.
    """
    d, last = family.n_features, family.budgets[-1]
    needed = last.loss_price * family.rows.loss(null_model[:d], null_model[d:])
    wide = replace(last, limit=max(last.limit, needed) * (1 + NULL_LOSS_ROOM))
    within = replace(family, budgets=(*family.budgets[:-1], wide), anchors=null_model[None])
    return _at_anchor(within).solve(None, norm_price=last.norm_price, loss_price=last.loss_price)


class LeastLossModel:
    """The model of least loss whose norm is at most M, and the least loss where some weights are 0.

    The null model always lies in the family, so its loss serves as the budget that keeps the offsets bounded.
    """

    def __init__(self, family: Family, null_loss: float) -> None:
        within = replace(family, budgets=norm_and_loss(family.largest_norm, null_loss * (1 + NULL_LOSS_ROOM)))
        self.family, self._program = family, _at_anchor(within)
        self.model = self._program.solve(None, loss_price=1.0).model
        self._start = self._program.basis()

    def without(self, weights: Ints) -> float:
        """min loss  s.t.  w = 0 for these weights, ||w||_1 <= M.

        Starts from the best model's basis, which stays dual feasible when weights are closed.
        """
        d, model = self.family.n_features, self.model
        if self.model[weights].any():
            for j in weights:
                self._program.close(int(j))
            try:
                model = self._program.solve(None, loss_price=1.0, start=self._start).model
            finally:
                for j in weights:
                    self._program.open(int(j))
        return self.family.rows.loss(model[:d], model[d:])


def _certified(
    family: Family, directions: Floats, found: list[Optimum], extra_column: Floats | None = None
) -> CertifiedMaxima:
    return certify(
        family,
        directions,
        np.array([o.model for o in found]).reshape(len(found), directions.shape[1]),
        np.array([o.hinge_multipliers for o in found]).reshape(len(found), family.rows.n_rows),
        np.array([o.constraint_multipliers for o in found]).reshape(len(found), family.constraints.n_rows),
        extra_column,
    )
