"""The L2-regularised best model, a quadratic program, by an interior point method (Clarabel).

    min  1/2 ||w||_2^2 + C c.x      over w, b, x >= 0
    s.t. F w + O b + x >= h,   lower <= A (w, b) <= upper

The baseline of Göpfert et al. 2017 and of the reject option paper. The former prints the norm unsquared. Its models
are the same ones, each at another C, because the gradient of the norm is that of half its square, divided by the norm.
Only the model's norm and its loss enter the family, which is bounded by the L1 norm for every baseline; both are
evaluated by the plain formulas on (w, b).

This is the only file that imports clarabel.
"""

from __future__ import annotations

from collections.abc import Iterator

import clarabel
import numpy as np
from scipy import sparse

from relspan.arrays import Floats
from relspan.engines.solver_runs import counted_run
from relspan.errors import SolverError
from relspan.family import Constraints, HingeRows
from relspan.tolerances import QUADRATIC_TOLERANCE


def ridge_models(
    rows: HingeRows, costs: Floats, constraints: Constraints | None = None
) -> Iterator[tuple[Floats, Floats]]:
    """Model (w, b) and multipliers of the hinge rows for each C in turn."""
    rows = rows.with_scores_of_their_own()
    paid = np.flatnonzero(rows.costs > 0)
    F, O = sparse.csc_array(rows.features[paid]), sparse.csc_array(rows.offsets[paid])
    m, d, k = len(paid), rows.n_features, rows.n_offsets
    eye = sparse.eye_array(m)
    # (w, b, x): the hinge rows, then x >= 0, then the constraints' finite sides;  A z + s = b,  s >= 0
    blocks = [
        sparse.hstack([-F, -O, -eye]),
        sparse.hstack([sparse.csc_array((m, d + k)), -eye]),
    ]
    right = [-rows.heights[paid], np.zeros(m)]
    if constraints is not None:
        for sign, side in ((1.0, constraints.upper), (-1.0, constraints.lower)):
            finite = np.isfinite(side)
            sides = np.hstack([constraints.features[finite], constraints.offsets[finite]])
            blocks.append(sparse.hstack([sparse.csc_array(sign * sides), sparse.csc_array((int(finite.sum()), m))]))
            right.append(sign * side[finite])
    A, b = sparse.csc_matrix(sparse.vstack(blocks)), np.concatenate(right)
    P = sparse.csc_matrix(sparse.diags_array(np.concatenate([np.ones(d), np.zeros(k + m)])))
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = QUADRATIC_TOLERANCE
    for C in costs:
        q = np.concatenate([np.zeros(d + k), C * rows.costs[paid]])
        with counted_run():
            found = clarabel.DefaultSolver(P, q, A, b, [clarabel.NonnegativeConeT(len(b))], settings).solve()
        if str(found.status) not in ("Solved", "AlmostSolved"):
            raise SolverError(f"the quadratic program of the L2 baseline ended with status {found.status} at C = {C:g}")
        multipliers = np.zeros(rows.n_rows)
        multipliers[paid] = np.maximum(0.0, np.array(found.z[:m]))
        yield np.array(found.x[: d + k]), multipliers
