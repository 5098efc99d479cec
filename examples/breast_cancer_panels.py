"""Which few measurements are enough, and for whom is the answer certain? python examples/breast_cancer_panels.py

The program prints the smallest panel of the breast cancer data (569 tumours, 30 measurements), with the gap to the
proven bound while it closes, the share of tumours on whose label not all equally good models agree, and the largest
share of labels that one such model can change.
"""

from __future__ import annotations

import sys
import warnings

from sklearn.datasets import load_breast_cancer

from relspan import RelevanceClassifier
from relspan.errors import RelspanWarning


def report(stage: str, share: float | None, note: str = "") -> None:
    print(f"{stage}: {note}", flush=True)


def main(time_limit: float) -> None:
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RelspanWarning)
        explorer = RelevanceClassifier(random_state=0).fit(X, y).explore()
    print("smallest panel")
    panel = explorer.smallest_panel(time_limit=time_limit, progress=report)
    print(panel)
    score = explorer.pin_all({name: "without" for name in X if name not in panel.features}).score()
    print(f"score of its features {score.mean:.3f}, of all {sum(score.all_features) / 3:.3f} ({score.note})")
    explorer.unpin()
    print(f"\nlabels that not all equally good models agree on: {explorer.predictions().ambiguous:.1%}")
    print("\nlabels that one equally good model can change")
    changed = explorer.discrepancy(time_limit=time_limit, progress=report)
    print(f"{changed.share:.1%}, no model changes more than {changed.bound:.1%} ({changed.seconds:.0f} s)")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
