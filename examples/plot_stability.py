"""
Another sample, other intervals?
================================

The intervals are exact for the rows at hand. Bootstrap samples show how much they would change with other rows.
"""

# %%

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from relspan import RelevanceClassifier
from relspan.plots import StabilityDisplay

data = load_iris(as_frame=True)
two = data.target > 0
X, y = data.data[two], data.target_names[data.target[two]]
clf = RelevanceClassifier(n_probes=20, random_state=0).fit(X, y)
stability = clf.explore().stability(n_draws=20)
for name in X:
    shares = ", ".join(f"{kind} {share:.0%}" for kind, share in stability[name].classes.items() if share)
    print(f"{name}: {shares}")

# %%
# The bars are the intervals of the sample. The whiskers show where 90 % of the draws have their lower and upper ends.

StabilityDisplay.from_result(stability)
plt.show()
