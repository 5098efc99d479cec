"""
Which pixels distinguish a 3 from an 8?
=======================================

Neighbouring pixels carry much the same information, so hardly any single one is needed. The map of the largest
relevance shows where the information is; the map of one best model shows only a few specks of it.
"""

# %%

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from relspan import RelevanceClassifier

digits = load_digits()
chosen = np.isin(digits.target, (3, 8))
X, y = digits.data[chosen], digits.target[chosen]
clf = RelevanceClassifier(n_probes=30, random_state=0).fit(X, y)
print(f"{(clf.relevance_ == 2).sum()} strong, {(clf.relevance_ == 1).sum()} weak of {X.shape[1]} pixels")

# %%
# Two bright pixels in the top right corner are a warning. They are lit in one and in two of 357 images, so their
# standard deviation is tiny. Scaled to one, they can carry much weight at little cost. Remove columns that hardly vary
# beforehand.

maps = {
    "mean 8 minus mean 3": X[y == 8].mean(axis=0) - X[y == 3].mean(axis=0),
    "one best model": clf.coef_[0] * X.std(axis=0),
    "largest relevance": clf.intervals_[:, 1],
    "class (0, 1 weak, 2 strong)": clf.relevance_,
}
figure, axes = plt.subplots(1, 4, figsize=(11, 3), layout="constrained")
for ax, (title, values) in zip(axes, maps.items(), strict=True):
    limit = 2 if title.startswith("class") else np.abs(values).max()
    signed = values.min() < 0
    ax.imshow(values.reshape(8, 8), vmin=-limit if signed else 0, vmax=limit, cmap="RdBu" if signed else "viridis")
    ax.set_title(title, fontsize=10)
    ax.set_axis_off()
plt.show()
