"""
How much do the classes hang on the budgets?
============================================

"Equally good" is a choice. The path shows every interval as more loss is given up.
"""

# %%

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from relspan import RelevanceClassifier

data = load_breast_cancer(as_frame=True)
X = data.data[[name for name in data.data if name.startswith("mean")]]
clf = RelevanceClassifier(random_state=0).fit(X, data.target)
path = clf.explore().path("delta_loss", np.linspace(0.0, 0.1, 11).tolist())

# %%
# A band whose lower edge is above zero at the dotted line, the default, is a strong feature. The further to the right
# it meets zero, the less the class hangs on the budget.

figure, axes = plt.subplots(2, 5, figsize=(11, 4), sharex=True, sharey=True, layout="constrained")
for ax, name in zip(axes.ravel(), X, strict=True):
    ends = path.interval(name)
    ax.fill_between(path.values, ends[:, 0], ends[:, 1], color="#e69f00", alpha=0.6)
    ax.axvline(0.02, color="black", linestyle=":", linewidth=1)
    ax.set_title(name, fontsize=9)
figure.supxlabel("share of the explained loss that may be given up")
figure.supylabel("relevance")
plt.show()
