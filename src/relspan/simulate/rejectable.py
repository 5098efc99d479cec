r"""The three two-dimensional sets of the reject option paper, by their numbers.

Göpfert, Göpfert and Hammer, "Analyzing feature relevance for linear reject option SVM using relevance intervals", 2018.

1. Unequal noise. Both features are the same :math:`u`, uniform in :math:`[-1, 1]` on the label's side of 0, plus
   :math:`N(0, .02)`. Near the boundary, feature 0 gets more noise :math:`N(0, .2)` with probability
   :math:`.5 (1 - |x_0|)^3`, feature 1 with :math:`.2 (1 - |x_1|)^3`; all times 8.
2. Equal noise. :math:`U(-1, 1)^2`, the second coordinate times :math:`(1 - |x_0|)^2`, labels
   :math:`\operatorname{sign}(x_0 + N(0, .2))`, the first coordinate times 2, rotated by :math:`.3 \pi`, times 10.
3. Two distant clouds. :math:`N(0, 5)`, the second coordinate times .1, the first moved by 12 to its label's side,
   rotated by :math:`\pi / 4`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Floats
from relspan.errors import ParameterError
from relspan.simulate.arguments import generator

SIZES = {1: 2000, 2: 1000, 3: 2000}


def simulate_rejectable(
    number: int, random_state: int | np.random.Generator | None = None
) -> tuple[Floats, NDArray[np.int64]]:
    """X (n, 2) and labels -1 and 1 of set 1, 2 or 3 of the module's text; the same `random_state`, the same data."""
    if number not in SIZES:
        raise ParameterError(f"number must be 1, 2 or 3, not {number!r}")
    rng, n = generator(random_state), SIZES[number]
    if number == 1:
        y = rng.choice([-1, 1], n)
        X = (y * rng.uniform(0, 1, n))[:, None] + rng.normal(0, 0.02, (n, 2))
        for j, share in enumerate((0.5, 0.2)):
            noisy = rng.random(n) < share * np.maximum(0.0, 1 - np.abs(X[:, j])) ** 3
            X[noisy, j] += rng.normal(0, 0.2, int(noisy.sum()))
        return 8 * X, y
    if number == 2:
        X = rng.uniform(-1, 1, (n, 2))
        X[:, 1] *= (1 - np.abs(X[:, 0])) ** 2
        y = np.where(X[:, 0] + rng.normal(0, 0.2, n) > 0, 1, -1)
        X[:, 0] *= 2
        return 10 * rotated(X, 0.3 * np.pi), y
    y = rng.choice([-1, 1], n)
    X = rng.normal(0, 5, (n, 2)) * [1.0, 0.1]
    X[:, 0] += 12 * y
    return rotated(X, np.pi / 4), y


def rotated(X: Floats, angle: float) -> Floats:
    """Points of the plane, turned counter-clockwise."""
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(X @ turn.T)
