r"""The columns of a simulated table, and the score behind its target.

Hidden features :math:`z_1, \dots, z_m` are independent standard normal, and the score is

.. math:: s = \sum_k v_k z_k, \qquad .5 \le |v_k| \le 1.5 .

* A *strong* column is a hidden feature itself. It is independent of every other column, so nothing replaces it, and
  its weight is bounded away from zero, so the score cannot do without it.
* The *weak* columns of a group are linear combinations of one hidden feature that no column shows,
  :math:`x_l = a_l (z_k + \text{noise} \cdot e_l)` with own standard normal :math:`e_l` and
  :math:`.5 \le |a_l| \le 1.5`: any of them stands in for the others, and one of them is needed.
* An *irrelevant* column is independent of all the hidden features. Irrelevant columns may correlate with one another,
  :math:`x = \sqrt{c} f + \sqrt{1 - c}\, e`, through a common factor :math:`f`. They never correlate with a relevant
  one: such a column would tell something about the target, and be weakly relevant.

The idea is that of Göpfert, Pfannschmidt and Hammer, "Feature relevance bounds for linear classification", ESANN 2017,
and of their later papers: replace a feature by correlated linear combinations of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relspan.arrays import Floats


@dataclass(frozen=True)
class Hidden:
    """Hidden features ``values`` (one column each) and their ``weights`` in the score."""

    values: Floats
    weights: Floats

    @property
    def score(self) -> Floats:
        """The noise-free score s."""
        score: Floats = self.values @ self.weights
        return score


def bounded_weights(size: int, rng: np.random.Generator) -> Floats:
    """Random signs times sizes between .5 and 1.5."""
    signs: Floats = rng.choice([-1.0, 1.0], size)
    return signs * rng.uniform(0.5, 1.5, size)


def draw_hidden(n_samples: int, size: int, rng: np.random.Generator) -> Hidden:
    """Hidden features with weights bounded away from zero."""
    return Hidden(rng.standard_normal((n_samples, size)), bounded_weights(size, rng))


def weak_columns(hidden: Floats, size: int, noise: float, copies: int, rng: np.random.Generator) -> Floats:
    """Columns of one weak group; the last ``copies`` of them repeat the first exactly."""
    own = rng.standard_normal((len(hidden), size))
    columns: Floats = bounded_weights(size, rng) * (hidden[:, None] + noise * own)
    columns[:, size - copies :] = columns[:, :1]
    return columns


def irrelevant_columns(n_samples: int, size: int, correlation: float, rng: np.random.Generator) -> Floats:
    """Columns that say nothing about the target, with pairwise ``correlation``."""
    factor = rng.standard_normal((n_samples, 1))
    own = rng.standard_normal((n_samples, size))
    columns: Floats = np.sqrt(correlation) * factor + np.sqrt(1 - correlation) * own
    return columns
