r"""The relevance of whole features. A category's is the total size of its levels' weights, m_G(w) = sum_{j in G} |w_j|.

*Under pins* its interval is that of the total over all sign branches.

*At an end.* Models in which a feature is at its minimum or maximum are found by a pin where one column stands for it.
The least total of a category is a linear program with one more offset t_j >= |w_j| per level, and  sum_j t_j <= min
keeps it there. The largest total is attained along some signs s of the weights, and  s.w_G >= max  keeps it there;
where several signs attain it, those that the search finds first count.

*Together.* For two features X and Y, with shares a = m_X / max m_X and b = m_Y / max m_Y, the widths of a + b and of
a - b over the family say how much of the relevance can pass from one to the other (see `substitute_groups`). Sums are
convex, so their minimum is one program; maxima, and those of differences, are searched by signs (`group_intervals`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from relspan.analysis.group_intervals import PROGRAMS_PER_GROUP, SignSearch, group_ends, group_intervals, with_sizes
from relspan.analysis.intervals import WeightRanges, ranges_of
from relspan.arrays import Floats, Ints
from relspan.engines.simplex.exact_engine import ExactEngine
from relspan.explore.fitted_problem import WholeFeature
from relspan.explore.pinned_family import PinnedFamily, PinSolver, SignBranch
from relspan.explore.pins import Pin, pin_at_end
from relspan.family import Family, unit_directions
from relspan.family.constraints import Constraints
from relspan.tolerances import GROUP_BRACKET, PIN_ROUNDING, RELAXED_BOUNDS


def intervals_of(family: Family, ranges: WeightRanges, features: Sequence[WholeFeature]) -> Floats:
    """(k, 2): the least and the largest total of every feature; `ranges` are those of all weights."""
    singles, found = ranges.relevances, np.zeros((len(features), 2))
    several = [i for i, feature in enumerate(features) if not feature.is_single]
    for i, feature in enumerate(features):
        if feature.is_single:
            found[i] = singles[feature.columns[0]]
    columns = [np.array(features[i].columns, dtype=np.intp) for i in several]
    found[several] = group_ends(group_intervals(family, columns, ranges, "exact"))
    return found


def intervals_over(pinned: PinnedFamily, features: Sequence[WholeFeature]) -> Floats:
    """(k, 2): the hull of the features' intervals over all branches, whose ranges are those of all columns."""
    return _hull([intervals_of(branch.family, branch.ranges, features) for branch in pinned.branches])


def intervals_under(solver: PinSolver, pins: Sequence[Pin], features: Sequence[WholeFeature]) -> Floats:
    """The same for some pins; only the columns of these features are solved where there is no category among them."""
    if all(feature.is_single for feature in features):
        columns = [feature.columns[0] for feature in features]
        return solver.family_under(pins, columns=columns).relevances
    return intervals_over(solver.family_under(pins), features)


def intervals_at_end(
    solver: PinSolver,
    feature: WholeFeature,
    end: str,
    interval: Floats,
    features: Sequence[WholeFeature],
    pins: Sequence[Pin] = (),
) -> Floats:
    """The intervals of some features while one is at the minimum or maximum of its own, given in shares of the norm."""
    names = [solver.problem.columns[j] for j in feature.columns]
    others = [pin for pin in pins if pin.feature not in names]
    if feature.is_single:
        pin = pin_at_end(names[0], end, float(interval[0]), float(interval[1]))
        return intervals_under(solver, [*others, pin], features)
    left_out = [Pin(name, 0.0, 0.0, "without") for name in names]
    if end == "min" and solver.feasible([*others, *left_out]):
        return intervals_under(solver, [*others, *left_out], features)
    held = [_held_at_end(branch, feature, end, solver.problem.mu) for branch in solver.family_under(others).branches]
    best = max(value for value, _ in held)
    families = [family for value, family in held if value >= best - PIN_ROUNDING * solver.problem.mu]
    return _hull([intervals_of(family, _all_ranges(family), features) for family in families])


def total_widths(branches: Sequence[SignBranch], first: WholeFeature, second: WholeFeature, most: Floats) -> Floats:
    """The widths of a + b and of a - b over some branches, where a and b are totals as shares of their largest."""
    shares = [(feature.columns, 1.0 / size) for feature, size in zip((first, second), most, strict=True)]
    ends = np.array([_ends_of_sums(branch, *shares) for branch in branches]).max(axis=0)
    return np.array([ends[0] + ends[1], ends[2] + ends[3]])


