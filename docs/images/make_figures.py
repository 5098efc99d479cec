"""Draw the README's picture from a result: python docs/images/make_figures.py (needs matplotlib)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer

from relspan import RelevanceClassifier
from relspan.plots import IntervalDisplay
from relspan.tables import NamedMatrix


def breast_cancer(folder: Path) -> None:
    data = load_breast_cancer()
    names = tuple(map(str, data.feature_names))
    estimator = RelevanceClassifier(random_state=0).fit(NamedMatrix(data.data, names), data.target)
    result = estimator.result_
    weights = np.abs(estimator.coef_[0] * data.data.std(axis=0)) / result.baseline["l1_norm"]
    used = int((weights > 0).sum())
    title = (
        f"Breast cancer, {len(data.data)} tumours: one best L1 model uses {used} of {len(names)} measurements;\n"
        f"{len(names) - len(result.names('irrelevant'))} matter beyond chance in models that are as good, "
        f"{len(result.names('strong'))} are needed by all of them"
    )
    model = dict(zip(names, weights.tolist(), strict=True))
    display = IntervalDisplay.from_result(result, model=model, title=title)
    display.figure_.savefig(folder / "breast_cancer.png", dpi=110)


if __name__ == "__main__":
    breast_cancer(Path(__file__).parent)
