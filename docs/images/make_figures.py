"""Draw the README's picture from a result: python docs/images/make_figures.py (needs matplotlib)."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from relspan import RelevanceClassifier, RelevanceResult
from relspan.tables import NamedMatrix

COLOURS = {"strong": "#0072b2", "weak": "#e69f00", "irrelevant": "#999999"}
MARKS = {"strong": "●", "weak": "◐", "irrelevant": "·"}


def draw(result: RelevanceResult, one_model: dict[str, float], title: str, path: Path) -> None:
    """Intervals as bars, the weights of one best model as dots."""
    order = sorted(result.features, key=lambda f: (("irrelevant", "weak", "strong").index(f.relevance), f.max))
    figure, ax = plt.subplots(figsize=(8, 0.22 * len(order) + 1.2), layout="constrained")
    for row, feature in enumerate(order):
        colour = COLOURS[feature.relevance]
        ax.plot([feature.min, feature.max], [row, row], color=colour, linewidth=5, solid_capstyle="butt", zorder=2)
        weight = one_model[feature.name]
        ax.plot(weight, row, "o", color="black", markersize=4, fillstyle="full" if weight else "none", zorder=3)
    ax.axvline(result.thresholds["relevant"], color="black", linewidth=0.8, linestyle=":", zorder=1)
    ax.set_yticks(range(len(order)), [f"{f.name} {MARKS[f.relevance]}" for f in order], fontsize=8)
    ax.set_ylim(-0.7, len(order) - 0.3)
    ax.set_xlim(left=-0.01)
    ax.set_xlabel("relevance |weight|, as a share of the best model's L1 norm")
    ax.set_title(title, fontsize=10, loc="left")
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.tick_params(axis="y", length=0)
    handles = [
        plt.Line2D([], [], color=COLOURS[k], linewidth=5, label=f"{MARKS[k]} {k}") for k in COLOURS if result.names(k)
    ]
    handles.append(plt.Line2D([], [], color="black", marker="o", markersize=4, linestyle="", label="one best model"))
    handles.append(plt.Line2D([], [], color="black", linewidth=0.8, linestyle=":", label="as far as chance reaches"))
    ax.legend(handles=handles, loc="lower right", fontsize=8, frameon=False)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def breast_cancer(folder: Path) -> None:
    data = load_breast_cancer()
    names = tuple(map(str, data.feature_names))
    estimator = RelevanceClassifier(random_state=0).fit(NamedMatrix(data.data, names), data.target)
    result = estimator.result_
    weights = np.abs(estimator.coef_[0] * data.data.std(axis=0)) / result.baseline["l1_norm"]
    used = int((weights > 0).sum())
    title = (
        f"Breast cancer, {len(data.data)} tumours: one best L1 model uses {used} of {len(names)} measurements;\n"
        f"{len(names) - len(result.names('irrelevant'))} reach beyond chance in models that are as good, "
        f"{len(result.names('strong'))} are needed by all of them"
    )
    draw(result, dict(zip(names, weights.tolist(), strict=True)), title, folder / "breast_cancer.png")


if __name__ == "__main__":
    breast_cancer(Path(__file__).parent)
