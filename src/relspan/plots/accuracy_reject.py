"""The accuracy-reject curve: how accurate the answers get as more and more samples are rejected."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from relspan.checks import having
from relspan.errors import DataError
from relspan.metrics import AccuracyRejectCurve, accuracy_reject_curve
from relspan.plots import chart_style
from relspan.show import palette


@dataclass(eq=False, repr=False)
class AccuracyRejectDisplay(chart_style.Display):
    """The accuracy-reject curve of one or several classifiers.

    Attributes
    ----------
    curves : dict of str to AccuracyRejectCurve
        The curves, by the classifiers' names.
    ax_ : matplotlib.axes.Axes
        The axes, once drawn.
    figure_ : matplotlib.figure.Figure
        The figure, once drawn.

    See Also
    --------
    ExtremalModelsDisplay : What the models at the ends of an interval reject.
    relspan.metrics.accuracy_reject_curve : The numbers of a curve.

    Examples
    --------
    >>> from relspan import RejectOptionSVC
    >>> from relspan.plots import AccuracyRejectDisplay
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=2, weak=0, irrelevant=0, flips=0.1, random_state=0)
    >>> model = RejectOptionSVC(C=1.0).fit(data.X, data.y)
    >>> display = AccuracyRejectDisplay.from_estimator(model, data.X, data.y, name="SVC")
    >>> list(display.curves)
    ['SVC']
    """

    curves: dict[str, AccuracyRejectCurve]
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, name: str | None = None, ax: Any = None) -> Self:
        """Draw the curve of a fitted classifier of two classes.

        Parameters
        ----------
        estimator : classifier
            A fitted classifier with a `decision_function`.
        X : array-like or data frame of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Their classes.
        name : str, optional
            The curve's name in the key. By default the name of the estimator's class.
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        AccuracyRejectDisplay
            The display, drawn.
        """
        having("estimator", estimator, "decision_function", "a fitted classifier")
        score = np.asarray(estimator.decision_function(X))
        if score.ndim != 1:
            raise DataError("an accuracy-reject curve by |score| needs a classifier of two classes")
        labels = estimator.classes_[(score > 0).astype(int)]
        curve = accuracy_reject_curve(y, labels, np.abs(score))
        return cls({name or type(estimator).__name__: curve}).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        AccuracyRejectDisplay
            The display itself, with `ax_` and `figure_` set.
        """
        self.ax_ = chart_style.axes_or_new(ax, 5.0, 3.6)
        self.figure_ = self.ax_.figure
        for number, (name, curve) in enumerate(self.curves.items()):
            style = {"color": palette.SERIES_COLOURS[number % 6], "linestyle": palette.LINE_STYLES[number % 6]}
            rate, accuracy = np.append(curve.reject_rate, 1.0), np.append(curve.accuracy, curve.accuracy[-1])
            title = f"{chart_style.label(name)} (area {curve.area:.3f})"
            self.ax_.step(rate, accuracy, where="post", label=title, **style)
        self.ax_.set(xlabel="share of samples rejected", ylabel="accuracy among the rest", xlim=(0, 1))
        self.ax_.legend(loc="lower right", frameon=False, fontsize="small")
        chart_style.finish(self.ax_)
        return self
