"""``relspan select``: the columns that a selector chooses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import OutputOptions
from relspan.cli.options.packs import Only, Without
from relspan.cli.options.table import File, Target, load
from relspan.cli.selection_output import write_report
from relspan.options import option
from relspan.selectors.discrete_features import refuse_new_levels
from relspan.selectors.selection_report import (
    COUNT_LEVELS,
    JUDGING_LEARNERS,
    REACH_A_VALUE,
    SELECTION_METHODS,
    selection_report,
)
from relspan.tables import TableOptions


@dataclass(frozen=True)
class SelectorOptions:
    """The selector, and what it needs."""

    method: str = option("hiton", metavar="METHOD", help=f"The selector: one of {', '.join(SELECTION_METHODS)}.")
    learner: str = option(
        "svm", metavar="|".join(JUDGING_LEARNERS), help="The model whose cross-validated score judges a set of columns."
    )
    n_features: int | None = option(None, help="The number of columns to select.", show_default="by cross-validation")
    reach: float | None = option(
        None,
        help=f"Select the fewest columns that reach this value ({', '.join(REACH_A_VALUE)}): the cross-validated "
        "score, or the explained share of the target's variance.",
        show_default="no goal",
    )
    folds: int = option(5, help="The number of folds of the cross-validation.")
    alpha: float = option(0.05, help="The significance level of the independence tests (hiton, hiton-pc).")


def select_command(
    file: File,
    target: Target,
    *,
    selector: SelectorOptions,
    output: OutputOptions,
    table: Annotated[TableOptions, Without("categorical", "groups", "event")],
    analysis: Annotated[AnalysisOptions, Only("seed")],
) -> None:
    """Select columns by HITON, a filter, recursive elimination, or a wrapper."""
    prepared = load(file, target, table, output, encode="codes")
    if selector.method in COUNT_LEVELS:
        refuse_new_levels(prepared)
    report = selection_report(
        prepared,
        method=selector.method,
        learner=selector.learner,
        n_features=selector.n_features,
        reach=selector.reach,
        cv=selector.folds,
        seed=analysis.seed,
        alpha=selector.alpha,
    )
    write_report(report, output)
