"""The models at the two ends of one feature's interval, beside the best model, for a classifier with a reject option.

The picture is like Figure 1 of Göpfert, Göpfert and Hammer (2018): a table of two features, three models, and the
samples that each of them rejects in grey.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from relspan.arrays import Floats
from relspan.errors import DataError, ParameterError
from relspan.plots import chart_style
from relspan.show import palette

GREY, SIDES = palette.PALE, ((palette.BLUE, "o"), (palette.VERMILION, "^"))


@dataclass(eq=False)
class ExtremalModelsDisplay:
    """Best, minimal and maximal model of one feature over a table of two features, rejected samples in grey.

    Attributes
    ----------
    X, y : ndarray
        The samples, in their own units, and whether they belong to the second class.
    models : dict of str to (weights, offset)
        The three models, in the units of X.
    threshold : float
        Samples with |score| up to it are rejected.
    names : tuple of str
        Names of the two features.
    ax_ : ndarray of axes
        What was drawn, after `plot`.
    """

    X: Floats
    y: np.ndarray
    models: dict[str, tuple[Floats, float]]
    threshold: float
    names: tuple[str, str]
    ax_: Any = field(default=None, repr=False)
    figure_: Any = field(default=None, repr=False)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, feature: int | str = 0, ax: Any = None) -> Self:
        """Draw the extremal models of a fitted `RejectRelevanceClassifier` of two features."""
        points = np.asarray(X, dtype=np.float64)
        names = [f.name for f in estimator.result_.features]
        if points.shape[1] != 2 or len(names) != 2:
            raise DataError(f"this picture has two axes, so it needs a table of two features, not {len(names)}")
        if feature not in (0, 1) and feature not in names:
            raise ParameterError(f"feature must be one of {', '.join(names)}, or its place, not {feature!r}")
        j = names.index(feature) if isinstance(feature, str) else int(feature)
        models = {"best": (estimator.coef_[0], float(estimator.intercept_[0]))}
        models |= {f"{end} {names[j]}": estimator.extremal_model(j, end) for end in ("minimal", "maximal")}
        second = np.asarray(y) == estimator.classes_[1]
        return cls(points, second, models, estimator.reject_threshold_, (names[0], names[1])).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on three given axes, or on new ones."""
        import matplotlib.pyplot as plt

        if ax is None:
            ax = plt.subplots(1, 3, figsize=(11, 3.8), sharex=True, sharey=True, layout="constrained")[1]
        self.ax_ = ax
        if len(np.ravel(self.ax_)) != 3:
            raise ParameterError(f"ax must hold three axes, one a model, not {len(np.ravel(self.ax_))}")
        self.figure_ = np.ravel(self.ax_)[0].figure
        for axes, (title, (weights, offset)) in zip(np.ravel(self.ax_), self.models.items(), strict=True):
            self._draw(axes, title, weights, offset)
        np.ravel(self.ax_)[0].set_ylabel(chart_style.label(self.names[1]))
        return self

    def _draw(self, axes: Any, title: str, weights: Floats, offset: float) -> None:
        score = self.X @ weights + offset
        rejected = np.abs(score) <= self.threshold
        axes.scatter(*self.X[rejected].T, s=6, c=GREY, linewidths=0)
        for (colour, marker), side in zip(SIDES, (~self.y, self.y), strict=True):
            axes.scatter(*self.X[side & ~rejected].T, s=8, c=colour, marker=marker, linewidths=0)
        low, high = self.X.min(axis=0), self.X.max(axis=0)
        grid = np.stack(np.meshgrid(*(np.linspace(a, b, 100) for a, b in zip(low, high, strict=True))), axis=-1)
        levels = [-self.threshold, 0.0, self.threshold]
        height = grid @ weights + offset
        axes.contour(*np.moveaxis(grid, -1, 0), height, levels=levels, colors=palette.INK, linestyles=["--", "-", "--"])
        shares = np.abs(weights) / np.abs(weights).sum()
        told = f"shares {shares[0]:.2f} and {shares[1]:.2f}, {rejected.mean():.1%} rejected"
        axes.set(xlabel=chart_style.label(self.names[0]), title=f"{chart_style.label(title)}\n{told}")
        chart_style.finish(axes, "none")
