"""A drawing of a Markov blanket: the target, its parents and children, and the spouses behind their common children.

An arrow is drawn where the direction is known: target and spouse both point at a common child, and a parent points at
the target. Where it is not known, or where the tests contradict each other, there is a plain line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from relspan.arrays import Floats
from relspan.checks import having
from relspan.markov.blanket import BlanketResult
from relspan.plots import chart_style
from relspan.selectors.hiton import HITON
from relspan.show import palette

_COLOURS = palette.ROLE_COLOURS


class BlanketDisplay:
    """A drawing of a Markov blanket.

    Parameters
    ----------
    target : str
        The name of the target.
    roles : dict of str to str
        The role of every member: "parent", "child", "parent or child" or "spouse".
    spouses : dict of str to list of str
        The children that every spouse has in common with the target.

    Attributes
    ----------
    edges : list of (str, str, bool)
        Where each edge starts and ends, and whether its direction is known.
    positions : dict of str to ndarray of shape (2,)
        Where each variable is drawn.
    ax_ : matplotlib.axes.Axes
        The axes, once drawn.
    figure_ : matplotlib.figure.Figure
        The figure, once drawn.

    See Also
    --------
    relspan.selectors.HITON : Finds a blanket.

    Examples
    --------
    >>> from relspan.plots import BlanketDisplay
    >>> display = BlanketDisplay("ill", {"age": "parent", "cough": "child"}, {}).plot()
    >>> display.edges
    [('age', 'ill', True), ('ill', 'cough', True)]
    """

    def __init__(self, target: str, roles: dict[str, str], spouses: dict[str, list[str]]) -> None:
        self.target, self.roles, self.spouses = target, dict(roles), dict(spouses)
        self.edges = self._edges()
        self.positions = self._positions()

    @classmethod
    def from_estimator(cls, estimator: HITON, target: str | None = None, *, ax: Any = None) -> Self:
        """Draw the blanket that a fitted `HITON` found.

        Parameters
        ----------
        estimator : HITON
            The fitted selector.
        target : str, optional
            The target's name. By default the one that the estimator was fitted with.
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        BlanketDisplay
            The display, drawn.
        """
        having("estimator", estimator, "why", "a fitted HITON")
        check_is_fitted(estimator)
        return cls(target or estimator.target_name_, estimator.roles_, estimator.spouses_).plot(ax)

    @classmethod
    def from_result(cls, result: BlanketResult, names: Sequence[str], *, ax: Any = None) -> Self:
        """Draw the blanket of a `BlanketResult`.

        Parameters
        ----------
        result : BlanketResult
            What the search found.
        names : sequence of str
            The names of all variables, the target's included.
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        BlanketDisplay
            The display, drawn.
        """
        having("result", result, "roles", "a BlanketResult")
        roles = {names[x]: role for x, role in result.roles.items()}
        spouses = {names[x]: [names[y] for y in via] for x, via in result.spouses.items()}
        return cls(names[result.target], roles, spouses).plot(ax)

    def _edges(self) -> list[tuple[str, str, bool]]:
        edges = []
        for name, role in self.roles.items():
            if role == "parent":
                edges.append((name, self.target, True))
            elif role != "spouse":
                edges.append((self.target, name, role == "child"))
        for spouse, children in self.spouses.items():
            edges += [(spouse, child, self.roles.get(child) == "child") for child in children]
        return edges

    def _positions(self) -> dict[str, Floats]:
        """The target in the middle, its neighbours on a ring, spouses outside near the middle of their children."""
        inner = [name for name, role in self.roles.items() if role != "spouse"]
        order = {"parent": 0, "parent or child": 1, "child": 2}
        inner.sort(key=lambda name: order[self.roles[name]])
        angle = {name: np.pi / 2 + 2 * np.pi * i / max(len(inner), 1) for i, name in enumerate(inner)}
        positions: dict[str, Floats] = {self.target: np.zeros(2)}
        positions |= {name: np.array([np.cos(a), np.sin(a)]) for name, a in angle.items()}
        wished = {
            spouse: float(np.angle(sum(np.exp(1j * angle[c]) for c in children if c in angle)))
            for spouse, children in self.spouses.items()
        }
        names = sorted(wished, key=lambda spouse: wished[spouse])
        apart = min(0.35, 2 * np.pi / max(len(names), 1))
        spread = np.array([wished[name] for name in names])
        for _ in range(200):  # push neighbours apart until no two share a place
            gaps = np.diff(np.append(spread, spread[:1] + 2 * np.pi)) if len(spread) > 1 else np.zeros(0)
            push = np.maximum(apart - gaps, 0.0) / 2
            if not (push > 1e-3).any():
                break
            spread = spread - push + np.roll(push, 1)
        return positions | {n: 1.75 * np.array([np.cos(a), np.sin(a)]) for n, a in zip(names, spread, strict=True)}

    def plot(self, ax: Any = None) -> Self:
        """Draw on the given axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw on.

        Returns
        -------
        BlanketDisplay
            The display itself, with `ax_` and `figure_` set.
        """
        from matplotlib.patches import Patch

        ax = chart_style.axes_or_new(ax, 7.0, 6.0)
        kinds = {self.target: "target", **self.roles}
        boxes = {}
        for name, kind in kinds.items():
            box = {
                "boxstyle": "round,pad=0.35",
                "facecolor": _COLOURS[kind],
                "edgecolor": palette.INK,
                "linewidth": 0.8,
            }
            text = ax.text(
                *self.positions[name], chart_style.label(name), ha="center", va="center", fontsize=9, bbox=box, zorder=2
            )
            boxes[name] = text.get_bbox_patch()
        for start, end, directed in self.edges:
            arrow = {"arrowstyle": "-|>" if directed else "-", "color": palette.QUIET, "linewidth": 1.2}
            arrow |= {"patchA": boxes[start], "patchB": boxes[end], "shrinkA": 1, "shrinkB": 1}
            # Above the boxes, so that they have their final size when the ends are cut at them.
            ax.annotate("", xy=self.positions[end], xytext=self.positions[start], arrowprops=arrow, zorder=3)
        used = [kind for kind in _COLOURS if kind in kinds.values()]
        handles = [Patch(facecolor=_COLOURS[kind], edgecolor=palette.INK, label=kind) for kind in used]
        ax.legend(
            handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=len(used), frameon=False, fontsize=9
        )
        places = np.array(list(self.positions.values()))
        reach = 1.15 * max(np.abs(places[:, 0]).max(), 1.0)
        ax.set(
            xlim=(-reach, reach),
            ylim=(places[:, 1].min() - 0.25, places[:, 1].max() + 0.25),
            aspect="equal",
            title=f"Markov blanket of {chart_style.label(self.target)}",
        )
        ax.set_axis_off()
        self.ax_, self.figure_ = ax, ax.figure
        return self
