"""
Another sample, other intervals?
================================

The intervals are exact for the rows at hand. Bootstrap samples show how far they move.
"""

# %%

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from relspan import RelevanceClassifier

data = load_iris(as_frame=True)
two = data.target > 0
X, y = data.data[two], data.target_names[data.target[two]]
clf = RelevanceClassifier(n_probes=20, random_state=0).fit(X, y)
stability = clf.explore().stability(n_draws=20)
for name in X:
    shares = ", ".join(f"{kind} {share:.0%}" for kind, share in stability[name].classes.items() if share)
    print(f"{name}: {shares}")

# %%
# Bars: the intervals of the sample. Lines: where 90 % of the draws have their lower (thin) and upper (thick) ends.

figure, ax = plt.subplots(figsize=(8, 3), layout="constrained")
for row, feature in enumerate(clf.result_.features):
    drawn = stability[feature.name]
    ax.plot([feature.min, feature.max], [row, row], color="#e69f00", linewidth=8)
    ax.plot(drawn.min[::2], [row - 0.2] * 2, color="black", linewidth=1)
    ax.plot(drawn.max[::2], [row + 0.2] * 2, color="black", linewidth=2)
ax.set_yticks(range(X.shape[1]), list(X))
ax.set_xlabel("relevance")
plt.show()
