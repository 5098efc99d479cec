"""Planted truth of the newer questions: survival times, covariates that are adjusted for, and a budget with a reason.

    python -m benchmarks.accuracy.planted_questions [--parts survival covariates budget] [--seeds 10] [--first-seed 0]

*survival*: exponential times whose rate depends on 2 strong columns and on what 2 substitutes share; 8 other columns;
30 % of the times are censored. *covariates*: age and sex decide, and so does a marker; a proxy knows about age and
nothing else. Adjusted for age and sex, the proxy should lose its class, and the marker keep it. *budget*: one standard
error of the held-out loss as a share of the explained loss, beside the usual 2 %, and whether classes depend on it.
"""

from __future__ import annotations

import argparse
import time
import warnings

import numpy as np
from sklearn.datasets import load_breast_cancer

from relspan import RelevanceClassifier, RelevanceSurvival, estimator_for
from relspan.errors import RelspanWarning
from relspan.simulate import simulate

STRONG, WEAK, OTHERS = 2, 2, 8
ADJUSTED = ("classification", "regression", "survival")
PARTS = ("survival", "covariates", "budget")


def censored_times(n: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Exponential times whose rate is exp(risk), of which 30 % are censored: the table, (time, event), the truth."""
    rng = np.random.default_rng(seed)
    X, shared = rng.standard_normal((n, STRONG + WEAK + OTHERS)), rng.standard_normal(n)
    X[:, 2:4] = shared[:, None] + 0.1 * rng.standard_normal((n, WEAK))
    times = rng.exponential(size=n) / np.exp(1.5 * (X[:, 0] - X[:, 1] + shared))
    ends = rng.exponential(size=n)
    ends *= np.quantile(times / ends, 0.7)
    y = np.column_stack([np.minimum(times, ends), times <= ends])
    return X, y, np.repeat([2, 1, 0], [STRONG, WEAK, OTHERS])


def aged(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A proxy of age, a marker, four columns of noise, age and sex; and the score that the target is made from."""
    rng = np.random.default_rng(seed)
    age, sex = rng.standard_normal(n), rng.integers(0, 2, n)
    X = rng.standard_normal((n, 6))
    X[:, 0] += 1.5 * age
    score = 2 * age + 0.8 * (2 * sex - 1) + X[:, 1] + 0.3 * rng.standard_normal(n)
    return np.column_stack([X, 60 + 10 * age, sex]), score


def target(task: str, score: np.ndarray, seed: int) -> np.ndarray:
    """The target of a task that follows from the score."""
    if task == "classification":
        return (score > 0).astype(int)
    if task == "survival":
        return np.column_stack([np.exp(-score), np.random.default_rng(seed).random(len(score)) < 0.7])
    return score


def survival(seeds: range) -> None:
    """F1 of relevant features, and the share of all features whose class is right."""
    print("Survival, 12 features, 30 % censored")
    print()
    print("| samples | tables | F1 | three-way | CPU s per fit |")
    print("| --- | --- | --- | --- | --- |")
    for n in (200, 500):
        scores, right, spent = [], [], time.process_time()
        for seed in seeds:
            X, y, truth = censored_times(n, seed)
            found = RelevanceSurvival(random_state=0).fit(X, y).relevance_
            scores.append(2 * ((truth > 0) & (found > 0)).sum() / ((truth > 0).sum() + (found > 0).sum()))
            right.append((found == truth).mean())
        each = (time.process_time() - spent) / len(seeds)
        print(f"| {n} | {len(seeds)} | {np.mean(scores):.3f} | {np.mean(right):.3f} | {each:.2f} |", flush=True)
    print()


def covariates(seeds: range, n: int = 200) -> None:
    """How often a proxy of age is called relevant with and without age, and the marker strong."""
    print(f"Adjusted for age and sex, {n} samples: number of tables")
    print()
    print(
        "| task | tables | proxy relevant, unadjusted | proxy relevant, adjusted | marker strong, adjusted | "
        "noise relevant, adjusted |"
    )
    print("| --- | --- | --- | --- | --- | --- |")
    for task in ADJUSTED:
        counts = np.zeros(4, dtype=int)
        for seed in seeds:
            X, score = aged(n, seed)
            y = target(task, score, seed)
            plain = estimator_for(task, random_state=0).fit(X[:, :6], y).relevance_
            beyond = estimator_for(task, covariates=[6, 7], random_state=0).fit(X, y).relevance_
            counts += [plain[0] > 0, beyond[0] > 0, beyond[1] == 2, (beyond[2:6] > 0).any()]
        print(f"| {task} | {len(seeds)} | {' | '.join(map(str, counts))} |", flush=True)
    print()


def budget(seeds: range) -> None:
    """One standard error of the held-out loss, and what it changes."""
    print("One standard error of the held-out loss, as a share of the explained loss; means over the tables")
    print()
    print("| table | tables | one_se | classes that differ from those at 2 % |")
    print("| --- | --- | --- | --- |")
    wisconsin = load_breast_cancer(return_X_y=True)
    kinds = {"breast cancer, 569 x 30": lambda seed: wisconsin}
    for n in (100, 200, 500, 2000):
        kinds[f"simulated, {n} x 20, 5 % of labels flipped"] = lambda seed, n=n: flipped(n, seed)
    for name, make in kinds.items():
        found, differ = [], []
        for seed in seeds if name.startswith("simulated") else range(1):
            X, y = make(seed)
            one = RelevanceClassifier(delta_loss="one_se", random_state=0).fit(X, y)
            usual = RelevanceClassifier(random_state=0).fit(X, y)
            found.append(one.result_.budgets["delta_loss"])
            differ.append((one.relevance_ != usual.relevance_).sum())
        print(f"| {name} | {len(found)} | {np.mean(found):.1%} | {np.mean(differ):.1f} |", flush=True)


def flipped(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A simulated table with 4 strong, 4 weak and 12 irrelevant features, and 5 % of the labels flipped."""
    data = simulate(n, strong=4, weak=4, irrelevant=12, flips=0.05, random_state=seed)
    return data.X, data.y


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--seeds", type=int, default=10, help="tables of every kind")
    parser.add_argument("--first-seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore", RelspanWarning)
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    for part in options.parts:
        {"survival": survival, "covariates": covariates, "budget": budget}[part](seeds)


if __name__ == "__main__":
    main()
