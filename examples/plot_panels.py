"""
The cheapest panel
==================

From which few measurements can an equally good model be built? And what if some of them cost more than others?
"""

# %%

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from relspan import RelevanceClassifier

data = load_breast_cancer(as_frame=True)
X = data.data[[name for name in data.data if name.startswith("mean")]]
explorer = RelevanceClassifier(random_state=0).fit(X, data.target).explore()
print(explorer.smallest_panel())

# %%
# Suppose that measuring the outline, and concave points in particular, takes an expert's time.

costs = dict.fromkeys(X, 1.0) | {"mean concave points": 10.0, "mean concavity": 5.0}
panels = {"smallest": explorer.smallest_panel(), "cheapest": explorer.cheapest_panel(costs)}
panels |= {f"minimal {k + 1}": panel for k, panel in enumerate(explorer.minimal_panels(limit=6))}
for title, panel in panels.items():
    print(f"{title}: cost {sum(costs[name] for name in panel.features):g}, {', '.join(panel.features)}")

# %%

figure, ax = plt.subplots(figsize=(8, 3.5), layout="constrained")
for column, panel in enumerate(panels.values()):
    rows = [list(X).index(name) for name in panel.features]
    ax.plot([column] * len(rows), rows, "s", markersize=12, color="#0072b2")
ax.set_xticks(range(len(panels)), list(panels), rotation=30)
ax.set_yticks(range(X.shape[1]), list(X))
ax.set_xlim(-0.5, len(panels) - 0.5)
plt.show()
