"""
A Markov blanket
================

Which measurements make all others superfluous? HITON answers with tests of conditional independence, and explains why
it dropped each of the others. The arrows are valid only under its assumptions: a causal graph, no hidden common causes,
and tests that detect every dependence.
"""

# %%

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes

from relspan import HITON
from relspan.plots import BlanketDisplay

data = load_diabetes(as_frame=True)
hiton = HITON(alpha=0.01).fit(data.data, data.target)
print("blanket:", ", ".join(hiton.blanket_))
for name in data.data:
    if name not in hiton.blanket_:
        print(hiton.why(name))

# %%

BlanketDisplay.from_estimator(hiton, target="progression")
plt.show()
