"""
In a scikit-learn pipeline
==========================

All estimators are feature selectors as well. Inside a pipeline the selection sees only the training folds, so the score
is not biased by it.
"""

# %%

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from relspan import RelevanceClassifier

wine = load_wine(as_frame=True)
two = wine.target > 0
X, y = wine.data[two], wine.target[two]
neighbours = KNeighborsClassifier()
models = {
    "all features": make_pipeline(StandardScaler(), neighbours),
    "relevant features": make_pipeline(StandardScaler(), RelevanceClassifier(n_probes=20, random_state=0), neighbours),
}
scores = {}
for title, model in models.items():
    done = cross_validate(model, X, y, cv=5, return_estimator=True)
    scores[title] = done["test_score"]
    print(f"{title}: {done['test_score'].mean():.3f}")
sizes = [len(fitted[1].get_feature_names_out()) for fitted in done["estimator"]]
print(f"features chosen in each fold: {sizes} of {X.shape[1]}")

# %%

figure, ax = plt.subplots(figsize=(5, 3), layout="constrained")
for place, values in enumerate(scores.values()):
    ax.plot([place] * len(values), values, "o", alpha=0.5)
ax.set_xticks(range(len(scores)), list(scores))
ax.set_ylabel("accuracy per fold")
ax.set_xlim(-0.5, len(scores) - 0.5)
plt.show()
