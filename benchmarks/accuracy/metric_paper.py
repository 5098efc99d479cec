"""The metric-learning paper item by item: Figures 1 and 4 to 11 and Table 1, with its own schemes.

    python -m benchmarks.accuracy.metric_paper [--parts xor paths spectra splits learners] [--data FOLDER] [--seeds 10]
                                               [--splits 10] [--most-dimensions 12]

Parts: `xor` the error of the extremal maps against the effective dimension (Figure 1); `paths` Lasso, elastic net and
ridge on the learned row, along their regularisation paths (Figure 4); `spectra` wine NIR and tecator with three classes
and the paper's split: errors, the curve of Figure 5, bounds and the average map (Table 1, Figures 5 to 9); `splits` the
errors at the chosen dimension over random splits of tecator; `learners` GMLVQ and LMNN on one table (Figures 10, 11):
breast cancer stands in for adrenal, which is not public. Spectra and splits need a folder with tecator.csv and
wine_nir.csv (--data, or RELSPAN_DATA).

The paper's scheme: for every dimension the error is the mean over the 2d maps at the ends of all intervals, and the
dimension of least *test* error with the largest null space is taken. `MetricRelevance(dimension_by="extremal")` takes
cross-validation within the training part instead; both are shown. Rows are combined by sums (`combine="sum"`), as in
the paper. Bounds are reported in units of the largest one.

The paper is A. Schulz, B. Mokbel, M. Biehl, B. Hammer, "Inferring Feature Relevances from Metric Learning", 2015. It
prints neither its class limits nor the sizes and noise of xor; ours are in benchmarks.accuracy.spectra and
relspan.simulate.make_xor.
"""

from __future__ import annotations

import argparse
import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import spearmanr
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import Ridge, enet_path, lasso_path
from sklearn.model_selection import StratifiedKFold, train_test_split

from benchmarks.accuracy.spectra import FILES, Split, missing_spectra, tecator, tecator_drawn, wine_nir
from relspan.metric import GMLVQ, LMNN, MetricRelevance
from relspan.simulate import make_xor

PARTS = ("xor", "paths", "spectra", "splits", "learners")
XOR_LEARNER = GMLVQ(n_prototypes=2, rank=1, n_starts=10)
RANK_TWO = {"GMLVQ": GMLVQ(rank=2), "LMNN": LMNN(rank=2)}
SETTINGS: dict[str, Any] = {"n_probes": 5, "probes": "fixed", "combine": "sum"}
IRREPLACEABLE, PEAK, NOTICEABLE = 0.01, 0.1, 0.01  # lower bounds, upper bounds, weights: shares of the largest one
PENALTIES = ("Lasso", "elastic net", "ridge")
SHARES = (0.25, 0.5, 0.75, 1.0)
SPECTRA = {"wine": (wine_nir, "3 classes of alcohol"), "tecator": (tecator, "3 classes of fat")}
CURVE = ("train, extremal maps", "test, extremal maps", "test, projected", "train, average", "test, average")
TRAIN_ROWS = 110  # of the adrenal table


def header(*columns: str) -> str:
    return "| " + " | ".join(columns) + " |\n" + "| --- " * len(columns) + "|"


def row(*cells: str) -> None:
    print("| " + " | ".join(cells) + " |", flush=True)


def analysed(learner: Any, X: np.ndarray, y: np.ndarray, dimension: Any, seed: int = 0, **more: Any) -> MetricRelevance:
    """The map of a fitted or unfitted learner with its intervals."""
    return MetricRelevance(learner, effective_dimension=dimension, random_state=seed, **SETTINGS, **more).fit(X, y)


def errors_of(maps: list[Any], X: np.ndarray, y: np.ndarray) -> float:
    """The mean error of some maps."""
    return float(np.mean([np.mean(one.predict(X) != y) for one in maps]))


def extremal_maps(model: MetricRelevance) -> list[Any]:
    """The 2d maps at the ends of all intervals."""
    return [model.extreme_map(j, end) for j in range(model.n_features_in_) for end in ("min", "max")]


