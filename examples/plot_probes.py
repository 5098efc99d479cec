"""
How far does chance reach?
==========================

Permuted columns are irrelevant for certain. What they reach within the same budgets tells where relevance begins.
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
# The histogram is of the probes' ends, the marks above are the features. One of them lies where chance reaches, too.

ProbeDisplay.from_estimator(clf, feature="mean symmetry")
plt.show()
