r"""A synthetic twin of the adrenal table of two papers: 147 tumours, 32 urinary steroids, five pathways.

The papers [1]_ [2]_ describe the table and what they found in it: a linear model separates adenoma from carcinoma with
an F1 of .98; every pathway has a strongly relevant steroid, except the androgen precursors, which are represented by
two weakly relevant ones; without these two the accuracy falls by 1 %. From this:

Every steroid is a log excretion, standard normal within each class. The classes differ by :math:`d` in a few of them:

* four steroids, one in each of the other pathways, by `MARKER` standard deviations each;
* one hidden precursor by `PRECURSOR`. Two columns show it, DHEA and 16a-OH-DHEA, each with a little noise of its own:
  either replaces the other.

With classes that differ by :math:`\Delta = \sqrt{\sum d^2}` along the best direction, the best linear model has an
accuracy of :math:`\Phi(\Delta / 2)` for classes of one size. `MARKER` and `PRECURSOR` are chosen so that this is .98
with the precursors and .97 without. The remaining steroids correlate with each other inside their pathway, and neither
with the class nor with the six.

The names of the steroids are those of urinary steroid profiles, and which of them carry the difference is our choice,
where the papers' text does not name them. No patient's measurement went into the numbers.

References
----------
.. [1] C. Göpfert, L. Pfannschmidt, B. Hammer, "Feature relevance bounds for linear classification", ESANN 2017.
.. [2] A. Schulz, B. Mokbel, M. Biehl, B. Hammer, "Inferring feature relevances from metric learning", IEEE SSCI 2015.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Floats
from relspan.checks import MOST_ENTRIES, whole
from relspan.simulate.draws import generator, irrelevant_columns
from relspan.simulate.twin import Twin

PATHWAYS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "androgens": ("androsterone", "etiocholanolone"),
        "androgen precursors": ("DHEA", "16a-OH-DHEA", "pregnenetriol", "pregnenediol"),
        "mineralocorticoids": ("THA", "5a-THA", "THB", "5a-THB", "THAldo", "THDOC", "5a-THDOC"),
        "glucocorticoid precursors": ("pregnanediol", "3a5a-17HP", "17HP", "pregnanetriol", "PTONE", "THS"),
        "glucocorticoids": (
            "cortisol",
            "6b-OH-cortisol",
            "THF",
            "5a-THF",
            "a-cortol",
            "b-cortol",
            "11b-OH-androsterone",
            "11b-OH-etiocholanolone",
            "cortisone",
            "THE",
            "a-cortolone",
            "b-cortolone",
            "11-oxo-etiocholanolone",
        ),
    }
)
"""The steroids of each pathway."""
MARKERS = ("etiocholanolone", "THDOC", "THS", "5a-THF")
PRECURSORS = ("DHEA", "16a-OH-DHEA")
MARKER, PRECURSOR, PRECURSOR_NOISE = 1.9, 1.6, 0.15
WITHIN_PATHWAY = 0.5
CARCINOMA_SHARE = 45 / 147


def simulate_adrenal(n_samples: int = 147, *, random_state: int | np.random.Generator | None = None) -> Twin:
    """Simulate a synthetic twin of the adrenal table: 32 steroids in five pathways, adenoma or carcinoma.

    All numbers are random; no patient of the original went into them. Four pathways have one strongly relevant steroid
    each; the androgen precursors have two weakly relevant ones that replace each other. The model is described in
    :mod:`relspan.simulate.adrenal_twin`.

    Parameters
    ----------
    n_samples : int, default=147
        The number of tumours; some 31 % are carcinomas.
    random_state : int, Generator or None, default=None
        The same number gives the same data.

    Returns
    -------
    Twin
        The steroids, the class of each tumour, and the pathway of each steroid (`kinds`).

    See Also
    --------
    relspan.Explorer.without : Leave features out of every model.

    Examples
    --------
    >>> from relspan.simulate import simulate_adrenal
    >>> twin = simulate_adrenal(random_state=0)
    >>> twin.X.shape, twin.names_of("androgen precursors")
    ((147, 32), ['DHEA', '16a-OH-DHEA', 'pregnenetriol', 'pregnenediol'])
    >>> [name for name, truth in zip(twin.names, twin.truth) if truth == 2]
    ['etiocholanolone', 'THDOC', 'THS', '5a-THF']
    """
    n = whole("n_samples", n_samples, at_least=20, at_most=MOST_ENTRIES)
    rng = generator(random_state)
    y: NDArray[np.int64] = rng.permutation(np.arange(n) < round(CARCINOMA_SHARE * n)).astype(np.int64)
    precursor = PRECURSOR * y + rng.standard_normal(n)
    blocks: list[Floats] = []
    names: list[str] = []
    kinds: list[str] = []
    for pathway, steroids in PATHWAYS.items():
        block = irrelevant_columns(n, len(steroids), WITHIN_PATHWAY, rng)
        for column, steroid in enumerate(steroids):
            if steroid in MARKERS:
                block[:, column] = MARKER * y + rng.standard_normal(n)
            elif steroid in PRECURSORS:
                block[:, column] = precursor + PRECURSOR_NOISE * rng.standard_normal(n)
        blocks.append(block)
        names += steroids
        kinds += [pathway] * len(steroids)
    truth = np.array([2 if name in MARKERS else 1 if name in PRECURSORS else 0 for name in names])
    return Twin(np.hstack(blocks), y, tuple(names), tuple(kinds), truth, ("adenoma", "carcinoma"))
