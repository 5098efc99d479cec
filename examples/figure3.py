"""What if? Figure 3 of the FRI paper, on simulated data: python examples/figure3.py [FILE.png] (needs matplotlib).

Four features are strongly relevant, three are copies of each other, and one is noise. First, feature 5, one of the
copies, is pinned to its least relevance: the other two take over, and no interval changes. Then it is pinned to its
largest: nothing is left for its copies, and since the whole budget is used up, every interval shrinks to nearly a
point.

The budget here is narrow, as in the paper. With the wider default budgets the copies keep an interval in the last
panel, because a copy of the opposite sign can cancel a part of the pinned one; only the sum of the copies matters for
predictions. The benchmark `fri-figure3` shows both.

L. Pfannschmidt, C. Göpfert, U. Neumann, D. Heider, B. Hammer, "FRI - Feature Relevance Intervals for Interpretable and
Interactive Data Exploration", CIBCB 2019.
"""

from __future__ import annotations

import sys

import matplotlib.pyplot as plt

from relspan import RelevanceClassifier, RelevanceResult
from relspan.simulate import simulate

COLOURS = {"strong": "#0072b2", "weak": "#e69f00", "irrelevant": "#999999"}


def draw(ax: plt.Axes, result: RelevanceResult, before: RelevanceResult, pinned: str | None, title: str) -> None:
    """Intervals as bars, above what they were without the pin."""
    for row, (feature, was) in enumerate(zip(result.features, before.features, strict=True)):
        ax.barh(row, was.max - was.min, left=was.min, height=0.6, color="#e8e8e8")
        colour = COLOURS[was.relevance]
        ax.barh(row, feature.max - feature.min, left=feature.min, height=0.36, color=colour)
        ax.plot([feature.min, feature.max], [row, row], "|", color=colour, markersize=11, markeredgewidth=2)
        if feature.name == pinned:
            ax.plot(feature.max, row, "o", color="black", markersize=6)
    ax.set_title(title, fontsize=10, loc="left")
    ax.set_xlabel("relevance, share of the best model's norm")
    ax.set_xlim(left=-0.006)
    ax.spines[["top", "right"]].set_visible(False)


def main(path: str) -> None:
    data = simulate(200, strong=4, weak=3, irrelevant=1, copies=2, random_state=1)
    clf = RelevanceClassifier(loss_budget="combined", delta_norm=0.01, random_state=0).fit(data.X, data.y)
    explorer, before = clf.explore(), clf.result_
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.4), sharey=True, sharex=True, layout="constrained")
    draw(axes[0], before, before, None, "no pin")
    for ax, demand in zip(axes[1:], ("min", "max"), strict=True):
        result = explorer.pin("x4", demand).result
        draw(ax, result, before, "x4", f"feature 5 at its {demand}imum")
        print(f"feature 5 at its {demand}imum\n{explorer.compare('unpinned')}\n")
    axes[0].set_yticks(range(8), [f"feature {j + 1}" for j in range(8)])
    axes[0].invert_yaxis()
    figure.savefig(path, dpi=130)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "figure3.png")
