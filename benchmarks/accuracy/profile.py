"""Does the relevance profile of breast cancer make sense? (Figure 2 of the first paper)

    python -m benchmarks.accuracy.profile [--seed 0] [--draws 9999]

The table holds ten measurements of the cell nuclei in an image, and of each three figures: the mean over the nuclei,
its standard error, and the worst (the mean of the three largest). The three describe one thing, so what relspan finds
can be held against what the names mean:

  - substitutes: features of one measurement should take over from one another more than any two features do. Shown by
    the exchange of `Explorer.groups` (0 none, 1 all), and how seldom random triples reach the same mean;
  - geometry: radius, perimeter and area are nearly functions of one another, so they should replace one another too;
  - figures: pathologists grade by the most abnormal nuclei, so the worst should be able to matter more than the mean,
    and the standard error less.

Each of these can fail, and the lines below the tables say what was found.

The paper says of its Figure 2 that "a few" features are strongly relevant and "a handful" weakly, and that the models
at the ends of all intervals have an F-score of .98 with a standard deviation of .0008. The last table counts the same
under several settings: relspan's defaults, the settings of the paper (the L2 machine, one budget for norm plus C times
loss, without slack) at the C that cross-validation chooses and at a larger one, the same with the L1 machine, and
budgets of .001. The paper does not print its C. The less slack the budgets have, the fewer models are equally good, and
the more features are in all of them.
"""

from __future__ import annotations

import argparse
import warnings
from itertools import combinations
from typing import Any

import numpy as np
from scipy.stats import binomtest
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import adjusted_rand_score

from relspan import RelevanceClassifier
from relspan.result import FeatureRelevance, RelevanceResult

FIGURES = ("mean", "error", "worst")
SIZE = ("radius", "perimeter", "area")


def triples(names: list[str]) -> dict[str, list[str]]:
    """The measurements, each with its three features: "mean radius", "radius error", "worst radius"."""
    measurements = [name.removeprefix("mean ") for name in names if name.startswith("mean ")]
    return {m: [f"mean {m}", f"{m} error", f"worst {m}"] for m in measurements}


def within(exchange: np.ndarray, labels: np.ndarray) -> float:
    """The mean exchange of two features with the same label."""
    same = np.triu(labels[:, None] == labels[None, :], k=1)
    return float(exchange[same].mean())


def chance(exchange: np.ndarray, labels: np.ndarray, draws: int, seed: int) -> float:
    """How often random groups of the same sizes reach the mean exchange of the given ones: a permutation test."""
    rng, reached = np.random.default_rng(seed), within(exchange, labels)
    beaten = sum(within(exchange, rng.permutation(labels)) >= reached - 1e-12 for _ in range(draws))
    return (beaten + 1) / (draws + 1)


def cell(feature: FeatureRelevance) -> str:
    """An interval and its class."""
    return f"{feature.min:.3f} to {feature.max:.3f} {feature.relevance}"


def show(result: RelevanceResult, groups: dict[str, list[str]]) -> None:
    """The profile, a measurement a row."""
    counts = ", ".join(f"{len(result.names(kind))} {kind}" for kind in ("strong", "weak", "irrelevant"))
    print(f"\nBreast cancer: relevance by measurement, shares of the best model's norm; {counts}\n")
    print("| measurement | mean | error | worst | the three together |\n" + "| --- " * 5 + "|")
    whole = {group.name: group for group in result.groups}
    for measurement, members in groups.items():
        group = whole[measurement]
        cells = [*(cell(result[name]) for name in members), f"{group.min:.3f} to {group.max:.3f} {group.relevance}"]
        print(f"| {measurement} | {' | '.join(cells)} |")


