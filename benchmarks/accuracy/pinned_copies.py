"""Figure 3 of the FRI paper: what happens to the copies of a feature that is pinned to an end of its interval?

    python -m benchmarks.accuracy.pinned_copies [--seed 1]

Eight features as in the paper: 1 to 4 strong, 5 to 7 copies of one another, 8 noise. Feature 5 is pinned to its least
(b) and to its largest relevance (c). In the paper nothing changes in (b); in (c) the copies 6 and 7 "have no
contribution", and all other intervals are single values.

The figure is made with the settings of the paper (budgets of .001) and with relspan's defaults. With wider budgets the
copies keep an interval in (c), and the last table shows why: they have the opposite sign. In the model at that end the
pinned copy is larger than it need be, and another copy cancels the excess. The norm budget pays for both; predictions
depend on the sum of the three only.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np

from relspan import RelevanceClassifier
from relspan.result import FeatureRelevance, RelevanceResult
from relspan.simulate import simulate

PINNED, COPIES = "x4", ("x5", "x6")
SETTINGS = {"fri2019": RelevanceClassifier.as_published("fri2019"), "defaults": RelevanceClassifier()}


def shown(feature: FeatureRelevance) -> str:
    """An interval."""
    return f"{feature.min:.3f} to {feature.max:.3f}"


def profile(setting: str, free: RelevanceResult, least: RelevanceResult, most: RelevanceResult) -> None:
    """The three panels, one row per feature."""
    print(f"\nFigure 3, settings {setting}: relevance as a share of the best model's norm; feature 5 is pinned\n")
    columns = ("feature", "class", "(a) no pin", "(b) 5 at its minimum", "(c) 5 at its maximum", "(c) signed")
    print(f"| {' | '.join(columns)} |\n" + "| --- " * len(columns) + "|")
    for number, (a, b, c) in enumerate(zip(free.features, least.features, most.features, strict=True), 1):
        print(f"| {number} | {a.relevance} | {shown(a)} | {shown(b)} | {shown(c)} | {c.lo:.3f} to {c.hi:.3f} |")


def statements(free: RelevanceResult, least: RelevanceResult, most: RelevanceResult) -> list[str]:
    """The paper's statements, as figures of one setting."""
    counts = [str(len(free.names(kind))) for kind in ("strong", "weak", "irrelevant")]
    others = [f.name for f in free.features if f.name != PINNED]
    moved = max(max(abs(free[n].min - least[n].min), abs(free[n].max - least[n].max)) for n in others)
    widest = max(most[n].max - most[n].min for n in others if n not in COPIES)
    return [*counts, f"{moved:.3f}", f"{max(most[n].max for n in COPIES):.3f}", f"{widest:.3f}"]


def cancelling(free: RelevanceResult, most: RelevanceResult) -> list[str]:
    """The copies' weights in the model in which feature 6 has its largest relevance while feature 5 is pinned."""
    assert most.certificates is not None
    column = [f.name for f in most.features].index(COPIES[0])
    ends = most.certificates.extremes.models_of([2 * column, 2 * column + 1])
    model = ends[np.abs(ends[:, column]).argmax()] / free.baseline["l1_norm"]
    own = [float(model[j]) for j, f in enumerate(most.features) if f.name in (PINNED, *COPIES)]
    return [*(f"{weight:+.3f}" for weight in own), f"{sum(own):+.3f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    data = simulate(200, strong=4, weak=3, irrelevant=1, copies=2, random_state=options.seed)
    facts, sums = {}, {}
    for setting, estimator in SETTINGS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = estimator.set_params(random_state=0).fit(data.X, data.y)
            free = fitted.result_
            least, most = (fitted.explore().pin(PINNED, end).result for end in ("min", "max"))
        profile(setting, free, least, most)
        facts[setting], sums[setting] = statements(free, least, most), cancelling(free, most)
    print("\nWhat the paper says of the figure\n")
    columns = (
        *("settings", "strong", "weak", "irrelevant", "(b) largest change", "(c) largest relevance of a copy"),
        "(c) widest other interval",
    )
    print(f"| {' | '.join(columns)} |\n" + "| --- " * len(columns) + "|")
    print("\n".join(f"| {setting} | {' | '.join(cells)} |" for setting, cells in facts.items()))
    print("\nThe three copies in the model where 6 is largest while 5 is pinned to its maximum: they cancel\n")
    print("| settings | weight of 5 | weight of 6 | weight of 7 | sum |\n" + "| --- " * 5 + "|")
    print("\n".join(f"| {setting} | {' | '.join(cells)} |" for setting, cells in sums.items()))


if __name__ == "__main__":
    main()
