"""
Regression: what drives the progression of diabetes?
====================================================

Ten measurements of 442 patients, and the progression of the disease a year later. The six blood values s1 to s6
overlap.
"""

# %%

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes

from relspan import RelevanceRegressor

data = load_diabetes(as_frame=True)
reg = RelevanceRegressor(random_state=0).fit(data.data, data.target)
result = reg.result_
print(result)
print(f"R2 on these rows {reg.score(data.data, data.target):.2f}")

# %%
# The signed intervals: body mass index and blood pressure push upwards in every equally good model.

COLOURS = {"strong": "#0072b2", "weak": "#e69f00", "irrelevant": "#999999"}
figure, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
for row, feature in enumerate(result.features):
    ax.plot([feature.lo, feature.hi], [row, row], color=COLOURS[feature.relevance], linewidth=6)
ax.axvline(0, color="black", linewidth=0.8)
ax.set_yticks(range(len(result.features)), [feature.name for feature in result.features])
ax.set_xlabel("weight, as a share of the best model's norm")
plt.show()
