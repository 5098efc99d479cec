"""FRI: feature relevance intervals for interpretable and interactive data exploration (2019)."""

from __future__ import annotations

from benchmarks.papers.claims import Cell, Claim, Paper, reaches

SETS = {
    "Sim1": (0.98, 0.98, 0.99),
    "Sim2": (0.98, 1.00, 0.97),
    "Sim3": (0.99, 0.98, 1.00),
    "Sim4": (0.99, 0.99, 0.98),
    "Sim5": (0.99, 1.00, 0.99),
}
FIGURES = ("F1", "precision", "recall")

FRI = Paper(
    "FRI (2019)",
    "L. Pfannschmidt, C. Göpfert, U. Neumann, D. Heider, B. Hammer: *FRI - Feature Relevance Intervals for "
    "Interpretable and Interactive Data Exploration*. The sets Sim1 to Sim5 are drawn by `relspan.simulate` with the "
    "paper's sizes.",
    tuple(
        Claim(
            f"Table II, {name}",
            "F1, precision and recall of the relevant features",
            " / ".join(f"{figure:.2f}" for figure in figures),
            "peers-fri",
            tuple(Cell(f"{name}:", "relspan", column) for column in FIGURES),
            reaches(*figures),
        )
        for name, figures in SETS.items()
    ),
)
