"""Analyzing feature relevance for linear reject option SVM using relevance intervals (2018)."""

from __future__ import annotations

import re

from benchmarks.papers.claims import DIFFERS, REPRODUCED, Cell, Claim, Paper, Rule, answers, holds

TESTS = "tests/estimators/test_reject.py"
SETS = ("1, unequal noise", "2, equal noise", "3, few near the boundary")
FIGURE, ENDS, ALL, TRUTH = "Figure 1", "The models at the ends", "All equally good models", "Known truth"
SIM = ("Sim1", "Sim2", "Sim3", "Sim4", "Sim5")
RIVALS = ("L1 reject SVM", "L2-SVM", "L1-SVM", "elastic net", "stability selection")
# the first feature's share of the norm at its least and at its largest, from the output that the notebook has stored
NOTEBOOK = {SETS[0]: (0.0, 0.60), SETS[1]: (0.24, 0.44), SETS[2]: (0.0, 0.70)}
SPREAD = re.compile(r"\(([\d.]+) to ([\d.]+)\)")


def ends_of(word: str) -> tuple[float, float]:
    """The least and the largest value of a cell such as "0.66 (0.57 to 0.82)"."""
    found = SPREAD.search(word)
    assert found is not None, word
    return float(found[1]), float(found[2])


def among_draws(*figures: float) -> Rule:
    """The paper has one draw of a table, we have several: its figures lie among ours."""

    def rule(words: tuple[str, ...]) -> str:
        spans = [ends_of(word) for word in words]
        inside = [low - 0.01 <= figure <= high + 0.01 for (low, high), figure in zip(spans, figures, strict=True)]
        return REPRODUCED if all(inside) else DIFFERS

    return rule


def below_in_all_draws(limit: float) -> Rule:
    """The largest value of any draw."""
    return lambda words: REPRODUCED if all(ends_of(word)[1] < limit for word in words) else DIFFERS


def inside_in_all_draws(low: float, high: float) -> Rule:
    """The first reading never reaches down to `low`, the second never up to `high`."""
    return lambda words: REPRODUCED if ends_of(words[0])[0] > low and ends_of(words[1])[1] < high else DIFFERS


