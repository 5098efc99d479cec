"""Analyzing feature relevance for linear reject option SVM using relevance intervals (2018)."""

from __future__ import annotations

from benchmarks.papers.claims import Cell, Claim, Paper, answers

REJECT_OPTION = Paper(
    "Reject option (2018)",
    "C. Göpfert, J. P. Göpfert, B. Hammer: *Analyzing Feature Relevance for Linear Reject Option SVM using Relevance "
    "Intervals*.",
    (
        Claim(
            "Conclusion",
            "How well are the relevant features found where the truth is known? F1 on Sim1, label noise .1",
            "left for the future",
            "tasks",
            Cell("reject", ("Sim1", "0.1"), "F1"),
            answers(lambda f1: f1 >= 0.97),
        ),
    ),
)
