"""The relevance profile of a learned metric with its bounds, after Figures 3, 6, 7 and 11 of Schulz et al. (2015)."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from relspan import checks
from relspan.arrays import Floats
from relspan.metric import MetricRelevance
from relspan.metric.row_totals import COMBINATIONS
from relspan.plots.chart_style import axes_or_new, finish, label
from relspan.show import palette

MOST_NAMED_BARS = 40  # up to this many features have a bar and a name each; more are drawn as curves
RAW, LOWER, UPPER = palette.QUIET, palette.BLUE, palette.SKY


class MetricProfileDisplay:
    """The learned weight of each feature, with the smallest and the largest weight in all equally good maps.

    Parameters
    ----------
    raw : ndarray of shape (n_features,)
        The sizes of the weights as learned.
    lower : ndarray of shape (n_features,)
        The smallest sizes.
    upper : ndarray of shape (n_features,)
        The largest sizes.
    names : list of str
        The names of the features.
    title : str, default=""
        The chart's title.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes, once drawn.
    figure_ : matplotlib.figure.Figure
        The figure, once drawn.

    See Also
    --------
    EffectiveDimensionDisplay : How many directions of the data count.
    relspan.metric.MetricRelevance : The analysis behind the chart.

    Examples
    --------
    >>> from relspan import GMLVQ, MetricRelevance
    >>> from relspan.plots import MetricProfileDisplay
    >>> from relspan.simulate import simulate
    >>> data = simulate(60, strong=1, weak=0, irrelevant=2, random_state=0)
    >>> learner = GMLVQ(random_state=0)
    >>> model = MetricRelevance(learner, effective_dimension=2, n_probes=5, random_state=0).fit(data.X, data.y)
    >>> MetricProfileDisplay.from_estimator(model).names
    ['x0', 'x1', 'x2']
    """

    def __init__(self, raw: Floats, lower: Floats, upper: Floats, names: list[str], title: str = "") -> None:
        self.raw = raw
        self.lower = lower
        self.upper = upper
        self.names = names
        self.title = title

    @classmethod
    def from_estimator(cls, model: MetricRelevance, *, row: int | None = None, ax: Any = None) -> Self:
        """Draw the weights of a fitted `MetricRelevance`.

        Parameters
        ----------
        model : MetricRelevance
            The fitted estimator.
        row : int, optional
            A row of the map, counted from 0. By default all rows together.
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        MetricProfileDisplay
            The display, drawn.
        """
        checks.having("model", model, "result_", "a fitted MetricRelevance")
        best = model.result_.baseline
        names = [feature.name for feature in model.result_.features]
        if row is None:
            weights = np.array([r["weights"] for r in best["rows"]])
            raw = COMBINATIONS[model.result_.parameters["combine"]](weights) / best["l1_norm"]
            lower, upper = model.intervals_.T
            title = f"{best['learner']}, all rows"
        else:
            chosen = best["rows"][checks.whole("row", row, at_least=0, at_most=len(model.rows_) - 1)]
            raw, lo, hi = (np.abs(chosen[key]) for key in ("weights", "lo", "hi"))
            straddles = (np.asarray(chosen["lo"]) <= 0) & (np.asarray(chosen["hi"]) >= 0)
            lower, upper = np.where(straddles, 0.0, np.minimum(lo, hi)), np.maximum(lo, hi)
            title = f"{best['learner']}, row {row + 1} of {len(model.rows_)} (eigenvalue {chosen['eigenvalue']:.3g})"
        return cls(raw, lower, upper, names, title).plot(ax=ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        MetricProfileDisplay
            The display itself, with `ax_` and `figure_` set.
        """
        self.ax_ = axes_or_new(ax)
        self.figure_ = self.ax_.figure
        at = np.arange(len(self.names))
        if len(at) <= MOST_NAMED_BARS:
            self.ax_.bar(at, self.upper, 0.7, color=UPPER, label="at most")
            self.ax_.bar(at, self.lower, 0.7, color=LOWER, label="at least")
            self.ax_.plot(at, self.raw, "D", color=RAW, markersize=5, label="as learned")
            long = max(map(len, self.names)) > 6
            self.ax_.set_xticks(at, [label(name) for name in self.names], rotation=90 if long else 0)
        else:
            self.ax_.fill_between(at, self.lower, self.upper, step="mid", color=UPPER, linewidth=0, label="at most")
            self.ax_.fill_between(at, 0, self.lower, step="mid", color=LOWER, linewidth=0, label="at least")
            self.ax_.plot(at, self.raw, color=RAW, linewidth=0.9, label="as learned")
            self.ax_.set_xlabel("feature")
            self.ax_.set_xlim(-0.5, len(at) - 0.5)
        self.ax_.set_ylim(bottom=0)
        self.ax_.set_ylabel("relevance")
        self.ax_.set_title(self.title, fontsize="medium")
        finish(self.ax_)
        self.ax_.legend(
            frameon=False,
            fontsize="small",
            ncols=3,
            loc="lower right",
            bbox_to_anchor=(1.0, 1.06),
            handlelength=1.2,
            handletextpad=0.4,
            columnspacing=1.2,
        )
        return self