REJECT_OPTION = Paper(
    "Reject option (2018)",
    "C. Göpfert, J. P. Göpfert, B. Hammer: *Analyzing Feature Relevance for Linear Reject Option SVM using Relevance "
    "Intervals*. The figures beside Figure 1 are those that the authors' notebook has stored "
    "(github.com/janphigoe/rejectferel); the paper prints the picture alone.",
    (
        Claim(
            "Section 3, program",
            "The best model: squared norm plus mean loss; an error costs 1, a rejection r",
            "stated",
            TESTS,
            form="the authors' stored answers on two tables: objective to 1e-6, weights to 1e-5, with C = 1/(2n)",
        ),
        Claim(
            "Section 3, loss",
            "At r = 1/2 the loss is the hinge loss, and the model the ordinary SVM",
            "stated",
            TESTS,
            form="the same rows and intervals as without a reject option, and the weights of scikit-learn's SVC",
        ),
        Claim(
            "Section 3, weights",
            "A change of feature i by less than 2r / |w_i| turns no confident answer into the opposite one",
            "stated",
            TESTS,
            form="no answer flips at .999 of that change, some do at 1.5 of it",
        ),
        Claim(
            "Section 4, programs",
            "The range of each weight over all models within the norm and the loss of the best one, by linear programs",
            "stated",
            TESTS,
            form="the authors' stored ranges on two tables to 1e-5, with every engine",
            note="The printed programs allow no more loss, the authors' notebook 1 %, which is what "
            '`as_published("reject2018")` takes.',
        ),
        Claim(
            "Figure 1, panels",
            "Nine panels: for each table the best model, and those at the ends of the first feature's interval",
            "shown",
            "examples/plot_reject_models.py",
            form="drawn by the example",
        ),
        *(
            Claim(
                f"Figure 1, table {name}",
                "Share of the first feature in the weights at its least and at its largest",
                f"{least:.2f} to {most:.2f}",
                "reject",
                (Cell(FIGURE, name, "minimal"), Cell(FIGURE, name, "maximal")),
                among_draws(least, most),
                form="{} to {}",
                because="the drawing is ours, after the notebook's",
            )
            for name, (least, most) in NOTEBOOK.items()
        ),
        Claim(
            "Section 5",
            "Table 1: relying on the first, noisier feature alone is not possible",
            "largest share below 1",
            "reject",
            Cell(FIGURE, SETS[0], "maximal"),
            below_in_all_draws(1.0),
        ),
        Claim(
            "Section 5",
            "Weights are not reduced to zero or raised to the maximum in all cases: table 2 needs both features",
            "least above 0, largest below 1",
            "reject",
            (Cell(FIGURE, SETS[1], "minimal"), Cell(FIGURE, SETS[1], "maximal")),
            inside_in_all_draws(0.0, 1.0),
        ),
        Claim(
            "Section 5",
            "In the majority of cases assigned classes are not flipped: share of flipped rows at the worst end",
            "a minority",
            "reject",
            tuple(Cell(ENDS, name, "flipped classes") for name in SETS),
            holds(lambda *shares: max(shares) < 1.0),
            because="more than one row in a hundred is flipped",
        ),
        Claim(
            "Section 5",
            "The choice of rejected points differs strongly: overlap of the rejected rows at the worst end",
            "differs strongly",
            "reject",
            tuple(Cell(ENDS, name, "overlap of the rejected rows") for name in SETS),
            holds(lambda *overlaps: max(overlaps) < 0.8),
            because="more than four in five rejected rows are common",
            note="A fifth to a third of the rows that either model rejects are rejected by one of them only; of all "
            "rows these are few.",
        ),
        Claim(
            "Section 5, open",
            "How does the set of rejected points behave? Rows rejected by the best model, by every equally good model, "
            "and by some",
            "left for the future",
            "reject",
            tuple(Cell(ALL, SETS[0], column) for column in ("rejected by the best", "by every model", "by some model")),
            answers(lambda best, every, some: every <= best <= some),
            form="table 1: {} by the best, {} by every model, {} by some",
        ),
        Claim(
            "Section 5, open",
            "The same on real data: breast cancer, default budgets",
            "left for the future",
            "reject",
            tuple(
                Cell(ALL, "breast cancer", column)
                for column in ("rejected by the best", "by every model", "by some model", "either class is possible")
            ),
            answers(lambda best, every, some, either: every <= best <= some and either <= 100),
            form="{} by the best, {} by every model, {} by some; {} of the rows can have either class",
        ),
        Claim(
            "Section 5, open",
            "How does the true reject loss behave in the extremal cases? Change at the ends, tables 1 to 3",
            "left for the future",
            "reject",
            tuple(Cell(ENDS, name, "change of the true loss") for name in SETS),
            answers(lambda *changes: max(map(abs, changes)) < 0.01),
            because="the true loss changes by more than .01",
        ),
        Claim(
            "Conclusion",
            "Comparison with other selectors where the truth is known: F1 on Sim1 to Sim5, label noise .5",
            "left for the future",
            "reject",
            tuple(Cell(TRUTH, method, name) for method in ("relspan, reject", *RIVALS) for name in SIM),
            answers(lambda *f1: all(f1[j] >= max(f1[j + 5 :: 5]) for j in range(5))),
            form="relspan {0} {1} {2} {3} {4}; of five rivals the two best: L2-SVM {10} {11} {12} {13} {14}, "
            "elastic net {20} {21} {22} {23} {24}",
            because="a rival is better on one of the sets",
        ),
        *(
            Claim(
                "Conclusion",
                f"How well are the relevant features found where the truth is known? F1 on Sim1 to Sim5, noise {noise}",
                "left for the future",
                "tasks",
                tuple(Cell("reject", (name, noise), "F1") for name in SIM),
                answers(lambda *f1: min(f1) >= 0.9),
                because="F1 is below .9 on one of the sets",
            )
            for noise in ("0.0", "0.1", "0.5")
        ),
        *(
            Claim(
                "Conclusion",
                f"Evaluation on real data: {name}, 0/1/r loss on held-out rows with the features called relevant, and "
                "with all features",
                "left for the future",
                "reject",
                (
                    Cell(f"{name}, ", "relspan, reject", "0/1/r loss"),
                    Cell(f"{name}, ", "all features", "0/1/r loss"),
                    Cell(f"{name}, ", "relspan, reject", "features"),
                    Cell(f"{name}, ", "all features", "features"),
                ),
                answers(lambda ours, every, kept, there: ours <= every + 0.02 and kept <= there),
                form="{} with the relevant features, {} with all ({} of {} features)",
                because="leaving out the irrelevant features costs more than .02",
                note="No selector is better than all features by more than chance; relspan keeps every substitute, so "
                "that sparse methods keep fewer.",
            )
            for name in ("breast cancer", "SPECTF")
        ),
    ),
)
