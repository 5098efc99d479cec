"""
Three wines: which constituents matter for which?
=================================================

With several classes, a feature has one weight per class. Its relevance is their total size. The signed intervals of
these parts show which wine the feature speaks for, and whether this is certain.
"""

# %%

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine

from relspan import RelevanceClassifier

wine = load_wine(as_frame=True)
labels = wine.target_names[wine.target]
result = RelevanceClassifier(C=0.05, n_probes=20, random_state=0).fit(wine.data, labels).result_
print(result)

# %%
# An interval above or below zero is certain: every equally good model agrees on its sign.

figure, axes = plt.subplots(1, 3, figsize=(11, 4), sharey=True, layout="constrained")
names = [feature.name for feature in result.features]
for ax, kind in zip(axes, result.features[0].parts, strict=True):
    for row, feature in enumerate(result.features):
        low, high = feature.parts[kind]
        certain = low > 0 or high < 0
        ax.plot([low, high], [row, row], color="#0072b2" if certain else "#bbbbbb", linewidth=5)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_title(kind)
axes[0].set_yticks(range(len(names)), names)
plt.show()
