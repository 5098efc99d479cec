"""
What if one measurement were not there?
=======================================

Radius, perimeter and area of a tumour measure the same thing. Pin one of them, and see which intervals change.
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
# Without radius and perimeter, the area is needed: its interval starts above zero. Behind each bar you see the interval
# without pins. The classes, and with them the colours, are those without pins.

explorer.without("mean radius", "mean perimeter").result.plot(sort="table", everything=True)
plt.show()

# %%
# With the radius at its largest weight, nothing is left for its substitutes, and little room for anything else.

explorer.unpin().pin("mean radius", "max").result.plot(sort="table", everything=True)
plt.show()

# %%
# If all three are forbidden, no equally good model is left. The error names the pins that conflict:

from relspan.errors import InfeasiblePins  # noqa: E402

try:
    explorer.unpin().without("mean radius", "mean perimeter", "mean area")
except InfeasiblePins as refused:
    print(refused)
