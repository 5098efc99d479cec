"""Inferring feature relevances from metric learning (2015)."""

from __future__ import annotations

from benchmarks.papers.claims import Cell, Claim, Paper, reads

XOR = "xor, 10 seeds"

METRIC_LEARNING = Paper(
    "Metric learning (2015)",
    "A. Schulz, B. Mokbel, M. Biehl, B. Hammer: *Inferring Feature Relevances From Metric Learning*.",
    (
        Claim(
            "Figure 1",
            "xor: three directions are needed, no more",
            "3",
            "metric",
            Cell(XOR, "GMLVQ, rank 1", "dimension 3"),
            reads("10 of 10"),
            form="3 in {} draws",
        ),
        Claim(
            "Figure 3",
            "xor: feature 4 is irreplaceable, 1 to 3 replace one another, 5 and 6 do not matter",
            "shown",
            "metric",
            tuple(Cell(XOR, "GMLVQ, rank 1", column) for column in ("4 strong, 1-3 weak", "5, 6 irrelevant")),
            reads("10 of 10", "10 of 10"),
            form="4 strong and 1 to 3 weak in {} draws, 5 and 6 irrelevant in {}",
        ),
    ),
)
