"""Bootstrap whiskers: how far both ends of every interval move with another sample, and how often each class came out.

The bar is the interval of the analysis; above its middle a whisker holds the least relevance in most draws, below it
another the largest. The strip on the right is the share of draws in which the feature was strong, weak, irrelevant.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

from relspan.explore import Explorer, FeatureStability, Stability
from relspan.plots import chart_style
from relspan.result import CLASSES
from relspan.show import palette

MOST = 60


@dataclass(eq=False)
class StabilityDisplay:
    """Whiskers of all features, or of the `most` that reach furthest.

    Attributes
    ----------
    features : tuple of FeatureStability
        From the top.
    level : float
        Share of the draws that a whisker holds.
    n_draws : int
    hidden : int
        Features that reach less far and are not drawn.
    ax_, figure_
        What was drawn, after `plot`.
    """

    features: tuple[FeatureStability, ...]
    level: float
    n_draws: int
    hidden: int = 0
    ax_: Any = field(default=None, repr=False)
    figure_: Any = field(default=None, repr=False)

    @classmethod
    def from_explorer(cls, explorer: Explorer, *, n_draws: int = 50, ax: Any = None) -> Self:
        """Draw samples again in a session, and show what comes out."""
        return cls.from_result(explorer.stability(n_draws), ax=ax)

    @classmethod
    def from_result(cls, found: Stability, *, most: int = MOST, ax: Any = None) -> Self:
        """Draw a session's `stability()`."""
        kept = found.n_draws - found.degenerate
        order = sorted(found.features, key=lambda f: (CLASSES.index(f.usual), -f.interval[1]))
        return cls(tuple(order[:most]), found.level, kept, len(order[most:])).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones."""
        n = len(self.features)
        ax = chart_style.new_axes(7.8, 1.4 + 0.28 * max(n, 3)) if ax is None else ax
        self.ax_, self.figure_ = ax, ax.figure
        top = max([f.max[2] for f in self.features] + [f.interval[1] for f in self.features] + [1e-9])
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
        ax.set_xlabel(f"relevance; whiskers hold {self.level:.0%} of {self.n_draws} draws{hidden}")
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
