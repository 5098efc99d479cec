"""The partial order of a ranking: a line from one feature down to another means that every equally good model agrees.

Features stand as high as the longest chain above them allows. Lines that follow from others are left out. Features
that rank neither above nor below any other are not drawn; their number is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

from relspan.checks import having
from relspan.explore import Explorer, RankedPair, Ranking
from relspan.plots import chart_style
from relspan.show import palette

INCHES_PER_FEATURE = 0.42  # names are written upwards, so neighbours need little room
INCHES_PER_LEVEL = 1.5


@dataclass(eq=False)
class RankingDisplay:
    """The order of the features by absolute weight on which all equally good models agree.

    Attributes
    ----------
    levels : tuple of tuple of str
        The features that are drawn, from the top level down.
    pairs : tuple of RankedPair
        The pairs between which a line is drawn.
    unranked : int
        The number of features that rank neither above nor below any other.
    ax_ : matplotlib.axes.Axes
        The axes, once drawn.
    figure_ : matplotlib.figure.Figure
        The figure, once drawn.

    See Also
    --------
    relspan.explore.Ranking : The pairs behind the drawing.

    Examples
    --------
    >>> from relspan.plots import RankingDisplay
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=2, weak=0, irrelevant=2, random_state=0)
    >>> model = RelevanceClassifier(random_state=0).fit(data.X, data.y)
    >>> display = RankingDisplay.from_explorer(model.explore())
    >>> len(display.levels) > 1
    True
    """

    levels: tuple[tuple[str, ...], ...]
    pairs: tuple[RankedPair, ...]
    unranked: int
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

    @classmethod
    def from_explorer(cls, explorer: Explorer, *, ax: Any = None) -> Self:
        """Ask an explorer for its ranking, and draw it.

        Parameters
        ----------
        explorer : Explorer
            The explorer.
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        RankingDisplay
            The display, drawn.
        """
        having("explorer", explorer, "substitution", "an Explorer, as clf.explore() gives it")
        return cls.from_result(explorer.ranking(), ax=ax)

    @classmethod
    def from_result(cls, found: Ranking, *, ax: Any = None) -> Self:
        """Draw what an explorer's `ranking()` found.

        Parameters
        ----------
        found : Ranking
            The ranking.
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        RankingDisplay
            The display, drawn.
        """
        having("found", found, "pairs", "what an explorer's ranking() gives")
        ranked = {name for pair in found.pairs for name in (pair.higher, pair.lower)}
        levels = [tuple(name for name in level if name in ranked) for level in found.levels]
        direct = tuple(pair for pair in found.pairs if pair.direct)
        return cls(tuple(filter(None, levels)), direct, len(found.features) - len(ranked)).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        RankingDisplay
            The display itself, with `ax_` and `figure_` set.
        """
        widest = max((len(level) for level in self.levels), default=1)
        size = max(4.0, 1.0 + INCHES_PER_FEATURE * widest), 1.0 + INCHES_PER_LEVEL * max(len(self.levels), 1)
        ax = chart_style.axes_or_new(ax, *size)
        self.ax_, self.figure_ = ax, ax.figure
        place = {
            name: ((k + 0.5) / len(level), -height)
            for height, level in enumerate(self.levels)
            for k, name in enumerate(level)
        }
        for pair in self.pairs:
            ends = zip(place[pair.higher], place[pair.lower], strict=True)
            ax.plot(*ends, color=palette.QUIET, linewidth=0.8, alpha=0.6, zorder=1)
        for name, (x, y) in place.items():
            ax.plot(x, y, "o", color=palette.INK, markersize=6, zorder=2)
            upwards = len(self.levels[-y]) > 3
            ax.annotate(
                chart_style.label(name),
                (x, y),
                (0, 7),
                textcoords="offset points",
                ha="left" if upwards else "center",
                va="bottom",
                rotation=50 if upwards else 0,
                rotation_mode="anchor",
                fontsize=8,
                bbox={"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 0.5},
                zorder=3,
            )
        ax.set(xlim=(0, 1.05), ylim=(-len(self.levels) + 0.8, 0.5))
        ax.set_axis_off()
        unranked = f"; {self.unranked} more have no order that all models share" if self.unranked else ""
        ax.set_title(
            "above: at least as much weight in every equally good model" + unranked,
            fontsize="small",
            color=palette.QUIET,
        )
        return self
