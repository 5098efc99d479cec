r"""The interval of a group's total size:  m_G(w) = sum_{j in G} |w_j|  over the family.

A group is a set of weights that are considered together: the one-hot columns of a category, the genes of a pathway, or
the weights that one feature has for several classes.

*Least.* F is convex, so every mixture of its models lies inside. Mixtures of the models at the ends of the group's
weights are asked first, with a program as small as the group:

    min  ||sum_i l_i w_i,G||_1     s.t.     l >= 0,  1.l = 1

Where it is 0, a model without the group is found, and nothing is left to prove. Elsewhere m_G is convex, so its minimum
is one linear program:  min 1.t  s.t.  t >= w_G, t >= -w_G,  with t as further offsets of the family. Every engine can
solve it, certificate included.

*Largest.* The maximum of a convex function is the largest of its linear pieces,

    max_F m_G  =  max over signs s in {-1, 1}^G  of  max_F s.w_G,

which *sign branching* searches. On F every weight lies in a known interval [l, u]; where that interval has both signs,
|w| lies below its chord  alpha + beta w,  beta = (u + l) / (u - l),  alpha = -2 u l / (u - l).  A node of the search
has decided some signs; with chords for the undecided ones its bound is again the maximum of a linear functional, and
the model that attains it gives an attained value of m_G. Nodes with all signs decided are exact. After `limit` programs
the search of a group ends, and its maximum is bracketed between an attained value and a certified bound.

*Weights that sum to 0.* Where a constraint of the family makes the weights of a group sum to 0, as those of a feature
over several classes do, the positive ones are as large together as the negative ones,

    max_F m_G  =  2 max over subsets S of G  of  max_F sum_{j in S} w_j.

Subsets of one weight, and of all but one, are ends that are known: for two or three weights there is nothing to search.
Up to `MOST_IN_SUBSETS` weights the other subsets are asked all at once, but for those that the known ends rule out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from scipy.optimize import linprog

from relspan.analysis.checkpoint import Checkpoint
from relspan.analysis.intervals import WeightRanges
from relspan.analysis.parallel import blocks_of, run_blocks
from relspan.analysis.second_opinions import BackedEngine
from relspan.arrays import Floats, Ints, dense
from relspan.engines import Engine, MaximaEngine, SharedEngine
from relspan.engines.solver_runs import counted_run
from relspan.family import Family
from relspan.family.constraints import Constraints
from relspan.progress import Progress, part_of, silent
from relspan.tolerances import GROUP_BRACKET, LARGEST_VIOLATION, VANISHED_MIXTURE

PROGRAMS_PER_GROUP = 64
LARGEST_MIXED_GROUP = 50  # weights; the program of a larger group's mixtures is no small one
NODES_AT_ONCE = 4  # of one search that are expanded together where programs are solved in batches
MOST_IN_SUBSETS = 6  # weights that sum to 0 whose subsets are all considered: 50 programs at most
GROUPS_PER_BLOCK = 16


@dataclass(frozen=True)
class GroupInterval:
    """The interval of a group's total size: attained at both ends, and certified from outside."""

    least: float
    most: float
    least_bound: float
    most_bound: float

    @property
    def gap(self) -> float:
        """How far a true end may lie beyond the end that is attained, at the worse of the two ends."""
        return max(self.least - self.least_bound, self.most_bound - self.most)


@dataclass(frozen=True, eq=False)
class GroupIntervals:
    """The intervals of several groups, as arrays."""

    least: Floats
    most: Floats
    least_bound: Floats
    most_bound: Floats


def group_ends(totals: Sequence[GroupInterval]) -> Floats:
    """(groups, 2): least and largest total."""
    return np.array([[total.least, total.most] for total in totals]).reshape(-1, 2)


