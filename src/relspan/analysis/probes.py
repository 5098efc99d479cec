"""Probes: what interval does a feature get that knows nothing about the target?

The upper end of an irrelevant feature is not zero, so its null distribution is estimated with permuted copies of real
columns. *Appended* probes join the data as one more column, one at a time, and are always feasible. *Replaced* probes
(the FRI paper) take the place of the column they were made from; where that column was needed no equally good model
is left, the probe has no interval and is counted as lost.

The threshold is the upper end of a prediction interval for one more draw from the probes' values E,

    tau = mean(E) + t_{K-1}(1 - level) * sd(E) * sqrt(1 + 1/K),

with level = alpha / (2 d) for all d tested weights (usually one per feature) and both ends together ("familywise"), or
alpha for each ("per_feature", the FRI paper with alpha = .001).

A feature with several weights is shown by their total, sum_k |w_k|, which chance makes larger than a single weight. A
probe is a feature with all its weights, so it has such a total too, and the largest totals of the probes give the
totals' own threshold by the same formula, with level = alpha / d for d such features: a total has one end that counts.
The weights of three classes sum to 0, so their total is 2 max_k |w_k|, which the ends have found already. Elsewhere
one more program goes as far as it can along the signs of the model that has the largest total among those at the ends.
Its total is attained; the largest one may be a little larger.

The upper ends of probes are skewed to the right, and the baseline, which has seen the real columns, favours those that
happen to fit, so more features exceed tau by chance than alpha promises. Verdicts therefore do not rest on tau alone
(`verdicts`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np
from scipy import stats

from relspan.analysis.baseline import null_offsets
from relspan.analysis.canonical_order import columns_by_shape
from relspan.analysis.checkpoint import Checkpoint
from relspan.analysis.class_probes import batched_classes, ends_of_classes
from relspan.analysis.group_intervals import signs_of, sums_to_zero, total_along
from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.parallel import blocks_of, run_blocks
from relspan.analysis.second_opinions import BackedEngine, with_second_opinions
from relspan.analysis.sequential_probes import looks
from relspan.analysis.settings import FEWEST_PROBES
from relspan.arrays import Bools, Floats, Ints
from relspan.engines import BlocksInTurn, ExactEngine, MaximaEngine, SharedEngine
from relspan.engines.certificates import are_proven, is_proven_empty, smallest_norm
from relspan.engines.simplex.exact_engine import nearest_member
from relspan.errors import InfeasibleFamily, ParameterError, SolverError
from relspan.family import Family, unit_directions
from relspan.progress import Progress, advance, silent
from relspan.tolerances import CERTIFIED_GAP, LARGEST_VIOLATION

PROBES_PER_BLOCK = 25


@dataclass(frozen=True, eq=False)
class Probes:
    """The signed ends of the probes' weights, the features they were made from, and how many probes there are and were
    lost. `totals` are the largest totals of the probes that have several weights. In `largest_gap` the
    gap of an end beyond the norm is a share of the end. `planned` is the number of probes that were asked for, where
    drawing stopped before."""

    kind: str
    lo: Floats
    hi: Floats
    sources: np.ndarray
    totals: Floats
    count: int
    lost: int
    largest_gap: float
    handed_over: int = 0  # ends that one engine left to another
    planned: int | None = None

    @property
    def sample_size(self) -> int:
        """The number of probes whose threshold is computed: of all that were planned, or of those that are left."""
        return self.count if self.planned is None else self.planned

    @property
    def ends(self) -> Floats:
        """The values whose distribution is used: both ends of appended probes, the larger one of replaced ones."""
        if self.kind == "append":
            return np.concatenate([self.hi, -self.lo])
        return np.maximum(np.abs(self.lo), np.abs(self.hi))

    @property
    def floors(self) -> Floats:
        """The least relevance of each probe."""
        straddles = (self.lo <= 0) & (self.hi >= 0)
        return np.where(straddles, 0.0, np.minimum(np.abs(self.lo), np.abs(self.hi)))


def run_probes(
    family: Family,
    problem: LearningProblem,
    n_probes: int,
    kind: str,
    engine: str,
    seed: np.random.SeedSequence,
    n_jobs: int | None = None,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
    settled: Callable[[Probes], bool] | None = None,
) -> Probes:
    """Ends of `n_probes` probes of the problem's features, one pair per tested weight.

    With `settled` drawing stops before, as soon as the probes that are drawn by then settle the question
    (`sequential_probes`).
    """
    choose, *streams = seed.spawn(n_probes + 1)
    sources = np.resize(
        columns_by_shape(problem.X)[np.random.default_rng(choose).permutation(problem.X.shape[1])], n_probes
    )
    solve = ProbeBlock(family, problem, kind, engine, sources, streams)
    parts: list[Ends] = []
    first = 0
    for last in [n_probes] if settled is None else looks(n_probes):
        most = min(PROBES_PER_BLOCK, -(-(last - first) // 2))  # two blocks at least, for two workers
        blocks = [range(first + b.start, first + b.stop) for b in blocks_of(last - first, most)]
        report = _share_of_all(progress, first, last, n_probes)
        parts += run_blocks("probes", solve, blocks, Ends, n_jobs, report, checkpoint)
        first = last
        found = _probes_of(family, problem, kind, sources[:last], _joined(parts))
        if last < n_probes and settled is not None:
            found = replace(found, planned=n_probes)
            if settled(found):
                progress("probes", 1.0, f"{last} of {n_probes} probes, which settle all classes")
                break
    return found


def _share_of_all(progress: Progress, first: int, last: int, n_probes: int) -> Progress:
    """Progress over some of the probes, as progress over all of them."""

    def report(stage: str, share: float | None, note: str = "") -> None:
        progress(stage, None if share is None else (first + share * (last - first)) / n_probes, note)

    return report


def _probes_of(family: Family, problem: LearningProblem, kind: str, sources: Ints, ends: Ends) -> Probes:
    """The probes that were made from these features."""
    pairs, counts = ends.pairs, ends.counts
    sizes = np.maximum(1.0, np.abs(pairs) / smallest_norm(family))
    return Probes(
        kind,
        lo=-pairs[:, 1],
        hi=pairs[:, 0],
        sources=np.repeat(sources, counts),
        totals=ends.totals[problem.blocks.has_several[sources] & (counts > 0)],
        count=int((counts > 0).sum()),
        lost=int((counts == 0).sum()),
        largest_gap=float((np.abs(ends.gaps) / sizes).max(initial=0.0)),
        handed_over=int(ends.handed_over.sum()),
    )


@dataclass(frozen=True, eq=False)
class Ends:
    """The maxima of +w and -w, one pair per tested weight of each probe, and their certified gaps.

    `counts` is the number of pairs of each probe: 0 where no model was left. `totals` are the largest totals of all
    weights of each probe. `handed_over` marks the ends that an engine left to another one.
    """

    pairs: Floats
    gaps: Floats
    counts: Ints
    totals: Floats
    handed_over: Bools


def _joined(each: Sequence[Ends]) -> Ends:
    """The ends of several probes."""
    return Ends(*(np.concatenate([getattr(ends, f.name) for ends in each]) for f in fields(Ends)))


@dataclass(frozen=True, eq=False)
class ProbeBlock:
    """The ends of a block of probes; probe p is made from feature sources[p]. See `SharedEngine`."""

    family: Family
    problem: LearningProblem
    kind: str
    engine: str
    sources: np.ndarray
    streams: Sequence[np.random.SeedSequence]

    @cached_property
    def _shared(self) -> SharedEngine:
        return SharedEngine(self.engine, self.family)

    def __call__(self, block: range) -> Ends:
        sources = [int(self.sources[p]) for p in block]
        values = [
            self.problem.permuted(source, np.random.default_rng(self.streams[p]))
            for source, p in zip(sources, block, strict=True)
        ]
        if self.kind == "append":
            try:
                together = self._appended_together(values)
            except SolverError:  # of one probe: each is asked alone, and of other engines
                return _joined([self._appended(source, v) for source, v in zip(sources, values, strict=True)])
            if together is not None:
                return self._with_second_opinions(*together, sources, values)
        if self.kind == "append" and self.engine == ExactEngine.name:
            each = self._appended_in_turn(sources, np.column_stack(values))
        else:
            one_by_one = self._appended if self.kind == "append" else self._replaced
            each = [one_by_one(source, v) for source, v in zip(sources, values, strict=True)]
        return _joined(each)

    def _appended_together(self, values: Sequence[Floats]) -> tuple[Ends, Bools] | None:
        """The ends of several probes that join the data, by one call of the engine, and which probes are to be asked
        again; None where they need a program each."""
        engine, count = self._shared.open(), len(values)
        if self.problem.probes_are_columns:
            found = engine.appended(np.column_stack([self.problem.hinge_columns(v[:, None]) for v in values]))
            totals = found.values.reshape(-1, 2).max(axis=1)
        else:
            together = batched_classes(engine, self.problem)
            if together is None:
                return None
            found, totals = ends_of_classes(together, self.problem, np.column_stack(values))
        each_has = np.full(count, len(found) // (2 * count), dtype=np.intp)
        pairs, gaps = found.values.reshape(-1, 2), found.gaps.reshape(-1, 2)
        doubtful = ~are_proven(self.family, found.gaps, found.values) | (found.violations > CERTIFIED_GAP)
        again = np.asarray(doubtful.reshape(count, -1).any(axis=1))
        return Ends(pairs, gaps, each_has, totals, found.handed_over), again

    def _with_second_opinions(self, ends: Ends, again: Bools, sources: Sequence[int], values: Sequence[Floats]) -> Ends:
        """The same ends, where some probes are asked alone, and of other engines."""
        each, end = [], 0
        for k, count in enumerate(ends.counts.tolist()):
            own, end = slice(end, end + count), end + count
            both = slice(2 * own.start, 2 * own.stop)  # ends of these pairs
            found = Ends(ends.pairs[own], ends.gaps[own], ends.counts[[k]], ends.totals[[k]], ends.handed_over[both])
            if again[k]:
                with suppress(SolverError):  # then the gap stays, and the result states it
                    found = self._appended(sources[k], values[k])
            each.append(found)
        return _joined(each)

    def _appended(self, feature: int, values: Floats) -> Ends:
        """The ends of a probe that joins the data, a feature with all its weights."""
        wider = self.problem.with_appended(self.family, [feature], values[:, None])
        columns = np.arange(self.family.n_features, wider.n_features)
        return self._ends(BackedEngine(self.engine, wider), wider, columns, self._tested(feature))

    def _appended_in_turn(self, features: Sequence[int], values: Floats) -> list[Ends]:
        """The same for several probes, one column of values each: all in one program, of which each uses its own part.

        It is built once, and what one probe finds out about it (which kinks matter) serves the next.
        """
        programs = BlocksInTurn(self.problem.with_appended(self.family, features, values), self.family.n_features)
        found, start = [], self.family.n_features
        for feature in features:
            count = len(self._tested(feature))
            engine = programs.with_block(np.arange(start, start + count))
            columns = np.arange(self.family.n_features, engine.family.n_features)
            backed = BackedEngine(self.engine, engine.family, engine)
            found.append(self._ends(backed, engine.family, columns, self._tested(feature)))
            start += count
            advance(len(found), len(features))
        return found

    def _tested(self, feature: int) -> Bools:
        """Which weights of a feature are tested."""
        return self.problem.blocks.tested[self.problem.blocks.columns(feature)]

    def _replaced(self, feature: int, values: Floats) -> Ends:
        """The ends of a probe in the place of a feature; none where no model is left."""
        changed = self.problem.with_replaced(self.family, feature, values)
        try:
            changed = with_member(changed)
            columns = self.problem.blocks.columns(feature)
            return self._ends(BackedEngine(self.engine, changed), changed, columns, self._tested(feature))
        except InfeasibleFamily:
            return Ends(
                np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(1, dtype=np.intp), np.zeros(1), np.zeros(0, dtype=bool)
            )

    def _ends(self, engine: MaximaEngine, family: Family, columns: Ints, tested: Bools) -> Ends:
        """The ends of the tested ones of a probe's weights, and the largest total of all of them."""
        ends = engine.maxima(unit_directions(columns[tested], family))
        found = with_second_opinions(family, columns[tested], ends, smallest_norm(self.family))
        if len(columns) == 1:
            total = float(found.values.max())
        elif len(columns) <= 3 and sums_to_zero(family, columns):
            total = 2.0 * float(found.values.max())
        else:
            weights = found.models_of(slice(None))[:, columns]
            best = weights[np.abs(weights).sum(axis=1).argmax()]
            total = max(float(np.abs(best).sum()), total_along(engine, family, columns, signs_of(best)[None]))
        count = np.array([tested.sum()], dtype=np.intp)
        return Ends(found.values.reshape(-1, 2), found.gaps.reshape(-1, 2), count, np.array([total]), found.handed_over)


