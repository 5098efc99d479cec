"""Score cards: whole points by relspan and by FasterRisk, on the same rows, columns and units.

    python -m benchmarks.accuracy.cards --peer-python PEER/bin/python [--sets "breast cancer" ...] [--seconds 30]

PEER is an environment that has FasterRisk (Liu et al. 2022). Both make cards of at most 8 features with points from -5
to 5 per unit of a column; a unit is the column's standard deviation, rounded to 1, 2 or 5 times a power of ten. relspan
is fitted with the logistic loss, which FasterRisk minimises. *Loss* is the logistic loss per row, by its plain formula:
of the card made from all rows on these rows, and on rows left out of five folds; *AUC* is that of the rows left out.
*Gap* is what relspan has proven: how much less loss another card could have, as a share of what the best model
explains. FasterRisk proves nothing.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from relspan import RelevanceClassifier
from relspan.errors import InfeasibleRules, RelspanWarning
from relspan.simulate import simulate

STAGE = Path(__file__).parents[1] / "peers" / "fasterrisk_stage.py"
LARGEST, FEATURES, FOLDS = 5, 8, 5
Table = tuple[pd.DataFrame, np.ndarray]


def breast_cancer() -> Table:
    data = load_breast_cancer(as_frame=True)
    return data.data, data.target.to_numpy()


def diabetes() -> Table:
    """Whether the disease progresses by more than the median."""
    data = load_diabetes(as_frame=True, scaled=False)
    return data.data, (data.target > data.target.median()).to_numpy().astype(int)


def wine() -> Table:
    """The second of three cultivars against the others."""
    data = load_wine(as_frame=True)
    return data.data, (data.target == 1).to_numpy().astype(int)


def simulated() -> Table:
    """500 rows, 30 features, one label in ten flipped."""
    data = simulate(500, strong=4, weak=6, irrelevant=20, groups=2, noise=0.3, flips=0.1, random_state=7000)
    return pd.DataFrame(data.X, columns=[f"x{j}" for j in range(data.X.shape[1])]), data.y


SETS: dict[str, Callable[[], Table]] = {
    "breast cancer": breast_cancer,
    "diabetes above the median": diabetes,
    "wine, cultivar 2": wine,
    "simulated, 10 % flips": simulated,
}


def nice(size: float) -> float:
    """1, 2 or 5 times the power of ten that is nearest to a size."""
    power = 10.0 ** np.floor(np.log10(size))
    return float(min((step * power for step in (1, 2, 5, 10)), key=lambda unit: abs(np.log(unit / size))))


def log_loss(y: np.ndarray, scores: np.ndarray) -> float:
    """The logistic loss per row, log(1 + exp(-y score)) with y = -1 or 1."""
    return float(np.logaddexp(0.0, -(2 * y - 1) * scores).mean())


def peer_cards(
    X: pd.DataFrame, y: np.ndarray, fold: np.ndarray, units: pd.Series, python: str
) -> dict[str, np.ndarray]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cards.npz"
        np.savez(path, X=((X - X.mean().round(6)) / units).to_numpy(), y=2 * y - 1, fold=fold)
        subprocess.run([python, str(STAGE), str(path), str(LARGEST), str(FEATURES)], check=True, capture_output=True)
        with np.load(path) as data:
            return dict(data)


def own_cards(
    X: pd.DataFrame, y: np.ndarray, fold: np.ndarray, units: pd.Series, seconds: float
) -> dict[str, Sequence[float] | np.ndarray]:
    """The same of relspan; a fold without an equally good card has scores of 0, and is counted."""
    scores, sizes, spent, gaps, none = [], [], [], [], 0
    for number in [*range(FOLDS), -1]:
        train, begun = fold != number, process_time()
        model = RelevanceClassifier(loss="logistic", n_probes=5, random_state=0).fit(X[train], y[train])
        try:
            card = model.explore().score_card(
                largest=LARGEST, features=FEATURES, units=units.to_dict(), time_limit=seconds
            )
        except InfeasibleRules:
            none += 1
            scores.append(np.zeros(len(y)))
            continue
        spent.append(process_time() - begun)
        scores.append(card.factor * card.total(X) + card.offset)
        sizes.append(len(card.features))
        gaps.append(card.gap_share)
    return {"scores": np.array(scores), "sizes": sizes, "seconds": spent, "gaps": gaps, "none": np.array(none)}


def rows_of(name: str, python: str, seconds: float) -> list[str]:
    """Two rows of the table, one per method."""
    X, y = SETS[name]()
    fold = np.empty(len(y), dtype=int)
    for number, (_, test) in enumerate(StratifiedKFold(FOLDS, shuffle=True, random_state=1).split(X, y)):
        fold[test] = number
    units = X.std(ddof=0).map(nice)
    peer, own = peer_cards(X, y, fold, units, python), own_cards(X, y, fold, units, seconds)
    lines = []
    for title, found in (("relspan", own), ("FasterRisk", peer)):
        scores = np.asarray(found["scores"])
        held_out = scores[fold, np.arange(len(y))]
        auc = np.mean([roc_auc_score(y[fold == f], held_out[fold == f]) for f in range(FOLDS)])
        gap = f"{max(found['gaps']):.1%}" if "gaps" in found else "not proven"
        none = f", none in {int(found['none'])} folds" if "none" in found and int(found["none"]) else ""
        cells = [
            f"{name} ({len(y)} x {X.shape[1]})",
            title + none,
            f"{found['sizes'][-1]}",
            f"{log_loss(y, scores[-1]):.4f}",
            f"{log_loss(y, held_out):.4f}",
            f"{auc:.4f}",
            gap,
            f"{np.mean(found['seconds']):.1f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", required=True, help="python of an environment that has fasterrisk")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--seconds", type=float, default=30.0, help="elapsed seconds that relspan's search may take")
    options = parser.parse_args()
    warnings.simplefilter("ignore", RelspanWarning)
    print(f"Cards of at most {FEATURES} features, points from -{LARGEST} to {LARGEST}; CPU seconds per card")
    print()
    print("| table | method | features | loss, all rows | loss, rows left out | AUC, rows left out | gap | seconds |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in options.sets:
        for line in rows_of(name, options.peer_python, options.seconds):
            print(line, flush=True)


if __name__ == "__main__":
    main()
