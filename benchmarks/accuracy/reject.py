"""The reject option: the paper's figure, its open question, and rivals where the truth is known and on real tables.

    python -m benchmarks.accuracy.reject [--parts figure decisions family truth real] [--seeds 10] [--family-seeds 2]
                                         [--splits 10] [--data FOLDER] [--units FILE]

Parts: `figure` the share of the first feature in the three models of Figure 1, over draws of the paper's three sets,
beside the stored output of the authors' notebook (github.com/janphigoe/rejectferel). `decisions` the open question of
the paper: do the models at the ends of the intervals reject the same rows, do they flip classes, and how does their
true 0/1/r loss change? `family` the same question for *all* equally good models, not only those at the ends: a row's
score fills an interval, which says whether every model, some model or no model rejects it. `truth` F1 of "relevant" on
Sim1 to Sim5 with label noise, beside other selectors. `real` 0/1/r loss, coverage and accuracy of a reject option SVM
that sees the selected features alone, on rows that no selector has seen.

The sets of the paper are analysed with its settings (`as_published("reject2018")`, C = 1/(2n)), real tables with
relspan's defaults and a reject cost of .2: one error costs as much as five rejections. Breast cancer comes with
scikit-learn; SPECTF, and colposcopy with --tables, need a folder with their files (--data, or RELSPAN_DATA).

The paper is C. Göpfert, J. P. Göpfert, B. Hammer, "Analyzing Feature Relevance for Linear Reject Option SVM using
Relevance Intervals", 2018.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.accuracy.biomedical import TABLES, load, missing_files
from benchmarks.accuracy.simulated import f1_of_relevant
from benchmarks.peers.selection import selected
from benchmarks.units import Units
from relspan import RejectOptionSVC, RejectRelevanceClassifier
from relspan.metrics import accepted_accuracy, coverage, reject_loss
from relspan.simulate import PAPER_SETS, simulate, simulate_rejectable

SETS = {1: "1, unequal noise", 2: "2, equal noise", 3: "3, few near the boundary"}
REJECT_COST, DEFAULT_COST = 0.2, 0.25  # of real tables, and relspan's default, for the known truth
REAL_TABLES = ("breast cancer", "SPECTF")
# weights of the best model, and the first weight at its least and at its largest, as the authors' notebook prints them
AUTHORS = {
    1: ((0.19136595, 0.20472773), 0.00028338597, 0.2395355235),
    2: ((0.09989939, -0.15737787), 0.06274168888, 0.1129524585),
    3: ((-0.14150962, -0.14562443), 0.0, 0.2001672999),
}
OURS = "relspan, reject"
RIVALS = ("L1 reject SVM", "L2-SVM", "L1-SVM", "elastic net", "stability selection")
PARTS = ("figure", "decisions", "family", "truth", "real")
LABEL_NOISE = 0.5


@dataclass(frozen=True, eq=False)
class Case:
    """A fitted analysis with the rows it was fitted to."""

    found: RejectRelevanceClassifier
    X: np.ndarray
    y: np.ndarray


def header(*columns: str) -> str:
    return "| " + " | ".join(columns) + " |\n" + "| --- " * len(columns) + "|"


def row(*cells: str) -> None:
    print("| " + " | ".join(cells) + " |", flush=True)


def paper_case(number: int, seed: int) -> Case:
    """A draw of a set of the paper, analysed as the paper does."""
    X, y = simulate_rejectable(number, seed)
    found = RejectRelevanceClassifier.as_published("reject2018", C=1 / (2 * len(y)), n_probes=5, random_state=0)
    return Case(found.fit(X, y), X, y)


def scaled_table(name: str, folder: str | None) -> tuple[np.ndarray, np.ndarray]:
    """A real table, with the means of its columns for missing values, scaled to mean 0 and deviation 1."""
    table = load(name, folder)
    return prepared(table.X)[0], table.y


def prepared(train: np.ndarray, *others: np.ndarray) -> list[np.ndarray]:
    """Tables imputed and scaled by the first one, without the columns that do not vary in it."""
    steps = make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler()).fit(train)
    varies = steps.transform(train).std(axis=0) > 0
    return [steps.transform(table)[:, varies] for table in (train, *others)]


def real_case(name: str, folder: str | None) -> Case:
    """A real table, analysed with the defaults."""
    X, y = scaled_table(name, folder)
    return Case(RejectRelevanceClassifier(reject_cost=REJECT_COST, random_state=0).fit(X, y), X, y)


def cases(seeds: range, tables: list[str], folder: str | None) -> dict[str, list[Callable[[], Case]]]:
    """The draws of the paper's sets, and real tables, by title; each is analysed when it is called."""
    found: dict[str, list[Callable[[], Case]]] = {
        title: [partial(paper_case, number, seed) for seed in seeds] for number, title in SETS.items()
    }
    return found | {name: [partial(real_case, name, folder)] for name in tables}