def group_intervals(
    family: Family,
    groups: Sequence[Ints],
    ranges: WeightRanges,
    engine: str = "auto",
    n_jobs: int | None = None,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
    limit: int = PROGRAMS_PER_GROUP,
    stage: str = "groups",
) -> list[GroupInterval]:
    """The intervals of all groups; `ranges` are those of the family's single weights."""
    if not groups:
        return []
    solve = GroupBlock(family, tuple(groups), ranges, engine, limit)
    parts = run_blocks(
        stage, solve, blocks_of(len(groups), GROUPS_PER_BLOCK), GroupIntervals, n_jobs, progress, checkpoint
    )
    columns = (np.concatenate([getattr(part, f.name) for part in parts]).tolist() for f in fields(GroupIntervals))
    return [GroupInterval(*each) for each in zip(*columns, strict=True)]


@dataclass(frozen=True, eq=False)
class GroupBlock:
    """The intervals of a block of groups; see `SharedEngine`."""

    family: Family
    groups: tuple[Ints, ...]
    ranges: WeightRanges
    engine: str
    limit: int

    def __call__(self, block: range) -> GroupIntervals:
        chosen = [self.groups[g] for g in block]
        with part_of(0, 2):
            least = np.array(least_totals(self.family, chosen, self.ranges, self.engine))
        engine = SharedEngine(self.engine, self.family).open()
        with part_of(1, 2):
            most = np.array(largest_totals(self.family, chosen, self.ranges, engine, self.limit))
        return GroupIntervals(least[:, 0], most[:, 0], least[:, 1], most[:, 1])


# -- the least total -------------------------------------------------------------------------------------------------


def least_totals(
    family: Family, groups: Sequence[Ints], ranges: WeightRanges, engine: str
) -> list[tuple[float, float]]:
    """For each group the least total that is attained, and its certified lower bound."""
    d = family.n_features
    known = np.vstack([ranges.extremes.models_of(slice(None))[:, :d], family.anchors[:, :d]])
    least = [float(np.abs(known[:, G]).sum(axis=1).min()) for G in groups]
    # a model without the group proves that its least total is 0; the other groups need a program
    without = [value > 0 and some_model_without(family, G, ranges) for value, G in zip(least, groups, strict=True)]
    least = [0.0 if absent else value for value, absent in zip(least, without, strict=True)]
    needed = [g for g, value in enumerate(least) if value > 0]
    answers = [(value, value) for value in least]
    if not needed:
        return answers
    columns = np.unique(np.concatenate([groups[g] for g in needed]))
    lifted = with_sizes(family, columns)
    directions = np.zeros((len(needed), d + lifted.n_offsets))
    for row, g in enumerate(needed):
        directions[row, d + family.n_offsets + np.searchsorted(columns, groups[g])] = -1.0
    found = BackedEngine(engine, lifted).maxima(directions)
    for row, g in enumerate(needed):
        attained = float(np.abs(found.models[row, groups[g]]).sum())
        answers[g] = (min(attained, least[g]), max(0.0, -float(found.bounds[row])))
    return answers


def some_model_without(family: Family, group: Ints, ranges: WeightRanges) -> bool:
    """Whether a mixture of the models at the ends of the group's weights does without the group, and lies in F.

    The mixture's weights are 0 up to rounding. They are set to 0, and the model that is left is judged.
    """
    size, ends = len(group), np.column_stack([2 * group, 2 * group + 1]).ravel()
    if size > LARGEST_MIXED_GROUP:
        return False
    w_G = dense(ranges.extremes.models[ends][:, group]).T
    above = np.block([[w_G, -np.eye(size)], [-w_G, -np.eye(size)]])  # t >= |sum_i l_i w_i,G|
    price, shares = np.repeat([0.0, 1.0], [2 * size, size]), np.repeat([[1.0, 0.0]], [2 * size, size], axis=1)
    with counted_run():
        found = linprog(price, above, np.zeros(2 * size), shares, [1.0])
    if found.status or found.fun > VANISHED_MIXTURE * family.largest_norm:
        return False
    used = np.flatnonzero(found.x[: 2 * size] > 0)
    mixture = found.x[used] @ ranges.extremes.models_of(ends[used])
    mixture[group] = 0.0
    return bool(family.violations(mixture[None])[0] <= LARGEST_VIOLATION)


