"""From the rows of a map to the map as a whole: how the weights of one feature in several rows make one relevance.

    "squares"   relevance_j = ( sum_r w_rj^2 )^(1/2), as in the profile Lambda_jj = sum_r Omega_rj^2
    "sum"       relevance_j = sum_r |w_rj|, the paper's "sum of the absolute values" (its Figure 8)

Sums of squares change less under rotations among rows of nearly equal eigenvalue than sums of sizes do; they do change.
For a map with one row both are |w_j|.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from relspan.arrays import Floats

COMBINATIONS: Mapping[str, Callable[[Floats], Floats]] = {
    "squares": lambda weights: np.asarray(np.sqrt(np.sum(weights**2, axis=0))),
    "sum": lambda weights: np.asarray(np.sum(np.abs(weights), axis=0)),
}
"""By name: what makes of the weights in all rows, shape (n_rows, ...), those of the whole map, shape (...)."""