def spread(values: Iterable[float]) -> str:
    """The mean, and the least and the largest."""
    found = np.array(list(values))
    return f"{found.mean():.2f} ({found.min():.2f} to {found.max():.2f})"


def figure(seeds: range) -> None:
    """Figure 1: the first feature's share of the norm in the best model, at its least and at its largest."""
    print(f"\nFigure 1: share of the first feature in the weights, mean (least to largest) over {len(seeds)} draws\n")
    ends = ("best", "minimal", "maximal")
    print(header("set", *ends, *(f"authors, {end}" for end in ends)), flush=True)
    for number, title in SETS.items():
        shares = []
        for seed in seeds:
            found = paper_case(number, seed).found
            weights = np.abs(found.coef_[0])
            shares.append([weights[0] / weights.sum(), *found.intervals_[0]])
        best, least, most = AUTHORS[number]
        norm = np.abs(best).sum()
        stored = [f"{value / norm:.2f}" for value in (abs(best[0]), least, most)]
        row(title, *(spread(column) for column in np.transpose(shares)), *stored)


def ends_of(case: Case) -> dict[str, float]:
    """What the models at the ends of all intervals decide, compared with the best model: the largest differences."""
    n, rejected = len(case.y), int(case.found.reject(case.X).sum())
    ends = case.found.result_.details["extremal_decisions"]
    changed = [(end["newly_rejected"] + end["newly_accepted"]) / n for end in ends]
    common = [rejected - end["newly_accepted"] for end in ends]
    either = [rejected + end["newly_rejected"] for end in ends]
    return {
        "rejected": rejected / n,
        "changed": max(changed),
        "overlap": min(a / b for a, b in zip(common, either, strict=True) if b),
        "flips": max(end["flips"] for end in ends) / n,
        "loss": 1 - case.found.score(case.X, case.y),
        "least": min(end["change"] for end in ends),
        "most": max(end["change"] for end in ends),
    }


def decisions(seeds: range, tables: list[str], folder: str | None) -> None:
    """The open question, at the ends of all intervals."""
    print(
        f"\nThe models at the ends of the intervals, compared with the best model: means over {len(seeds)} draws of "
        "the worst end (real tables: one analysis)\n"
    )
    print(
        header(
            "set",
            "rejected by the best",
            "rows whose rejection changes",
            "overlap of the rejected rows",
            "flipped classes",
            "true loss of the best",
            "change of the true loss",
        ),
        flush=True,
    )
    for title, makers in cases(seeds, tables, folder).items():
        found = [ends_of(make()) for make in makers]
        mean = {key: float(np.mean([one[key] for one in found])) for key in found[0]}
        row(
            title,
            f"{mean['rejected']:.1%}",
            f"{mean['changed']:.1%}",
            f"{mean['overlap']:.2f}",
            f"{mean['flips']:.2%}",
            f"{mean['loss']:.4f}",
            f"{mean['least']:+.4f} to {mean['most']:+.4f}",
        )


def family(seeds: range, tables: list[str], folder: str | None) -> None:
    """The open question, over all equally good models: what can happen to a row."""
    print(f"\nAll equally good models: share of rows, means over {len(seeds)} draws (real tables: one analysis)\n")
    columns = ("rejected by the best", "by every model", "by some model", "either class is possible")
    print(header("set", *columns), flush=True)
    for title, makers in cases(seeds, tables, folder).items():
        shares = []
        for make in makers:
            case = make()
            labels = [set(sample.labels or ()) for sample in case.found.explore().predictions().samples]
            shares.append(
                [
                    case.found.reject(case.X).mean(),
                    np.mean([label == {None} for label in labels]),
                    np.mean([None in label for label in labels]),
                    np.mean([len(label - {None}) == 2 for label in labels]),
                ]
            )
        row(title, *(f"{share:.1%}" for share in np.mean(shares, axis=0)))


def mask_of(method: str, X: np.ndarray, y: np.ndarray, seed: int, reject_cost: float) -> np.ndarray:
    """The features that a method calls relevant on a scaled table."""
    if method == OURS:
        return RejectRelevanceClassifier(reject_cost=reject_cost, random_state=seed).fit(X, y).relevance_ > 0
    if method == "L1 reject SVM":
        svc = RejectOptionSVC(reject_cost=reject_cost, penalty="l1", random_state=seed).fit(X, y)
        return np.abs(svc.coef_[0]) > 1e-5
    if method == "all features":
        return np.ones(X.shape[1], dtype=bool)
    return selected(method, X, y, seed)


