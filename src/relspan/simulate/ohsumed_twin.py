r"""A synthetic twin of OHSUMED, the text table of the HITON slides: 2,000 abstracts, 14,373 words, two classes.

The slides print the table's size and how well four learners do on all words and on selected ones. From this:

* Word j of the vocabulary occurs in a share :math:`p_j` of the abstracts that falls as in natural text (Zipf), from
  some 40 % down to a few abstracts of 2,000.
* `SPEAKING` words speak for or against the class by themselves: their log odds differ by up to `CLEAR` between the
  classes.
* Each of these words has `ECHOES` words that go with it and not with the class: given the speaking word, an echo says
  nothing about the class. A filter keeps both; a Markov blanket leaves the echo out.
* `FAINT` further words differ by so little that no single one can be found in 2,000 abstracts. Together they are why a
  support vector machine does best on all words.

The other words say nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Floats
from relspan.checks import MOST_ENTRIES, whole
from relspan.simulate.draws import generator
from relspan.simulate.twin import Twin

SPEAKING, ECHOES, FAINT = 40, 5, 3000
COMMONEST, STEEPNESS, LEAST_SHARE = 0.4, 0.5, 0.002
COMMON, LEAST_WORDS = (
    300,
    4000,
)  # words that speak are among the first, their echoes and the faint ones among the second
CLEAR, SLIGHT, TOGETHER = 1.5, 0.6, 2.5


def simulate_ohsumed(
    n_samples: int = 2000, n_words: int = 14_373, *, random_state: int | np.random.Generator | None = None
) -> Twin:
    """Simulate a synthetic twin of OHSUMED: which words occur in medical abstracts of two classes.

    All entries are random; no abstract of the original went into them. Forty words speak for or against the class,
    each of them has five echoes that go with the word and not with the class, and thousands of faint words speak only
    together. The model is described in :mod:`relspan.simulate.ohsumed_twin`.

    Parameters
    ----------
    n_samples : int, default=2000
        The number of abstracts.
    n_words : int, default=14373
        The number of words, at least 4000.
    random_state : int, Generator or None, default=None
        The same number gives the same data.

    Returns
    -------
    Twin
        The words as 0 and 1, the class, and what each word is: "speaking", "echo", "faint" or "other".

    See Also
    --------
    relspan.HITON : Finds the words that speak for themselves.

    Examples
    --------
    >>> from relspan.simulate import simulate_ohsumed
    >>> twin = simulate_ohsumed(200, 4000, random_state=0)
    >>> twin.X.shape, len(twin.names_of("speaking"))
    ((200, 4000), 40)
    """
    n = whole("n_samples", n_samples, at_least=20, at_most=MOST_ENTRIES)
    hint = "the words that speak need that many around them"
    p = whole("n_words", n_words, at_least=LEAST_WORDS, at_most=MOST_ENTRIES, hint=hint)
    rng = generator(random_state)
    y = rng.permutation(np.arange(n) % 2)
    share = np.maximum(COMMONEST / np.arange(1, p + 1) ** STEEPNESS, LEAST_SHARE)
    logit = np.log(share / (1 - share))
    speaking = np.sort(rng.choice(np.arange(5, 5 + COMMON), SPEAKING, replace=False))
    rest = rng.permutation(np.setdiff1d(np.arange(5, LEAST_WORDS), speaking))
    echoes, faint = rest[: SPEAKING * ECHOES].reshape(SPEAKING, ECHOES), rest[SPEAKING * ECHOES :][:FAINT]
    shift = np.zeros(p)
    shift[speaking] = rng.choice([-1.0, 1.0], SPEAKING) * rng.uniform(CLEAR / 2, CLEAR, SPEAKING)
    shift[faint] = SLIGHT * rng.standard_normal(FAINT)
    X = np.empty((n, p), dtype=np.uint8)
    side = y - 0.5
    for left in range(0, p, 1024):
        part = slice(left, left + 1024)
        X[:, part] = rng.random((n, len(share[part]))) < _share_of(logit[part] + side[:, None] * shift[part])
    for word, own in zip(speaking, echoes, strict=True):
        there = X[:, [word]].astype(float) - share[word]
        X[:, own] = rng.random((n, ECHOES)) < _share_of(logit[own] + TOGETHER * there)
    kinds = np.full(p, "other", dtype=object)
    kinds[speaking], kinds[echoes.ravel()], kinds[faint] = "speaking", "echo", "faint"
    truth: NDArray[np.int64] = np.zeros(p, dtype=np.int64)
    truth[speaking], truth[echoes.ravel()], truth[faint] = 2, 1, 2
    names = tuple(f"word{j}" for j in range(1, p + 1))
    return Twin(X, y, names, tuple(kinds), truth, ("another subject", "the subject"))


def _share_of(logit: Floats) -> Floats:
    share: Floats = 1 / (1 + np.exp(-logit))
    return share
