"""
Two metrics for one table
=========================

GMLVQ compares tumours with prototypes, LMNN with their neighbours. Both learn a map of the same form from 110 tumours,
and both classify about equally well, as in Figures 10 and 11 of the paper on metric learning. Do they agree on the
features? The intervals of both maps answer this without the arbitrary part of the two learned profiles.

A. Schulz, B. Mokbel, M. Biehl, B. Hammer, "Inferring feature relevances from metric learning", IEEE SSCI 2015. The
paper's table, adrenal, is not public.
"""

# %%

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from relspan import GMLVQ, LMNN, MetricRelevance
from relspan.errors import RelspanWarning
from relspan.plots import EffectiveDimensionDisplay, MetricProfileDisplay

warnings.simplefilter("ignore", RelspanWarning)
X, y = load_breast_cancer(return_X_y=True, as_frame=True)
train, test, y_train, y_test = train_test_split(X, y, train_size=110, stratify=y, random_state=0)
models = {}
for learner in (GMLVQ(rank=2), LMNN(rank=2)):
    model = MetricRelevance(learner, combine="sum", probes="fixed", n_probes=10, random_state=0).fit(train, y_train)
    models[type(learner).__name__] = model
    print(
        f"{type(learner).__name__}: error {1 - model.score(train, y_train):.3f} on the tumours it learned from, "
        f"{1 - model.score(test, y_test):.3f} on others, and {1 - model.average_map().score(test, y_test):.3f} "
        f"with the average map in {model.effective_dimension_} directions"
    )

# %%
# The errors against the number of directions that are kept, and the bounds of all features.

figure, axes = plt.subplots(2, 2, figsize=(12, 8), width_ratios=(1, 2), layout="constrained")
for (left, right), (name, model) in zip(axes, models.items(), strict=True):
    EffectiveDimensionDisplay.from_estimator(model, ax=left)
    left.set_title(name)
    MetricProfileDisplay.from_estimator(model, ax=right)
plt.show()

# %%
# The five features with the largest upper bounds, for each learner.

for name, model in models.items():
    largest = np.argsort(-model.intervals_[:, 1])[:5]
    print(f"{name}: {', '.join(X.columns[largest])}")
