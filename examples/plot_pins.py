"""
What if one measurement were not there?
=======================================

Radius, perimeter and area of a tumour measure the same thing. Pin one, and see who moves.
"""

# %%

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from relspan import RelevanceClassifier

data = load_breast_cancer(as_frame=True)
X = data.data[[name for name in data.data if name.startswith("mean")]]
clf = RelevanceClassifier(random_state=0).fit(X, data.target)
explorer = clf.explore()

# %%
# Without radius and perimeter the area is needed: its interval starts above zero. Behind each bar stands what it was.

explorer.without("mean radius", "mean perimeter").result.plot(earlier=clf.result_, sort="table", everything=True)
plt.show()

# %%
# The radius at its largest leaves nothing for its substitutes, and little room for anything else.

explorer.unpin().pin("mean radius", "max").result.plot(earlier=clf.result_, sort="table", everything=True)
plt.show()

# %%
# With all three forbidden nothing is left, and the refusal names the pins that collide:

from relspan.errors import InfeasiblePins  # noqa: E402

try:
    explorer.unpin().without("mean radius", "mean perimeter", "mean area")
except InfeasiblePins as refused:
    print(refused)
