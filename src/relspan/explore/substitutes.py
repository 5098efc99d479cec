"""Substitutes: which intervals move when a feature takes all it can, or as little as it can, and what replaces it.

For features j and k, with the relevance interval [min_k, max_k] and the one under a pin on j,

    at_min[j, k]   the interval of k while j is pinned at its minimum
    at_max[j, k]   the interval of k while j is pinned at its maximum

A pin only takes models away, so min_k can only rise and max_k only fall: both movements are >= 0, and their sum is the
length that the interval loses. Only features whose stored extreme models break the pin are solved again.

The *alternatives* to a feature are the others, ranked by the exchange of the two (see `substitute_groups`), each with
its interval while the feature is at its minimum (left out, if it can be) and at its maximum.

A category is one feature, whose relevance is the total of its levels (`feature_totals`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relspan.arrays import Floats
from relspan.checks import one_of
from relspan.explore.feature_totals import intervals_at_end, intervals_over, intervals_under
from relspan.explore.fitted_problem import WholeFeature
from relspan.explore.pinned_family import PinnedFamily, PinSolver
from relspan.explore.pins import Pin
from relspan.explore.substitute_groups import exchange
from relspan.progress import Progress, silent
from relspan.result.answer_table import AnswerTable, counted
from relspan.tolerances import LEAST_EXCHANGE, RAISED_MINIMUM


@dataclass(frozen=True, eq=False, repr=False)
class Substitution(AnswerTable):
    """The interval of every feature while each other one is pinned at its minimum or maximum.

    Intervals (min, max) are in shares of the baseline's norm.

    Parameters
    ----------
    features : tuple of str
        The k features.
    intervals : ndarray of shape (k, 2)
        Their intervals under the current pins alone.
    at_min, at_max : ndarray of shape (k, k, 2)
        Row j holds the intervals of all features while feature j is at its minimum or maximum.

    See Also
    --------
    Explorer.substitution : Compute it.
    Explorer.groups : Groups of features that replace one another.

    Examples
    --------
    >>> import numpy as np
    >>> from relspan.explore import Substitution
    >>> intervals = np.array([[0.0, 1.0], [0.0, 1.0]])
    >>> at_min = np.array([[[0.0, 0.0], [1.0, 1.0]], [[1.0, 1.0], [0.0, 0.0]]])
    >>> Substitution(("a", "b"), intervals, at_min, at_min[:, ::-1]).moves("min")
    array([[0., 1.],
           [1., 0.]])
    """

    features: tuple[str, ...]
    intervals: Floats
    at_min: Floats
    at_max: Floats

    def columns(self) -> dict[str, list[Any]]:
        """One row per pair of features, by column.

        Returns
        -------
        dict of str to list
            The feature that is pinned, the other one, and the other one's interval: now, and with the pinned feature at
            its minimum and at its maximum.
        """
        pairs = [(j, k) for j in range(len(self.features)) for k in range(len(self.features)) if j != k]
        columns: dict[str, list[Any]] = {
            "pinned": [self.features[j] for j, _ in pairs],
            "name": [self.features[k] for _, k in pairs],
            "min": [float(self.intervals[k, 0]) for _, k in pairs],
            "max": [float(self.intervals[k, 1]) for _, k in pairs],
        }
        for end, under in (("min", self.at_min), ("max", self.at_max)):
            columns[f"min_at_{end}"] = [float(under[j, k, 0]) for j, k in pairs]
            columns[f"max_at_{end}"] = [float(under[j, k, 1]) for j, k in pairs]
        return columns

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        return f"{counted(len(self.features), 'feature')}, each pinned at its minimum and at its maximum"

    def moves(self, at: str = "max") -> Floats:
        """How much of each interval is lost when another feature is at an end of its own.

        Parameters
        ----------
        at : {"max", "min"}, default="max"
            The end at which the feature of the row is pinned.

        Returns
        -------
        ndarray of shape (k, k)
            The length that the interval of the column's feature loses; 0 on the diagonal.
        """
        under = self.at_max if one_of("at", at, ("max", "min")) == "max" else self.at_min
        lengths = self.intervals[:, 1] - self.intervals[:, 0]
        moved = lengths - (under[:, :, 1] - under[:, :, 0])
        np.fill_diagonal(moved, 0.0)
        return np.asarray(np.maximum(moved, 0.0))


@dataclass(frozen=True)
class Alternative:
    """What another feature can do in place of one.

    Intervals (min, max) are in shares of the baseline's norm.

    Parameters
    ----------
    feature : str
        The feature that could take the place.
    instead_of : str
        The feature whose place it is.
    exchange : float
        How much of the relevance can pass from one to the other: 0 nothing, 1 all of it.
    interval : tuple of float
        The interval of `feature` under the current pins.
    at_min, at_max : tuple of float
        Its interval while `instead_of` is at its minimum and at its maximum.
    left_out : bool
        Whether the minimum of `instead_of` is 0, so that it can be left out.

    See Also
    --------
    Explorer.alternatives : The alternatives to a feature.

    Examples
    --------
    >>> from relspan.explore import Alternative
    >>> print(Alternative("b", "a", 0.0, (0.0, 0.1), (0.0, 0.1), (0.0, 0.1), False).sentence)
    b does not compete with a.
    """

    feature: str
    instead_of: str
    exchange: float
    interval: tuple[float, float]
    at_min: tuple[float, float]
    at_max: tuple[float, float]
    left_out: bool

    @property
    def competes(self) -> bool:
        """Whether enough relevance can pass between the two to call them substitutes.

        Returns
        -------
        bool
            True where the exchange is at least 0.1.
        """
        return self.exchange >= LEAST_EXCHANGE

    @property
    def sentence(self) -> str:
        """The alternative in words.

        Returns
        -------
        str
            One sentence, or three.
        """
        if not self.competes:
            return f"{self.feature} does not compete with {self.instead_of}."
        condition = f"Without {self.instead_of}" if self.left_out else f"With {self.instead_of} at its minimum"
        if self.at_min[0] > self.interval[0] + RAISED_MINIMUM:
            consequence = f"{self.feature} must carry at least {self.at_min[0]:.3f} (otherwise {self.interval[0]:.3f})"
        else:
            consequence = (
                f"{self.feature} can carry up to {self.at_min[1]:.3f}, but need not, because other features can "
                f"replace {self.instead_of} as well"
            )
        return (
            f"{condition}, {consequence}. With {self.instead_of} at its maximum, {self.feature} carries at most "
            f"{self.at_max[1]:.3f} (otherwise {self.interval[1]:.3f}). It can take over {self.exchange:.0%} of the "
            "relevance."
        )


class Alternatives(AnswerTable, tuple[Alternative, ...]):
    """The alternatives to a feature, the likeliest substitute first.

    Parameters
    ----------
    iterable : iterable of Alternative, default=()
        The alternatives.

    See Also
    --------
    Explorer.alternatives : Find them.
    Alternative : One of them.

    Examples
    --------
    >>> from relspan.explore import Alternative, Alternatives
    >>> Alternatives([Alternative("b", "a", 0.7, (0.0, 0.6), (0.5, 0.6), (0.0, 0.1), True)])
    <Alternatives: 1 of 1 feature competes with a>
    """

    __slots__ = ()

    def columns(self) -> dict[str, list[Any]]:
        """One row per alternative, by column.

        Returns
        -------
        dict of str to list
            What `Alternative` describes; an interval has two columns.
        """
        intervals = {
            f"{end}{under}": [getattr(a, key)[place] for a in self]
            for key, under in (("interval", ""), ("at_min", "_at_min"), ("at_max", "_at_max"))
            for place, end in enumerate(("min", "max"))
        }
        return {
            "name": [a.feature for a in self],
            "instead_of": [a.instead_of for a in self],
            "exchange": [a.exchange for a in self],
            "competes": [a.competes for a in self],
            **intervals,
            "left_out": [a.left_out for a in self],
        }

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        if not self:
            return "no other feature"
        competing = sum(a.competes for a in self)
        verb = "competes" if competing == 1 else "compete"
        return f"{competing} of {counted(len(self), 'feature')} {verb} with {self[0].instead_of}"


def substitution(
    solver: PinSolver, features: Sequence[WholeFeature], pins: Sequence[Pin] = (), progress: Progress = silent
) -> Substitution:
    """The matrix of some features, given other pins."""
    mu, count = solver.problem.mu, len(features)
    intervals = intervals_under(solver, pins, features) / mu
    table = np.zeros((2, count, count, 2))
    for row, (feature, interval) in enumerate(zip(features, intervals, strict=True)):
        for side, end in enumerate(("min", "max")):
            table[side, row] = intervals_at_end(solver, feature, end, interval, features, pins) / mu
        progress("substitution", (row + 1) / count, f"{row + 1} of {count} features")
    return Substitution(tuple(feature.name for feature in features), intervals, table[0], table[1])


def alternatives(
    solver: PinSolver,
    pinned: PinnedFamily,
    feature: WholeFeature,
    features: Sequence[WholeFeature],
    progress: Progress = silent,
) -> Alternatives:
    """The other ones among some features, by their exchange with this one; one that is constant has none."""
    mu = solver.problem.mu
    others = [other for other in features if not set(other.columns) & set(feature.columns)]
    if not feature.columns or not others:
        return Alternatives()
    own, *intervals = intervals_over(pinned, [feature, *others]) / mu
    under = [intervals_at_end(solver, feature, end, own, others, pinned.pins) / mu for end in ("min", "max")]
    exchanges = exchange(solver, pinned, [(feature, other) for other in others], progress)
    left_out = bool(own[0] <= (0.0 if feature.is_single else solver.problem.weight_floor))
    found = [
        Alternative(
            other.name,
            feature.name,
            float(exchanges[i]),
            (float(intervals[i][0]), float(intervals[i][1])),
            (float(under[0][i, 0]), float(under[0][i, 1])),
            (float(under[1][i, 0]), float(under[1][i, 1])),
            left_out,
        )
        for i, other in enumerate(others)
    ]
    return Alternatives(found[i] for i in np.argsort([-a.exchange for a in found], kind="stable"))
