"""
Equally good classifiers that reject other samples
==================================================

Figure 1 of the paper on the reject option. Each row is one of its three simulated tables: two measurements of the same
quantity. On the left is the best classifier that may abstain. The other two are as good by the loss that is minimised,
but one gives the first feature as little weight as possible, and the other as much as possible. Rejected samples are
grey, and the dashed lines are the limits of rejection.

C. Göpfert, J. P. Göpfert, B. Hammer, "Analyzing feature relevance for linear reject option SVM using relevance
intervals", 2018.
"""

# %%

import warnings

import matplotlib.pyplot as plt

from relspan import RejectRelevanceClassifier
from relspan.errors import RelspanWarning
from relspan.plots import ExtremalModelsDisplay
from relspan.simulate import simulate_rejectable

warnings.simplefilter("ignore", RelspanWarning)
figure, axes = plt.subplots(3, 3, figsize=(12, 10.5), layout="constrained")
decisions = {}
tables = {1: "more noise in the first feature", 2: "equal noise", 3: "few samples near the boundary"}
for row, (number, title) in zip(axes, tables.items(), strict=True):
    X, y = simulate_rejectable(number, random_state=0)
    model = RejectRelevanceClassifier.as_published("reject2018", C=1 / (2 * len(y)), n_probes=5, random_state=0)
    model.fit(X, y)
    display = ExtremalModelsDisplay.from_estimator(model, X, y, feature="x0", ax=row)
    row[0].set_ylabel(f"{title}\n\nx1")
    low, high = model.intervals_[0]
    decisions[title] = model.result_.details["extremal_decisions"]
    print(f"{title}: the first feature has between {low:.0%} and {high:.0%} of the weight")
display.legend()
plt.show()

# %%
# The paper asks whether such models decide alike. Here no sample changes its class between any two of these models.
# What changes is which samples are rejected, and the true loss changes by very little.

for title, ends in decisions.items():
    print(
        f"{title}: at most {max(end['flips'] for end in ends)} flipped classes, "
        f"{max(end['newly_rejected'] for end in ends)} newly rejected and "
        f"{max(end['newly_accepted'] for end in ends)} newly answered samples; "
        f"the true loss changes by {min(end['change'] for end in ends):+.4f} to "
        f"{max(end['change'] for end in ends):+.4f}"
    )
