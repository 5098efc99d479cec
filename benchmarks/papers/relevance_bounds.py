"""Feature relevance bounds for linear classification (ESANN 2017)."""

from __future__ import annotations

from benchmarks.papers.claims import Cell, Claim, Paper, reaches

SETS = {"I": (1.00, 0.97, 0.98), "II": (0.95, 1.00, 0.97), "III": (1.00, 0.97, 0.98)}
FIGURES = ("precision", "recall", "F1")

RELEVANCE_BOUNDS = Paper(
    "Relevance bounds (ESANN 2017)",
    "C. Göpfert, L. Pfannschmidt, B. Hammer: *Feature Relevance Bounds for Linear Classification*. The data sets I to "
    "III are drawn by `relspan.simulate` with the paper's sizes.",
    (
        Claim(
            "Theorems 1, 2",
            "The smallest and the largest weight of a feature are linear programs",
            "proof omitted",
            "tests/estimators/test_first_paper.py",
            form="equal to an independent program and to scikit-learn's baseline",
        ),
        *(
            Claim(
                f"Table 1, Data {name}",
                "precision, recall and F1 of the relevant features",
                " / ".join(f"{figure:.2f}" for figure in figures),
                "peers-esann",
                tuple(Cell(f"{name}:", "relspan", column) for column in FIGURES),
                reaches(*figures),
            )
            for name, figures in SETS.items()
        ),
        Claim(
            "Figure 1",
            "Adrenal tumours: strong features in each pathway but one",
            "F-score 0.98, standard deviation 0.005",
            because="the table is not public",
        ),
    ),
)
