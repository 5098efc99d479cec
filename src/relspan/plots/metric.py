"""Plots of a metric's analysis: the relevance profile with its bounds, and the error against effective dimension.

After Figures 3, 6, 7 and 11, and Figures 1, 5 and 10, of Schulz et al. 2015. The numbers are kept beside the picture.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from relspan.arrays import Floats
from relspan.errors import ParameterError
from relspan.metric import MetricRelevance
from relspan.metric.effective_dimension import DimensionCurve
from relspan.plots.chart_style import finish, label, new_axes
from relspan.show import palette

FEW = 40  # up to this many features get a bar and a name each; more are drawn as curves
RAW, LOWER, UPPER = palette.QUIET, palette.BLUE, palette.SKY


class MetricProfileDisplay:
    """The learned weight of each feature, and the least and the largest it can have in an equivalent map.

    Parameters
    ----------
    raw, lower, upper : ndarray of shape (n_features,)
        Sizes of the weights.
    names : list of str
    title : str

    Attributes
    ----------
    ax_, figure_ : the matplotlib axes and figure, once plotted
    """

    def __init__(self, raw: Floats, lower: Floats, upper: Floats, names: list[str], title: str = "") -> None:
        self.raw = raw
        self.lower = lower
        self.upper = upper
        self.names = names
        self.title = title

    @classmethod
    def from_estimator(cls, model: MetricRelevance, *, row: int | None = None, ax: Any = None) -> MetricProfileDisplay:
        """Plot a fitted MetricRelevance.

        Parameters
        ----------
        model : MetricRelevance
        row : int or None, default=None
            A row of the eigen-form, counted from 0; None for the whole map.
        ax : matplotlib axes or None

        Returns
        -------
        MetricProfileDisplay
        """
        told = model.result_.baseline
        names = [feature.name for feature in model.result_.features]
        if row is None:
            weights = np.array([r["weights"] for r in told["rows"]])
            raw = np.sqrt(np.sum(weights**2, axis=0)) / told["l1_norm"]
            lower, upper = model.intervals_.T
            title = f"{told['learner']}, all rows"
        else:
            if not 0 <= row < len(model.rows_):
                raise ParameterError(f"row={row} must lie between 0 and {len(model.rows_) - 1}")
            chosen = told["rows"][row]
            raw, lo, hi = (np.abs(chosen[key]) for key in ("weights", "lo", "hi"))
            straddles = (np.asarray(chosen["lo"]) <= 0) & (np.asarray(chosen["hi"]) >= 0)
            lower, upper = np.where(straddles, 0.0, np.minimum(lo, hi)), np.maximum(lo, hi)
            title = f"{told['learner']}, row {row + 1} of {len(model.rows_)} (eigenvalue {chosen['eigenvalue']:.3g})"
        return cls(raw, lower, upper, names, title).plot(ax=ax)

    def plot(self, ax: Any = None) -> MetricProfileDisplay:
        """Draw on these axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib axes or None

        Returns
        -------
        MetricProfileDisplay
        """
        self.ax_ = new_axes() if ax is None else ax
        self.figure_ = self.ax_.figure
        at = np.arange(len(self.names))
        if len(at) <= FEW:
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
        self.ax_.legend(frameon=False, fontsize="small", ncols=3, loc="lower right", bbox_to_anchor=(1.0, 1.06))
        return self


class EffectiveDimensionDisplay:
    """Cross-validated error against the effective dimension.

    Parameters
    ----------
    curve : DimensionCurve
    chosen : int or None, default=None
        The dimension in use; None means the curve's best.

    Attributes
    ----------
    ax_, figure_ : the matplotlib axes and figure, once plotted
    """

    def __init__(self, curve: DimensionCurve, chosen: int | None = None) -> None:
        self.curve = curve
        self.chosen = curve.best if chosen is None else chosen

    @classmethod
    def from_estimator(cls, model: MetricRelevance, *, ax: Any = None) -> EffectiveDimensionDisplay:
        """Plot the curve of a fitted MetricRelevance.

        Parameters
        ----------
        model : MetricRelevance
            Fitted with ``effective_dimension="auto"``.
        ax : matplotlib axes or None

        Returns
        -------
        EffectiveDimensionDisplay
        """
        if model.dimension_curve_ is None:
            raise ParameterError("there is no curve: the effective dimension was given; fit with 'auto'")
        return cls(model.dimension_curve_, model.effective_dimension_).plot(ax=ax)

    def plot(self, ax: Any = None) -> EffectiveDimensionDisplay:
        """Draw on these axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib axes or None

        Returns
        -------
        EffectiveDimensionDisplay
        """
        self.ax_ = new_axes() if ax is None else ax
        self.figure_ = self.ax_.figure
        at, mean = self.curve.dimensions, self.curve.mean
        error = self.curve.standard_error
        self.ax_.fill_between(at, mean - error, mean + error, color=UPPER, alpha=0.6, linewidth=0, label="± 1 s.e.")
        self.ax_.plot(at, mean, "o-", color=LOWER, markersize=3.5, linewidth=1.2, label="projected map")
        self.ax_.axhline(self.curve.raw.mean(), color=RAW, linestyle="--", linewidth=1, label="map as learned")
        best = mean[np.searchsorted(at, self.chosen)]
        self.ax_.plot([self.chosen], [best], "o", color=palette.VERMILION, markersize=7, label=f"chosen: {self.chosen}")
        self.ax_.set_xlabel("effective dimension")
        self.ax_.set_ylabel("error, cross-validated")
        self.ax_.set_ylim(bottom=0)
        self.ax_.xaxis.get_major_locator().set_params(integer=True)
        finish(self.ax_)
        self.ax_.legend(frameon=False, fontsize="small")
        return self
