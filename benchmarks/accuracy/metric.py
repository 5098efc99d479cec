"""Metric learners and the intervals of their maps, beside the figures of the metric-learning paper.

    python -m benchmarks.accuracy.metric [--data FOLDER] [--seeds 10] [--probes 10] [--parts xor learners ...]

Parts: `xor` the intervals and classes on the paper's xor data (Figure 3), for three learners over several seeds;
`regression` Lasso, elastic net and ridge on the learned row, for comparison (Figure 4); `learners` cross-validated
accuracy of GMLVQ and error of LMNN beside Euclidean neighbours; `nir` tecator and wine NIR, test error of the map as
learned and at the effective dimension that cross-validation on the training part chose (Figures 5 to 11), which needs a
folder with tecator.csv and wine_nir.csv (--data, or RELSPAN_DATA).

The paper is A. Schulz, B. Mokbel, M. Biehl, B. Hammer, "Inferring feature relevances from metric learning", 2015. Its
figures are quoted. It names neither its splits nor its class limits; ours are in the code below.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import ElasticNetCV, LassoCV, RidgeCV
from sklearn.model_selection import StratifiedKFold, cross_val_score, train_test_split
from sklearn.neighbors import KNeighborsClassifier, NeighborhoodComponentsAnalysis
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from relspan.errors import RelspanWarning
from relspan.metric import GMLVQ, LMNN, MetricRelevance
from relspan.simulate.xor import make_xor

RANK_ONE = GMLVQ(2, rank=1, n_starts=10)
XOR_LEARNERS: dict[str, tuple[Any, int]] = {
    "GMLVQ, rank 1": (RANK_ONE, 400),
    "GMLVQ, rank 1, n = 4000": (RANK_ONE, 4000),
    "GMLVQ, full": (GMLVQ(2, n_starts=10), 400),
    "LMNN, rank 1": (LMNN(rank=1), 400),
    "LMNN, full": (LMNN(), 400),
    "NCA, full": (NeighborhoodComponentsAnalysis(), 400),
}
TRUTH = [1, 1, 1, 2, 0, 0]


def header(*columns: str) -> str:
    return "| " + " | ".join(columns) + " |\n" + "| --- " * len(columns) + "|"


def xor(seeds: Iterable[int], n_probes: int) -> None:
    """Relative to feature 4's largest relevance: feature 4's least, the substitutes' and the others' largest."""
    print(
        f"\nxor, {len(list(seeds))} seeds, {n_probes} probes: median (worst), relative to the max of feature 4\n\n"
        + header(
            "learner",
            "dimension 3",
            "min of 4",
            "max of 1-3",
            "max of 1-3 within 2 %",
            "max of 5, 6",
            "vanished share of length",
            "4 strong, 1-3 weak",
            "5, 6 irrelevant",
            "s a fit",
        )
    )
    for name, (learner, n_samples) in XOR_LEARNERS.items():
        rows = [xor_figures(learner, n_samples, seed, n_probes) for seed in seeds]
        dimension, least, substitutes, others, vanished, right, quiet, seconds = (
            np.array(column) for column in zip(*rows, strict=True)
        )
        worst = substitutes.ravel()[np.abs(substitutes - 1).argmax()]
        within = np.sum(np.abs(substitutes - 1).max(axis=1) <= 0.02)
        print(
            f"| {name} | {np.sum(dimension == 3)} of {len(rows)} | {np.median(least):.3f} ({least.min():.3f}) "
            f"| {np.median(substitutes):.3f} ({worst:.3f}) | {within} of {len(rows)} "
            f"| {np.median(others):.3f} ({others.max():.3f}) | {np.median(vanished):.2f} "
            f"| {right.sum()} of {len(rows)} | {quiet.sum()} of {len(rows)} | {np.mean(seconds):.1f} |",
            flush=True,
        )


def xor_figures(learner: Any, n_samples: int, seed: int, n_probes: int) -> tuple[Any, ...]:
    X, y = make_xor(n_samples, random_state=seed)
    begin = perf_counter()
    model = MetricRelevance(learner, n_probes=n_probes, random_state=seed).fit(X, y)
    seconds = perf_counter() - begin
    least, most = model.intervals_.T / model.intervals_[3, 1]
    learned, left = (sum(getattr(row, name) for row in model.rows_) for name in ("norm", "mu"))
    return (
        model.effective_dimension_,
        least[3],
        most[:3],
        most[4:].max(),
        1 - left / learned,
        list(model.relevance_[:4]) == TRUTH[:4],
        list(model.relevance_[4:]) == TRUTH[4:],
        seconds,
    )


def regression(seed: int) -> None:
    """Figure 4: one row as a regression target, and the one profile each of three penalties finds for it."""
    X, y = make_xor(400, random_state=seed)
    model = MetricRelevance(RANK_ONE, effective_dimension=3, n_probes=5, probes="append", random_state=seed).fit(X, y)
    row = model.rows_[0]
    profiles = {"as learned": np.abs(row.row)}
    for name, penalty in {"ridge": RidgeCV(), "Lasso": LassoCV(), "elastic net": ElasticNetCV(l1_ratio=0.5)}.items():
        profiles[name] = np.abs(penalty.fit(X, X @ row.row).coef_)
    profiles["at least"], profiles["at most"] = row.intervals.T
    print(
        f"\nxor, seed {seed}, GMLVQ rank 1: weights by method\n\n" + header("method", *(f"X{j}" for j in range(1, 7)))
    )
    for name, profile in profiles.items():
        print(f"| {name} | " + " | ".join(f"{weight:.3f}" for weight in profile) + " |")


def learners(seeds: Iterable[int]) -> None:
    """5-fold figures, mean over shuffles, and one split; features standardised on each training part."""
    print(
        f"\n5-fold cross-validation, mean over {len(list(seeds))} shuffles; one split: 30 % held out, seed 0\n\n"
        + header(
            "data",
            "GMLVQ accuracy",
            "Euclidean 3-NN error",
            "LMNN 3-NN error",
            "one split: Euclidean",
            "one split: LMNN",
            "s GMLVQ fit",
            "s LMNN fit",
        )
    )
    for load in (load_iris, load_wine, load_breast_cancer):
        X, y = load(return_X_y=True)
        figures = {}
        for name, model in {"gmlvq": GMLVQ(random_state=0), "knn": KNeighborsClassifier(3), "lmnn": LMNN(3)}.items():
            begin = perf_counter()
            scores = [
                cross_val_score(
                    make_pipeline(StandardScaler(), model), X, y, cv=StratifiedKFold(5, shuffle=True, random_state=s)
                ).mean()
                for s in seeds
            ]
            seconds = (perf_counter() - begin) / 5 / len(scores)
            A, B, a, b = train_test_split(X, y, test_size=0.3, stratify=y, random_state=0)
            held_out = 1 - make_pipeline(StandardScaler(), model).fit(A, a).score(B, b)
            figures[name] = float(np.mean(scores)), seconds, held_out
        print(
            f"| {load.__name__.removeprefix('load_')} | {figures['gmlvq'][0]:.3f} | {1 - figures['knn'][0]:.4f} "
            f"| {1 - figures['lmnn'][0]:.4f} | {figures['knn'][2]:.3f} | {figures['lmnn'][2]:.3f} "
            f"| {figures['gmlvq'][1]:.2f} | {figures['lmnn'][1]:.2f} |",
            flush=True,
        )


def tecator(folder: Path) -> tuple[np.ndarray, ...]:
    """100 absorbances, fat in three equal classes; 43 samples to learn from, 172 to test."""
    table = np.genfromtxt(folder / "tecator.csv", delimiter=",", skip_header=1)[:215]
    X, fat = table[:, :100], table[:, -2]
    y = np.searchsorted(np.quantile(fat, [1 / 3, 2 / 3]), fat)
    return X, y, *train_test_split(np.arange(215), train_size=43, stratify=y, random_state=0)


def wine_nir(folder: Path) -> tuple[np.ndarray, ...]:
    """256 absorbances, alcohol above its median or not; the 30 of the second file to learn from, 91 to test."""
    lines = (folder / "wine_nir.csv").read_text().split()[1:]
    table = np.array([line.split(",")[:-1] for line in lines], dtype=float)
    part = np.array([line.split(",")[-1] for line in lines])
    X, alcohol = table[:, :256], table[:, 256]
    outliers = [33, 34, 83]
    train, test = np.flatnonzero(part == "test"), np.setdiff1d(np.flatnonzero(part == "train"), outliers)
    y = (alcohol > np.median(alcohol[np.concatenate([train, test])])).astype(int)
    return X, y, train, test


PAPER_ERRORS = {"tecator": (".07 train, .16 test", ""), "wine NIR": (".29", ".14 at 7")}


def nir(folder: Path, n_probes: int) -> None:
    """Test errors of the map as learned, of equivalent maps, and what was found."""
    print(
        "\nNIR spectra, test error\n\n"
        + header(
            "data",
            "learner",
            "as learned",
            "paper",
            "dimension",
            "shortest map",
            "average map",
            "paper",
            "strong / weak / irrelevant",
            "s learner",
            "s all intervals, a row",
        )
    )
    for name, load in {"tecator": tecator, "wine NIR": wine_nir}.items():
        X, y, train, test = load(folder)
        for learner in (GMLVQ(rank=2), GMLVQ(), LMNN(rank=2)):
            model = MetricRelevance(learner, n_probes=n_probes, probes="append", random_state=0).fit(X[train], y[train])
            errors = [1 - m.score(X[test], y[test]) for m in (model, model.shortest_map(), model.average_map())]
            seconds = model.result_.seconds
            seen = sum(not row.vanishes for row in model.rows_)
            found = " / ".join(str(np.sum(model.relevance_ == kind)) for kind in (2, 1, 0))
            label = f"{type(learner).__name__}, " + (f"rank {learner.rank}" if learner.rank else "full")
            print(
                f"| {name} | {label} | {errors[0]:.3f} | {PAPER_ERRORS[name][0]} | {model.effective_dimension_} "
                f"| {errors[1]:.3f} | {errors[2]:.3f} | {PAPER_ERRORS[name][1]} | {found} "
                f"| {seconds['learner']:.2f} | {seconds['bounds'] / seen:.2f} |",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("RELSPAN_DATA"), help="folder of tecator.csv, wine_nir.csv")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--probes", type=int, default=10)
    parser.add_argument("--parts", nargs="*", default=["xor", "regression", "learners", "nir"])
    options = parser.parse_args()
    warnings.simplefilter("ignore", RelspanWarning)
    seeds = range(options.seeds)
    if "xor" in options.parts:
        xor(seeds, options.probes)
    if "regression" in options.parts:
        regression(seeds[0])
    if "learners" in options.parts:
        learners(seeds)
    if "nir" in options.parts:
        folder = Path(options.data or "")
        if options.data and all((folder / file).exists() for file in ("tecator.csv", "wine_nir.csv")):
            nir(folder, options.probes)
        else:
            print("\nNIR spectra skipped: give --data FOLDER (or RELSPAN_DATA) with tecator.csv and wine_nir.csv")


if __name__ == "__main__":
    main()
