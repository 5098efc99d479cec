"""
What if one measurement were not there?
=======================================

Radius, perimeter and area of a tumour measure the same thing. Pin one, and see who moves.
"""

# %%

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from relspan import RelevanceClassifier

data = load_breast_cancer(as_frame=True)
X = data.data[[name for name in data.data if name.startswith("mean")]]
clf = RelevanceClassifier(random_state=0).fit(X, data.target)
explorer = clf.explore()

# %%
# Three scenarios: no pins; without radius and perimeter; the radius at its largest.

scenarios = {"no pin": clf.result_}
scenarios["without radius, perimeter"] = explorer.without("mean radius", "mean perimeter").result
scenarios["radius at its maximum"] = explorer.unpin().pin("mean radius", "max").result
figure, axes = plt.subplots(1, 3, figsize=(11, 3.5), sharex=True, sharey=True, layout="constrained")
for ax, (title, result) in zip(axes, scenarios.items(), strict=True):
    for row, (feature, before) in enumerate(zip(result.features, clf.result_.features, strict=True)):
        ax.plot([before.min, before.max], [row, row], color="#dddddd", linewidth=9)
        needed = feature.min > 1e-3
        ax.plot([feature.min, feature.max], [row, row], color="#0072b2" if needed else "#e69f00", linewidth=4)
    ax.set_title(title, fontsize=10)
    ax.set_xlabel("relevance")
axes[0].set_yticks(range(X.shape[1]), [name.removeprefix("mean ") for name in X])
plt.show()

# %%
# Blue bars start above zero. Without radius and perimeter the area is needed. With all three forbidden nothing is
# left, and the refusal names the pins that collide:

from relspan.errors import InfeasiblePins  # noqa: E402

try:
    explorer.unpin().without("mean radius", "mean perimeter", "mean area")
except InfeasiblePins as refused:
    print(refused)
