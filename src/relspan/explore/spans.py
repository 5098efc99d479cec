"""Spans: the range of any linear functional of the model over the family.

    lo = min { v . (w, b) : model in F },      hi = max { v . (w, b) : model in F }

Every answer of relspan is of this kind; here the functional is the reader's own. With pins the ends are those of the
hull of all sign branches. Weights are counted as everywhere: of standardised columns, in shares of the baseline's norm.
Scores are counted as `decision_function` or `predict` counts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from relspan.arrays import Floats, Matrix
from relspan.checks import number, per_sample
from relspan.errors import DataError, ParameterError
from relspan.explore.many_directions import ManyDirections
from relspan.explore.pinned_family import PinnedFamily, PinSolver
from relspan.progress import Progress, silent
from relspan.result.answer_table import AnswerTable, counted
from relspan.result.record import write_record

PROGRAMS_AT_ONCE = 512  # directions whose programs are solved, and proven, together


@dataclass(frozen=True)
class Span:
    """The range of one linear functional over all equally good models.

    Parameters
    ----------
    name : str
        What the functional is called.
    lo, hi : float
        Its smallest and its largest value; each is attained by an equally good model.
    best : float
        Its value in the best model.
    gap : float
        How far the truth may lie beyond these ends: the larger of the two certified gaps.

    See Also
    --------
    Spans : Several of them.
    Explorer.span : Compute one.

    Examples
    --------
    >>> from relspan.explore import Span
    >>> Span("age - weight", 0.1, 0.4, 0.2, 0.0).sign
    1
    """

    name: str
    lo: float
    hi: float
    best: float
    gap: float

    def __str__(self) -> str:
        return f"{self.name}: {self.lo:.3g} to {self.hi:.3g}"

    @property
    def sign(self) -> int:
        """The sign that the functional has in every equally good model.

        Returns
        -------
        {-1, 0, 1}
            0 where it is not the same in all of them, or where one of them has the value 0.
        """
        return int(self.lo - self.gap > 0) - int(self.hi + self.gap < 0)


@dataclass(frozen=True, repr=False)
class Spans(AnswerTable):
    """The ranges of several linear functionals.

    Parameters
    ----------
    spans : tuple of Span
        One entry per functional.

    See Also
    --------
    Explorer.contrasts : The differences of all pairs of weights.

    Examples
    --------
    >>> from relspan.explore import Span, Spans
    >>> Spans((Span("age - weight", 0.1, 0.4, 0.2, 0.0),))["age - weight"].hi
    0.4
    """

    spans: tuple[Span, ...]

    def __len__(self) -> int:
        return len(self.spans)

    def __getitem__(self, name: str) -> Span:
        for span in self.spans:
            if span.name == name:
                return span
        raise KeyError(f"no functional {name!r}")

    @property
    def certain(self) -> tuple[Span, ...]:
        """The functionals that have the same sign in every equally good model.

        Returns
        -------
        tuple of Span
            In the order of `spans`.
        """
        return tuple(span for span in self.spans if span.sign)

    def columns(self) -> dict[str, list[Any]]:
        """One row per functional, by column.

        Returns
        -------
        dict of str to list
            What `Span` describes, and its sign.
        """
        return {key: [getattr(s, key) for s in self.spans] for key in ("name", "lo", "hi", "best", "gap", "sign")}

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        return f"{counted(len(self), 'functional')}, {len(self.certain)} of one sign in every equally good model"

    def to_json(self, indent: int | None = 2) -> str:
        """Write the ranges as JSON.

        Parameters
        ----------
        indent : int or None, default=2
            Spaces per level; None puts everything on one line.

        Returns
        -------
        str
            The JSON text.
        """
        return write_record({"spans": [asdict(span) for span in self.spans]}, indent)


def spans_of_weights(
    solver: PinSolver, pinned: PinnedFamily, coefficients: Sequence[Mapping[str, float]], names: Sequence[str]
) -> Spans:
    """The ranges of weighted sums of weights, in shares of the norm."""
    directions = np.zeros((len(coefficients), solver.family.n_features + solver.family.n_offsets))
    for direction, given in zip(directions, coefficients, strict=True):
        for feature, factor in given.items():
            column = solver.problem.column(feature)
            if column is not None:  # a constant feature has the weight 0 in every model
                direction[column] = number(f"the factor of {feature!r}", factor)
    return _named(solver, pinned, directions, names, 1.0 / solver.problem.mu)


def contrasts(solver: PinSolver, pinned: PinnedFamily, pairs: Iterable[tuple[str, str]]) -> Spans:
    """The ranges of w_a - w_b."""
    pairs = list(pairs)
    for first, second in pairs:
        if first == second:
            raise ParameterError(f"a contrast needs two features, not {first!r} twice")
    return spans_of_weights(solver, pinned, [{a: 1.0, b: -1.0} for a, b in pairs], [f"{a} - {b}" for a, b in pairs])


def all_pairs(features: Sequence[str]) -> list[tuple[str, str]]:
    """Every pair of some features, in their order."""
    if len(features) < 2:
        raise ParameterError(f"contrasts need at least two features, not {len(features)}")
    return list(combinations(features, 2))


def score_gap(
    solver: PinSolver, pinned: PinnedFamily, Z: Matrix, weights: Floats | None, subgroup: Any, name: str
) -> Span:
    """The range of  mean score of the subgroup - mean score of all other samples.  Offsets cancel."""
    n = Z.shape[0]
    inside = per_sample("subgroup", subgroup, what="True or False")
    if inside.dtype != bool or inside.shape != (n,):
        raise DataError(
            f"subgroup must have True or False for each of the {n} samples, not {inside.dtype} of shape {inside.shape}"
        )
    each = np.ones(n) if weights is None else weights
    if not (each[inside].sum() > 0 and each[~inside].sum() > 0):
        raise DataError(
            f"subgroup holds {'all' if inside.any() else 'none'} of the samples; nothing is left to compare"
        )
    shares = np.where(inside, each / each[inside].sum(), -each / each[~inside].sum())
    direction = np.concatenate([np.asarray(shares @ Z), np.zeros(solver.family.n_offsets)])
    return _named(solver, pinned, direction[None], [name], solver.problem.units.norm(1.0)).spans[0]


def span_ends(solver: PinSolver, pinned: PinnedFamily, directions: Floats, progress: Progress = silent) -> Floats:
    """(n, 3): lo, hi and the larger certified gap of every direction, over the hull of the branches.

    Directions are visited in the order of their values in the best model; contrasts as they come, since neighbours
    share a feature, which saves one pivot in ten.
    """
    contrasting = (np.count_nonzero(directions, axis=1) == 2).all()
    order = np.arange(len(directions)) if contrasting else np.argsort(directions @ pinned.best.best, kind="stable")
    found = np.empty((len(directions), 3))
    branches = [ManyDirections(solver, branch, len(directions)) for branch in pinned.branches]
    for first in range(0, len(order), PROGRAMS_AT_ONCE):
        part = order[first : first + PROGRAMS_AT_ONCE]
        report = _within(progress, first, len(order))
        each = [branch.both_ends(directions[part], report) for branch in branches]
        lo = np.min([-down.values for _, down in each], axis=0)
        hi = np.max([up.values for up, _ in each], axis=0)
        outer_lo = np.min([-down.bounds for _, down in each], axis=0)
        outer_hi = np.max([up.bounds for up, _ in each], axis=0)
        found[part] = np.column_stack([lo, hi, np.maximum(lo - outer_lo, outer_hi - hi)])
    return found


def _within(progress: Progress, first: int, count: int) -> Progress:
    """Progress within one part of the directions, as progress among all of them."""

    def report(stage: str, share: float | None, note: str = "") -> None:
        done = first + PROGRAMS_AT_ONCE * (share or 0.0) / 2
        progress("samples", min(1.0, done / count), note)

    return report


def _named(solver: PinSolver, pinned: PinnedFamily, directions: Floats, names: Sequence[str], unit: float) -> Spans:
    ends = unit * span_ends(solver, pinned, directions)
    values = unit * (directions @ pinned.best.best)
    return Spans(
        tuple(
            Span(name, float(lo), float(hi), float(value), float(gap))
            for name, (lo, hi, gap), value in zip(names, ends, values, strict=True)
        )
    )
