"""
Along C: which model is the best one?
=====================================

C is the price of loss. It is chosen by cross-validation; the path shows what other choices would have said.
"""

# %%

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from relspan import RelevanceClassifier

data = load_iris(as_frame=True)
two = data.target > 0
X, y = data.data[two], data.target_names[data.target[two]]
clf = RelevanceClassifier(random_state=0).fit(X, y)
path = clf.explore().path("C")
print(clf.result_)

# %%

figure, axes = plt.subplots(1, 4, figsize=(11, 3), sharex=True, sharey=True, layout="constrained")
for ax, name in zip(axes, X, strict=True):
    ends = path.interval(name)
    ax.fill_between(path.values, ends[:, 0], ends[:, 1], color="#e69f00", alpha=0.6)
    ax.axvline(clf.C_, color="black", linestyle=":", linewidth=1)
    ax.set_xscale("log")
    ax.set_title(name, fontsize=10)
figure.supxlabel("C; dotted: the one chosen")
plt.show()
