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
from relspan.plots import PathDisplay

data = load_breast_cancer(as_frame=True)
X = data.data[[name for name in data.data if name.startswith("mean")]]
clf = RelevanceClassifier(random_state=0).fit(X, data.target)
path = clf.explore().path("delta_loss", np.linspace(0.0, 0.1, 11).tolist())

# %%
# A band whose lower edge is above zero at the value in use is a strong feature. The further to the right it meets zero,
# the less the class hangs on the budget.

PathDisplay.from_result(path, clf.result_)
plt.show()
