"""
Beside other methods
====================

Seven selectors on one table: how well they do on rows they have not seen, and how much their sets agree.
"""

# %%

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine

from relspan.compare import agreement, compare

wine = load_wine(as_frame=True)
two = wine.target < 2
methods = ["all", "relspan", "lasso", "elastic-net", "univariate", "rfe", "hiton"]
found = compare(wine.data[two], wine.target[two], list(wine.data), methods=methods, folds=3)
for outcome in found.outcomes:
    print(f"{outcome.method:12} {outcome.score:.3f}  {len(outcome.selected):2} features: {', '.join(outcome.selected)}")

# %%
# The scores are nested: selection happens inside each fold. The matrix is of the sets chosen on all rows.

matrix = np.array(agreement([outcome.selected for outcome in found.outcomes]))
figure, ax = plt.subplots(figsize=(5.5, 4.5), layout="constrained")
picture = ax.imshow(matrix, vmin=0, vmax=1, cmap="viridis")
ax.set_xticks(range(len(methods)), methods, rotation=90)
ax.set_yticks(range(len(methods)), methods)
figure.colorbar(picture, label="agreement (Jaccard)")
plt.show()
