"""Run under the peer's own Python: the score cards of FasterRisk.

    PYTHON fasterrisk_stage.py DATA.npz LARGEST FEATURES    reads X (columns in units), y (-1 and 1) and the fold of
                                                            every row; writes for every fold and for all rows the
                                                            scores of all rows, the features in use and CPU seconds

Of the pool of cards the one with the least logistic loss on its training rows is taken, as FasterRisk orders them.
"""

import sys
import time

import numpy as np
from fasterrisk.fasterrisk import RiskScoreOptimizer

if __name__ == "__main__":
    path, largest, features = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with np.load(path) as data:
        X, y, fold = data["X"], data["y"].astype(float), data["fold"]
    scores, sizes, seconds, pools = [], [], [], []
    for number in [*range(fold.max() + 1), -1]:
        train = fold != number
        begun = time.process_time()
        model = RiskScoreOptimizer(X=X[train], y=y[train], k=features, lb=-largest, ub=largest)
        model.optimize()
        multipliers, offsets, points = model.get_models()
        seconds.append(time.process_time() - begun)
        scores.append((offsets[0] + X @ points[0]) / multipliers[0])
        sizes.append(np.count_nonzero(points[0]))
        pools.append(len(points))
    np.savez(path, scores=scores, sizes=sizes, seconds=seconds, pools=pools)