def with_member(family: Family) -> Family:
    """The family with an anchor, if none is known. Raises InfeasibleFamily where it provably has no model."""
    if len(family.anchors):
        return family
    null = np.concatenate([np.zeros(family.n_features), null_offsets(family.rows, family.constraints)])
    nearest = nearest_member(family, null)
    excess = float(family.excess(nearest.model[None])[0])
    if excess > CERTIFIED_GAP and is_proven_empty(family, nearest.hinge_multipliers, nearest.constraint_multipliers):
        raise InfeasibleFamily("no model is within the budgets")
    return replace(family, anchors=nearest.model[None]) if excess <= LARGEST_VIOLATION else family


def threshold(values: Floats, n_probes: int, alpha: float, control: str, n_tests: int) -> float:
    """tau of the text above, for so many values that are compared with it: two ends per weight, or one per total."""
    if n_probes < FEWEST_PROBES:
        raise ParameterError(
            f"only {n_probes} probes have an interval, but a threshold needs {FEWEST_PROBES}: raise n_probes, or use "
            "probes='append', whose probes are never lost"
        )
    if not np.isfinite(values).all():
        raise SolverError("a probe's interval is not finite, so no threshold can be drawn from the probes")
    share = alpha / n_tests if control == "familywise" else alpha
    spread = float(np.std(values, ddof=1)) * np.sqrt(1 + 1 / n_probes)
    return float(np.mean(values) + stats.t.ppf(1 - share, n_probes - 1) * spread)
