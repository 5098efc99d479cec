"""How far does chance reach? The ends of the probes, the threshold that follows, and where the features are.

The histogram below shows the ends that the probes reached, with both signs; above it is the largest relevance of every
feature, class by class. The threshold is the unit of a feature's reach, one of two measures of its evidence; it does
not separate the classes by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from relspan import checks
from relspan.arrays import Floats
from relspan.errors import ParameterError
from relspan.plots import chart_style
from relspan.result import CLASSES, RelevanceResult
from relspan.show import palette


@dataclass(eq=False, repr=False)
class ProbeDisplay(chart_style.Display):
    """The distribution of the probes, with the features beside it.

    Attributes
    ----------
    ends : ndarray of shape (n_ends,)
        How far the probes reached, as shares of the best model's norm; their totals, where features have several
        weights.
    threshold : float
        How far chance reaches, in the same unit.
    relevances : dict of str to ndarray
        The largest relevances of the features of each class.
    feature : str, optional
        A feature that is pointed at.
    value : float, optional
        Its largest relevance.
    ax_ : matplotlib.axes.Axes
        The axes, once drawn.
    figure_ : matplotlib.figure.Figure
        The figure, once drawn.

    See Also
    --------
    IntervalDisplay : The intervals of all features, with the same threshold.

    Examples
    --------
    >>> from relspan.plots import ProbeDisplay
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
    >>> model = RelevanceClassifier(random_state=0).fit(data.X, data.y)
    >>> display = ProbeDisplay.from_estimator(model, feature="x3")
    >>> display.value < display.threshold
    True
    """

    ends: Floats
    threshold: float
    relevances: dict[str, Floats]
    feature: str | None = None
    value: float | None = None
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

    @classmethod
    def from_estimator(cls, estimator: Any, **options: Any) -> Self:
        """Draw the probes of a fitted estimator.

        Parameters
        ----------
        estimator : estimator
            A fitted relevance estimator.
        **options
            Options of `from_result`.

        Returns
        -------
        ProbeDisplay
            The display, drawn.
        """
        from sklearn.utils.validation import check_is_fitted

        checks.having("estimator", estimator, "fit", "a fitted estimator")
        check_is_fitted(estimator)
        return cls.from_result(estimator.result_, **options)

    @classmethod
    def from_result(cls, result: RelevanceResult, *, feature: str | None = None, ax: Any = None) -> Self:
        """Draw the probes of a result.

        Parameters
        ----------
        result : RelevanceResult
            The result; a partial one and one under pins have no probes.
        feature : str, optional
            The name of a feature to point at.
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        ProbeDisplay
            The display, drawn.
        """
        checks.having("result", result, "features", "a RelevanceResult")
        if result.is_pinned:
            raise ParameterError(
                "no probes were put to the models under pins; draw those of explorer.unpinned_result instead"
            )
        if "relevant" not in result.thresholds:
            raise ParameterError("a partial result has no probes to draw; let the analysis finish")
        probes = result.probes
        totals = "total" in result.thresholds and any(f.has_several_weights for f in result.features)
        ends = probes["totals"] if totals else np.concatenate([probes["hi"], np.negative(probes["lo"])])
        kinds = [kind for kind in CLASSES if any(f.relevance == kind for f in result.features)]
        relevances = {k: np.array([f.max for f in result.features if f.relevance == k]) for k in kinds}
        if feature is not None and feature not in (names := [f.name for f in result.features]):
            near = checks.did_you_mean(feature, names)
            raise ParameterError(f"feature: no feature {feature!r} in this result{near}")
        value = None if feature is None else result[feature].max
        threshold = result.thresholds["total" if totals else "relevant"]
        return cls(np.asarray(ends), threshold, relevances, feature, value).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        ProbeDisplay
            The display itself, with `ax_` and `figure_` set.
        """
        ax = chart_style.axes_or_new(ax, 7.0, 3.4)
        self.ax_, self.figure_ = ax, ax.figure
        counts, edges = np.histogram(self.ends, bins=min(max(len(self.ends) // 6, 5), 30))
        high = float(counts.max())
        ax.axvspan(min(0.0, float(edges[0])), self.threshold, color=palette.CHANCE_COLOUR, zorder=0)
        ax.axvline(self.threshold, color=palette.PURPLE, linestyle=(0, (4, 2)), linewidth=1.2, zorder=2)
        ax.stairs(counts, edges, fill=True, color=palette.PURPLE, alpha=0.75, zorder=1)
        lane, ticks, random = 0.22 * high, [], np.random.default_rng(0)
        for number, (kind, most) in enumerate(reversed(self.relevances.items()), start=1):
            middle = high + lane * (number + 0.2)
            width = 0.5 * lane if len(most) > 8 else 0.0
            spread = width * (random.random(len(most)) - 0.5)
            ax.plot(most, middle + spread, **palette.class_marker(kind, 6.0 if len(most) < 100 else 4.0), zorder=3)
            ticks.append((middle, f"{len(most)} {kind}"))
        top = high + lane * (len(self.relevances) + 1.0)
        if self.value is not None:
            ax.axvline(self.value, color=palette.INK, linewidth=1.0, zorder=2)
            self._point(top)
        marks = [
            mark for mark in ax.yaxis.get_major_locator().tick_values(0, high) if 0 <= mark <= high and mark % 1 == 0
        ]
        ax.set_yticks(
            [*marks, *(y for y, _ in ticks)], [*(f"{m:g}" for m in marks), *(t for _, t in ticks)], fontsize=9
        )
        ax.set_ylim(0, top)
        ax.set_ylabel("probes", y=0.5 * high / top)
        ax.set_xlabel("largest relevance, as a share of the best model's norm")
        chart_style.finish(ax, "x")
        ax.annotate(
            f"chance reaches {self.threshold:.3f}",
            (self.threshold, 1.0),
            (0, 3),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="center",
            fontsize="small",
            color=palette.CLASS_EDGES["undecided"],
        )
        return self

    def _point(self, top: float) -> None:
        side = self.value is not None and self.value > 0.5 * self.ax_.get_xlim()[1]
        self.ax_.annotate(
            f"{chart_style.label(self.feature or '')}: {self.value:.3f}",
            (self.value, 0.55 * top),
            (-6 if side else 6, 0),
            textcoords="offset points",
            ha="right" if side else "left",
            va="center",
            fontsize="small",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
            zorder=5,
        )
