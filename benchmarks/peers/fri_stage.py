"""Run under the peer's own Python: time stages of the `fri` package on a table, and print its answer as JSON.

    PYTHON fri_stage.py bounds DATA.npz C DELTA      the bounds of all features at a fixed C, both slacks = DELTA
    PYTHON fri_stage.py pins DATA.npz C DELTA J ...  the same, then all bounds again with feature J at its least, half
                                                     its largest and its largest relevance (`constrained_intervals`)
    PYTHON fri_stage.py fit DATA.npz [DELTA]         the whole fit with the package's defaults, or both slacks = DELTA;
                                                     its classes, and its best model's accuracy on the same rows

`fri` 9.0.0 needs `importlib_metadata`, `attrs` and numpy < 1.27 installed beside it.
"""

import json
import sys
import warnings
from time import process_time

import numpy as np

warnings.simplefilter("ignore")


def stage_of(X, y, C, delta, n_probes=20):
    from fri.compute import RelevanceBoundsIntervals
    from fri.model.classification import Classification

    problem = Classification(C=C, w_l1_slack=delta, loss_slack=delta)
    X, y = problem.preprocessing((X, y))
    best = problem.get_initmodel_template(C=C)
    best.fit(X, y)
    return RelevanceBoundsIntervals((X, y), problem, best, np.random.RandomState(0), n_probes, 1, 0), best


def bounds(X, y, C, delta):
    stage, best = stage_of(X, y, C, delta)
    begin = process_time()
    found = stage.compute_relevance_bounds(np.arange(X.shape[1]))
    seconds = process_time() - begin
    constraints = {key: float(value) for key, value in stage.init_constraints.items()}
    return {"seconds": seconds, "bounds": found.tolist(), "norm": float(best.L1_factor), "budgets": constraints}


def pins(X, y, C, delta, features):
    stage, best = stage_of(X, y, C, delta, n_probes=40)  # 40: the package's default
    free = stage.compute_relevance_bounds(np.arange(X.shape[1])) / best.L1_factor
    steps = []
    for j in features:
        for asked, value in (("min", free[j, 0]), ("half", free[j, 1] / 2), ("max", free[j, 1])):
            begin = process_time()
            found = stage.compute_multi_preset_relevance_bounds({j: [value, value]})
            middle = process_time()
            signed = stage._add_sign_to_preset({j: [value * best.L1_factor] * 2})
            stage.compute_relevance_bounds(np.arange(X.shape[1]), presetModel=signed)
            steps.append(
                {
                    "feature": j,
                    "asked": asked,
                    "value": float(value),
                    "seconds": middle - begin,
                    "bounds_seconds": process_time() - middle,
                    "bounds": np.asarray(found).tolist(),
                }
            )
    return {"steps": steps, "free": free.tolist()}


def fit(X, y, *slack):
    from fri import FRI, ProblemName

    slacks = {"w_l1_slack": slack[0], "loss_slack": slack[0]} if slack else {}
    begin = process_time()
    model = FRI(ProblemName.CLASSIFICATION, random_state=0, n_jobs=1, **slacks)
    model.fit(X, y)
    seconds = process_time() - begin
    right = model.optim_model_.predict(X) == np.where(y == np.unique(y)[1], 1, -1)
    classes = [int(c) for c in model.relevance_classes_]
    return {"seconds": seconds, "classes": classes, "training_accuracy": float(right.mean())}


if __name__ == "__main__":
    data = np.load(sys.argv[2])
    if sys.argv[1] == "bounds":
        answer = bounds(data["X"], data["y"], float(sys.argv[3]), float(sys.argv[4]))
    elif sys.argv[1] == "pins":
        answer = pins(data["X"], data["y"], *map(float, sys.argv[3:5]), [int(float(j)) for j in sys.argv[5:]])
    else:
        answer = fit(data["X"], data["y"], *map(float, sys.argv[3:]))
    print("ANSWER " + json.dumps(answer))