def xor(seeds: range) -> None:
    """Figure 1: the error of the extremal maps on other samples, against the dimension."""
    print(f"\nxor, Figure 1: error of the extremal maps by effective dimension, means over {len(seeds)} draws\n")
    print(header("dimension", "train", "test"), flush=True)
    curves = []
    for seed in seeds:
        X, y = make_xor(400, random_state=seed)
        other, labels = make_xor(400, random_state=1000 + seed)
        models = [analysed(XOR_LEARNER, X, y, dimension, seed) for dimension in range(1, 6)]
        curves.append([[errors_of(extremal_maps(m), *part) for part in ((X, y), (other, labels))] for m in models])
    for dimension, (train, test) in enumerate(np.mean(curves, axis=0), start=1):
        row(str(dimension), f"{train:.3f}", f"{test:.3f}")
    best = [1 + int(np.argmin([test for _, test in curve])) for curve in curves]
    print(f"\nsmallest dimension of least test error: 3 in {best.count(3)} of {len(best)} draws")
    shares = [analysed(GMLVQ(n_prototypes=2, n_starts=10), *make_xor(400, random_state=s), 3, s) for s in seeds]
    first = [model.eigenvalues_[0] / model.eigenvalues_.sum() for model in shares]
    print(f"full rank: share of the first row in the trace, median over draws: {np.median(first):.2f}")


def path_weights(penalty: str, X: np.ndarray, target: np.ndarray) -> np.ndarray:
    """(d, steps): the weights along the path, from none to those of least squares."""
    if penalty == "Lasso":
        return np.abs(lasso_path(X, target, eps=1e-4, n_alphas=200)[1])
    if penalty == "elastic net":
        return np.abs(enet_path(X, target, l1_ratio=0.5, eps=1e-4, n_alphas=200)[1])
    steps = np.geomspace(1e6, 1e-3, 200)
    return np.abs([Ridge(alpha=alpha, fit_intercept=False).fit(X, target).coef_ for alpha in steps]).T


def at_share(weights: np.ndarray, share: float) -> np.ndarray:
    """The weights at the step of the path whose L1 norm is nearest to this share of the last one."""
    norms = weights.sum(axis=0)
    return weights[:, np.abs(norms - share * norms[-1]).argmin()]


def paths(seeds: range) -> None:
    """Figure 4: coefficients against the L1 norm, and what their order says about the copies 1 to 3."""
    found: dict[str, list[np.ndarray]] = {penalty: [] for penalty in PENALTIES}
    for seed in seeds:
        X, y = make_xor(400, random_state=seed)
        model = analysed(XOR_LEARNER, X, y, 3, seed)
        target = X @ model.rows_[0].row
        for penalty in PENALTIES:
            found[penalty].append(path_weights(penalty, X, target))
        if seed == seeds[0]:
            bounds = model.rows_[0].intervals
    print(f"\nxor, Figure 4: sizes of the weights along the path, seed {seeds[0]}\n")
    print(header("penalty, share of the L1 norm", *(f"X{j}" for j in range(1, 7))))
    for penalty in PENALTIES:
        for share in SHARES:
            row(f"{penalty}, {share}", *(f"{w:.2f}" for w in at_share(found[penalty][0], share)))
    for name, column in (("interval, at least", 0), ("interval, at most", 1)):
        row(name, *(f"{w:.2f}" for w in bounds[:, column]))
    print(f"\nxor, Figure 4: the copies X1 to X3 at half of the L1 norm, {len(seeds)} draws\n")
    print(header("penalty", "least / largest of X1-X3", "X4 / largest of X1-X3", "X1, X2, X3 leads"))
    for penalty in PENALTIES:
        half = np.array([at_share(weights, 0.5) for weights in found[penalty]])
        copies = half[:, :3]
        leads = [int(np.sum(copies.argmax(axis=1) == j)) for j in range(3)]
        row(
            penalty,
            f"{np.mean(copies.min(axis=1) / copies.max(axis=1)):.2f}",
            f"{np.mean(half[:, 3] / copies.max(axis=1)):.2f}",
            ", ".join(map(str, leads)),
        )


def learned(learner: Any, split: Split) -> tuple[Any, Split]:
    """The learner, fitted to the training part, and the table in units of its mean and deviation there."""
    X, y, train, test = split
    Z = (X - X[train].mean(axis=0)) / X[train].std(axis=0)
    return clone(learner).set_params(random_state=0).fit(Z[train], y[train]), (Z, y, train, test)


