"""Figures 2 and 3 of the HITON slides (AMIA 2003), as printed: what benchmarks.accuracy.hiton_slides stands beside.

Performance is in per cent. None is the slides' "N/A". A method with an asterisk gave the best model of the task, or one
that was not significantly worse.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class PrintedTask:
    """One task of Figure 3: performance by learner and method, the number of variables, and the asterisks."""

    title: str
    rows: int
    variables: int
    measure: str
    design: str
    performance: dict[str, dict[str, float | None]]
    sizes: dict[str, int]
    marked: tuple[str, ...]

    def average(self, method: str) -> float:
        """The mean over the learners that the slides have a figure for."""
        return float(np.mean([row[method] for row in self.performance.values() if row[method] is not None]))


def _rows(methods: tuple[str, ...], **learners: tuple[float | None, ...]) -> dict[str, dict[str, float | None]]:
    return {learner: dict(zip(methods, figures, strict=True)) for learner, figures in learners.items()}


_RFE, _BF, _TEXT = ("UAF", "RFE", "HITON", "ALL"), ("UAF", "B/F", "HITON", "ALL"), ("IG", "X2", "HITON", "ALL")
FIGURE_3 = {
    "thrombin": PrintedTask(
        "1. Drug discovery",
        2543,
        139351,
        "AUC",
        "one split",
        _rows(
            _RFE,
            SVM=(96.12, 93.29, 93.23, 93.69),
            KNN=(87.25, 89.71, 92.23, 88.21),
            NN=(None, 92.04, 92.65, None),
        ),
        {"UAF": 34837, "RFE": 8709, "HITON": 32, "ALL": 139351},
        ("UAF",),
    ),
    "arrhythmia": PrintedTask(
        "2. Clinical diagnosis",
        417,
        279,
        "accuracy",
        "10 folds",
        _rows(
            _BF,
            DTI=(73.94, 72.85, 71.87, 73.94),
            KNN=(63.22, 63.45, 65.30, 63.22),
            NN=(58.29, 60.90, 60.38, 58.29),
        ),
        {"UAF": 279, "B/F": 96, "HITON": 63, "ALL": 279},
        ("UAF", "B/F", "HITON", "ALL"),
    ),
    "OHSUMED": PrintedTask(
        "3. Text categorization",
        2000,
        14373,
        "AUC",
        "one split",
        _rows(
            _TEXT,
            SVM=(82.43, 85.91, 82.85, 90.50),
            SBCtc=(84.18, 86.23, 85.10, 84.25),
            KNN=(75.55, 81.76, 80.25, 77.56),
            NN=(82.47, 85.27, 83.97, None),
        ),
        {"IG": 224, "X2": 112, "HITON": 34, "ALL": 14373},
        ("ALL",),
    ),
    "lung cancer": PrintedTask(
        "4. Gene expression diagnosis",
        160,
        12600,
        "AUC",
        "5 folds",
        _rows(
            _RFE,
            SVM=(99.32, 98.57, 97.83, 99.07),
            NN=(99.63, 98.70, 98.92, None),
            KNN=(95.57, 91.49, 96.06, 97.59),
        ),
        {"UAF": 330, "RFE": 19, "HITON": 16, "ALL": 12600},
        ("UAF", "RFE", "HITON", "ALL"),
    ),
    "prostate cancer": PrintedTask(
        "5. Mass-spectrometry diagnosis",
        326,
        779,
        "AUC",
        "10 folds",
        _rows(
            _RFE,
            SVM=(98.50, 98.95, 99.10, 99.40),
            NN=(98.62, 98.78, 97.95, 99.27),
            KNN=(77.52, 86.53, 91.36, 76.94),
        ),
        {"UAF": 706, "RFE": 87, "HITON": 16, "ALL": 779},
        ("UAF", "RFE", "HITON", "ALL"),
    ),
}
AVERAGES = {
    "average performance": {"baselines": "86.1 %", "HITON": "87.1 %", "ALL": "86.1 %"},
    "average number of variables": {"baselines": "4540", "HITON": "32.3", "ALL": "33,476"},
    "average reduction": {"baselines": "x 8", "HITON": "x 1124", "ALL": "x 1"},
}
