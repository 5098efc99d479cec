"""The batched engine: all programs of a family at once, by an interior point method.

For wide budgets, where a simplex method must visit hundreds of vertices. The method itself is in `predictor_corrector`,
its linear algebra in `newton_step`; here a family becomes arrays, programs become batches that fit into memory, and
answers become certificates. Programs start with the rows that may turn, see `row_selection`. On a device, those of a
wide table come near their optima in single precision, and end with few columns each, see `restricted_programs`. An
answer is accepted for its certified gap alone. Other programs are solved again with all rows, then with more centring,
and then by the exact engine. Families without an interior go there at once.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from relspan.arrays import Floats, Ints, Matrix, dense, even_size
from relspan.engines.certificates import CertifiedMaxima, certify, joined, smallest_norm
from relspan.engines.interior.appended_feature import AppendedClasses, AppendedColumn, AppendedFeature
from relspan.engines.interior.array_library import Array, Arrays, NumpyArrays
from relspan.engines.interior.batch_arrays import BatchArrays, Point
from relspan.engines.interior.centre_start import PRICE_SCALE, start_at
from relspan.engines.interior.constraint_sides import ConstraintSides
from relspan.engines.interior.contrast_rows import contrast_rows
from relspan.engines.interior.dual_centre import DualCentre, dual_centre
from relspan.engines.interior.dual_polytope import dual_polytope
from relspan.engines.interior.predictor_corrector import analytic_centre, first_point, maximise, shared_start
from relspan.engines.interior.resident_certificates import resident_certificates
from relspan.engines.interior.restricted_programs import finite, restricted_programs
from relspan.engines.interior.row_selection import RowSelection, every_row, extended_point, select_rows
from relspan.engines.simplex.exact_engine import ExactEngine
from relspan.family import Family
from relspan.progress import advance, part_of
from relspan.tolerances import (
    CENTRING_OF_RETRY,
    CERTIFIED_GAP,
    GAP_AIMED_AT,
    JITTER_OF_RETRY,
    LARGEST_VIOLATION,
    LEAST_CENTRING,
    ROUGH_GAPS,
    ROUGH_RESIDUAL,
)

FEW_COLUMNS_GAP = 6e-3  # a share of the norm: there a program of a wide table goes on with few of its columns
FEWEST_COLUMNS, COLUMNS_PER_SCORE = 200, 1
MORE_COLUMNS = 3  # times as many are tried where these do not prove the answer
FEW_OF_ALL = 3  # times as many columns has a table at least, where programs go on with few
FIRST_ITERATIONS, LAST_ITERATIONS = 40, 30


class BatchedEngine:
    """Ranges over a family by a batched interior point method; see the module's text."""

    name = "batched"
    warm = False

    def __init__(self, family: Family, arrays: Arrays | None = None) -> None:
        self.family = family
        self.arrays: Arrays = arrays or NumpyArrays()
        self.handed_over = 0
        self.retried = 0
        self._largest_gap = CERTIFIED_GAP * smallest_norm(family)
        self._paid = family.rows.costs > 0
        self._sides = ConstraintSides(family)
        self._stages = self._prepare()
        self._inside = self._with_centre()
        self._resident = resident_certificates(self._inside, self.arrays) if self._stages else None

    # -- the family as arrays ------------------------------------------------------------------------------------

    def _prepare(self) -> list[_Stage]:
        """The family with the rows that may turn, and with all of them; nothing where it has no interior."""
        if min(b.limit for b in self.family.budgets) <= 0 or not np.isfinite(self.family.largest_loss):
            return []
        score_of = self.family.rows.score_of
        rows = every_row(int(self._paid.sum()), None if score_of is None else score_of[self._paid])
        whole = self._stage(rows)
        if whole is None:
            return []
        fewer = select_rows(whole.problem, whole.centre, rows)
        focused = None if fewer.all_rows else self._stage(fewer)
        return [whole.with_pairs()] if focused is None else [focused.with_pairs(), whole]

    def _stage(self, rows: RowSelection) -> _Stage | None:
        problem = self._as_arrays(rows)
        with np.errstate(all="ignore"):  # it fails on a family without an interior, and returns None
            start = first_point(problem, self.family.largest_norm, self.family.largest_loss)
            centre = analytic_centre(problem, start)
        return None if centre is None else _Stage(rows, problem, centre)

    def _as_arrays(self, taking_part: RowSelection) -> BatchArrays:
        xp, rows, family = self.arrays, self.family.rows, self.family
        table = taking_part.scores(self._of_paid_scores(dense(rows.features)))
        offsets = taking_part.scores(self._of_paid_scores(rows.offsets))
        F = xp.array(table)
        score_of, (n, d) = taking_part.score_of_kept, F.shape
        by_pairs = rows.score_of is None and n >= d
        return BatchArrays(
            xp=xp,
            F=F,
            O=xp.array(offsets),
            h=xp.array(taking_part.rows(rows.heights[self._paid])),
            c=xp.array(taking_part.costs(rows.costs[self._paid])),
            G=xp.array(self._sides.features),
            G_b=xp.array(self._sides.offsets),
            g=xp.array(self._sides.heights),
            n_inequalities=self._sides.n_inequalities,
            P=xp.array([b.norm_price for b in family.budgets]),
            Q=xp.array([b.loss_price for b in family.budgets]),
            B=xp.array([b.limit for b in family.budgets]),
            pairs=None,
            tall=n >= d,
            v=xp.zeros(1, d),
            v_b=xp.zeros(1, rows.n_offsets),
            score_of=None if score_of is None else xp.index(score_of),
            rows_of_scores=None if score_of is None else xp.groups(score_of, n),
            contrasts=contrast_rows(xp, table, offsets, int(taking_part.merged_share.any())) if by_pairs else None,
        )

    def _of_paid_scores(self, values: Floats) -> Floats:
        """Values of all scores, as those of the scores that take part: where rows are scores, the rows that cost."""
        return np.asarray(values[self._paid] if self.family.rows.score_of is None else values)

    # -- answers -------------------------------------------------------------------------------------------------

    def maxima(self, directions: Matrix) -> CertifiedMaxima:
        """The largest value of each direction (a row over (w, b), of a sparse array perhaps), with certificates."""
        return self._answer(directions, None)

    def appended(self, columns: Matrix) -> CertifiedMaxima:
        """For each column, appended alone as one more feature: the maxima of +w and -w of that feature."""
        d, k = self.family.n_features, self.family.n_offsets
        directions = np.zeros((2 * columns.shape[1], d + 1 + k))
        directions[::2, d], directions[1::2, d] = 1.0, -1.0
        return self._answer(directions, AppendedColumn(np.repeat(np.asarray(columns).T, 2, axis=0)))

    @property
    def has_interior(self) -> bool:
        """Whether the family has the interior that the method needs; else all programs go to the exact engine."""
        return bool(self._stages)

    @property
    def can_append_classes(self) -> bool:
        """Whether `appended_classes` can be asked: all rows compare classes, and there is room for centres."""
        return bool(self._stages) and all(stage.problem.contrasts is not None for stage in self._stages)

    def appended_classes(self, columns: Floats, owner: Ints, directions: Floats) -> CertifiedMaxima:
        """The maxima of directions over the family with one more feature, whose weights, one per class, sum to 0.

        `columns` (features, scores, classes) are those of several features, `owner` says which one each direction, over
        all weights and then the offsets, is about.
        """
        return self._answer(directions, AppendedClasses(columns, owner))

    def _answer(self, directions: Matrix, extra: AppendedFeature | None) -> CertifiedMaxima:
        count, size = directions.shape[0], self._batch() if self._stages else 0
        if not size or not count:
            return self._hand_over(directions, extra)
        size = 2 * even_size(-(-count // 2), size // 2)  # both ends of a weight are in one batch
        batches = [slice(first, first + size) for first in range(0, count, size)]
        found = []
        for number, batch in enumerate(batches):
            with part_of(number, len(batches)):
                found.append(self._solve(directions[batch], None if extra is None else extra.where(batch)))
        return joined(found)

    def _batch(self) -> int:
        """Programs that fit into memory together."""
        problem = self._stages[0].problem
        m, (n, d) = problem.h.shape[0], problem.F.shape
        each = 8 * (60 * (m + d) + 4 * min(n, d + 1) ** 2)  # measured, the answers on the host included
        if self._few_columns:
            each += 8 * 3 * (n + 1) * self._few_columns
        return int(max(2, min(self.arrays.most_programs, self.arrays.memory // each) // 2 * 2))

    def _solve(self, directions: Matrix, extra: AppendedFeature | None) -> CertifiedMaxima:
        if self._few_columns and not isinstance(extra, AppendedClasses):
            found = self._attempt_with_few_columns(directions, extra, self._stages[0])
        else:
            found = self._attempt(directions, extra, self._stages[0])
        for stage, carefully in [
            *((stage, False) for stage in self._stages[:1] if self._few_columns),
            *((stage, False) for stage in self._stages[1:]),
            (self._stages[-1], True),
            (None, True),
        ]:
            open_ = self._unproven(found)
            if not len(open_):
                break
            of_open = None if extra is None else extra.where(open_)
            if stage is None:
                again = self._hand_over(directions[open_], of_open)
            else:
                self.retried += len(open_)
                again = self._attempt(directions[open_], of_open, stage, carefully)
            found = better(found, open_, again)
        return found

    def _attempt(
        self, directions: Matrix, extra: AppendedFeature | None, stage: _Stage, carefully: bool = False
    ) -> CertifiedMaxima:
        problem, rows = self._programs(directions, extra, stage.problem, stage.rows), stage.rows
        # the same vector added to the weights of all classes changes no score, so the matrix is singular but for T_w
        careful = carefully or problem.contrasts is not None
        floor, jitter = (CENTRING_OF_RETRY, JITTER_OF_RETRY) if careful else (LEAST_CENTRING, 0.0)
        start = shared_start(problem, stage.centre, self.family.largest_norm)
        with np.errstate(all="ignore"):
            for look, share in enumerate(() if rows.all_rows else ROUGH_GAPS):
                same, aim = rows is stage.rows, share * self.family.largest_norm
                rough = self._programs(directions, extra, stage.rough, rows) if same else problem.in_single_precision()
                start = maximise(rough, start, aim, residual=1.0, floor=floor, jitter=jitter).point
                problem, rows, start = self._further_look(directions, extra, problem, rows, start)
                advance(look + 1, len(ROUGH_GAPS) + 1)
            gap = GAP_AIMED_AT * self._largest_gap
            found = maximise(problem, start, gap, floor=floor, jitter=jitter).point
        if self._resident is not None:
            if not rows.all_rows:
                problem = self._programs(directions, extra, self._stages[-1].problem, self._stages[-1].rows)
            a = rows.multipliers(self.arrays, found.a)
            return self._certified_there(directions, extra, problem, found.w, found.b, a)
        w, b, a, gamma = (self.arrays.to_numpy(values) for values in (found.w, found.b, found.a, found.gamma))
        hinge = np.zeros((len(directions), self.family.rows.n_rows))
        hinge[:, self._paid] = rows.multipliers(NumpyArrays(), a)
        models, sides = np.concatenate([w, b], axis=1), self._sides.signed(gamma)
        for part in (models, hinge, sides):  # a program that broke down proves nothing, and must not affect the others
            with np.errstate(all="ignore"):
                part[~np.isfinite(part.sum(axis=1))] = 0.0
        return self._certified(directions, extra, models, hinge, sides)

    @cached_property
    def _few_columns(self) -> int:
        """The columns with which a program of a wide table goes on near its optimum; 0 where it keeps them all."""
        if not self._stages:
            return 0
        problem = self._stages[0].problem
        n, d = problem.F.shape
        few = COLUMNS_PER_SCORE * n + FEWEST_COLUMNS
        there = self._resident is not None and not problem.tall and problem.pairs is not None
        return few if there and FEW_OF_ALL * few <= d else 0

    @cached_property
    def _dual_centre(self) -> DualCentre | None:
        """The dual centre from which programs of a wide table start; None where there is none of all its scores."""
        polytope = dual_polytope(self.family)
        if polytope is None or len(polytope.scores) < self._stages[0].problem.F.shape[0]:
            return None
        centre = dual_centre(replace(polytope, gram=self._gram))
        return None if centre is None else centre.further_in

    def _gram(self, weights: Floats) -> Floats:
        """F W F' for weights of the columns, from where the arrays are."""
        xp = self.arrays
        return np.asarray(xp.to_numpy(self._stages[0].problem.score_matrix(xp.array(weights[None])))[0])

    def _attempt_with_few_columns(
        self, directions: Matrix, extra: AppendedFeature | None, stage: _Stage
    ) -> CertifiedMaxima:
        """Programs come near their optima in single precision; there each goes on with the columns that it uses most.

        This is what `restricted_engine` does on the host. Here the first part has matrices of all columns, which one
        product gives for all programs.
        """
        xp, problem = self.arrays, self._programs(directions, extra, stage.problem, stage.rows)
        d = problem.v.shape[1]
        rough = replace(stage.with_single_vectors, v=xp.single(problem.v), v_b=xp.single(problem.v_b))
        if problem.extra_column is not None:
            rough = replace(rough, extra_column=xp.single(problem.extra_column))
        if self._dual_centre is None:
            start = shared_start(rough, stage.single_centre, self.family.largest_norm)
        else:
            start = start_at(self._dual_centre, rough, PRICE_SCALE)
        aim = FEW_COLUMNS_GAP * self._largest_gap / CERTIFIED_GAP
        near = maximise(rough, start, aim, ROUGH_RESIDUAL, floor=LEAST_CENTRING, most=FIRST_ITERATIONS).point
        own = np.asarray(abs(directions[:, :d]).argmax(axis=1)).ravel()
        near = finite(xp, Point(*(xp.double(getattr(near, f.name)) for f in fields(Point))))
        found = self._with_own_columns(problem, near, own, self._few_columns, _reach(extra))
        open_ = self._unproven(found)
        if len(open_) and (more := MORE_COLUMNS * self._few_columns) < d:
            self.retried += len(open_)
            left = xp.index(open_)
            near = Point(*(getattr(near, f.name)[left] for f in fields(Point)))
            again = self._with_own_columns(problem.where(left), near, own[open_], more, _reach(extra))
            found = better(found, open_, again)
        return found

    def _with_own_columns(
        self, problem: BatchArrays, near: Point, own: Ints, n_columns: int, reach: Floats | None
    ) -> CertifiedMaxima:
        """The programs go on from near their optima with so many columns each."""
        rows = min(problem.F.shape[0], problem.h.shape[0])
        programs = restricted_programs(problem, near, own, min(n_columns, problem.v.shape[1]), rows)
        gap = GAP_AIMED_AT * self._largest_gap
        last = maximise(programs.problem, programs.start, gap, jitter=JITTER_OF_RETRY, most=LAST_ITERATIONS).point
        at = finite(problem.xp, last)
        w, a = programs.weights(at), programs.hinge_multipliers(at)
        assert self._resident is not None
        return self._resident.certify(problem, w, at.b, a, reach, few_columns=True)

    def _programs(
        self, directions: Matrix, extra: AppendedFeature | None, problem: BatchArrays, rows: RowSelection
    ) -> BatchArrays:
        xp, d = self.arrays, self.family.n_features + (0 if extra is None else extra.n_weights)
        if extra is not None:
            problem = extra.joining(problem, rows, self._of_paid_scores)
        return replace(problem, v=xp.array(directions[:, :d]), v_b=xp.array(directions[:, d:]))

    def _further_look(
        self, directions: Matrix, extra: AppendedFeature | None, problem: BatchArrays, rows: RowSelection, at: Point
    ) -> tuple[BatchArrays, RowSelection, Point]:
        """The programs with the rows that have come near their kink by now, and their points."""
        whole = self._programs(directions, extra, self._stages[-1].problem, self._stages[-1].rows)
        slacks = whole.h - whole.by_row(whole.scores(at.w, at.b))
        wider = rows.with_rows_near(self.arrays, slacks)
        if wider.kept.sum() == rows.kept.sum():
            return problem, rows, at
        more = self._programs(directions, extra, self._as_arrays(wider).with_pairs(), wider)
        return more, wider, extended_point(at, more, rows, wider)

    def _certified(
        self, directions: Floats, extra: AppendedFeature | None, models: Floats, hinge: Floats, sides: Floats
    ) -> CertifiedMaxima:
        if extra is None:
            return certify(self._inside, directions, models, hinge, sides)
        return extra.certified(self._inside, directions, models, hinge, sides)

    def _certified_there(
        self, directions: Matrix, extra: AppendedFeature | None, problem: BatchArrays, w: Array, b: Array, a: Array
    ) -> CertifiedMaxima:
        """The certificates where the arrays are; the host tries again for programs that are not proven there.

        `problem` and the multipliers `a` have all rows that cost something.
        """
        assert self._resident is not None
        found = self._resident.certify(problem, w, b, a, _reach(extra))
        open_ = self._unproven(found)
        if not len(open_):
            return found
        of_open, some = None if extra is None else extra.where(open_), found.where(open_)
        again = self._certified(
            dense(directions[open_]),
            of_open,
            some.models_of(slice(None)),
            some.hinge_multipliers,
            some.constraint_multipliers,
        )
        return better(found, open_, again)

    def _unproven(self, found: CertifiedMaxima) -> Ints:
        return np.flatnonzero(~(found.gaps <= self._largest_gap) | (found.violations > LARGEST_VIOLATION))

    def _with_centre(self) -> Family:
        """The family, with its centre as one more model that is known to lie inside, where it does."""
        centre = self._stages[-1].model(self.family) if self._stages else None
        return (
            self.family
            if centre is None
            else replace(self.family, anchors=np.concatenate([centre, self.family.anchors]))
        )

    def _hand_over(self, directions: Matrix, extra: AppendedFeature | None) -> CertifiedMaxima:
        """The answers of a fresh exact engine, so that they do not depend on earlier questions."""
        directions = dense(directions)
        self.handed_over += len(directions)
        if extra is None:
            return ExactEngine(self.family).maxima(directions).by_another_engine()
        each = (ExactEngine(extra.widened(self.family, i)).maxima(v[None]) for i, v in enumerate(directions))
        return joined(list(each)).by_another_engine()


@dataclass(frozen=True, eq=False)
class _Stage:
    """The family as one attempt sees it: some of its rows, as arrays, and the centre that programs start from."""

    rows: RowSelection
    problem: BatchArrays
    centre: Point

    @cached_property
    def rough(self) -> BatchArrays:
        """The same in single precision, for programs that are still far from their optima."""
        return self.problem.in_single_precision()

    @cached_property
    def with_single_vectors(self) -> BatchArrays:
        """The same with all arrays in single precision, and with programs to come."""
        return self.problem.with_single_vectors()

    @cached_property
    def single_centre(self) -> Point:
        """The centre in single precision."""
        return Point(*(self.problem.xp.single(getattr(self.centre, f.name)) for f in fields(Point)))

    def with_pairs(self) -> _Stage:
        """With the pairwise products of columns (tall) or rows (wide), where they fit into memory."""
        return replace(self, problem=self.problem.with_pairs())

    def model(self, family: Family) -> Floats | None:
        """The centre as one more model that is known to lie inside."""
        numbers = self.problem.xp.to_numpy
        model = np.concatenate([numbers(self.centre.w), numbers(self.centre.b)], axis=1)
        return model if family.violations(model).max() <= 0 else None


def _reach(extra: AppendedFeature | None) -> Floats | None:
    """The largest entries of extra columns in all scores."""
    return np.abs(extra.columns).max(axis=0) if isinstance(extra, AppendedColumn) else None


def better(found: CertifiedMaxima, which: np.ndarray, again: CertifiedMaxima) -> CertifiedMaxima:
    """The answers, with those of another attempt in their place where its gap is smaller."""
    repaired = (found.violations[which] > LARGEST_VIOLATION) & (again.violations <= LARGEST_VIOLATION)
    wins = (again.gaps < found.gaps[which]) | repaired
    if not wins.any():
        return found
    place = np.arange(len(found))
    place[which[wins]] = len(found) + np.flatnonzero(wins)
    return joined([found, again]).where(place)
