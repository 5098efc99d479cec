"""Which features can replace which: a circle of features, and a line between two that can exchange their relevance.

The wider and darker a line, the more of its relevance one feature can hand over to the other (`exchange`, see
relspan.explore.substitute_groups); pairs below `least` have no line.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from relspan import checks
from relspan.arrays import Floats
from relspan.explore import Explorer, Groups
from relspan.plots import chart_style
from relspan.result import CLASSES, RelevanceResult
from relspan.show import palette
from relspan.tolerances import DRAWN_AT_ZERO

SMALLEST_SHARE_DRAWN = 0.25


@dataclass(eq=False, repr=False)
class ExchangeGraphDisplay(chart_style.Display):
    """A graph of the features that can replace one another.

    Attributes
    ----------
    names : tuple of str
        The features around the circle, group by group.
    classes : tuple of str
        The class of each feature.
    labels : tuple of int
        The group of each feature.
    exchange : ndarray of shape (n_features, n_features)
        How much of its relevance one feature can hand over to another, as a share.
    least : float, default=0.25
        The smallest exchange that has a line.
    ax_ : matplotlib.axes.Axes
        The axes, once drawn.
    figure_ : matplotlib.figure.Figure
        The figure, once drawn.

    See Also
    --------
    relspan.explore.Groups : The numbers behind the graph.
    SubstitutionDisplay : How intervals move when one feature is held.

    Examples
    --------
    >>> from relspan.plots import ExchangeGraphDisplay
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
    >>> model = RelevanceClassifier(random_state=0).fit(data.X, data.y)
    >>> display = ExchangeGraphDisplay.from_explorer(model.explore())
    >>> display.names
    ('x1', 'x2', 'x0')
    """

    names: tuple[str, ...]
    classes: tuple[str, ...]
    labels: tuple[int, ...]
    exchange: Floats
    least: float = SMALLEST_SHARE_DRAWN
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

    @classmethod
    def from_explorer(cls, explorer: Explorer, *, least: float = SMALLEST_SHARE_DRAWN, ax: Any = None) -> Self:
        """Find the groups of an explorer, and draw them.

        Parameters
        ----------
        explorer : Explorer
            The explorer, with its pins.
        least : float, default=0.25
            The smallest exchange that has a line.
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        ExchangeGraphDisplay
            The display, drawn.
        """
        checks.having("explorer", explorer, "substitution", "an Explorer, as clf.explore() gives it")
        drawn = cls.from_result(explorer.groups(), explorer.result, least=least, ax=ax)
        chart_style.name_pins(drawn.ax_, explorer.pins)
        return drawn

    @classmethod
    def from_result(
        cls,
        groups: Groups,
        result: RelevanceResult | None = None,
        *,
        least: float = SMALLEST_SHARE_DRAWN,
        ax: Any = None,
    ) -> Self:
        """Draw groups of features.

        Parameters
        ----------
        groups : Groups
            What an explorer's `groups()` found.
        result : RelevanceResult, optional
            The result they belong to; with it, each feature has the mark of its class.
        least : float, default=0.25
            The smallest exchange that has a line.
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        ExchangeGraphDisplay
            The display, drawn.
        """
        checks.number("least", least, at_least=0, at_most=1)
        checks.having("groups", groups, "exchange", "what an explorer's groups() gives")
        if result is not None:
            checks.having("result", result, "features", "a RelevanceResult")
        order = sorted(range(len(groups.features)), key=lambda j: groups.labels[j])
        names = tuple(groups.features[j] for j in order)
        kinds = {} if result is None else {f.name: f.relevance for f in result.features}
        classes = tuple(kinds.get(name, "undecided") for name in names)
        labels = tuple(groups.labels[j] for j in order)
        return cls(names, classes, labels, groups.exchange[np.ix_(order, order)], least).plot(ax)

    @property
    def positions(self) -> Floats:
        """The places on the circle, clockwise from the top; groups are half a place apart."""
        gaps = np.array([0.0 if j == 0 else 1.0 + 0.5 * (g != self.labels[j - 1]) for j, g in enumerate(self.labels)])
        places = np.cumsum(gaps)
        angle = np.pi / 2 - 2 * np.pi * places / (places[-1] + 1.5 if len(places) else 1.0)
        return np.column_stack([np.cos(angle), np.sin(angle)])

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        ExchangeGraphDisplay
            The display itself, with `ax_` and `figure_` set.
        """
        from matplotlib.patches import FancyArrowPatch

        n, colours = len(self.names), palette.heat()
        side = 4.6 + 0.05 * max(n - 10, 0)
        ax = chart_style.axes_or_new(ax, side + 2.2, side + 1.4)
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
        left = place[0] < -DRAWN_AT_ZERO
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
