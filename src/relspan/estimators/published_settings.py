"""The settings of the papers, by the paper.

fri2019
    Pfannschmidt et al. 2019: budgets relative to the best model's norm and loss, with a relaxation of .001 each as in
    the package of the paper (fri 9.0.0); permuted columns in the place of their originals; a prediction interval of
    .999 for each feature; C by the best score in 3 random folds.
esann2017
    Göpfert et al. 2017: the L2 machine as the best model, and one budget for norm plus C times loss, without
    relaxation. The paper calls a feature relevant where its interval reaches beyond 0 at all; relspan compares it with
    probes here, too. The paper prints the machine's L2 norm without the square; both forms have the same solutions, at
    different values of C.
reject2018
    Göpfert, Göpfert and Hammer 2018: rejecting costs .4, the L2 machine is the best model, the norm may not grow, and
    the loss may grow by 1 %, as in the authors' notebook (the printed programs allow nothing). Columns are not scaled.
    The paper's price of the loss depends on the number of rows n: give ``C=1 / (2 * n)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PUBLISHED: Mapping[str, Mapping[str, Any]] = {
    "fri2019": {
        "criterion": "score",
        "delta_norm": 0.001,
        "delta_loss": 0.001,
        "loss_budget": "relative",
        "n_probes": 50,
        "probes": "replace",
        "alpha": 0.001,
        "control": "per_feature",
        "rule": "published",
    },
    "esann2017": {
        "criterion": "score",
        "penalty": "l2",
        "delta_norm": 0.0,
        "loss_budget": "combined",
        "rule": "published",
    },
    "reject2018": {
        "criterion": "score",
        "reject_cost": 0.4,
        "penalty": "l2",
        "delta_norm": 0.0,
        "delta_loss": 0.01,
        "loss_budget": "relative",
        "standardize": False,
        "rule": "published",
    },
}
