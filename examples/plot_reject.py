"""
A classifier that may answer "I do not know"
============================================

An error costs 1, and a rejected tumour costs r. The cheaper a rejection is, the more tumours are referred to another
test. Here all tumours whose score is at most .5 in size are rejected, whatever r is; by default the limit is r itself,
as in the paper.
"""

# %%

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from relspan import RejectOptionSVC, RejectRelevanceClassifier
from relspan.metrics import accepted_accuracy, coverage
from relspan.plots import AccuracyRejectDisplay

X, y = load_breast_cancer(return_X_y=True)
train, test, y_train, y_test = train_test_split(X, y, test_size=0.4, random_state=0)
scaler = StandardScaler().fit(train)
train, test = scaler.transform(train), scaler.transform(test)
figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
for cost in (0.05, 0.2, 0.5):
    svc = RejectOptionSVC(reject_cost=cost, C=0.1, reject_threshold=0.5).fit(train, y_train)
    rejected = svc.reject(test)
    right = accepted_accuracy(y_test, svc.predict(test), rejected)
    print(f"r = {cost}: {coverage(rejected):.1%} of unseen tumours are answered, {right:.1%} of the answers are right")
    AccuracyRejectDisplay.from_estimator(svc, test, y_test, name=f"r = {cost}", ax=ax)
ax.legend()
plt.show()

# %%
# Over all such classifiers that are as good as the best one, how much can each feature matter, and how much must it?
# The intervals are those of a rejection cost of .2; `C` is on the same scale for both estimators.

table = load_breast_cancer(as_frame=True)
model = RejectRelevanceClassifier(reject_cost=0.2, random_state=0).fit(table.data, table.target)
model.result_.plot()
plt.show()
