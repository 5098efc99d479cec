"""
For whom is the answer certain?
===============================

Every equally good model gives each tumour a score, the weighted sum of its measurements. If the interval of these
scores contains zero, good models disagree on the label, and no single model should decide.
"""

# %%

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from relspan import RelevanceClassifier

data = load_breast_cancer(as_frame=True)
X = data.data[[name for name in data.data if name.startswith("mean")]]
train, test, y_train, y_test = train_test_split(X, data.target, test_size=80, random_state=0)
explorer = RelevanceClassifier(random_state=0).fit(train, y_train).explore()
found = explorer.predictions(test)
right = np.array([person.label for person in found.samples]) == y_test.to_numpy()
certain = np.array([person.certain for person in found.samples])
print(f"{certain.mean():.0%} of unseen tumours are certain; of these {right[certain].mean():.0%} are right,")
print(f"of the others {right[~certain].mean():.0%}")

# %%

order = np.argsort([person.score for person in found.samples])
figure, ax = plt.subplots(figsize=(9, 3.5), layout="constrained")
for place, i in enumerate(order):
    person = found.samples[i]
    ax.plot([place, place], [person.lo, person.hi], color="#0072b2" if person.certain else "#e69f00", linewidth=2)
    if not right[i]:
        ax.plot(place, person.score, "x", color="black")
ax.axhline(0, color="black", linewidth=0.8)
ax.set_xlabel("tumours by score; crosses: the best model is wrong")
ax.set_ylabel("score")
plt.show()
