r"""A synthetic twin of t21, the prenatal table of the FRI paper: 18 features, trisomy 21 or not.

The paper [1]_ describes the table (sociodemographic, ultrasonographic and serum parameters; some .8 % of over 50,000
pregnancies affected; the larger class downsampled) and what it found in it: the gestational age in days (GA-d, feature
1) and the crown-rump length (CRL, feature 6) are weakly relevant, and once GA-d is held at its minimum, CRL is strongly
relevant. From this:

* The age at the scan is uniform in 11 to 14 weeks. CRL follows from it by the formula of Robinson and Fleming (1975),
  :math:`\text{age} = 8.052 \sqrt{1.037\, \text{CRL}} + 23.73`, plus an error of measurement; GA-d is the same age, in
  whole days. Either gives the other, almost.
* Neither says anything about the trisomy. But the nuchal translucency, PAPP-A and free beta-hCG change with the age of
  the fetus, with or without a trisomy, so that a model needs the age to read them: some measure of age is needed, and
  either of the two will do.
* Seven features differ between the classes: the mother's age, nuchal translucency, nasal bone, ductus venosus flow,
  fetal heart rate, PAPP-A and beta-hCG, by amounts that are large enough for an AUC of some .97. Nine say nothing.

The amounts are round numbers of our own. No pregnancy's measurement went into them.

References
----------
.. [1] L. Pfannschmidt, C. Göpfert, U. Neumann, D. Heider, B. Hammer, "FRI: feature relevance intervals for
   interpretable and interactive data exploration", CIBCB 2019.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Floats
from relspan.checks import MOST_ENTRIES, whole
from relspan.simulate.draws import generator
from relspan.simulate.twin import Twin

DEMOGRAPHIC, ULTRASOUND, SERUM = "sociodemographic", "ultrasound", "serum"
FEATURES: tuple[tuple[str, str], ...] = (
    ("GA-d", ULTRASOUND),
    ("maternal age", DEMOGRAPHIC),
    ("weight", DEMOGRAPHIC),
    ("height", DEMOGRAPHIC),
    ("smoker", DEMOGRAPHIC),
    ("CRL", ULTRASOUND),
    ("nuchal translucency", ULTRASOUND),
    ("nasal bone", ULTRASOUND),
    ("ductus venosus", ULTRASOUND),
    ("heart rate", ULTRASOUND),
    ("PAPP-A", SERUM),
    ("beta-hCG", SERUM),
    ("parity", DEMOGRAPHIC),
    ("diabetes", DEMOGRAPHIC),
    ("assisted conception", DEMOGRAPHIC),
    ("sample delay", SERUM),
    ("haemoglobin", SERUM),
    ("placental growth factor", SERUM),
)
AGES = ("GA-d", "CRL")
FIRST_DAY, LAST_DAY = 77.0, 98.0
SCALE, STRETCH, START = 8.052, 1.037, 23.73  # of Robinson and Fleming
CRL_ERROR = 0.6  # mm
# Standard deviations by which a feature differs with a trisomy, and by which it changes from the first day to the last
DIFFERENCE = {
    "maternal age": 0.8,
    "nuchal translucency": 1.6,
    "nasal bone": -0.8,
    "ductus venosus": 1.0,
    "heart rate": 0.6,
    "PAPP-A": -1.1,
    "beta-hCG": 1.0,
}
GROWTH = {"nuchal translucency": 1.0, "PAPP-A": 5.0, "beta-hCG": -4.0}
RARE = {"smoker": 0.1, "diabetes": 0.03, "assisted conception": 0.05}


def simulate_t21(
    normal: int = 400, affected: int = 400, *, random_state: int | np.random.Generator | None = None
) -> Twin:
    """Simulate a synthetic twin of t21: 18 features of prenatal examinations, trisomy 21 or not.

    All numbers are random; no pregnancy of the original went into them. The gestational age in days (GA-d) and the
    crown-rump length (CRL) show the age of the fetus, which a model needs in order to read three markers that change
    with it. The model is described in :mod:`relspan.simulate.t21_twin`.

    Parameters
    ----------
    normal : int, default=400
        The number of pregnancies without a trisomy. The original has some 49,600, and the paper draws from them.
    affected : int, default=400
        The number of pregnancies with one. The original has some 400.
    random_state : int, Generator or None, default=None
        The same number gives the same data.

    Returns
    -------
    Twin
        The features, the class of each pregnancy, and where each feature comes from (`kinds`).

    See Also
    --------
    relspan.Explorer.pin : Hold a feature at one end of its interval.

    Examples
    --------
    >>> from relspan.simulate import simulate_t21
    >>> twin = simulate_t21(random_state=0)
    >>> twin.X.shape, twin.names[0], twin.names[5]
    ((800, 18), 'GA-d', 'CRL')
    """
    whole("normal", normal, at_least=10, at_most=MOST_ENTRIES)
    whole("affected", affected, at_least=10, at_most=MOST_ENTRIES)
    rng = generator(random_state)
    n = normal + affected
    y: NDArray[np.int64] = rng.permutation(np.arange(n) < affected).astype(np.int64)
    age = rng.uniform(FIRST_DAY, LAST_DAY, n)
    grown = (age - FIRST_DAY) / (LAST_DAY - FIRST_DAY)
    columns: dict[str, Floats] = {}
    for name, _ in FEATURES:
        own = rng.standard_normal(n)
        columns[name] = own + DIFFERENCE.get(name, 0.0) * y + GROWTH.get(name, 0.0) * grown
        if name in RARE:
            columns[name] = (rng.random(n) < RARE[name]).astype(float)
    columns["CRL"] = crown_rump_length(age) + CRL_ERROR * rng.standard_normal(n)
    columns["GA-d"] = np.rint(age)
    names = tuple(name for name, _ in FEATURES)
    truth = np.array([2 if name in DIFFERENCE else 1 if name in AGES else 0 for name in names])
    X = np.column_stack([columns[name] for name in names])
    return Twin(X, y, names, tuple(kind for _, kind in FEATURES), truth, ("no trisomy", "trisomy 21"))


def crown_rump_length(age: Floats) -> Floats:
    """Millimetres at an age in days, by Robinson and Fleming."""
    length: Floats = ((age - START) / SCALE) ** 2 / STRETCH
    return length
