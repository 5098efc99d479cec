"""
Which features replace each other?
==================================

Each feature in turn is held at its largest relevance. Features whose intervals shrink compete with it: they carry the
same information.
"""

# %%

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from relspan import RelevanceClassifier
from relspan.plots import ExchangeGraphDisplay, SubstitutionDisplay

data = load_breast_cancer(as_frame=True)
X = data.data[[name for name in data.data if name.startswith("mean")]]
explorer = RelevanceClassifier(random_state=0).fit(X, data.target).explore()
groups = explorer.groups()
print(groups)

# %%
# The figures show the matrix behind the groups, and the groups as a graph.

SubstitutionDisplay.from_result(explorer.substitution(), at="min", groups=groups)
ExchangeGraphDisplay.from_result(groups, explorer.result)
plt.show()
