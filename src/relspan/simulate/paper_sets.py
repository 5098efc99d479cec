r"""The simulated sets of the papers, by their names and numbers.

**Classification.** ESANN Data I to III are those of [1]_; Sim1 to Sim5 those of [2]_. The sizes are theirs; the drawing
is that of :mod:`relspan.simulate.draws`, with all weak features in one group.

**Reject option.** The three two-dimensional sets of [3]_:

1. Unequal noise. Both features are the same :math:`u`, uniform in :math:`[-1, 1]` on the label's side of 0, plus
   :math:`N(0, .02)`. Near the boundary, feature 0 gets more noise :math:`N(0, .2)` with probability
   :math:`.5 (1 - |x_0|)^3`, feature 1 with :math:`.2 (1 - |x_1|)^3`; all times 8.
2. Equal noise. :math:`U(-1, 1)^2`, the second coordinate times :math:`(1 - |x_0|)^2`, labels
   :math:`\operatorname{sign}(x_0 + N(0, .2))`, the first coordinate times 2, rotated by :math:`.3 \pi`, times 10.
3. Few samples near the boundary. :math:`N(0, 5)`, the second coordinate times .1. The two halves of this cloud are
   the classes; each is moved by 12 along the first coordinate, across the other half, and all is rotated by
   :math:`\pi / 4`.

**Metric learning.** The xor data of [4]_: two factors decide the class, one of them measured three times. With z1, z2
drawn from {-1, +1}, the class is y = [z1 z2 > 0] and

    u = z1 + .15 N,   v = z2 + .15 N
    X1, X2, X3 = u + .1 N each,   X4 = v,   X5 = X6 = one N(0, 1),

every column z-scored. So X4 is strongly relevant, X1, X2 and X3 stand in for each other (weakly relevant), and X5, X6
carry nothing; being equal, they also hide each other's weights from the data. The paper names neither the sample size
nor the noise; the values here give its Figure 3.

References
----------
.. [1] C. Göpfert, L. Pfannschmidt, B. Hammer, "Feature relevance bounds for linear classification", ESANN 2017.
.. [2] L. Pfannschmidt, C. Göpfert, U. Neumann, D. Heider, B. Hammer, "FRI: feature relevance intervals for
   interpretable and interactive data exploration", CIBCB 2019.
.. [3] C. Göpfert, J. P. Göpfert, B. Hammer, "Analyzing feature relevance for linear reject option SVM using relevance
   intervals", 2018.
.. [4] A. Schulz, B. Mokbel, M. Biehl, B. Hammer, "Inferring feature relevances from metric learning", IEEE SSCI 2015.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Floats
from relspan.checks import MOST_ENTRIES, one_of, random_generator, whole
from relspan.errors import ParameterError
from relspan.simulate.dataset import Simulated, simulate
from relspan.simulate.draws import generator

REJECT_SIZES = {1: 2000, 2: 1000, 3: 2000}
FACTOR_NOISE = 0.15
COPY_NOISE = 0.1


class PaperSet(NamedTuple):
    """Sizes of one set.

    Parameters
    ----------
    n_samples : int
        The number of rows.
    strong : int
        The number of features that nothing can replace.
    weak : int
        The number of features that can replace each other.
    irrelevant : int
        The number of features that carry nothing about the target.

    See Also
    --------
    simulate_named : Draw one of the sets.

    Examples
    --------
    >>> from relspan.simulate import PAPER_SETS
    >>> PAPER_SETS["Sim1"]
    PaperSet(n_samples=500, strong=4, weak=4, irrelevant=22)
    """

    n_samples: int
    strong: int
    weak: int
    irrelevant: int


PAPER_SETS: Mapping[str, PaperSet] = MappingProxyType(
    {
        "I": PaperSet(150, 6, 0, 6),
        "II": PaperSet(150, 0, 6, 6),
        "III": PaperSet(150, 3, 4, 3),  # as printed: ten features, where the other two have twelve
        "Sim1": PaperSet(500, 4, 4, 22),
        "Sim2": PaperSet(500, 12, 8, 10),
        "Sim3": PaperSet(500, 4, 0, 26),
        "Sim4": PaperSet(500, 18, 0, 12),
        "Sim5": PaperSet(500, 0, 20, 10),
    }
)


def simulate_named(
    name: str, random_state: int | np.random.Generator | None = None, *, task: str | None = None
) -> Simulated:
    """Simulate a classification set of the papers.

    Parameters
    ----------
    name : str
        "I", "II", "III" (ESANN 2017) or "Sim1" to "Sim5" (CIBCB 2019).
    random_state : int, Generator or None, default=None
        The same number gives the same data.
    task : str, default=None
        The task that the target is drawn for, as in `simulate`. The papers' sets have two classes; targets of other
        tasks share their columns and score.

    Returns
    -------
    Simulated
        The table, its target, and the truth about them.

    See Also
    --------
    simulate : Any mix of strong, weak and irrelevant features.

    Examples
    --------
    >>> from relspan.simulate import simulate_named
    >>> simulate_named("II", 0).X.shape
    (150, 12)
    """
    return simulate(*PAPER_SETS[one_of("name", name, PAPER_SETS)], task=task, random_state=random_state)


def simulate_rejectable(
    number: int, random_state: int | np.random.Generator | None = None
) -> tuple[Floats, NDArray[np.int64]]:
    """Simulate a two-dimensional set of the reject option paper.

    Parameters
    ----------
    number : int
        1 for unequal noise, 2 for equal noise, 3 for two halves of a cloud with few samples between them.
    random_state : int, Generator or None, default=None
        The same number gives the same data.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
        The points.
    y : ndarray of shape (n_samples,)
        Their labels, -1 and 1.

    See Also
    --------
    relspan.RejectRelevanceClassifier : Relevance for models that may abstain.

    Examples
    --------
    >>> from relspan.simulate import simulate_rejectable
    >>> X, y = simulate_rejectable(2, random_state=0)
    >>> X.shape, y.shape
    ((1000, 2), (1000,))
    """
    if whole("number", number) not in REJECT_SIZES:
        raise ParameterError(f"number must be 1, 2 or 3, not {number!r}")
    rng, n = generator(random_state), REJECT_SIZES[number]
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
        return 10 * _rotated(X, 0.3 * np.pi), y
    X = rng.normal(0, 5, (n, 2)) * [1.0, 0.1]
    y = np.where(X[:, 0] < 0, 1, -1)
    X[:, 0] += 12 * y  # each half moves across the origin, so that samples are dense at 12 and few near 0
    return _rotated(X, np.pi / 4), y


def make_xor(n_samples: int = 400, random_state: Any = None) -> tuple[Floats, NDArray[np.int64]]:
    """Simulate the xor data of the metric-learning paper: X4 strong, X1 to X3 weak, X5 and X6 irrelevant.

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

    See Also
    --------
    relspan.MetricRelevance : Relevance in a learned metric.

    Examples
    --------
    >>> from relspan.simulate import make_xor
    >>> X, y = make_xor(100, random_state=0)
    >>> X.shape, int(y.sum())
    ((100, 6), 50)
    """
    hint = "fewer leave a cluster of the xor empty"
    n_samples = whole("n_samples", n_samples, at_least=4, at_most=MOST_ENTRIES, hint=hint)
    rng = random_generator("random_state", random_state)
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


def _rotated(X: Floats, angle: float) -> Floats:
    """Points of the plane, turned counter-clockwise."""
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(X @ turn.T)
