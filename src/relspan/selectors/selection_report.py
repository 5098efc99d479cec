"""`relspan select`: any of the selectors on a table, as a table or JSON."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from rich.table import Table
from sklearn.base import BaseEstimator
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.multiclass import type_of_target

from relspan.checks import one_of
from relspan.errors import DataError, ParameterError, RelspanWarning
from relspan.result.answer_table import AnswerTable, counted
from relspan.result.record import current_versions, write_record
from relspan.selectors import (
    HITON,
    HITONPC,
    AssociationFilter,
    BranchAndBound,
    ExhaustiveSearch,
    GeneticSearch,
    GreedyWrapper,
    HalvingRFE,
)
from relspan.selectors.association_filter import MEASURES
from relspan.selectors.discrete_features import discrete_features
from relspan.selectors.greedy_wrapper import SEARCH_DIRECTIONS
from relspan.selectors.selector import Selector
from relspan.tables import PreparedTable
from relspan.terminal_text import printable

JUDGING_LEARNERS: dict[str, Callable[[int], BaseEstimator]] = {
    "svm": lambda seed: make_pipeline(StandardScaler(), SVC(kernel="linear")),
    "knn": lambda seed: make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "tree": lambda seed: DecisionTreeClassifier(random_state=seed),
    "neural": lambda seed: make_pipeline(StandardScaler(), MLPClassifier((16,), max_iter=500, random_state=seed)),
}
SELECTION_METHODS = (
    "hiton",
    "hiton-pc",
    *(f"filter-{measure}" for measure in MEASURES),
    "rfe",
    *SEARCH_DIRECTIONS,
    "exhaustive",
    "genetic",
    "branch-and-bound",
)
TAKE_NUMBERS = ("hiton-pc", "filter-pearson", "branch-and-bound")  # for these the target may hold numbers
REACH_A_VALUE = ("exhaustive", "branch-and-bound")
COUNT_LEVELS = ("hiton", "hiton-pc", "filter-g2", "filter-chi2", "filter-information")


@dataclass(frozen=True, repr=False)
class SelectionReport(AnswerTable):
    """What `relspan select` chose; plain values, ready for a table or JSON."""

    method: str
    target: str
    n_samples: int
    n_features: int
    selected: list[str]
    scores: dict[str, float] | None
    inner_score: float | None
    parameters: dict[str, Any]
    seconds: float
    warnings: list[str] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> str:
        """JSON with a schema version and the version of relspan."""
        return write_record({"relspan": current_versions()["relspan"], "kind": "selection", **asdict(self)})

    def columns(self) -> dict[str, list[Any]]:
        """One row per selected feature, for a file."""
        strength = {} if self.scores is None else {"association": [self.scores[name] for name in self.selected]}
        return {"feature": list(self.selected), **strength}

    @property
    def headline(self) -> str:
        """The method, and how many features it chose."""
        return f"{self.method} for {self.target} selects {len(self.selected)} of {counted(self.n_features, 'feature')}"

    def to_table(self) -> Table:
        """One row per selected feature."""
        caption = f"{len(self.selected)} of {self.n_features} features, {self.seconds:.2g} s"
        if self.inner_score is not None:
            caption += f"; score {self.inner_score:.4g} on the folds that chose them (optimistic)"
        table = Table(title=printable(f"{self.method} for {self.target}"), caption=caption)
        table.add_column("feature")
        if self.scores is not None:
            table.add_column("association", justify="right")
        for name in self.selected:
            table.add_row(printable(name), *([] if self.scores is None else [f"{self.scores[name]:.4g}"]))
        return table


def make_selector(
    method: str,
    *,
    learner: str = "svm",
    n_features: int | None = None,
    reach: float | None = None,
    cv: int = 5,
    seed: int = 0,
    **hiton: Any,
) -> Selector:
    """The selector behind a method's name.

    Parameters
    ----------
    method : str
        One of `SELECTION_METHODS`.
    learner : str
        One of `JUDGING_LEARNERS`; judges subsets in filters, wrappers and the last stage of HITON.
    n_features : int, optional
        Size of the set, where the method takes one; None chooses by cross-validation where it can.
    reach : float, optional
        Value that the fewest features must reach, for `REACH_A_VALUE` only.
    cv : int
    seed : int
    **hiton
        Parameters of `HITONPC` for "hiton" and "hiton-pc".
    """
    one_of("method", method, SELECTION_METHODS)
    one_of("learner", learner, JUDGING_LEARNERS)
    if reach is not None and method not in REACH_A_VALUE:
        raise ParameterError(
            f"reach={reach:g} does not apply to method={method!r}: use one of {', '.join(REACH_A_VALUE)}"
        )
    judge = JUDGING_LEARNERS[learner](seed)
    size: int | str = "cv" if n_features is None else n_features
    if method == "hiton":
        return HITON(judge, cv=cv, **hiton)
    if method == "hiton-pc":
        return HITONPC(**hiton)
    if method.startswith("filter-"):
        return AssociationFilter(measure=method.removeprefix("filter-"), n_features=size, estimator=judge, cv=cv)
    if method == "rfe":
        return HalvingRFE(n_features=size, cv=cv)
    if method in SEARCH_DIRECTIONS:
        return GreedyWrapper(judge, direction=method, cv=cv, max_features=n_features)
    if method == "exhaustive":
        return ExhaustiveSearch(judge, cv=cv, reach=reach, max_size=n_features)
    if method == "genetic":
        return GeneticSearch(judge, cv=cv, random_state=seed)
    if n_features is None and reach is None:
        raise ParameterError(
            "method='branch-and-bound' needs the number of features or a value: set n_features or reach"
        )
    return BranchAndBound(n_features=n_features, reach=reach)


def selection_report(
    table: PreparedTable,
    *,
    method: str = "hiton",
    learner: str = "svm",
    n_features: int | None = None,
    reach: float | None = None,
    cv: int = 5,
    seed: int = 0,
    alpha: float = 0.05,
) -> SelectionReport:
    """Run a selector and report what it chose.

    Parameters
    ----------
    table : PreparedTable
        With text columns numbered (``encode="codes"``).
    method, learner, n_features, reach, cv, seed
        As in `make_selector`.
    alpha : float
        Level of the tests of HITON.
    """
    hiton: dict[str, Any] = {}
    if method in ("hiton", "hiton-pc"):
        hiton = {"alpha": alpha, "discrete_features": discrete_features(table)}
    selector = make_selector(method, learner=learner, n_features=n_features, reach=reach, cv=cv, seed=seed, **hiton)
    _refuse_words(method, table)
    _refuse_numbers(method, n_features is not None or reach is not None, table)
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RelspanWarning)
        selector.fit(table.X, table.y)
    seconds = time.perf_counter() - start
    names = table.names
    chosen: list[int] = np.flatnonzero(selector.get_support()).tolist()
    strength = getattr(selector, "scores_", None)
    if strength is not None:
        chosen.sort(key=lambda x: -strength[x])
    wrapper = getattr(selector, "wrapper_", None)
    inner = wrapper.score if wrapper is not None else getattr(selector, "score_", None)
    parameters = {"learner": learner, "n_features": n_features, "reach": reach, "cv": cv, "seed": seed}
    return SelectionReport(
        method=method,
        target=table.report.target,
        n_samples=len(table.X),
        n_features=len(names),
        selected=[names[x] for x in chosen],
        scores=None if strength is None else {names[x]: float(strength[x]) for x in chosen},
        inner_score=None if inner is None else float(inner),
        parameters=parameters | ({"alpha": alpha} if hiton else {}),
        seconds=seconds,
        warnings=[str(w.message) for w in caught],
        data=table.report.facts(),
    )


def _refuse_words(method: str, table: PreparedTable) -> None:
    """Levels numbered in alphabetical order are no quantity."""
    name = next((name for name, levels in table.report.levels.items() if len(levels) > 2), None)
    if method not in COUNT_LEVELS and name is not None:
        raise DataError(
            f"column {name!r} contains text, and {method!r} needs numbers: use one of {', '.join(COUNT_LEVELS)}"
        )


def _refuse_numbers(method: str, is_sized: bool, table: PreparedTable) -> None:
    """The learners that judge a set of columns predict classes."""
    judged = method not in TAKE_NUMBERS or (not is_sized and method != "hiton-pc")
    if judged and type_of_target(table.y) == "continuous":
        raise DataError(
            f"the target {table.report.target!r} contains numbers such as {table.y[0]:.4g}, and the method {method!r} "
            "judges columns by how well they predict classes: use hiton-pc, or set n_features and use filter-pearson "
            "or branch-and-bound"
        )
