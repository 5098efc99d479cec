"""
A learned metric, read with care
================================

GMLVQ learns a map under which wines of the same kind are close to each other. Its diagonal is often read as relevance.
The intervals show how much of this reading is arbitrary: other maps treat the data in the same way but have other
diagonals.
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
# The figures show how many directions of the data matter to the learner, and the profile of the whole map.

EffectiveDimensionDisplay.from_estimator(model)
MetricProfileDisplay.from_estimator(model)
plt.show()