Share = tuple[tuple[int, ...], float]


def _ends_of_sums(branch: SignBranch, first: Share, second: Share) -> list[float]:
    """The largest a + b, -(a + b), a - b and b - a over a branch."""
    columns = np.unique([*first[0], *second[0]])
    lifted = with_sizes(branch.family, columns)
    engine, sizes = ExactEngine(lifted), {int(j): lifted.n_features + branch.family.n_offsets for j in columns}
    for place, j in enumerate(columns):
        sizes[int(j)] += place
    questions: list[tuple[list[Share], list[Share]]] = [
        ([first, second], []),
        ([], [first, second]),
        ([first], [second]),
        ([second], [first]),
    ]
    return [_largest(lifted, engine, branch.ranges, sizes, *question) for question in questions]


def _largest(
    lifted: Family,
    engine: ExactEngine,
    ranges: WeightRanges,
    sizes: dict[int, int],
    plus: Sequence[Share],
    minus: Sequence[Share],
) -> float:
    """The largest  sum_plus c |w| - sum_minus c |w|  that a search by signs attains."""
    base = np.zeros(lifted.n_features + lifted.n_offsets)
    for columns, share in minus:
        base[[sizes[j] for j in columns]] = -share
    chosen = np.array([j for columns, _ in plus for j in columns], dtype=np.intp)
    factors = np.array([share for columns, share in plus for _ in columns])
    if not len(chosen):
        return float(engine.maxima(base[None]).values[0])
    return _searched(engine, lifted, ranges, chosen, factors, base).attained


def _searched(
    engine: ExactEngine, family: Family, ranges: WeightRanges, columns: Ints, factors: Floats, base: Floats
) -> SignSearch:
    """The search for the largest  sum c |w| + base.(w, b)  over some columns with factors c."""
    low, high = ranges.lo - ranges.gaps[:, 0], ranges.hi + ranges.gaps[:, 1]
    search = SignSearch(columns, factors * low[columns], factors * high[columns], -np.inf)
    met = GROUP_BRACKET * float(factors.max()) * family.largest_norm
    while search.nodes and search.programs < PROGRAMS_PER_GROUP and search.open_bound > search.attained + met:
        for signs in search.expand():
            slopes, constant = search.piece(signs)
            direction = base.copy()
            direction[columns] += slopes * factors
            found = engine.maxima(direction[None])
            model = found.models_of(slice(None))[0]
            less = -float(base @ model)
            search.add_answer(signs, factors * model[columns], float(found.bounds[0]) + constant, less)
    return search


def _held_at_end(branch: SignBranch, feature: WholeFeature, end: str, mu: float) -> tuple[float, Family]:
    """The models of a branch in which a category's total is at an end of its interval.

    They come with what is maximised: the total, or at the minimum the total below 0.
    """
    family, columns = branch.family, np.array(feature.columns, dtype=np.intp)
    if end == "min":
        held = with_sizes(family, columns)
        direction = np.zeros(held.n_features + held.n_offsets)
        direction[-len(columns) :] = -1.0
    else:
        held, direction = family, np.zeros(family.n_features + family.n_offsets)
        direction[columns] = _largest_signs(branch, columns)
    found = ExactEngine(held).maxima(direction[None])
    value, d = float(found.values[0]), held.n_features
    kept = Constraints(
        direction[None, :d],
        direction[None, d:],
        np.array([value - RELAXED_BOUNDS * mu]),
        np.array([held.largest_norm]),
    )
    anchors = np.asarray(found.models_of(slice(None)))
    return value, replace(held, constraints=held.constraints.stacked(kept), anchors=anchors)


def _largest_signs(branch: SignBranch, columns: Ints) -> Floats:
    """The signs of the weights along which a category's total is largest."""
    family, nothing = branch.family, np.zeros(branch.family.n_features + branch.family.n_offsets)
    search = _searched(ExactEngine(family), family, branch.ranges, columns, np.ones(len(columns)), nothing)
    assert search.signs is not None  # at least the root of the search was answered
    return search.signs


def _all_ranges(family: Family) -> WeightRanges:
    return ranges_of(ExactEngine(family).maxima(unit_directions(range(family.n_features), family)))


def _hull(intervals: Sequence[Floats]) -> Floats:
    each = np.array(intervals)
    return np.stack([each[..., 0].min(axis=0), each[..., 1].max(axis=0)], axis=-1)
