"""The error of a metric against its effective dimension, after Figures 1, 5 and 10 of Schulz et al. (2015)."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from relspan.checks import having
from relspan.errors import ParameterError
from relspan.metric import MetricRelevance
from relspan.metric.effective_dimension import DimensionCurve
from relspan.plots.chart_style import axes_or_new, finish
from relspan.show import palette

JUDGED = {"projected": "projected map", "extremal": "extremal maps, mean"}
HEADROOM = 1.4  # height of the axes over the largest error: two lines of a legend


class EffectiveDimensionDisplay:
    """The cross-validated error of a metric at every effective dimension.

    Parameters
    ----------
    curve : DimensionCurve
        The errors.
    chosen : int, optional
        The dimension in use. By default the curve's best.
    judged : str, default="projected map"
        The map or maps whose errors the curve shows.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes, once drawn.
    figure_ : matplotlib.figure.Figure
        The figure, once drawn.

    See Also
    --------
    MetricProfileDisplay : The weights of the features at the dimension in use.

    Examples
    --------
    >>> from relspan import GMLVQ, MetricRelevance
    >>> from relspan.plots import EffectiveDimensionDisplay
    >>> from relspan.simulate import simulate
    >>> data = simulate(60, strong=1, weak=0, irrelevant=2, random_state=0)
    >>> model = MetricRelevance(GMLVQ(random_state=0), n_probes=5, random_state=0).fit(data.X, data.y)
    >>> display = EffectiveDimensionDisplay.from_estimator(model)
    >>> display.chosen == model.effective_dimension_
    True
    """

    def __init__(self, curve: DimensionCurve, chosen: int | None = None, judged: str = JUDGED["projected"]) -> None:
        self.curve = curve
        self.judged = judged
        self.chosen = curve.best if chosen is None else chosen

    @classmethod
    def from_estimator(cls, model: MetricRelevance, *, ax: Any = None) -> Self:
        """Draw the curve of a fitted `MetricRelevance`.

        Parameters
        ----------
        model : MetricRelevance
            An estimator that was fitted with ``effective_dimension="auto"``.
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        EffectiveDimensionDisplay
            The display, drawn.
        """
        having("model", model, "dimension_curve_", "a fitted MetricRelevance")
        if model.dimension_curve_ is None:
            raise ParameterError(
                "there is no curve, because the effective dimension was given; fit with effective_dimension='auto'"
            )
        return cls(model.dimension_curve_, model.effective_dimension_, JUDGED[model.dimension_by]).plot(ax=ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        EffectiveDimensionDisplay
            The display itself, with `ax_` and `figure_` set.
        """
        self.ax_ = axes_or_new(ax)
        self.figure_ = self.ax_.figure
        at, mean = self.curve.dimensions, self.curve.mean
        error = self.curve.standard_error
        self.ax_.fill_between(
            at, mean - error, mean + error, color=palette.SKY, alpha=0.6, linewidth=0, label="± 1 s.e."
        )
        self.ax_.plot(at, mean, "o-", color=palette.BLUE, markersize=3.5, linewidth=1.2, label=self.judged)
        self.ax_.axhline(
            self.curve.raw.mean(), color=palette.QUIET, linestyle="--", linewidth=1, label="map as learned"
        )
        best = mean[np.searchsorted(at, self.chosen)]
        self.ax_.plot([self.chosen], [best], "o", color=palette.VERMILION, markersize=7, label=f"chosen: {self.chosen}")
        self.ax_.set_xlabel("effective dimension")
        self.ax_.set_ylabel("error, cross-validated")
        top = max(float((mean + error).max()), float(self.curve.raw.mean()))
        self.ax_.set_ylim(0, HEADROOM * top)  # the legend stands above the curve
        self.ax_.xaxis.get_major_locator().set_params(integer=True)
        finish(self.ax_)
        self.ax_.legend(frameon=False, fontsize="small", loc="upper center", ncols=2)
        return self
