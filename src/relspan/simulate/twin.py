"""What a synthetic twin is: a made-up table in the place of one that is not public.

A twin has the size and the structure that a paper describes, so that the paper's statements about its table can be
tried. Every number in it is drawn at random, by a model with the stated effects. No measurement of a patient and no
document went into it, so nothing that is found in a twin is evidence about the original. A twin shows what the method
reports if the paper's description holds.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Twin:
    """A synthetic twin: made-up rows for a table that is not public, and what is true about them.

    All numbers are random. A twin has the size, the names and the structure that a paper describes; it contains no
    measurement of the original. The arrays are read-only.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
        The features.
    y : ndarray of shape (n_samples,)
        The class of each row: 0 or 1.
    names : tuple of str
        Names of the features.
    kinds : tuple of str
        What each feature is, such as the pathway of a steroid.
    truth : ndarray of shape (n_features,)
        2 strong, 1 weak, 0 irrelevant, by construction.
    classes : tuple of str
        What the classes 0 and 1 stand for.

    See Also
    --------
    simulate_adrenal : Steroids in five pathways.
    simulate_t21 : Prenatal examinations.
    simulate_flip : Serum markers of liver fibrosis.
    simulate_ohsumed : Words of medical abstracts.

    Examples
    --------
    >>> from relspan.simulate import simulate_flip
    >>> twin = simulate_flip(random_state=0)
    >>> twin.X.shape, twin.classes
    ((118, 19), ('no fibrosis', 'fibrosis'))
    """

    X: NDArray[np.generic]
    y: NDArray[np.int64]
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    truth: NDArray[np.int64]
    classes: tuple[str, str]

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def names_of(self, kind: str) -> list[str]:
        """List the features of one kind.

        Parameters
        ----------
        kind : str
            One of `kinds`.

        Returns
        -------
        list of str
            Their names, in the order of the columns.
        """
        return [name for name, own in zip(self.names, self.kinds, strict=True) if own == kind]
