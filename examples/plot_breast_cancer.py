"""
One best model, and all models that are as good
===============================================

A sparse model of 30 measurements of breast tumours uses a few of them. The intervals show which of the others could
have taken their place.
"""

# %%
# The fit scales the table, chooses C by cross-validation, and computes the intervals.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from relspan import RelevanceClassifier

data = load_breast_cancer(as_frame=True)
clf = RelevanceClassifier(random_state=0).fit(data.data, data.target)
result = clf.result_
print(f"{len(result.names('strong'))} strong, {len(result.names('weak'))} weak, {len(result.names('irrelevant'))} not")

# %%
# A bar is the interval of a feature, and a dot is its weight in the best model. Many dots at zero lie on long bars.

weights = np.abs(clf.coef_[0] * data.data.std(axis=0, ddof=0)) / result.baseline["l1_norm"]
result.plot(model=dict(zip(data.data, weights, strict=True)), sort="max")
plt.show()
