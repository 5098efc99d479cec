"""Which intervals move when one feature is at its minimum or maximum: the substitution matrix as a heat map.

A row is the feature that is held, a column the feature whose interval shrinks, and the shade is the length it loses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
from scipy.spatial.distance import squareform

from relspan import checks
from relspan.arrays import Floats
from relspan.explore import Explorer, Groups, Substitution
from relspan.plots import chart_style
from relspan.show import palette

NUMBERED, NAMED = 14, 60  # features up to which cells have numbers, and rows have names


@dataclass(eq=False, repr=False)
class SubstitutionDisplay(chart_style.Display):
    """A heat map of how intervals shrink when one feature is held at an end.

    Attributes
    ----------
    names : tuple of str
        The features in the order of rows and columns; features that move alike are neighbours.
    moves : ndarray of shape (n_features, n_features)
        The length that the column's interval loses when the row's feature is held.
    at : {"min", "max"}, default="min"
        The end at which it is held.
    borders : list of int, optional
        The first row of each group after the first, if there are groups.
    ax_ : matplotlib.axes.Axes
        The axes, once drawn.
    figure_ : matplotlib.figure.Figure
        The figure, once drawn.

    See Also
    --------
    relspan.explore.Substitution : The numbers behind the heat map.
    ExchangeGraphDisplay : Which features can replace which.

    Examples
    --------
    >>> from relspan.plots import SubstitutionDisplay
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
    >>> model = RelevanceClassifier(random_state=0).fit(data.X, data.y)
    >>> display = SubstitutionDisplay.from_explorer(model.explore())
    >>> display.moves.shape
    (3, 3)
    """

    names: tuple[str, ...]
    moves: Floats
    at: str = "min"
    borders: list[int] = field(default_factory=list)
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

    @classmethod
    def from_explorer(cls, explorer: Explorer, *, at: str = "min", ax: Any = None) -> Self:
        """Compute the substitution matrix and the groups of an explorer, and draw them.

        Parameters
        ----------
        explorer : Explorer
            The explorer, with its pins.
        at : {"min", "max"}, default="min"
            The end at which each feature is held.
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        SubstitutionDisplay
            The display, drawn.
        """
        checks.having("explorer", explorer, "substitution", "an Explorer, as clf.explore() gives it")
        drawn = cls.from_result(explorer.substitution(), at=at, groups=explorer.groups(), ax=ax)
        chart_style.name_pins(drawn.ax_, explorer.pins)
        return drawn

    @classmethod
    def from_result(cls, found: Substitution, *, at: str = "min", groups: Groups | None = None, ax: Any = None) -> Self:
        """Draw a substitution matrix.

        Parameters
        ----------
        found : Substitution
            What an explorer's `substitution()` found.
        at : {"min", "max"}, default="min"
            The end at which each feature is held.
        groups : Groups, optional
            Groups of features that stand together.
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        SubstitutionDisplay
            The display, drawn.
        """
        checks.one_of("at", at, ("min", "max"))
        checks.having("found", found, "moves", "what an explorer's substitution() gives")
        if groups is not None:
            checks.having("groups", groups, "exchange", "what an explorer's groups() gives")
        moves = found.moves(at)
        order, borders = similar(moves), []
        if groups is not None:
            label = dict(zip(groups.features, groups.labels, strict=True))
            alone = max(groups.labels, default=-1) + 1
            labels = [label.get(found.features[j], alone) for j in order]
            order = [j for _, j in sorted(zip(labels, order, strict=True), key=lambda pair: pair[0])]
            labels.sort()
            borders = [row for row in range(1, len(labels)) if labels[row] != labels[row - 1]]
        names = tuple(found.features[j] for j in order)
        return cls(names, moves[np.ix_(order, order)], at, borders).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        SubstitutionDisplay
            The display itself, with `ax_` and `figure_` set.
        """
        n = len(self.names)
        side = min(max(0.26 * n, 2.2), 9.0)
        ax = chart_style.axes_or_new(ax, side + 2.8, side + 1.9)
        self.ax_, self.figure_ = ax, ax.figure
        top = float(self.moves.max(initial=0.0)) or 1.0
        shown = np.ma.masked_array(self.moves, np.eye(n, dtype=bool))
        image = ax.imshow(shown, cmap=palette.heat(), vmin=0.0, vmax=top, interpolation="nearest")
        ax.set_facecolor(palette.FAINT)
        if n <= NAMED:
            names = [chart_style.label(name, 26) for name in self.names]
            ax.set_yticks(range(n), names, fontsize=8)
            ax.set_xticks(range(n), names, fontsize=8, rotation=90)
        else:
            ax.set_xticks([])
            ax.set_yticks([])
        if n <= NUMBERED:
            self._numbers(top)
        for border in self.borders:
            ax.axhline(border - 0.5, color=palette.QUIET, linewidth=0.8)
            ax.axvline(border - 0.5, color=palette.QUIET, linewidth=0.8)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        end = "maximum" if self.at == "max" else "minimum"
        ax.set_ylabel(f"held at its {end}")
        ax.set_xlabel("whose interval moves")
        bar = self.figure_.colorbar(image, ax=ax, shrink=0.7, pad=0.02)
        bar.set_label("length that the interval loses", fontsize="small")
        bar.outline.set_visible(False)
        bar.ax.tick_params(labelsize=8)
        return self

    def _numbers(self, top: float) -> None:
        for row, column in np.argwhere(self.moves >= 0.005):
            value = self.moves[row, column]
            colour = "white" if value > 0.5 * top else palette.INK
            text = f"{value:.2f}".removeprefix("0")
            self.ax_.text(column, row, text, ha="center", va="center", fontsize=7, color=colour)


def similar(moves: Floats) -> list[int]:
    """An order in which features that move alike are neighbours."""
    if len(moves) < 3:
        return list(range(len(moves)))
    together = moves + moves.T
    distance = squareform(1.0 - together / (together.max() or 1.0), checks=False)
    return [int(j) for j in leaves_list(optimal_leaf_ordering(linkage(distance, "average"), distance))]
