"""
How far does chance reach?
==========================

Permuted columns are certainly irrelevant. How far they reach within the same budgets is the unit in which the reach of
a feature is measured, one half of the evidence for its class.
"""

# %%

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from relspan import RelevanceClassifier
from relspan.plots import ProbeDisplay

data = load_breast_cancer(as_frame=True)
X = data.data[[name for name in data.data if name.startswith("mean")]]
clf = RelevanceClassifier(random_state=0).fit(X, data.target)
print(f"chance reaches {clf.result_.thresholds['relevant']:.3f}")

# %%
# The histogram shows the ends of the probes, and the marks above it are the features. The reach of chance does not
# separate the classes by itself: the other half of the evidence is how far the target moves with a feature.

ProbeDisplay.from_estimator(clf, feature="mean symmetry")
plt.show()
