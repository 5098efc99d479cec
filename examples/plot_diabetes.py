"""
Regression: what drives the progression of diabetes?
====================================================

The table contains ten measurements of 442 patients, and the progression of their disease one year later. The six blood
values s1 to s6 overlap.
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
# The signed intervals show the direction: in every equally good model, a higher body mass index and a higher blood
# pressure raise the prediction.

result.plot(signed=True, everything=True)
plt.show()
