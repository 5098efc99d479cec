r"""A synthetic twin of flip, the liver table of the FRI paper: 118 patients, 19 features, fibrosis or not.

The paper [1]_ describes the table (sociodemographic and serum parameters) and prints what methods find in it: an AUC
between .65 and .82, and 8.9 relevant features, of which 8.8 are strong. From this: nine features differ between the
classes by `DIFFERENCE` standard deviations each and nothing replaces them, and ten say nothing. With these
differences, the best linear model has an AUC of some .86; a model that is fitted to 118 rows has less.

The names are usual parameters of such studies, since the paper does not list them, and which nine of them differ is our
choice. No patient's measurement went into the numbers.

References
----------
.. [1] L. Pfannschmidt, C. Göpfert, U. Neumann, D. Heider, B. Hammer, "FRI: feature relevance intervals for
   interpretable and interactive data exploration", CIBCB 2019.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from relspan.checks import MOST_ENTRIES, whole
from relspan.simulate.draws import generator
from relspan.simulate.twin import Twin

DEMOGRAPHIC, SERUM = "sociodemographic", "serum"
DIFFERENT = ("age", "BMI", "AST", "GGT", "albumin", "platelets", "HbA1c", "M30", "adiponectin")
SAME = (
    "sex",
    "smoker",
    "ALT",
    "alkaline phosphatase",
    "bilirubin",
    "INR",
    "cholesterol",
    "triglycerides",
    "ferritin",
    "creatinine",
)
PERSONAL = ("age", "BMI", "sex", "smoker")
SHARE_OF_YES = {"sex": 0.5, "smoker": 0.25}
DIFFERENCE = 0.5


def simulate_flip(n_samples: int = 118, *, random_state: int | np.random.Generator | None = None) -> Twin:
    """Simulate a synthetic twin of flip: 19 features of patients with or without liver fibrosis.

    All numbers are random; no patient of the original went into them. Nine features are strongly relevant, ten
    irrelevant. The model is described in :mod:`relspan.simulate.flip_twin`.

    Parameters
    ----------
    n_samples : int, default=118
        The number of patients; half of them have fibrosis.
    random_state : int, Generator or None, default=None
        The same number gives the same data.

    Returns
    -------
    Twin
        The features, the class of each patient, and whether a feature is sociodemographic or from serum (`kinds`).

    See Also
    --------
    simulate_t21 : The twin of the paper's other table that is not public.

    Examples
    --------
    >>> from relspan.simulate import simulate_flip
    >>> twin = simulate_flip(random_state=0)
    >>> twin.X.shape, int((twin.truth == 2).sum())
    ((118, 19), 9)
    """
    n = whole("n_samples", n_samples, at_least=20, at_most=MOST_ENTRIES)
    rng = generator(random_state)
    y: NDArray[np.int64] = rng.permutation(np.arange(n) % 2)
    names = (*DIFFERENT, *SAME)
    X = rng.standard_normal((n, len(names)))
    X[:, : len(DIFFERENT)] += DIFFERENCE * rng.choice([-1.0, 1.0], len(DIFFERENT)) * y[:, None]
    for name, share in SHARE_OF_YES.items():
        X[:, names.index(name)] = rng.random(n) < share
    kinds = tuple(DEMOGRAPHIC if name in PERSONAL else SERUM for name in names)
    truth = np.repeat([2, 0], [len(DIFFERENT), len(SAME)])
    return Twin(X, y, names, kinds, truth, ("no fibrosis", "fibrosis"))