def curve(learner: Any, split: Split, dimensions: range) -> dict[int, list[float]]:
    """Training and test error of the extremal maps, test error of the projected map, both of the average map."""
    X, y, train, test = split
    found = {}
    for dimension in dimensions:
        model = analysed(learner, X[train], y[train], dimension)
        maps = extremal_maps(model)
        found[dimension] = [
            errors_of(maps, X[train], y[train]),
            errors_of(maps, X[test], y[test]),
            errors_of([model.projected_map()], X[test], y[test]),
            errors_of([model.average_map()], X[train], y[train]),
            errors_of([model.average_map()], X[test], y[test]),
        ]
    return found


def spectra(folder: Path, most: int) -> None:
    """Table 1 and Figures 5 to 9 on both tables, with the class limits of the training part and of all rows."""
    facts = []
    for name, (load, target) in SPECTRA.items():
        for limits_by in ("train", "all"):
            raw = load(folder, limits_by)
            fitted, split = learned(RANK_TWO["GMLVQ"], raw)
            X, y, train, test = split
            title = f"{name}, {target}, terciles of {'the training rows' if limits_by == 'train' else 'all rows'}"
            found = curve(fitted, split, range(1, most + 1))
            print(f"\n{title}: Figure 5, errors by effective dimension\n")
            print(header("dimension", *CURVE))
            for dimension, errors in found.items():
                row(str(dimension), *(f"{error:.3f}" for error in errors))
            best = min(found, key=lambda d: (round(found[d][1], 9), d))
            model = analysed(fitted, X[train], y[train], best)
            as_learned = [1 - model.score(X[part], y[part]) for part in (train, test)]
            by = chosen(RANK_TWO["GMLVQ"], raw) if limits_by == "train" else ""
            facts.append([title, *as_learned, best, *found[best], by, profile(model)])
    print("\nTable 1 and Figures 5 to 9: GMLVQ of rank 2\n")
    columns = ("data", "train, as learned", "test, as learned", "dimension of least test error")
    columns += CURVE
    more = ("dimension by cross-validation: projected, extremal", "rows", "irreplaceable", "upper bounds above 10 %")
    print(header(*columns, *more, "average map above 1 %", "learned map above 1 %"))
    for title, train_error, test_error, best, *errors, by, bounds in facts:
        row(title, f"{train_error:.3f}", f"{test_error:.3f}", str(best), *(f"{e:.3f}" for e in errors), by, *bounds)
    print("\nGMLVQ of rank 2 beside full rank: errors as learned, terciles of the training rows\n")
    print(header("data", "train, rank 2", "test, rank 2", "train, full", "test, full"))
    for name, (load, _) in SPECTRA.items():
        cells = []
        for learner in (RANK_TWO["GMLVQ"], GMLVQ()):
            fitted, (X, y, train, test) = learned(learner, load(folder))
            cells += [f"{1 - fitted.score(X[part], y[part]):.3f}" for part in (train, test)]
        row(name, *cells)


def chosen(learner: Any, split: Split) -> str:
    """The dimensions that cross-validation within the training part takes, by either error."""
    X, y, train, _ = split
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    models = [
        analysed(learner, X[train], y[train], "auto", cv=folds, dimension_by=by) for by in ("projected", "extremal")
    ]
    return ", ".join(str(model.effective_dimension_) for model in models)


def profile(model: MetricRelevance) -> list[str]:
    """Rows of the map; features that no map does without, with high upper bounds, and that the two maps weigh."""
    least, most = model.intervals_.T / model.intervals_.max()
    average = np.abs(model.average_map().omega_).sum(axis=0)
    raw = np.abs([one.row for one in model.rows_]).sum(axis=0)
    return [
        str(len(model.rows_)),
        str(int(np.sum(least > IRREPLACEABLE))),
        str(int(np.sum(most > PEAK))),
        str(int(np.sum(average > NOTICEABLE * average.max()))),
        str(int(np.sum(raw > NOTICEABLE * raw.max()))),
    ]


