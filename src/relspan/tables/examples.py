"""Tables that come with scikit-learn, prepared like any other.

Its loaders take long to import, so they are imported when they are called.
"""

from __future__ import annotations

import hashlib
from importlib.resources import files

import numpy as np

from relspan.tables.prepare import Preparation, PreparedTable


def breast_cancer() -> PreparedTable:
    """30 measurements of 569 tumours; malignant is the second class, so that a positive weight speaks for it."""
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    y = np.where(data.target == 0, "malignant", "benign")
    file = files(data.data_module).joinpath(data.filename).read_bytes()
    report = _embedded("diagnosis", "breast cancer Wisconsin (diagnostic)", file)
    return PreparedTable(data.data, y, tuple(map(str, data.feature_names)), report)


DIABETES_NAMES = {
    "bp": "blood pressure",
    "s1": "total cholesterol",
    "s2": "LDL cholesterol",
    "s3": "HDL cholesterol",
    "s4": "cholesterol ratio",
    "s5": "log triglycerides",
    "s6": "blood sugar",
}
"""What scikit-learn's short names of the diabetes data stand for, by its description."""


def diabetes() -> PreparedTable:
    """10 measurements of 442 patients, in their own units; the target is the progression of the disease."""
    from sklearn.datasets import load_diabetes

    data = load_diabetes(scaled=False)
    file = files(data.data_module).joinpath(data.data_filename).read_bytes()
    report = _embedded("progression", "diabetes", file)
    names = tuple(DIABETES_NAMES.get(str(name), str(name)) for name in data.feature_names)
    return PreparedTable(data.data, np.asarray(data.target, dtype=np.float64), names, report)


def _embedded(target: str, title: str, file: bytes) -> Preparation:
    return Preparation(
        target=target,
        dropped_columns=(),
        dropped_lines=(),
        imputed={},
        encoded={},
        source=f"scikit-learn: {title}",
        sha256=hashlib.sha256(file).hexdigest(),
        format="embedded",
    )
