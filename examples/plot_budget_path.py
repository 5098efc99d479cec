"""
How much do the classes depend on the budgets?
==============================================

What counts as equally good is a choice. The path shows how every interval changes as models may give up more loss.
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
# A feature is strong if the lower edge of its band is above zero at the value in use. The further to the right this
# edge reaches zero, the less the class depends on the budget.

PathDisplay.from_result(path, clf.result_)
plt.show()
