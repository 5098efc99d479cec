"""Who can take whose place: features on a circle, group by group, and a line where two can exchange their relevance.

The wider and darker a line, the more of its relevance one feature can hand over to the other (`exchange`, see
relspan.explore.substitute_groups); pairs below `least` have no line.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from relspan.arrays import Floats
from relspan.explore import Explorer, Groups
from relspan.plots import chart_style
from relspan.result import CLASSES, RelevanceResult
from relspan.show import palette

LEAST = 0.25


@dataclass(eq=False)
class ExchangeGraphDisplay:
    """Graph of the features that replace one another.

    Attributes
    ----------
    names : tuple of str
        Around the circle, group by group.
    classes : tuple of str
        Of each feature.
    labels : tuple of int
        The group of each feature.
    exchange : ndarray of shape (n, n)
    least : float
        Smallest exchange that has a line.
    positions : ndarray of shape (n, 2)
    ax_, figure_
        What was drawn, after `plot`.
    """

    names: tuple[str, ...]
    classes: tuple[str, ...]
    labels: tuple[int, ...]
    exchange: Floats
    least: float = LEAST
    ax_: Any = field(default=None, repr=False)
    figure_: Any = field(default=None, repr=False)

    @classmethod
    def from_explorer(cls, explorer: Explorer, *, least: float = LEAST, ax: Any = None) -> Self:
        """Ask a session for its groups, and draw them."""
        return cls.from_result(explorer.groups(), explorer.result, least=least, ax=ax)

    @classmethod
    def from_result(
        cls, groups: Groups, result: RelevanceResult | None = None, *, least: float = LEAST, ax: Any = None
    ) -> Self:
        """Draw groups; with the result they belong to, each feature has the mark of its class."""
        order = sorted(range(len(groups.features)), key=lambda j: groups.labels[j])
        names = tuple(groups.features[j] for j in order)
        kinds = {} if result is None else {f.name: f.relevance for f in result.features}
        classes = tuple(kinds.get(name, "undecided") for name in names)
        labels = tuple(groups.labels[j] for j in order)
        return cls(names, classes, labels, groups.exchange[np.ix_(order, order)], least).plot(ax)

    @property
    def positions(self) -> Floats:
        """Places on the circle, from the top clockwise; groups are set apart by half a place."""
        gaps = np.array([0.0 if j == 0 else 1.0 + 0.5 * (g != self.labels[j - 1]) for j, g in enumerate(self.labels)])
        places = np.cumsum(gaps)
        angle = np.pi / 2 - 2 * np.pi * places / (places[-1] + 1.5 if len(places) else 1.0)
        return np.column_stack([np.cos(angle), np.sin(angle)])

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones."""
        from matplotlib.patches import FancyArrowPatch

        n, colours = len(self.names), palette.heat()
        side = 4.6 + 0.05 * max(n - 10, 0)
        ax = chart_style.new_axes(side + 2.2, side + 1.4) if ax is None else ax
        self.ax_, self.figure_ = ax, ax.figure
        at = self.positions
        pairs = [(j, k) for j in range(n) for k in range(j + 1, n) if self.exchange[j, k] >= self.least]
        for j, k in sorted(pairs, key=lambda pair: self.exchange[pair]):
            share = float(self.exchange[j, k])
            bend = 0.25 * np.sign(at[j, 0] * at[k, 1] - at[j, 1] * at[k, 0])  # towards the middle
            line = {"arrowstyle": "-", "connectionstyle": f"arc3,rad={bend:.2f}", "color": colours(0.2 + 0.8 * share)}
            ax.add_patch(FancyArrowPatch(at[j], at[k], linewidth=0.5 + 4.0 * share**2, zorder=1 + share, **line))
        for place, name, kind in zip(at, self.names, self.classes, strict=True):
            ax.plot(*place, **palette.class_marker(kind, 8.0), zorder=3)
            self._name(place, name)
        ax.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal")
        ax.set_axis_off()
        self._keys()
        return self

    def _name(self, place: Floats, name: str) -> None:
        """Along the ray from the centre, always readable from below."""
        turn = float(np.degrees(np.arctan2(place[1], place[0])))
        left = place[0] < -1e-9
        self.ax_.text(
            *(1.07 * place),
            chart_style.label(name, 26),
            rotation=turn + 180 if left else turn,
            rotation_mode="anchor",
            ha="right" if left else "left",
            va="center",
            fontsize=8,
        )

    def _keys(self) -> None:
        from matplotlib.lines import Line2D

        colours = palette.heat()
        keys = [
            Line2D([], [], **{**palette.class_marker(kind, 7.0), "clip_on": True}, label=kind)
            for kind in CLASSES
            if kind in self.classes
        ]
        keys += [
            Line2D([], [], color=colours(0.2 + 0.8 * share), linewidth=0.5 + 4.0 * share**2, label=f"{share:.0%}")
            for share in (0.25, 0.5, 1.0)
        ]
        self.ax_.legend(
            handles=keys,
            title="of the relevance can be taken over",
            title_fontsize="small",
            loc="upper center",
            bbox_to_anchor=(0.5, -0.04 - 0.009 * min(max(map(len, self.names), default=0), 26)),
            ncols=len(keys),
            frameon=False,
            fontsize="small",
        )
