"""Intervals along C or along a budget: one small chart per feature, all on the same scale.

The band runs from the smallest to the largest relevance, and a line marks the value in use. Along C, the last chart
shows the cross-validated score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from relspan import checks
from relspan.arrays import Floats
from relspan.errors import ParameterError
from relspan.explore import Explorer, RelevancePath
from relspan.plots import chart_style
from relspan.result import RelevanceResult
from relspan.show import palette

MOST, ACROSS = 12, 4  # charts, and charts side by side


@dataclass(eq=False, repr=False)
class PathDisplay(chart_style.Display):
    """Small charts of the intervals along C or along a budget.

    Attributes
    ----------
    along : {"C", "delta_norm", "delta_loss", "delta"}
        The parameter that changes.
    values : ndarray of shape (n_steps,)
        Its values.
    intervals : dict of str to ndarray of shape (n_steps, 2)
        The intervals of the features that are drawn.
    classes : dict of str to str, optional
        The classes of the features, where they are known.
    scores : ndarray of shape (n_steps,), optional
        The cross-validated score at each step, if the path has it everywhere and it changes.
    chosen : float, optional
        The value in use.
    ax_ : ndarray of matplotlib.axes.Axes
        The axes of the charts, once drawn.
    figure_ : matplotlib.figure.Figure
        The figure, once drawn.

    See Also
    --------
    relspan.explore.RelevancePath : The numbers behind the charts.

    Examples
    --------
    >>> from relspan.plots import PathDisplay
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
    >>> model = RelevanceClassifier(random_state=0).fit(data.X, data.y)
    >>> display = PathDisplay.from_explorer(model.explore(), "delta_norm", features=["x0", "x1"])
    >>> list(display.intervals)
    ['x0', 'x1']
    """

    along: str
    values: Floats
    intervals: dict[str, Floats]
    classes: dict[str, str] = field(default_factory=dict)
    scores: Floats | None = None
    chosen: float | None = None
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

    @classmethod
    def from_explorer(cls, explorer: Explorer, along: str = "C", **options: Any) -> Self:
        """Compute a path of an explorer, and draw it.

        Parameters
        ----------
        explorer : Explorer
            The explorer; its pins have no effect.
        along : {"C", "delta_norm", "delta_loss", "delta"}, default="C"
            The parameter that changes.
        **options
            Options of `from_result`.

        Returns
        -------
        PathDisplay
            The display, drawn.
        """
        checks.having("explorer", explorer, "substitution", "an Explorer, as clf.explore() gives it")
        return cls.from_result(explorer.path(along), explorer.unpinned_result, **options)

    @classmethod
    def from_result(
        cls,
        path: RelevancePath,
        result: RelevanceResult | None = None,
        *,
        features: Sequence[str] | None = None,
        ax: Any = None,
    ) -> Self:
        """Draw a path.

        Parameters
        ----------
        path : RelevancePath
            What an explorer's `path()` found.
        result : RelevanceResult, optional
            The result it belongs to, which has the classes and the value in use.
        features : sequence of str, optional
            The features to draw. By default those that reach furthest, in up to twelve charts.
        ax : matplotlib.axes.Axes, optional
            Axes whose place in the figure is divided among the charts.

        Returns
        -------
        PathDisplay
            The display, drawn.
        """
        checks.having("path", path, "steps", "what an explorer's path() gives")
        if result is not None:
            checks.having("result", result, "features", "a RelevanceResult")
        if not path.steps:
            raise ParameterError("this path has no step: the best model uses no feature anywhere along it")
        names = list(path.steps[0].intervals)
        for name in features or ():
            if name not in names:
                raise ParameterError(f"features: no feature {name!r} along this path{checks.did_you_mean(name, names)}")
        reach = {name: float(path.interval(name)[:, 1].max()) for name in names}
        given = [step.score for step in path.steps if step.score is not None]
        scores = np.array(given) if len(given) == len(path.steps) and len(set(given)) > 1 else None
        most = MOST - (scores is not None)
        chosen = list(features or sorted(names, key=lambda name: -reach[name])[:most])
        classes = {} if result is None else {f.name: f.relevance for f in result.features}
        in_use = None if result is None else result.baseline["C"] if path.along == "C" else _delta(path.along, result)
        intervals = {name: path.interval(name) for name in chosen}
        return cls(path.along, path.values, intervals, classes, scores, in_use).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw in the place of the given axes, or in a new figure.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes made by `subplots`, whose place is divided among the charts.

        Returns
        -------
        PathDisplay
            The display itself, with `ax_` and `figure_` set.
        """
        count = len(self.intervals) + (self.scores is not None)
        across = min(ACROSS, count)
        down = -(-count // across)
        ax = chart_style.axes_or_new(ax, 2.0 * across + 0.8, 1.45 * down + 0.7)
        place = ax.get_subplotspec()
        if place is None:
            raise ParameterError("ax must be made by subplots, so that its place can be divided")
        self.figure_ = ax.figure
        ax.set_axis_off()
        charts = np.ravel(place.subgridspec(down, across).subplots(sharex=True))
        top = 1.05 * max(float(each.max()) for each in self.intervals.values()) or 1.0
        for chart, (name, interval) in zip(charts, self.intervals.items(), strict=False):
            self._chart(chart, name, interval)
            chart.set_ylim(0, top)
        if self.scores is not None:
            self._score(charts[count - 1])
        for number, chart in enumerate(charts):
            chart.set_visible(number < count)
            if number + across >= count:  # the lowest of its column
                chart.set_xlabel(self.along, fontsize="small")
                chart.tick_params(labelbottom=True)
            if number % across and number < count - (self.scores is not None):
                chart.tick_params(labelleft=False)
        self.ax_ = charts[:count]
        self.figure_.supylabel("relevance", fontsize="medium")
        return self

    def _chart(self, chart: Any, name: str, interval: Floats) -> None:
        kind = self.classes.get(name, "strong")
        band = {"color": palette.CLASS_COLOURS[kind], "alpha": 0.45, "linewidth": 0}
        chart.fill_between(self.values, *interval.T, **band)
        for end in interval.T:
            chart.plot(self.values, end, color=palette.CLASS_EDGES[kind], linewidth=1.2, marker=".", markersize=3)
        self._axis(chart)
        chart.set_title(chart_style.label(name, 22), fontsize=8, pad=3)

    def _score(self, chart: Any) -> None:
        chart.plot(self.values, self.scores, color=palette.GREEN, marker=".", markersize=4, linewidth=1.2)
        self._axis(chart)
        chart.yaxis.tick_right()
        chart.spines["left"].set_visible(False)
        chart.set_title("cross-validated score", fontsize=8, pad=3, color=palette.GREEN)

    def _axis(self, chart: Any) -> None:
        if self.along == "C":
            chart.set_xscale("log")
        if self.chosen is not None and self.values.min() <= self.chosen <= self.values.max():
            chart.axvline(self.chosen, color=palette.QUIET, linewidth=0.8, linestyle=":", zorder=0)
        chart.tick_params(labelsize=7)
        chart_style.finish(chart)


def _delta(along: str, result: RelevanceResult) -> float | None:
    """The budget in use; both at once have one value only if they are the same."""
    given = {**result.parameters, **{k: v for k, v in result.budgets.items() if k == "delta_loss"}}
    if along != "delta":
        return float(given[along])
    return float(given["delta_loss"]) if given["delta_loss"] == given["delta_norm"] else None
