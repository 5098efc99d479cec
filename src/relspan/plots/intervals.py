"""The interval chart: a bar per feature, from its smallest to its largest relevance in all equally good models.

Colour and the mark at the bar's end show the class. The shaded band shows how far chance reaches: a bar that ends
inside reaches no further than a permuted column can. This is one of two measures of evidence, so the band alone does
not decide on a class. An earlier result is grey behind the bars. Under pins these are the intervals without pins, the
names are followed by what the pins do, and no reach of chance is drawn, because none was computed for the models that
satisfy the pins.

Up to `MOST_NAMED_ROWS` features have a row and a name each. In a longer table the irrelevant ones share a last row, a
scatter of their largest relevances. If there are still too many rows for names, bars become lines, and the classes have
names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from relspan import checks
from relspan.errors import ParameterError
from relspan.plots import chart_style
from relspan.plots.chart_rows import ChartRow, arranged, rows_of
from relspan.result import CLASSES, RelevanceResult
from relspan.show import palette

MOST_NAMED_ROWS = 60  # rows that can have a name
ROW_INCHES = 0.23
BAR_SHARE_OF_ROW = 0.56


@dataclass(eq=False, repr=False)
class IntervalDisplay(chart_style.Display):
    """The interval chart of a result.

    Attributes
    ----------
    rows : list of ChartRow
        What is drawn, from the top: name, interval, class, group, earlier interval.
    folded : list of ChartRow, optional
        The irrelevant features that share one row at the end.
    threshold : float, optional
        How far chance reaches in what the bars show: totals, where features have several weights, else single weights.
        It alone does not decide on a class. A partial result and a result under pins have no threshold.
    signed : bool, default=False
        Whether the intervals are those of the weights, with their sign.
    title : str, default=""
        The chart's title.
    ghosts : str, default="before"
        What the grey bars are.
    ax_ : matplotlib.axes.Axes
        The axes, once drawn.
    figure_ : matplotlib.figure.Figure
        The figure, once drawn.

    See Also
    --------
    ProbeDisplay : Where the threshold comes from.
    StabilityDisplay : How far the intervals move with another sample.

    Examples
    --------
    >>> from relspan.plots import IntervalDisplay
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
    >>> model = RelevanceClassifier(random_state=0).fit(data.X, data.y)
    >>> display = IntervalDisplay.from_estimator(model, sort="name")
    >>> [row.name for row in display.rows]
    ['x0', 'x1', 'x2', 'x3', 'x4']
    """

    rows: list[ChartRow]
    folded: list[ChartRow] = field(default_factory=list)
    threshold: float | None = None
    signed: bool = False
    title: str = ""
    ghosts: str = "before"
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

    @classmethod
    def from_estimator(cls, estimator: Any, **options: Any) -> Self:
        """Draw the result of a fitted estimator.

        Parameters
        ----------
        estimator : estimator
            A fitted relevance estimator.
        **options
            Options of `from_result`.

        Returns
        -------
        IntervalDisplay
            The display, drawn.
        """
        from sklearn.utils.validation import check_is_fitted

        checks.having("estimator", estimator, "fit", "a fitted estimator")
        check_is_fitted(estimator)
        return cls.from_result(estimator.result_, **options)

    @classmethod
    def from_result(
        cls,
        result: RelevanceResult,
        *,
        signed: bool = False,
        earlier: RelevanceResult | None = None,
        groups: Any = None,
        model: Mapping[str, float] | None = None,
        sort: str = "class",
        features: Sequence[str] | None = None,
        everything: bool | None = None,
        title: str = "",
        ax: Any = None,
    ) -> Self:
        """Draw a result.

        Parameters
        ----------
        result : RelevanceResult
            The result.
        signed : bool, default=False
            Whether to show the weights with their sign in place of their sizes.
        earlier : RelevanceResult, optional
            A result that is drawn in grey behind the bars. Features are matched by name. By default, under pins, the
            intervals without pins.
        groups : Groups or mapping of str to sequence of str, optional
            Groups whose rows stand together.
        model : mapping of str to float, optional
            The weights of one model, as shares of the best model's norm: a dot in every row, hollow where it is 0.
        sort : {"class", "max", "min", "name", "table"}, default="class"
            The order of the rows, or of the rows in each group.
        features : sequence of str, optional
            The features to show. By default all.
        everything : bool, optional
            Whether irrelevant features have rows of their own. By default they do if there are few features.
        title : str, default=""
            The chart's title. Before it stands that no feature is called relevant, where this is so, and under pins the
            pins.
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        IntervalDisplay
            The display, drawn.
        """
        checks.flag("signed", signed)
        checks.having("result", result, "features", "a RelevanceResult")
        if earlier is not None:
            checks.having("earlier", earlier, "features", "a RelevanceResult")
        if model is not None:
            checks.mapping("model", model, "features to weights")
        if features is not None:
            checks.features("features", features)
        rows = arranged(rows_of(result, signed, earlier, features, model), sort, members(groups))
        few = len(rows) <= MOST_NAMED_ROWS if everything is None else everything
        shown = [row for row in rows if few or row.relevance != "irrelevant" or row.effect.startswith("pinned")]
        folded = [row for row in rows if row not in shown]
        ghosts = "without pins" if result.is_pinned and earlier is None else "before"
        title = chart_style.result_heading(result, title)
        totals = not signed and any(f.has_several_weights for f in result.features)
        reach = result.thresholds.get("total" if totals else "relevant")
        return cls(shown, folded, reach, signed, title, ghosts).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones that are as high as the rows need.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        IntervalDisplay
            The display itself, with `ax_` and `figure_` set.
        """
        named = len(self.rows) <= MOST_NAMED_ROWS
        count = len(self.rows) + (3 if self.folded else 0)
        ax = chart_style.axes_or_new(
            ax, 7.5, 1.3 + ROW_INCHES * max(count, 3) if named else min(16.0, 4.0 + 0.022 * count)
        )
        self.ax_, self.figure_ = ax, ax.figure
        self._chance()
        at = np.arange(len(self.rows), dtype=np.float64)
        self._bars(at, named)
        self._model(at)
        if self.folded:
            self._fold()
        self._names(at, named)
        self._frame(len(self.rows) + self._fold_room)
        return self

    # -- what is drawn ---------------------------------------------------------------------------------------------

    def _chance(self) -> None:
        if self.threshold is not None:
            self.ax_.axvspan(
                -self.threshold if self.signed else 0.0, self.threshold, color=palette.CHANCE_COLOUR, zorder=0
            )
            for end in (-self.threshold, self.threshold) if self.signed else (self.threshold,):
                self.ax_.axvline(end, color=palette.PURPLE, linewidth=1.0, linestyle=(0, (4, 2)), zorder=3.5)
        if self.signed:
            self.ax_.axvline(0.0, color=palette.QUIET, linewidth=0.8, zorder=1)

    def _bars(self, at: Any, named: bool) -> None:
        ghosts = [(place, row.ghost) for place, row in zip(at, self.rows, strict=True) if row.ghost is not None]
        if ghosts:
            low, high = np.array([ghost for _, ghost in ghosts]).T
            places = [place for place, _ in ghosts]
            self.ax_.barh(
                places, high - low, 0.92, left=low, color=palette.FAINT, edgecolor=palette.PALE, linewidth=0.6, zorder=2
            )
        thickness, edge, size = (BAR_SHARE_OF_ROW, 0.8, 6.5) if named else (1.0, 0.0, 2.5)
        for kind in CLASSES:
            own = [place for place, row in zip(at, self.rows, strict=True) if row.relevance == kind]
            if not own:
                continue
            low, high = np.array([row.interval for row in self.rows if row.relevance == kind]).T
            bars = self.ax_.barh(
                own,
                high - low,
                thickness,
                left=low,
                color=palette.CLASS_COLOURS[kind],
                edgecolor=palette.CLASS_EDGES[kind],
                linewidth=edge,
                zorder=3,
                label=kind,
            )
            solved = [row.solved for row in self.rows if row.relevance == kind]
            for bar in (bar for bar, exact in zip(bars, solved, strict=True) if not exact):
                bar.set(alpha=0.55, linestyle=":")
            ends = np.where(np.abs(low) > np.abs(high), low, high)
            self.ax_.plot(ends, own, **palette.class_marker(kind, size), zorder=4)

    def _model(self, at: Any) -> None:
        """One model's weights, as dots."""
        for used in (True, False):
            own = [(row.weight, y) for y, row in zip(at, self.rows, strict=True) if row.weight is not None]
            chosen = [(x, y) for x, y in own if bool(x) is used]
            if chosen:
                self.ax_.plot(*zip(*chosen, strict=True), **palette.model_marker(used), zorder=5)

    @property
    def _fold_room(self) -> float:
        """Rows that the folded features take up together, at the end."""
        return max(3.0, 0.05 * len(self.rows)) if self.folded else 0.0

    def _fold(self) -> None:
        """All irrelevant features in one row: where the largest relevance of each lies."""
        place = len(self.rows) - 0.5 + self._fold_room / 2
        low, high = np.array([row.interval for row in self.folded]).T
        spread = 0.3 * self._fold_room * (np.random.default_rng(0).random(len(high)) - 0.5)
        style = palette.class_marker("irrelevant", 6.0)
        self.ax_.plot(high, place + spread, **{**style, "markeredgewidth": 0.3}, zorder=3)
        if self.signed:
            self.ax_.plot(low, place + spread, **{**style, "markeredgewidth": 0.3}, zorder=3)

    def _names(self, at: Any, named: bool) -> None:
        ax = self.ax_
        ticks = [(place, self._row_label(row)) for place, row in zip(at, self.rows, strict=True)] if named else []
        if not named:
            for kind in CLASSES:
                own = [place for place, row in zip(at, self.rows, strict=True) if row.relevance == kind]
                # a class of few lines has no room for its name; the key above has it
                ticks += [(float(np.mean(own)), f"{len(own)} {kind}")] if len(own) > 0.03 * len(at) else []
        if self.folded:
            ticks.append((len(self.rows) - 0.5 + self._fold_room / 2, f"{len(self.folded)} irrelevant"))
        ax.set_yticks([place for place, _ in ticks], [text for _, text in ticks], fontsize=9)
        ax.tick_params(axis="y", length=0)
        if named:
            self._groups()

    @staticmethod
    def _row_label(row: ChartRow) -> str:
        """The feature's name, and what pins do to it unless that is nothing worth a word."""
        name = chart_style.label(row.name)
        return f"{name} ({row.effect})" if row.effect not in ("", "moved", "unmoved") else name

    def _groups(self) -> None:
        """The groups' names on the right, and lines between them."""
        groups = [row.group for row in self.rows]
        if not any(groups):
            return
        starts = [j for j in range(len(groups)) if j == 0 or groups[j] != groups[j - 1]]
        for start, stop in zip(starts, [*starts[1:], len(groups)], strict=True):
            self.ax_.annotate(
                chart_style.label(groups[start], 18),
                (1.0, (start + stop - 1) / 2),
                (8, 0),
                xycoords=("axes fraction", "data"),
                textcoords="offset points",
                va="center",
                fontsize="small",
                color=palette.QUIET,
            )
            if start:
                self.ax_.axhline(start - 0.5, color=palette.PALE, linewidth=0.8)

    def _frame(self, bottom: float) -> None:
        ax = self.ax_
        ax.set_ylim(max(bottom, 1.0) - 0.4, -0.6)
        ends = [end for row in [*self.rows, *self.folded] for end in (*row.interval, *(row.ghost or ()))]
        ends += [0.0, self.threshold or 0.0, -(self.threshold or 0.0)]
        low, high = (min(ends) if self.signed else 0.0), max(ends) or 1.0
        ax.set_xlim(low - 0.04 * (high - low) if self.signed else 0.0, high + 0.04 * (high - low))
        what = "weight" if self.signed else "relevance"
        ax.set_xlabel(f"{what}, as a share of the best model's norm")
        chart_style.finish(ax, "x")
        ax.spines["left"].set_visible(self.signed is False)
        keys = self._keys()
        if keys:
            chart_style.legend_above(ax, keys)
        if self.title:
            ax.set_title(chart_style.heading(self.title), fontsize="medium", loc="left", pad=22 if keys else 6)

    def _keys(self) -> list[Any]:
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        counts = {k: sum(row.relevance == k for row in [*self.rows, *self.folded]) for k in CLASSES}
        keys: list[Any] = [
            Line2D([], [], **palette.class_marker(kind, 7.0), label=f"{kind} ({count})")
            for kind, count in counts.items()
            if count
        ]
        if any(row.weight is not None for row in self.rows):
            keys.append(Line2D([], [], **palette.model_marker(True), label="one model"))
        if any(row.ghost is not None for row in self.rows):
            keys.append(Patch(facecolor=palette.FAINT, edgecolor=palette.PALE, label=self.ghosts))
        if self.threshold is not None:
            keys.append(
                Patch(
                    facecolor=palette.CHANCE_COLOUR, edgecolor=palette.PURPLE, linestyle="--", label="reach of chance"
                )
            )
        return keys


def members(groups: Any) -> Mapping[str, Sequence[str]]:
    """Groups by name, in whichever form they are given."""
    if groups is None:
        return {}
    if isinstance(groups, Mapping):
        return groups
    found = getattr(groups, "members", None)
    if found is None:
        raise ParameterError(f"groups must map names to features, or be an explorer's groups(), not {groups!r}")
    return {f"group {number}": names for number, names in enumerate(found, start=1) if len(names) > 1}
