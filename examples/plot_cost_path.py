"""
Along C: which model is the best one?
=====================================

C is the price of the loss. It is chosen by cross-validation; the path shows the results of other choices.
"""

# %%

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from relspan import RelevanceClassifier
from relspan.plots import PathDisplay

data = load_iris(as_frame=True)
two = data.target > 0
X, y = data.data[two], data.target_names[data.target[two]]
clf = RelevanceClassifier(random_state=0).fit(X, y)
print(clf.result_)

# %%
# The intervals of each feature, and the score by which C was chosen.

PathDisplay.from_explorer(clf.explore(), "C")
plt.show()
