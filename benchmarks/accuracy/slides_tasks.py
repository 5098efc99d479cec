"""The tables that benchmarks.accuracy.hiton_slides has for the five tasks of the HITON slides.

| task of the slides | table here |
| --- | --- |
| thrombin | none: the table is not among the public sets here (`thrombin-speed` measures a planted one of its size) |
| arrhythmia | the same table, UCI: the 429 rows whose class has ten rows or more (the slides have 417) |
| OHSUMED, text | pcmac, two of the 20 newsgroups, as a public table; and a synthetic twin of OHSUMED's size |
| lung cancer, gene expression | prostate_ge, gene expression of another cancer |
| prostate cancer, mass spectrometry | arcene, mass spectrometry of three studies, with planted noise |

The measure, the number of folds, the learners and the methods are the slides'.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.naive_bayes import MultinomialNB

from benchmarks.accuracy.hiton_tasks import LEARNERS, load
from benchmarks.accuracy.slides_figures import FIGURE_3, PrintedTask
from relspan.simulate import simulate_ohsumed

LEAST_CLASS = 10  # rows: one for each of ten folds
ONE_SPLIT = 3  # a single split is the first of three folds
SLIDES_LEARNERS: dict[str, Callable[[], Any]] = {
    "SVM": LEARNERS["SVM"],
    "KNN": LEARNERS["KNN"],
    "NN": LEARNERS["NN"],
    "DTI": LEARNERS["DT"],
    "SBCtc": MultinomialNB,  # words are there or not; Laplace's rule for words that a class never has
}
STAND_INS = {
    "arrhythmia": "arrhythmia",
    "pcmac": "OHSUMED",
    "OHSUMED twin": "OHSUMED",
    "prostate_ge": "lung cancer",
    "arcene": "prostate cancer",
}


@dataclass(frozen=True)
class SlidesTask:
    """A table in the place of one of the slides' tasks; `test` and `n_bins` are those of HITON.

    `only`: the learners that are asked for; none are left out if it is empty.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    folds: int
    judged: int
    uaf: str
    test: str
    n_bins: int | None = None
    only: tuple[str, ...] = ()

    @property
    def printed(self) -> PrintedTask:
        """What the slides print for the task."""
        return FIGURE_3[STAND_INS[self.name]]

    @property
    def learners(self) -> list[str]:
        """The slides' learners, in their order."""
        return [learner for learner in self.printed.performance if not self.only or learner in self.only]

    @property
    def methods(self) -> list[str]:
        """The slides' methods, in their order."""
        return list(self.printed.sizes)


def slides_task(folder: Path | None, name: str) -> SlidesTask | None:
    """One table; None, and a word about it, if its file is absent."""
    if name == "OHSUMED twin":
        twin = simulate_ohsumed(random_state=0)
        return SlidesTask(name, twin.X.astype(float), twin.y, ONE_SPLIT, 1, "g2", "g2")
    if folder is None:
        print(f"{name} is left out: no data folder; give it as an argument or set RELSPAN_DATA")
        return None
    if name == "arrhythmia":
        return arrhythmia(folder)
    task = load(folder, name)
    if task is None:
        return None
    if name == "pcmac":
        return SlidesTask(name, task.X, task.y, ONE_SPLIT, 1, "g2", "g2")
    folds = {"prostate_ge": 5, "arcene": 10}[name]
    return SlidesTask(name, task.X, task.y, folds, folds, "fisher", "cv", 3)


def arrhythmia(folder: Path) -> SlidesTask | None:
    """The slides' own table with its nominal target; classes too rare for ten folds are left out.

    HITON uses G2 on three levels: with eight classes, its other test for numbers (a likelihood ratio of multinomial
    models) takes many minutes per fold.
    """
    path = folder / "arrhythmia.data"
    if not path.exists():
        print("arrhythmia is left out: no file arrhythmia.data in the data folder")
        return None
    table = np.genfromtxt(path, delimiter=",", missing_values="?", filling_values=np.nan)
    labels = table[:, -1].astype(int)
    kept = np.bincount(labels)[labels] >= LEAST_CLASS
    y = np.unique(labels[kept], return_inverse=True)[1]
    return SlidesTask("arrhythmia", table[kept, :-1], y, 10, 10, "g2", "g2", 3)
