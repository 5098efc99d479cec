"""The papers' statements about tables that are not public, tried on synthetic twins of them.

    python -m benchmarks.accuracy.twins [--draws 10] [--published 2] [--fresh 20000]

A twin is made up (relspan.simulate.twin): what holds on it holds if the paper's description of its table does. Each
statement is tried on many draws, with the default settings and with the settings of the paper. Accuracy and AUC are
those of the best model, fitted to the twin and judged on fresh rows of the same kind.

* adrenal (ESANN 2017, Figure 1): strongly relevant steroids in every pathway but one; that one has two weakly relevant
  ones, and the accuracy falls by 1 % without both.
* t21 (FRI 2019, Figure 2): GA-d and CRL are weakly relevant; with GA-d at its minimum, CRL is needed.
* flip (FRI 2019, Tables IV and V): the AUC, and how many features are strong and weak.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.metrics import f1_score, roc_auc_score

from relspan import RelevanceClassifier
from relspan.errors import RelspanWarning
from relspan.simulate import Twin, simulate_adrenal, simulate_flip, simulate_t21
from relspan.simulate.adrenal_twin import MARKERS, PRECURSORS

Story = Callable[[int, RelevanceClassifier, int], dict[str, float]]
PAPER = {
    "adrenal": {
        "four markers strong": "yes",
        "both precursors weak": "yes",
        "F1 on the twin's rows": "0.98",
        "accuracy lost without both precursors, %": "1",
    },
    "t21": {
        "GA-d and CRL weak": "yes",
        "CRL needed with GA-d at its minimum": "yes",
        "strong": "6.6",
        "weak": "3.0",
        "AUC on fresh rows": "0.975",
    },
    "flip": {"strong": "8.8", "weak": "0.1", "AUC on fresh rows": "0.743"},
}
SHARES = (
    "four markers strong",
    "four markers relevant",
    "both precursors weak",
    "GA-d and CRL weak",
    "CRL needed with GA-d at its minimum",
)


def classes(twin: Twin, clf: RelevanceClassifier) -> dict[str, int]:
    """2 strong, 1 weak, 0 irrelevant, by name."""
    return dict(zip(twin.names, clf.relevance_.tolist(), strict=True))


def adrenal(seed: int, clf: RelevanceClassifier, fresh: int) -> dict[str, float]:
    """One draw of the adrenal twin."""
    twin, judge = simulate_adrenal(random_state=seed), simulate_adrenal(fresh, random_state=10_000 + seed)
    names = list(twin.names)

    def accuracy(without: tuple[str, ...]) -> float:
        kept = [j for j, name in enumerate(names) if name not in without]
        return 100 * float(clf.fit(twin.X[:, kept], twin.y).score(judge.X[:, kept], judge.y))

    without_both, without_one, whole = accuracy(PRECURSORS), accuracy(PRECURSORS[:1]), accuracy(())
    found = classes(twin, clf)
    return {
        "four markers strong": float(all(found[name] == 2 for name in MARKERS)),
        "four markers relevant": float(all(found[name] for name in MARKERS)),
        "both precursors weak": float(all(found[name] == 1 for name in PRECURSORS)),
        "irrelevant steroids called relevant": float(
            sum(found[name] > 0 for name, truth in zip(names, twin.truth, strict=True) if truth == 0)
        ),
        "F1 on the twin's rows": float(f1_score(twin.y, clf.predict(twin.X))),
        "accuracy on fresh rows, %": whole,
        "accuracy lost without both precursors, %": whole - without_both,
        "accuracy lost without one of them, %": whole - without_one,
    }


def t21(seed: int, clf: RelevanceClassifier, fresh: int) -> dict[str, float]:
    """One draw of the t21 twin."""
    twin, judge = simulate_t21(random_state=seed), simulate_t21(fresh // 2, fresh // 2, random_state=10_000 + seed)
    clf.fit(twin.X, twin.y)
    found = classes(twin, clf)
    explorer = clf.explore()
    age, length = (f"x{twin.names.index(name)}" for name in ("GA-d", "CRL"))
    explorer.pin(age, "min")
    after = next(feature for feature in explorer.result.features if feature.name == length)
    return {
        "GA-d and CRL weak": float(found["GA-d"] == found["CRL"] == 1),
        "CRL needed with GA-d at its minimum": float(after.under_pins.outcome == "needed"),
        "smallest relevance of CRL then": after.min,
        "strong": float(sum(value == 2 for value in found.values())),
        "weak": float(sum(value == 1 for value in found.values())),
        "AUC on fresh rows": float(roc_auc_score(judge.y, clf.decision_function(judge.X))),
    }


def flip(seed: int, clf: RelevanceClassifier, fresh: int) -> dict[str, float]:
    """One draw of the flip twin; the signs of the differences are the draw's own, so fresh rows come from it, too."""
    both = simulate_flip(118 + fresh, random_state=seed)
    X, y = both.X[:118], both.y[:118]
    clf.fit(X, y)
    found = classes(both, clf)
    return {
        "strong": float(sum(value == 2 for value in found.values())),
        "weak": float(sum(value == 1 for value in found.values())),
        "strong features found": float(
            sum(found[name] > 0 for name, truth in zip(both.names, both.truth, strict=True) if truth)
        ),
        "irrelevant features called relevant": float(
            sum(found[name] > 0 for name, truth in zip(both.names, both.truth, strict=True) if not truth)
        ),
        "AUC on fresh rows": float(roc_auc_score(both.y[118:], clf.decision_function(both.X[118:]))),
    }


STORIES: dict[str, tuple[Story, str]] = {
    "adrenal": (adrenal, "esann2017"),
    "t21": (t21, "fri2019"),
    "flip": (flip, "fri2019"),
}


def show(name: str, rows: dict[str, list[dict[str, float]]]) -> None:
    """One table: what the paper reports of its own table, and the mean over the draws of its twin."""
    heads = [f"{setting}, {len(draws)} draws" for setting, draws in rows.items()]
    print(f"\nTwin of {name}\n\n| what | the paper, on its own table | {' | '.join(heads)} |")
    print("| --- " * (len(heads) + 2) + "|")
    for what in next(iter(rows.values()))[0]:
        cells = [cell(what, [row[what] for row in draws]) for draws in rows.values()]
        print(f"| {what} | {PAPER[name].get(what, '')} | {' | '.join(cells)} |", flush=True)


def cell(what: str, values: list[float]) -> str:
    """In how many draws, or the mean and its standard deviation."""
    if what in SHARES:
        return f"{sum(values):.0f} of {len(values)}"
    return f"{np.mean(values):.3f} ± {np.std(values):.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--twins", nargs="+", choices=tuple(STORIES), default=list(STORIES))
    parser.add_argument("--draws", type=int, default=10, help="with the default settings")
    parser.add_argument("--published", type=int, default=2, help="draws with the paper's own settings")
    parser.add_argument("--fresh", type=int, default=20_000, help="rows that judge")
    options = parser.parse_args()
    warnings.simplefilter("ignore", RelspanWarning)  # close calls are what the draws count
    for name in options.twins:
        story, paper = STORIES[name]
        makers: dict[str, tuple[Callable[..., Any], int]] = {
            "defaults": (RelevanceClassifier, options.draws),
            "as published": (partial(RelevanceClassifier.as_published, paper), options.published),
        }
        rows = {
            setting: [story(seed, make(random_state=0), options.fresh) for seed in range(draws)]
            for setting, (make, draws) in makers.items()
            if draws
        }
        show(name, rows)
    print(
        "\nThe paper's column is about its own table, which is not public; the twins are made up after its description."
    )


if __name__ == "__main__":
    main()