def checks(
    result: RelevanceResult, exchange: np.ndarray, found: np.ndarray, labels: np.ndarray, draws: int, seed: int
) -> list[str]:
    """What was found, one line per question.

    `labels` are the measurements of the relevant features, and `found` are the groups.
    """
    p = chance(exchange, labels, draws, seed)
    says = "yes" if p < 0.01 else "NO"
    every = float(exchange[np.triu_indices(len(exchange), k=1)].mean())
    lines = [
        f"substitutes: {says}, mean exchange {within(exchange, labels):.3f} within a measurement, {every:.3f} over all "
        f"pairs; chance {p:.4f}"
    ]
    size = np.isin(labels, SIZE)
    geometry = float(exchange[np.ix_(size, size)][np.triu_indices(size.sum(), k=1)].mean())
    p_size = chance(exchange, np.where(size, 0, 1 + np.arange(len(size))), draws, seed)
    says = "yes" if p_size < 0.01 else "NO"
    lines.append(f"geometry: {says}, mean exchange {geometry:.3f} among {', '.join(SIZE)}; chance {p_size:.4f}")
    index = adjusted_rand_score(labels, found)
    lines.append(f"groups: {len(set(found))} found; adjusted Rand index against the measurements {index:.3f}")
    most = {figure: np.array([f.max for f in result.features if figure in f.name.split()]) for figure in FIGURES}
    for more, less in (("worst", "mean"), ("mean", "error"), ("worst", "error")):
        ahead = int((most[more] > most[less]).sum())
        p = binomtest(ahead, len(most[more]), alternative="greater").pvalue
        says = "yes" if p < 0.05 else "not clearly" if most[more].mean() > most[less].mean() else "NO"
        lines.append(
            f"{more} above {less}: {says}, mean of the largest relevance {most[more].mean():.3f} and "
            f"{most[less].mean():.3f}, in {ahead} of {len(most[more])} measurements; chance {p:.2f}"
        )
    needed = [group.name for group in result.groups if group.relevance == "strong"]
    lines.append(f"measurements of which every good model uses at least one figure: {', '.join(needed) or 'none'}")
    return lines


SETTINGS = {
    "defaults": RelevanceClassifier(),
    "esann2017": RelevanceClassifier.as_published("esann2017"),
    "esann2017, C = 10": RelevanceClassifier.as_published("esann2017", C=10.0),
    "esann2017, L1 machine": RelevanceClassifier.as_published("esann2017", penalty="l1"),
    "budgets .001": RelevanceClassifier(delta_norm=0.001, delta_loss=0.001, loss_budget="relative"),
}


def figure_2(X: Any, y: Any, seed: int) -> None:
    """How many features are strong, weak and irrelevant, and how the extremal models score, by settings."""
    print("\nFigure 2 by settings: classes, and the F-score of all models at the ends of intervals on the same rows\n")
    columns = ("settings", "C", "strong", "weak", "irrelevant", "models", "F mean", "F sd", "F least", "F best model")
    print(f"| {' | '.join(columns)} |\n" + "| --- " * len(columns) + "|")
    for name, estimator in SETTINGS.items():
        result = estimator.set_params(random_state=seed).fit(X, y).result_
        counts = [str(len(result.names(kind))) for kind in ("strong", "weak", "irrelevant")]
        found = result.extremal_scores
        scores = [f"{found['mean']:.3f}", f"{found['sd']:.4f}", f"{found['least']:.3f}", f"{found['best_model']:.3f}"]
        cells = [f"{result.baseline['C']:.3g}", *counts, str(found["models"]), *scores]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--draws", type=int, default=9999, help="permutations of the test")
    options = parser.parse_args()
    data = load_breast_cancer(as_frame=True)
    groups = triples(list(data.data))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = RelevanceClassifier(random_state=options.seed, feature_groups=groups).fit(data.data, data.target)
        result = fitted.result_
        show(result, groups)
        relevant = [*result.names("strong"), *result.names("weak")]
        found = fitted.explore().groups(relevant)
    measurement = {name: m for m, members in groups.items() for name in members}
    labels = np.array([measurement[name] for name in found.features])
    print("\nDoes it make sense?\n")
    for line in checks(result, found.exchange, np.array(found.labels), labels, options.draws, options.seed):
        print(line)
    pairs = sorted(combinations(range(len(labels)), 2), key=lambda pair: -found.exchange[pair])[:10]
    print("\nThe ten pairs that replace one another most\n")
    print("| feature | feature | exchange | same measurement |\n" + "| --- " * 4 + "|")
    for j, k in pairs:
        same = "yes" if labels[j] == labels[k] else "both size" if {labels[j], labels[k]} <= set(SIZE) else "no"
        print(f"| {found.features[j]} | {found.features[k]} | {found.exchange[j, k]:.3f} | {same} |")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        figure_2(data.data, data.target, options.seed)


if __name__ == "__main__":
    main()