def splits(folder: Path, count: int) -> None:
    """The test error of the map as learned and at the chosen dimension, over random splits of tecator."""
    print(f"\ntecator, {count} random splits of 43 / 172: mean test error\n")
    columns = ("learner", "as learned", "projected map", "difference +- standard error", "above on", "dimensions")
    print(header(*columns))
    for name, learner in RANK_TWO.items():
        errors, dimensions = [], []
        for split in range(count):
            X, y, train, test = tecator_drawn(folder, split)
            model = analysed(learner, X[train], y[train], "auto", split)
            errors.append([1 - one.score(X[test], y[test]) for one in (model, model.projected_map())])
            dimensions.append(model.effective_dimension_)
        raw, at_dimension = np.array(errors).T
        error = f" +- {np.std(at_dimension - raw, ddof=1) / np.sqrt(count):.4f}" if count > 1 else ""
        row(
            f"{name}, rank 2",
            f"{raw.mean():.4f}",
            f"{at_dimension.mean():.4f}",
            f"{np.mean(at_dimension - raw):+.4f}{error}",
            f"{np.sum(at_dimension > raw + 1e-5)} of {count}",
            " ".join(map(str, sorted(dimensions))),
        )


def learners(count: int) -> None:
    """Figures 10 and 11: two learners on one table, by their errors and by the bounds they give."""
    X, y = load_breast_cancer(return_X_y=True)
    names = load_breast_cancer().feature_names
    print(
        f"\nbreast cancer, {TRAIN_ROWS} rows to learn from, {len(y) - TRAIN_ROWS} to test, means over {count} splits\n"
    )
    columns = ("learner", "train, as learned", "test, as learned", "dimension of least test error, per split")
    print(header(*columns, "test, extremal maps", "irreplaceable", "upper bounds above 10 %"))
    uppers: dict[str, list[np.ndarray]] = {name: [] for name in RANK_TWO}
    for name, learner in RANK_TWO.items():
        figures, dimensions = [], []
        for split in range(count):
            train, test = train_test_split(np.arange(len(y)), train_size=TRAIN_ROWS, stratify=y, random_state=split)
            fitted, (Z, *_) = learned(learner, (X, y, train, test))
            found = curve(fitted, (Z, y, train, test), range(2, X.shape[1] + 1, 2))
            best = min(found, key=lambda d: (round(found[d][1], 9), d))
            model = analysed(fitted, Z[train], y[train], best)
            uppers[name].append(model.intervals_[:, 1] / model.intervals_.max())
            _, irreplaceable, noticeable, *_ = profile(model)
            as_learned = [1 - model.score(Z[part], y[part]) for part in (train, test)]
            figures.append([*as_learned, found[best][1], float(irreplaceable), float(noticeable)])
            dimensions.append(best)
        train_error, test_error, extremal, irreplaceable, noticeable = np.mean(figures, axis=0)
        row(
            f"{name}, rank 2",
            f"{train_error:.3f}",
            f"{test_error:.3f}",
            " ".join(map(str, dimensions)),
            f"{extremal:.3f}",
            f"{irreplaceable:.1f}",
            f"{noticeable:.1f}",
        )
    print(f"\nbreast cancer: do the two learners agree on the features? {count} splits\n")
    print(header("split", "rank correlation of the upper bounds", "of the five largest in common", "which"))
    for split, (a, b) in enumerate(zip(*uppers.values(), strict=True)):
        common = sorted(set(np.argsort(-a)[:5].tolist()) & set(np.argsort(-b)[:5].tolist()))
        row(str(split), f"{spearmanr(a, b)[0]:.2f}", str(len(common)), ", ".join(names[j] for j in common))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="*", choices=PARTS, default=list(PARTS))
    parser.add_argument("--seeds", type=int, default=10, help="draws of xor")
    parser.add_argument("--splits", type=int, default=10, help="random splits of tecator")
    parser.add_argument("--learner-splits", type=int, default=3, help="splits of breast cancer")
    parser.add_argument("--most-dimensions", type=int, default=12, help="effective dimensions of the spectra")
    parser.add_argument("--data", default=os.environ.get("RELSPAN_DATA"), help=f"folder of {' and '.join(FILES)}")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # remarks on small tables, and folds of few rows that run to their last iteration
    seeds = range(options.seeds)
    if "xor" in options.parts:
        xor(seeds)
    if "paths" in options.parts:
        paths(seeds)
    lacks = missing_spectra(options.data)
    if {"spectra", "splits"} & set(options.parts) and lacks:
        print(f"\nspectra are left out: give --data FOLDER (or RELSPAN_DATA) with {' and '.join(lacks)}")
    if "spectra" in options.parts and not lacks:
        spectra(Path(options.data), options.most_dimensions)
    if "splits" in options.parts and not lacks:
        splits(Path(options.data), options.splits)
    if "learners" in options.parts:
        learners(options.learner_splits)


if __name__ == "__main__":
    main()
