"""
Ordered classes: grades of a disease
====================================

The target is the progression of diabetes in four grades. Ordered classes are less than numbers, since their distances
have no meaning, and more than names. One weight vector and three ordered thresholds separate them.
"""

# %%

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes

from relspan import OrdinalRelevanceClassifier

data = load_diabetes(as_frame=True)
grade = np.digitize(data.target, np.quantile(data.target, [0.25, 0.5, 0.75]))
clf = OrdinalRelevanceClassifier(C=0.05, n_probes=20, random_state=0).fit(data.data, grade)
print(clf.result_)

# %%
# The scores of the best model in each grade.

scores = data.data.to_numpy() @ clf.coef_.ravel()
figure, ax = plt.subplots(figsize=(7, 3), layout="constrained")
ax.boxplot(
    [scores[grade == k] for k in range(4)], orientation="horizontal", tick_labels=[f"grade {k}" for k in range(4)]
)
ax.set_ylabel("score of the best model")
plt.show()