def with_sizes(family: Family, columns: Ints) -> Family:
    """The family with one more offset t for each of some weights, 0 <= t - w and 0 <= t + w.

    Upper sides that the norm budget implies keep the new offsets bounded, which certificates need.
    """
    d, k, count = family.n_features, family.n_offsets, len(columns)
    most = 2.0 * family.largest_norm
    unit = np.zeros((count, d))
    unit[np.arange(count), columns] = 1.0
    sizes = np.hstack([np.zeros((count, k)), np.eye(count)])
    above = Constraints(-unit, sizes, np.zeros(count), np.full(count, most))
    below = replace(above, features=unit)
    rows, extra = family.rows, family.constraints
    widened = replace(extra, offsets=np.hstack([extra.offsets, np.zeros((extra.n_rows, count))]))
    return Family(
        replace(rows, offsets=np.hstack([rows.offsets, np.zeros((rows.n_scores, count))])),
        family.budgets,
        widened.stacked(above).stacked(below),
        np.hstack([family.anchors, np.abs(family.anchors[:, columns])]),
    )


# -- the largest total -----------------------------------------------------------------------------------------------


class SignSearch:
    """The search of one group: open nodes (bound, signs, weights), and the largest total that some model attains."""

    def __init__(self, columns: Ints, low: Floats, high: Floats, attained: float) -> None:
        self.columns = columns
        self.attained = attained
        self.signs: Floats | None = None  # of the weights that attain it, where a program found them
        self.settled = 0.0  # the largest bound of a node whose signs are all decided
        self.largest_gap = 0.0  # of the programs so far: bounds that are closer have met
        self.programs = 0
        signs = np.where(low >= 0, 1.0, np.where(high <= 0, -1.0, 0.0))  # 0: undecided
        width = np.where(signs == 0, high - low, 1.0)
        self._beta, self._alpha = (high + low) / width, -2.0 * high * low / width
        self.nodes: list[tuple[float, Floats, Floats | None]] = [
            (float(np.maximum(np.abs(low), np.abs(high)).sum()), signs, None)
        ]

    @property
    def open_bound(self) -> float:
        return max((bound for bound, _, _ in self.nodes), default=0.0)

    @property
    def bound(self) -> float:
        return max(self.attained, self.settled, self.open_bound)

    def piece(self, signs: Floats) -> tuple[Floats, float]:
        """Slopes and constant of a node's bound: signs where they are decided, chords elsewhere."""
        undecided = signs == 0
        return np.where(undecided, self._beta, signs), float(self._alpha[undecided].sum())

    def expand(self) -> list[Floats]:
        """Take the node of the largest bound; its children decide the sign whose chord is the furthest off.

        The root, which no program has answered yet, is its own child.
        """
        self.nodes.sort(key=lambda node: node[0])
        _, signs, weights = self.nodes.pop()
        if weights is None:
            return [signs]
        off = np.where(signs == 0, self._alpha + self._beta * weights - np.abs(weights), -1.0)
        children = [signs.copy(), signs.copy()]
        children[0][np.argmax(off)], children[1][np.argmax(off)] = 1.0, -1.0
        return children

    def add_answer(self, signs: Floats, weights: Floats, bound: float, less: float = 0.0, gap: float = 0.0) -> None:
        """A program's answer for a node; `less` is what is taken from the total of these weights."""
        self.programs += 1
        self.largest_gap = max(self.largest_gap, gap)
        total = float(np.abs(weights).sum()) - less
        if self.signs is None or total > self.attained:
            self.signs = signs_of(weights)
        self.attained = max(self.attained, total)
        if (signs == 0).any():
            self.nodes.append((bound, signs, weights))
        else:
            self.settled = max(self.settled, bound)


