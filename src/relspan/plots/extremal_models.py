"""The models at the two ends of one feature's interval, beside the best model, for a classifier with a reject option.

The picture is like Figure 1 of Göpfert, Göpfert and Hammer (2018): a table of two features, three models, and the
samples that each of them rejects in grey.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from relspan.arrays import Floats
from relspan.checks import float_array, having
from relspan.errors import DataError, ParameterError
from relspan.plots import chart_style
from relspan.show import palette

GREY, SIDES = palette.PALE, ((palette.BLUE, "o"), (palette.VERMILION, "^"))


@dataclass(eq=False, repr=False)
class ExtremalModelsDisplay(chart_style.Display):
    """The best model beside the models at the two ends of one feature's interval, with rejected samples in grey.

    Attributes
    ----------
    X : ndarray of shape (n_samples, 2)
        The samples, in their own units.
    y : ndarray of shape (n_samples,)
        Whether each sample belongs to the second class.
    models : dict of str to (ndarray, float)
        The weights and the offset of each model, in the units of X.
    threshold : float
        The score up to which a sample is rejected.
    names : tuple of str
        The names of the two features.
    ax_ : ndarray of matplotlib.axes.Axes
        The three axes, once drawn.
    figure_ : matplotlib.figure.Figure
        The figure, once drawn.

    See Also
    --------
    AccuracyRejectDisplay : How accurate the answers get as more samples are rejected.

    Examples
    --------
    >>> from relspan import RejectRelevanceClassifier
    >>> from relspan.plots import ExtremalModelsDisplay
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=2, weak=0, irrelevant=0, flips=0.1, random_state=0)
    >>> model = RejectRelevanceClassifier(C=1.0, n_probes=5, random_state=0).fit(data.X, data.y)
    >>> list(ExtremalModelsDisplay.from_estimator(model, data.X, data.y, feature="x0").models)
    ['best', 'minimal x0', 'maximal x0']
    """

    X: Floats
    y: np.ndarray
    models: dict[str, tuple[Floats, float]]
    threshold: float
    names: tuple[str, str]
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, feature: int | str = 0, ax: Any = None) -> Self:
        """Draw the extremal models of one feature.

        Parameters
        ----------
        estimator : RejectRelevanceClassifier
            Fitted to a table of two features.
        X : array-like or data frame of shape (n_samples, 2)
            The samples.
        y : array-like of shape (n_samples,)
            Their classes.
        feature : int or str, default=0
            The feature, by its place or its name.
        ax : sequence of matplotlib.axes.Axes, optional
            Three axes to draw on.

        Returns
        -------
        ExtremalModelsDisplay
            The display, drawn.
        """
        having("estimator", estimator, "result_", "a fitted RejectRelevanceClassifier")
        points = float_array("X", X, "a table with two columns of numbers")
        names = [f.name for f in estimator.result_.features]
        if points.ndim != 2 or points.shape[1] != 2 or len(names) != 2:
            raise DataError(f"this chart needs a table of two features, one per axis, not {len(names)}")
        if feature not in (0, 1) and feature not in names:
            raise ParameterError(f"feature must be one of {', '.join(names)}, or its place 0 or 1, not {feature!r}")
        j = names.index(feature) if isinstance(feature, str) else int(feature)
        models = {"best": (estimator.coef_[0], float(estimator.intercept_[0]))}
        models |= {f"{end} {names[j]}": estimator.extremal_model(j, end) for end in ("minimal", "maximal")}
        second = np.asarray(y) == estimator.classes_[1]
        return cls(points, second, models, estimator.reject_threshold_, (names[0], names[1])).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on three given axes, or on new ones.

        Parameters
        ----------
        ax : sequence of matplotlib.axes.Axes, optional
            Three axes to draw on, one per model.

        Returns
        -------
        ExtremalModelsDisplay
            The display itself, with `ax_` and `figure_` set.
        """
        import matplotlib.pyplot as plt

        own = ax is None
        if own:
            ax = plt.subplots(1, 3, figsize=(11, 4.1), sharex=True, sharey=True, layout="constrained")[1]
        self.ax_ = ax
        if len(np.ravel(self.ax_)) != 3:
            raise ParameterError(f"ax must hold three axes, one per model, not {len(np.ravel(self.ax_))}")
        self.figure_ = np.ravel(self.ax_)[0].figure
        for axes, (title, (weights, offset)) in zip(np.ravel(self.ax_), self.models.items(), strict=True):
            self._draw(axes, title, weights, offset)
        np.ravel(self.ax_)[0].set_ylabel(chart_style.label(self.names[1]))
        if own:
            self.legend()
        return self

    def legend(self) -> Any:
        """Put one legend below all panels of the figure.

        Axes of a figure of one's own may hold several displays, so that plot() leaves the legend to the caller there.

        Returns
        -------
        matplotlib.legend.Legend
            The legend.
        """
        handles, labels = np.ravel(self.ax_)[0].get_legend_handles_labels()
        return self.figure_.legend(
            handles, labels, loc="outside lower center", ncols=3, frameon=False, markerscale=2, handletextpad=0.2
        )

    def _draw(self, axes: Any, title: str, weights: Floats, offset: float) -> None:
        score = self.X @ weights + offset
        rejected = np.abs(score) <= self.threshold
        axes.scatter(*self.X[rejected].T, s=6, c=GREY, linewidths=0, label="rejected")
        for (colour, marker), side, name in zip(SIDES, (~self.y, self.y), ("first class", "second class"), strict=True):
            axes.scatter(*self.X[side & ~rejected].T, s=8, c=colour, marker=marker, linewidths=0, label=name)
        low, high = self.X.min(axis=0), self.X.max(axis=0)
        grid = np.stack(np.meshgrid(*(np.linspace(a, b, 100) for a, b in zip(low, high, strict=True))), axis=-1)
        levels = [-self.threshold, 0.0, self.threshold]
        height = grid @ weights + offset
        axes.contour(*np.moveaxis(grid, -1, 0), height, levels=levels, colors=palette.INK, linestyles=["--", "-", "--"])
        shares = np.abs(weights) / np.abs(weights).sum()
        facts = f"shares {shares[0]:.2f} and {shares[1]:.2f}, {rejected.mean():.1%} rejected"
        axes.set(xlabel=chart_style.label(self.names[0]), title=f"{chart_style.label(title)}\n{facts}")
        chart_style.finish(axes, "none")
