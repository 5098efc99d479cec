"""The xor data of the metric-learning paper: two factors decide the class, one of them measured three times.

With z1, z2 drawn from {-1, +1}, the class is y = [z1 z2 > 0] and

    u = z1 + .15 N,   v = z2 + .15 N
    X1, X2, X3 = u + .1 N each,   X4 = v,   X5 = X6 = one N(0, 1),

every column z-scored. So X4 is strongly relevant, X1, X2 and X3 stand in for each other (weakly relevant), and X5, X6
carry nothing; being equal, they also hide each other's weights from the data.

References
----------
A. Schulz, B. Mokbel, M. Biehl, B. Hammer, "Inferring feature relevances from metric learning", IEEE SSCI 2015. The
paper names neither the sample size nor the noise; the values here give its Figure 3.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from relspan.arrays import Floats
from relspan.errors import ParameterError

FACTOR_NOISE = 0.15
COPY_NOISE = 0.1


def make_xor(n_samples: int = 400, random_state: Any = None) -> tuple[Floats, NDArray[np.int64]]:
    """Draw the six-feature xor data: X4 strong, X1 to X3 weak, X5 and X6 irrelevant.

    Parameters
    ----------
    n_samples : int, default=400
        Number of samples, shared out over the four clusters as evenly as it goes.
    random_state : int, RandomState instance or None, default=None
        Seed of the noise and of the order of the samples.

    Returns
    -------
    X : ndarray of shape (n_samples, 6)
        The features, each with mean 0 and standard deviation 1.
    y : ndarray of shape (n_samples,)
        1 where both factors have the same sign, else 0.
    """
    if n_samples < 4:
        raise ParameterError(f"n_samples={n_samples} leaves a cluster of the xor empty; take 4 or more")
    rng = check_random_state(random_state)
    cluster = rng.permutation(np.arange(n_samples) % 4)
    z1 = np.where(cluster < 2, 1.0, -1.0)
    z2 = np.where(cluster % 2 == 0, 1.0, -1.0)
    u = z1 + FACTOR_NOISE * rng.standard_normal(n_samples)
    v = z2 + FACTOR_NOISE * rng.standard_normal(n_samples)
    copies = u[:, None] + COPY_NOISE * rng.standard_normal((n_samples, 3))
    nothing = rng.standard_normal(n_samples)
    X = np.column_stack([copies, v, nothing, nothing])
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    y: NDArray[np.int64] = (z1 * z2 > 0).astype(np.int64)
    return X, y
