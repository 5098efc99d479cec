"""Bootstrap whiskers: how far both ends of every interval move with another sample, and how often each class came out.

The bar is the interval of the analysis. The upper whisker spans the smallest relevance in most draws, the lower one the
largest. The strip on the right shows the share of draws in which the feature was strong, weak or irrelevant.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

from relspan import checks
from relspan.explore import Explorer, FeatureStability, Stability
from relspan.plots import chart_style
from relspan.result import CLASSES
from relspan.show import palette
from relspan.tolerances import DRAWN_AT_ZERO

MOST_FEATURES_DRAWN = 60


@dataclass(eq=False, repr=False)
class StabilityDisplay(chart_style.Display):
    """How far the ends of the intervals move with another sample, and how often each class came out.

    Attributes
    ----------
    features : tuple of FeatureStability
        The features that are drawn, from the top.
    level : float
        The share of the draws that a whisker spans.
    n_draws : int
        The number of draws.
    hidden : int, default=0
        The number of features that reach less far and are not drawn.
    ax_ : matplotlib.axes.Axes
        The axes, once drawn.
    figure_ : matplotlib.figure.Figure
        The figure, once drawn.

    See Also
    --------
    relspan.explore.Stability : The numbers behind the drawing.
    IntervalDisplay : The intervals alone.

    Examples
    --------
    >>> from relspan.plots import StabilityDisplay
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
    >>> model = RelevanceClassifier(random_state=0).fit(data.X, data.y)
    >>> display = StabilityDisplay.from_explorer(model.explore(), n_draws=5)
    >>> display.n_draws
    5
    """

    features: tuple[FeatureStability, ...]
    level: float
    n_draws: int
    hidden: int = 0
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

    @classmethod
    def from_explorer(cls, explorer: Explorer, *, n_draws: int = 50, ax: Any = None) -> Self:
        """Analyse samples drawn again from an explorer's data, and draw what comes out.

        Parameters
        ----------
        explorer : Explorer
            The explorer.
        n_draws : int, default=50
            The number of samples to draw.
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        StabilityDisplay
            The display, drawn.
        """
        checks.having("explorer", explorer, "substitution", "an Explorer, as clf.explore() gives it")
        return cls.from_result(explorer.stability(n_draws), ax=ax)

    @classmethod
    def from_result(cls, found: Stability, *, most: int = MOST_FEATURES_DRAWN, ax: Any = None) -> Self:
        """Draw what an explorer's `stability()` found.

        Parameters
        ----------
        found : Stability
            The stability of all features.
        most : int, default=60
            The number of features to draw at most: those that reach furthest.
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        StabilityDisplay
            The display, drawn.
        """
        checks.whole("most", most, at_least=1)
        checks.having("found", found, "n_draws", "what an explorer's stability() gives")
        kept = found.n_draws - found.degenerate
        order = sorted(found.features, key=lambda f: (CLASSES.index(f.usual), -f.interval[1]))
        return cls(tuple(order[:most]), found.level, kept, len(order[most:])).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        StabilityDisplay
            The display itself, with `ax_` and `figure_` set.
        """
        n = len(self.features)
        ax = chart_style.axes_or_new(ax, 7.8, 1.4 + 0.28 * max(n, 3))
        self.ax_, self.figure_ = ax, ax.figure
        top = max([f.max[2] for f in self.features] + [f.interval[1] for f in self.features] + [DRAWN_AT_ZERO])
        for place, f in enumerate(self.features):
            colour, edge = palette.CLASS_COLOURS[f.usual], palette.CLASS_EDGES[f.usual]
            low, high = f.interval
            ax.barh(place, high - low, 0.5, left=low, color=colour, alpha=0.6, linewidth=0, zorder=2)
            for shift, (least, middle, most) in ((-0.14, f.min), (0.14, f.max)):
                ax.plot([least, most], [place + shift] * 2, color=edge, linewidth=1.3, zorder=3)
                ax.plot([least, most], [place + shift] * 2, "|", color=edge, markersize=5, zorder=3, clip_on=False)
                ax.plot(middle, place + shift, ".", color=edge, markersize=5, zorder=4, clip_on=False)
            ax.plot(high, place, **palette.class_marker(f.usual, 5.0), zorder=3)
        self._shares(1.08 * top, 0.2 * top)
        ax.set_yticks(range(n), [chart_style.label(f.name) for f in self.features], fontsize=9)
        ax.tick_params(axis="y", length=0)
        ax.set(xlim=(0, 1.3 * top), ylim=(n - 0.4, -0.6))
        ax.set_xticks([mark for mark in ax.get_xticks() if 0 <= mark <= 1.02 * top])
        hidden = f"; {self.hidden} more reach less far" if self.hidden else ""
        ax.set_xlabel(f"relevance; whiskers span {self.level:.0%} of {self.n_draws} draws{hidden}")
        chart_style.finish(ax, "x")
        self._keys()
        return self

    def _shares(self, left: float, width: float) -> None:
        """The strip of class frequencies."""
        kinds = [kind for kind in CLASSES if kind != "undecided"]
        for place, f in enumerate(self.features):
            start = left
            for kind in kinds:
                size = width * f.classes.get(kind, 0.0)
                self.ax_.barh(
                    place, size, 0.7, left=start, color=palette.CLASS_COLOURS[kind], edgecolor="white", linewidth=0.5
                )
                if f.classes.get(kind, 0.0) >= 0.25:
                    self.ax_.text(
                        start + size / 2,
                        place,
                        f"{100 * f.classes[kind]:.0f}",
                        ha="center",
                        va="center",
                        fontsize=7,
                        color="white" if kind == "strong" else palette.INK,
                    )
                start += size
        self.ax_.text(
            left + width / 2,
            -0.75,
            "class, % of draws",
            ha="center",
            va="bottom",
            fontsize="small",
            color=palette.QUIET,
        )

    def _keys(self) -> None:
        from matplotlib.lines import Line2D

        kinds = [kind for kind in CLASSES if any(f.usual == kind for f in self.features)]
        keys = [Line2D([], [], **palette.class_marker(kind, 7.0), label=f"usually {kind}") for kind in kinds]
        chart_style.legend_above(self.ax_, keys)
