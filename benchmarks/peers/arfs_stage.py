"""Run under the peer's own Python: draw tables with the authors' generator, the package `arfs_gen`, which `fri` needs.

PYTHON arfs_stage.py OUT.npz ROWS STRONG WEAK IRRELEVANT FIRST_SEED DRAWS
"""

import contextlib
import io
import sys

import numpy as np
from arfs_gen import genClassificationData

if __name__ == "__main__":
    out, *sizes = sys.argv[1:]
    rows, strong, weak, irrelevant, first, draws = map(int, sizes)
    tables = []
    for seed in range(first, first + draws):
        with contextlib.redirect_stdout(io.StringIO()):  # it reports every table
            tables.append(
                genClassificationData(
                    n_samples=rows,
                    n_features=strong + weak + irrelevant,
                    n_redundant=weak,
                    n_strel=strong,
                    random_state=seed,
                )
            )
    np.savez(out, X=[X for X, _ in tables], y=[y for _, y in tables])
