"""Run under the peer's own Python: audits of one fitted logistic model by rashomon-py.

    PYTHON rashomon_stage.py TABLE.npz ANSWER.json

TABLE holds X and y, the price C of the loss (infinite: no penalty), and the `gap` of the mean penalised loss that
counts as equally good. ANSWER gets the ranges of all coefficients, which rows can flip, and the CPU seconds of each, at
that gap; and what an audit with the package's defaults finds and takes.
"""

import json
import sys
import time
import warnings

import numpy as np
from rashomon import audit
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

warnings.simplefilter("ignore")


def main(table: str, answer: str) -> None:
    with np.load(table) as given:
        X, y, C, gap = given["X"], given["y"], float(given["C"]), float(given["gap"])
    model = make_pipeline(StandardScaler(), LogisticRegression(C=C, tol=1e-10, max_iter=100_000)).fit(X, y)
    few = audit(model, X, y, tolerance=("absolute", gap), n_samples=10, exact_ranges=False, exact_flips=False)
    known = few.rashomon_set
    begin = time.process_time()
    d = X.shape[1]
    ranges = known.coef_extremes(np.arange(1, d + 1))  # the intercept comes first
    seconds_ranges = time.process_time() - begin
    begin = time.process_time()
    Z = model[:-1].transform(X)
    flips = known.can_flip(Z)
    seconds_flips = time.process_time() - begin
    begin = time.process_time()
    usual = audit(model, X, y, random_state=0)
    seconds_usual = time.process_time() - begin
    found = {
        "coef": model[-1].coef_[0].tolist(),
        "ranges": np.asarray(ranges, dtype=float).tolist(),
        "flips": np.asarray(flips, dtype=bool).tolist(),
        "seconds": [seconds_ranges, seconds_flips, seconds_usual],
        "usual": {
            "gap": float(usual.tolerance),
            "signs": int(usual.coefficients["sign_stable"].sum()),
            "flipped": int(usual.n_flipped),
            "ranges": str(usual.coefficient_ranges),
            "flips": str(usual.flip_method),
            "reliability": str(usual.reliability),
        },
    }
    with open(answer, "w", encoding="utf-8") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
