"""
Who replaces whom?
==================

Hold each feature at its largest relevance in turn. Features whose intervals shrink compete with it: they tell the
same.
"""

# %%

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from relspan import RelevanceClassifier

data = load_breast_cancer(as_frame=True)
X = data.data[[name for name in data.data if name.startswith("mean")]]
explorer = RelevanceClassifier(random_state=0).fit(X, data.target).explore()
groups = explorer.groups()
print(groups)

# %%
# The matrix behind the groups: how far the upper end of the column's feature falls when the row's feature is held at
# its maximum.

found = explorer.substitution()
names = [name.removeprefix("mean ") for name in found.features]
fall = found.intervals[:, 1] - found.at_max[:, :, 1]
np.fill_diagonal(fall, np.nan)
figure, ax = plt.subplots(figsize=(6, 5), layout="constrained")
picture = ax.imshow(fall, cmap="viridis")
ax.set_xticks(range(len(names)), names, rotation=90)
ax.set_yticks(range(len(names)), names)
figure.colorbar(picture, label="fall of the largest relevance")
plt.show()
