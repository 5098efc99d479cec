"""The tables of figures as the papers print them, for the pages that show them beside ours."""

from __future__ import annotations

# ESANN 2017, Table 1: precision, recall and F1, means over ten draws
ESANN_TABLE_1: dict[str, dict[str, tuple[float, float, float]]] = {
    "I": {
        "L2-SVM": (1.00, 0.82, 0.89),
        "L1-SVM": (0.56, 1.00, 0.72),
        "elastic net": (1.00, 0.85, 0.92),
        "Boruta": (0.94, 0.83, 0.87),
        "forward-backward": (1.00, 0.77, 0.86),
        "relspan": (1.00, 0.97, 0.98),
    },
    "II": {
        "L2-SVM": (1.00, 0.83, 0.90),
        "L1-SVM": (0.57, 1.00, 0.72),
        "elastic net": (1.00, 0.83, 0.90),
        "Boruta": (1.00, 0.85, 0.91),
        "forward-backward": (1.00, 0.80, 0.87),
        "relspan": (0.95, 1.00, 0.97),
    },
    "III": {
        "L2-SVM": (1.00, 0.70, 0.82),
        "L1-SVM": (0.72, 1.00, 0.83),
        "elastic net": (1.00, 0.76, 0.85),
        "Boruta": (0.96, 0.80, 0.87),
        "forward-backward": (0.85, 0.75, 0.79),
        "relspan": (1.00, 0.97, 0.98),
    },
}

# FRI 2019, Table II: F1, precision and recall, means over fifty draws
FRI_TABLE_II: dict[str, dict[str, tuple[float, float, float]]] = {
    "Sim1": {
        "Boruta": (0.98, 0.99, 1.00),
        "ensemble": (0.96, 0.93, 1.00),
        "elastic net": (0.62, 0.46, 1.00),
        "relspan": (0.98, 0.98, 0.99),
        "stability selection": (0.77, 1.00, 0.62),
    },
    "Sim2": {
        "Boruta": (0.82, 1.00, 0.72),
        "ensemble": (0.76, 1.00, 0.62),
        "elastic net": (0.84, 0.74, 0.98),
        "relspan": (0.98, 1.00, 0.97),
        "stability selection": (0.75, 1.00, 0.60),
    },
    "Sim3": {
        "Boruta": (0.91, 0.87, 0.98),
        "ensemble": (0.71, 0.57, 0.98),
        "elastic net": (0.44, 0.28, 1.00),
        "relspan": (0.99, 0.98, 1.00),
        "stability selection": (1.00, 1.00, 1.00),
    },
    "Sim4": {
        "Boruta": (0.82, 1.00, 0.70),
        "ensemble": (0.84, 1.00, 0.73),
        "elastic net": (0.82, 0.69, 1.00),
        "relspan": (0.99, 0.99, 0.98),
        "stability selection": (0.91, 1.00, 0.83),
    },
    "Sim5": {
        "Boruta": (0.98, 1.00, 0.95),
        "ensemble": (0.94, 1.00, 0.90),
        "elastic net": (0.80, 0.67, 1.00),
        "relspan": (0.99, 1.00, 0.99),
        "stability selection": (0.27, 1.00, 0.16),
    },
}

# FRI 2019, Table III: accuracy on the training rows; not defined for ensemble feature selection
FRI_TABLE_III: dict[str, dict[str, float]] = {
    "Sim1": {"Boruta": 0.99, "elastic net": 1.00, "relspan": 0.92, "stability selection": 1.00},
    "Sim2": {"Boruta": 0.97, "elastic net": 1.00, "relspan": 0.96, "stability selection": 1.00},
    "Sim3": {"Boruta": 0.99, "elastic net": 1.00, "relspan": 0.96, "stability selection": 1.00},
    "Sim4": {"Boruta": 0.97, "elastic net": 1.00, "relspan": 0.93, "stability selection": 1.00},
    "Sim5": {"Boruta": 1.00, "elastic net": 1.00, "relspan": 0.91, "stability selection": 1.00},
    "colposcopy": {"Boruta": 1.00, "elastic net": 0.99, "relspan": 0.97, "stability selection": 0.99},
    "SPECTF": {"Boruta": 1.00, "elastic net": 0.99, "relspan": 0.92, "stability selection": 0.98},
    "breast cancer": {"Boruta": 1.00, "elastic net": 1.00, "relspan": 0.98, "stability selection": 1.00},
}

# FRI 2019, Table IV: area under the ROC curve of a logistic regression on the selected features
FRI_TABLE_IV: dict[str, dict[str, float]] = {
    "colposcopy": {
        "Boruta": 0.568,
        "ensemble": 0.586,
        "elastic net": 0.640,
        "relspan": 0.661,
        "stability selection": 0.625,
    },
    "SPECTF": {
        "Boruta": 0.871,
        "ensemble": 0.874,
        "elastic net": 0.867,
        "relspan": 0.880,
        "stability selection": 0.888,
    },
    "breast cancer": {
        "Boruta": 0.997,
        "ensemble": 0.998,
        "elastic net": 0.998,
        "relspan": 0.998,
        "stability selection": 0.999,
    },
}

# FRI 2019, Table V: how many features are selected
FRI_TABLE_V: dict[str, dict[str, float]] = {
    "Sim1": {"Boruta": 8.1, "ensemble": 8.7, "elastic net": 17.8, "stability selection": 5.0, "relspan": 8.1},
    "Sim2": {"Boruta": 14.3, "ensemble": 12.3, "elastic net": 26.6, "stability selection": 12.1, "relspan": 19.4},
    "Sim3": {"Boruta": 4.6, "ensemble": 7.2, "elastic net": 14.8, "stability selection": 4.0, "relspan": 4.1},
    "Sim4": {"Boruta": 12.6, "ensemble": 13.2, "elastic net": 26.2, "stability selection": 15.0, "relspan": 17.9},
    "Sim5": {"Boruta": 19.1, "ensemble": 17.9, "elastic net": 29.7, "stability selection": 3.2, "relspan": 19.9},
    "colposcopy": {"Boruta": 35.1, "ensemble": 25.4, "elastic net": 46.5, "stability selection": 41.5, "relspan": 20.3},
    "SPECTF": {"Boruta": 44.0, "ensemble": 20.3, "elastic net": 43.1, "stability selection": 5.9, "relspan": 19.9},
    "breast cancer": {
        "Boruta": 29.9,
        "ensemble": 12.5,
        "elastic net": 26.9,
        "stability selection": 4.7,
        "relspan": 15.6,
    },
}

# FRI 2019, Table V: the features that FRI calls strongly and weakly relevant
FRI_TABLE_V_CLASSES: dict[str, tuple[float, float]] = {
    "Sim1": (5.1, 3.0),
    "Sim2": (12.4, 7.0),
    "Sim3": (4.0, 0.1),
    "Sim4": (17.9, 0.0),
    "Sim5": (0.0, 19.9),
    "colposcopy": (5.9, 14.4),
    "SPECTF": (5.9, 14.0),
    "breast cancer": (4.0, 11.6),
}
