"""
One profile, or an interval for every feature
=============================================

Figure 4 of the paper on metric learning. A metric was learned for the xor data: X4 alone carries one of the two factors
of the class, X1, X2 and X3 are three measurements of the other one, and X5 and X6 carry nothing. Lasso, elastic net and
ridge regression each explain the learned map by one profile. The Lasso prefers a copy, by chance. The other two divide
the weight among the copies, so that each of them seems to be half as important as X4. The intervals on the right show
what is true of every equivalent map: X4 is needed, and each of X1, X2 and X3 can do the work of all three, or none.

A. Schulz, B. Mokbel, M. Biehl, B. Hammer, "Inferring feature relevances from metric learning", IEEE SSCI 2015.
"""

# %%

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import Ridge, enet_path, lasso_path

from relspan import GMLVQ, MetricRelevance
from relspan.plots import MetricProfileDisplay
from relspan.simulate import make_xor

X, y = make_xor(400, random_state=0)
learner = GMLVQ(n_prototypes=2, rank=1, n_starts=6)
model = MetricRelevance(learner, effective_dimension=3, delta_norm=0.02, n_probes=10, random_state=0).fit(X, y)
image = X @ model.rows_[0].row
paths = {
    "Lasso": lasso_path(X, image, eps=1e-4)[1],
    "elastic net": enet_path(X, image, l1_ratio=0.5, eps=1e-4)[1],
    "ridge": np.transpose([Ridge(alpha=a, fit_intercept=False).fit(X, image).coef_ for a in np.geomspace(1e6, 1, 100)]),
}

# %%
# The same colours and line styles stand for the same feature in all panels.

styles = [("tab:blue", "-"), ("tab:blue", "--"), ("tab:blue", ":"), ("tab:red", "-"), ("0.6", "-"), ("0.6", "--")]
figure, axes = plt.subplots(1, 4, figsize=(13, 3.6), sharey=True, layout="constrained")
for ax, (name, weights) in zip(axes, paths.items(), strict=False):
    sizes = np.abs(weights)
    for j, (colour, line) in enumerate(styles):
        ax.plot(sizes.sum(axis=0), sizes[j], color=colour, linestyle=line, label=f"X{j + 1}")
    ax.set(title=name, xlabel="L1 norm of the profile")
    ax.spines[["top", "right"]].set_visible(False)
axes[0].set_ylabel("absolute weight")
axes[0].legend(frameon=False)
MetricProfileDisplay.from_estimator(model, row=0, ax=axes[3])
axes[3].set_xticks(range(6), [f"X{j}" for j in range(1, 7)])
axes[3].set(ylabel="", title="intervals of the learned row")
plt.show()
