"""
How far does chance reach?
==========================

Permuted columns are certainly irrelevant. How far they reach within the same budgets shows where relevance begins.
"""

# %%

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from relspan import RelevanceClassifier
from relspan.plots import ProbeDisplay

data = load_breast_cancer(as_frame=True)
X = data.data[[name for name in data.data if name.startswith("mean")]]
clf = RelevanceClassifier(random_state=0).fit(X, data.target)
print(f"threshold {clf.result_.thresholds['relevant']:.3f}")

# %%
# The histogram shows the ends of the probes, and the marks above it are the features. One of them lies within the reach
# of chance.

ProbeDisplay.from_estimator(clf, feature="mean symmetry")
plt.show()