def truth(seeds: range, methods: list[str], units: Units) -> None:
    """F1 of "relevant" on the FRI paper's sets with label noise."""
    print(f"\nKnown truth: F1 of relevant, label noise {LABEL_NOISE}, means over {len(seeds)} draws\n")
    sets = [name for name in PAPER_SETS if name.startswith("Sim")]
    print(header("method", *sets), flush=True)
    for method in methods:
        cells = []
        for name in sets:
            scores = []
            for seed in seeds:
                data = simulate(*PAPER_SETS[name], target_noise=LABEL_NOISE, random_state=seed)
                Z = prepared(data.X)[0]
                mask = units.get(
                    f"truth {method} {name} {seed}",
                    lambda m=method, Z=Z, y=data.y, s=seed: mask_of(m, Z, y, s, DEFAULT_COST).tolist(),
                )
                scores.append(f1_of_relevant(data.truth, np.array(mask, dtype=int)))
            cells.append(f"{np.mean(scores):.3f}")
            print(".", end="", file=sys.stderr, flush=True)
        row(method, *cells)


def judged(table: Any, method: str, split: int) -> list[float]:
    """Loss, coverage, accuracy of the answers, and number of features, on rows that were held out."""
    splitter = StratifiedShuffleSplit(1, test_size=0.4, random_state=split)
    train, test = next(splitter.split(table.X, table.y))
    Z, held_out = prepared(table.X[train], table.X[test])
    y, y_test = table.y[train], table.y[test]
    mask = mask_of(method, Z, y, split, REJECT_COST)
    if not mask.any():  # nothing to learn from: reject every row
        return [REJECT_COST, 0.0, float("nan"), 0]
    svc = RejectOptionSVC(reject_cost=REJECT_COST, random_state=0).fit(Z[:, mask], y)
    rejected, labels = svc.reject(held_out[:, mask]), svc.predict(held_out[:, mask])
    right = accepted_accuracy(y_test, labels, rejected) if not rejected.all() else float("nan")
    return [reject_loss(y_test, labels, rejected, REJECT_COST), coverage(rejected), right, int(mask.sum())]


def real(tables: list[str], folder: str | None, splits: int, methods: list[str], units: Units) -> None:
    """A reject option SVM on the selected features, on held-out rows."""
    for name in tables:
        table = load(name, folder)
        found = {
            method: np.array(
                [
                    units.get(f"real {name} {method} {split}", lambda s=split, m=method: judged(table, m, s))  # noqa: B023
                    for split in range(splits)
                ],
                dtype=float,
            )
            for method in ("all features", *methods)
        }
        print(
            f"\n{name}, {table.X.shape[0]} x {table.X.shape[1]}: {splits} splits 60 : 40, rejecting costs "
            f"{REJECT_COST}; means over held-out rows\n"
        )
        print(
            header(
                "method",
                "0/1/r loss",
                "difference to all features +- standard error",
                "answered",
                "right answers",
                "features",
            )
        )
        base = found["all features"][:, 0]
        for method, figures in found.items():
            differences = figures[:, 0] - base
            error = f" +- {differences.std(ddof=1) / np.sqrt(splits):.4f}" if splits > 1 else ""
            loss, answered, right, count = np.nanmean(figures, axis=0)
            row(
                method,
                f"{loss:.4f}",
                f"{differences.mean():+.4f}{error}" if method != "all features" else "",
                f"{answered:.1%}",
                "" if np.isnan(right) else f"{right:.1%}",
                f"{count:.1f}",
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="*", choices=PARTS, default=list(PARTS))
    parser.add_argument("--seeds", type=int, default=10, help="draws of the simulated sets")
    parser.add_argument("--family-seeds", type=int, default=2, help="draws for the part `family`, two programs per row")
    parser.add_argument("--splits", type=int, default=10, help="splits of each real table")
    parser.add_argument("--tables", nargs="*", choices=TABLES, default=list(REAL_TABLES))
    parser.add_argument("--methods", nargs="*", choices=(OURS, *RIVALS), default=[OURS, *RIVALS])
    parser.add_argument("--data", default=os.environ.get("RELSPAN_DATA"), help="folder of SPECTF and colposcopy")
    parser.add_argument("--units", help="a file of finished parts, to go on from")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    units, seeds = Units(options.units), range(options.seeds)
    tables = []
    for name in options.tables:
        lacks = missing_files(name, options.data)
        if lacks:
            print(f"{name} is left out: give --data FOLDER (or RELSPAN_DATA) with {', '.join(lacks)}")
        else:
            tables.append(name)
    if "figure" in options.parts:
        figure(seeds)
    if "decisions" in options.parts:
        decisions(seeds, tables, options.data)
    if "family" in options.parts:
        family(range(options.family_seeds), tables, options.data)
    if "truth" in options.parts:
        truth(seeds, options.methods, units)
    if "real" in options.parts:
        real(tables, options.data, options.splits, options.methods, units)


if __name__ == "__main__":
    main()
