"""
A learned metric, read with care
================================

GMLVQ learns a map under which wines of one kind are near. Its diagonal is often read as relevance; the intervals show
how much of that is arbitrary, as maps that treat the data alike have other diagonals.
"""

# %%

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine

from relspan import GMLVQ, MetricRelevance
from relspan.plots import EffectiveDimensionDisplay, MetricProfileDisplay

wine = load_wine(as_frame=True)
learner = GMLVQ(n_starts=1, random_state=0)
model = MetricRelevance(learner, n_probes=10, random_state=0).fit(wine.data, wine.target)
print(model.result_)

# %%
# How many directions of the data matter to the learner, and the profile of the whole map.

EffectiveDimensionDisplay.from_estimator(model)
MetricProfileDisplay.from_estimator(model)
plt.show()
