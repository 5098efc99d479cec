"""Run under the peer's own Python: the data sets of scikit-survival, and an elastic-net Cox model on their folds.

    PYTHON coxnet_stage.py DATA.npz NAME    writes the table X, time t, event e, the fold of every row, and the
                                            concordance (Harrell) of each held-out fold

The price of the norm is chosen by the concordance over 5 inner folds among 50 values; categories are one-hot.
"""

import sys
import warnings

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold
from sksurv import datasets
from sksurv.linear_model import CoxnetSurvivalAnalysis
from sksurv.metrics import concordance_index_censored

warnings.simplefilter("ignore")
OUTER, INNER = 5, 5


def concordance(y, risk):
    event, time = (y[name] for name in y.dtype.names)
    return concordance_index_censored(event, time, risk)[0]


def chosen(X, y):
    """The elastic net (share .9 of the L1 norm) at the price that is best on the inner folds."""
    prices = CoxnetSurvivalAnalysis(l1_ratio=0.9, alpha_min_ratio=0.01, n_alphas=50).fit(X, y).alphas_
    total = np.zeros(len(prices))
    for train, test in KFold(INNER, shuffle=True, random_state=0).split(X):
        model = CoxnetSurvivalAnalysis(l1_ratio=0.9, alphas=prices).fit(X[train], y[train])
        total += [concordance(y[test], model.predict(X[test], alpha=price)) for price in prices]
    return CoxnetSurvivalAnalysis(l1_ratio=0.9, alphas=[prices[total.argmax()]]).fit(X, y)


if __name__ == "__main__":
    path, name = sys.argv[1:]
    frame, y = getattr(datasets, f"load_{name}")()
    X = pd.get_dummies(frame, drop_first=True).to_numpy(dtype=float)
    event, time = (y[part] for part in y.dtype.names)
    fold, found = np.empty(len(X), dtype=int), []
    for number, (train, test) in enumerate(KFold(OUTER, shuffle=True, random_state=1).split(X)):
        fold[test] = number
        mean, scale = X[train].mean(axis=0), X[train].std(axis=0)
        Z = (X - mean) / np.where(scale > 0, scale, 1.0)
        found.append(concordance(y[test], chosen(Z[train], y[train]).predict(Z[test])))
    np.savez(path, X=X, t=time.astype(float), e=event, fold=fold, peer=found)