def largest_totals(
    family: Family, groups: Sequence[Ints], ranges: WeightRanges, engine: Engine, limit: int
) -> list[tuple[float, float]]:
    """For each group the largest total that was attained, and its certified upper bound."""
    d, M = family.n_features, family.largest_norm
    models = ranges.extremes.models_of(slice(None))[:, :d]
    low, high = ranges.lo - ranges.gaps[:, 0], ranges.hi + ranges.gaps[:, 1]
    searches = [SignSearch(G, low[G], high[G], float(np.abs(models[:, G]).sum(axis=1).max())) for G in groups]
    zero_sums = [s for s in searches if len(s.columns) <= MOST_IN_SUBSETS and sums_to_zero(family, s.columns)]
    _search_subsets(family, zero_sums, low, high, engine)
    while True:
        unfinished = [
            s
            for s in searches
            if min(s.open_bound, M) > s.attained + max(GROUP_BRACKET * M, s.largest_gap) and s.programs < limit
        ]
        if not unfinished:
            return [(s.attained, max(s.attained, min(s.bound, M))) for s in searches]
        at_once = 1 if engine.warm else NODES_AT_ONCE
        tasks = [(s, signs) for s in unfinished for _ in range(min(at_once, len(s.nodes))) for signs in s.expand()]
        directions = np.zeros((len(tasks), d + family.n_offsets))
        for row, (s, signs) in enumerate(tasks):
            directions[row, s.columns] = s.piece(signs)[0]
        found = BackedEngine(engine.name, family, engine).maxima(directions)
        for row, (s, signs) in enumerate(tasks):
            bound = float(found.bounds[row]) + s.piece(signs)[1]
            s.add_answer(signs, found.models[row, s.columns], bound, gap=float(found.gaps[row]))


def _search_subsets(family: Family, searches: Sequence[SignSearch], low: Floats, high: Floats, engine: Engine) -> None:
    """Settle the groups whose weights sum to 0: one program for each subset that may have the largest sum."""
    tasks: list[tuple[SignSearch, Ints]] = []
    for s in searches:
        ends, size = np.column_stack([low, high])[s.columns], len(s.columns)
        s.nodes, s.settled = [], 2.0 * float(np.abs(ends).max())
        for chosen in range(3, 2**size - 1):
            inside = (chosen >> np.arange(size)) % 2 == 1
            bound = 2.0 * min(float(ends[inside, 1].sum()), -float(ends[~inside, 0].sum()))
            if not 2 <= inside.sum() <= size - 2:
                continue
            if bound > s.attained + GROUP_BRACKET * family.largest_norm:
                tasks.append((s, s.columns[inside]))
            else:
                s.settled = max(s.settled, bound)
    if not tasks:
        return
    directions = np.zeros((len(tasks), family.n_features + family.n_offsets))
    for row, (_, columns) in enumerate(tasks):
        directions[row, columns] = 1.0
    found = BackedEngine(engine.name, family, engine).maxima(directions)
    for row, (s, _) in enumerate(tasks):
        s.programs += 1
        s.attained = max(s.attained, float(np.abs(found.models[row, s.columns]).sum()))
        s.settled = max(s.settled, 2.0 * float(found.bounds[row]))


def total_along(engine: MaximaEngine, family: Family, columns: Ints, signs: Floats) -> float:
    """The largest total of a group in the models that go furthest along some signs: one program for each row of them.

    With the right signs it is the largest total of all; with any others a model still attains it.
    """
    directions = np.zeros((len(signs), family.n_features + family.n_offsets))
    directions[:, columns] = signs
    models = engine.maxima(directions).models_of(slice(None))
    return float(np.abs(models[:, columns]).sum(axis=1).max())


def signs_of(weights: Floats) -> Floats:
    """1 or -1 for every weight."""
    return np.where(weights < 0, -1.0, 1.0)


def sums_to_zero(family: Family, columns: Ints) -> bool:
    """Whether the family has the constraint  sum_{j in G} w_j = 0."""
    extra = family.constraints
    ones = np.zeros(family.n_features)
    ones[columns] = 1.0
    fixed = (extra.lower == 0) & (extra.upper == 0)
    return bool((fixed & (extra.features == ones).all(axis=1) & (extra.offsets == 0).all(axis=1)).any())
