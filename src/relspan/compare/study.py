"""Nested cross-validation of methods: everything that learns is done without the fold that it is scored on.

    for each method:
        for each outer fold (train, test):
            scale by train;  S = select(train);  fit the judge on train[:, S];  score it on test[:, S]
        S = select(all rows)                    what the table of features shows

The folds are the same for all methods, and so is the judge. A selection made on all rows and scored by cross-validation
afterwards would have seen the test rows: on pure noise with many columns such a score is far above chance.
"""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import check_scoring, get_scorer_names
from sklearn.preprocessing import StandardScaler

from relspan import checks
from relspan.arrays import Bools, Floats, Ints
from relspan.compare.judge import folds_for, judge_for, sees_numbers
from relspan.compare.method_comparison import MethodComparison, Outcome, mean_agreement
from relspan.compare.methods import METHODS, Method, available_methods
from relspan.errors import DataError, ParameterError, RelspanError, RelspanWarning
from relspan.estimators.samples import sample_groups
from relspan.progress import Progress, ProgressChoice, reporter
from relspan.tables import NamedMatrix
from relspan.tasks import TASKS, guess_task


@dataclass(frozen=True, eq=False)
class _Study:
    """A table, its folds, and the scorer: what all methods share."""

    X: Floats
    y: NDArray[Any]
    names: tuple[str, ...]
    task: str
    scorer: Any
    folds: list[tuple[NDArray[np.int64], NDArray[np.int64]]]
    seed: int
    groups: Ints | None = None

    def chosen(self, method: Method, rows: NDArray[np.int64] | slice) -> NDArray[np.int64]:
        """What the method keeps if it sees these rows alone."""
        scaled = StandardScaler().fit_transform(self.X[rows])
        table = NamedMatrix(scaled, self.names) if method.named else scaled
        own = {"groups": self.groups[rows]} if method.grouped and self.groups is not None else {}
        return method.select(table, self.y[rows], self.task, self.seed, **own)

    def score(self, kept: Bools, train: NDArray[np.int64], test: NDArray[np.int64]) -> float:
        """The judge's score on the test rows; with no column it can only guess."""
        X, judge = self.X[:, kept], clone(judge_for(self.task))
        if not kept.any():
            X = np.zeros((len(self.X), 1))
            judge = DummyRegressor() if sees_numbers(self.task) else DummyClassifier(strategy="prior")
        scaler = StandardScaler().fit(X[train])
        judge.fit(scaler.transform(X[train]), self.y[train])
        return float(self.scorer(judge, scaler.transform(X[test]), self.y[test]))

    def outcome(self, method: Method, advance: Callable[[int], None]) -> Outcome:
        """Every fold, then the whole table."""
        begin = time.perf_counter()
        sets, scores = [], []
        for number, (train, test) in enumerate(self.folds):
            kept = self.chosen(method, train) > 0
            sets.append(np.flatnonzero(kept).tolist())
            scores.append(self.score(kept, train, test))
            advance(number + 1)
        whole = self.chosen(method, slice(None))
        return Outcome(
            method.name,
            method.about,
            selected=tuple(self.names[int(j)] for j in np.flatnonzero(whole > 0)),
            strong=tuple(self.names[int(j)] for j in np.flatnonzero(whole == 2)),
            scores=tuple(scores),
            fold_sizes=tuple(map(len, sets)),
            fold_agreement=mean_agreement(sets),
            seconds=time.perf_counter() - begin,
        )


def compare(
    X: Any,
    y: Any,
    names: Sequence[str] | None = None,
    *,
    target: str = "y",
    task: str = "auto",
    methods: Sequence[str] | None = None,
    folds: int = 5,
    scoring: str | None = None,
    random_state: int = 0,
    groups: Any = None,
    progress: ProgressChoice = None,
) -> MethodComparison:
    """Run methods side by side and judge what they select.

    Every method selects columns in every fold without seeing the rows on which its selection is scored. Ctrl-C ends the
    comparison early: what is finished is returned, and `MethodComparison.unfinished` names the rest.

    Parameters
    ----------
    X : array-like or data frame of shape (n_samples, n_features)
        The table, of finite numbers.
    y : array-like of shape (n_samples,)
        The target.
    names : sequence of str, optional
        The names of the columns. By default those of a data frame, else x0, x1, ...
    target : str, default="y"
        The name of the target.
    task : str, default="auto"
        The name of a task; "auto" guesses it as `relspan.guess_task` does. The other methods and the judge know nothing
        of ordered classes and take them as numbers.
    methods : sequence of str, optional
        Names of `METHODS`. By default the usual ones that are installed and not too slow for the table's width.
    folds : int, default=5
        The number of folds of the outer cross-validation.
    scoring : str, optional
        The name of a scikit-learn scorer. By default the task's own choice: "roc_auc" for two classes,
        "balanced_accuracy" for more, and "r2" for numbers.
    random_state : int, default=0
        Seed of the folds and the methods.
    groups : array-like of shape (n_samples,), optional
        The group of each row, such as a patient. Rows of one group stay in one fold, and relspan is given the groups;
        the other methods know nothing of groups.
    progress : callable or bool, optional
        Called as ``progress(method, share, note)``; True prints lines to standard error.

    Returns
    -------
    MethodComparison
        One outcome per method, in the order in which they ran.

    Raises
    ------
    ParameterError
        If a parameter has a value that means nothing; the message names it and what would work.
    DataError
        If the table or the target cannot be compared on.

    See Also
    --------
    METHODS : The methods by name.
    available_methods : The methods that run by default.

    Examples
    --------
    >>> from relspan.compare import compare
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
    >>> found = compare(data.X, data.y, methods=["relspan", "univariate"], folds=2)
    >>> {outcome.method: outcome.strong for outcome in found.outcomes}
    {'relspan': ('x0',), 'univariate': ()}
    """
    table, values = _checked(X, y)
    labels = _labels(names if names is not None else getattr(X, "columns", None), table.shape[1])
    task = _task(task, values)
    seed = checks.whole("random_state", random_state, at_least=0, at_most=2**32 - 1)
    chosen, left_out = _methods(methods, table.shape[1], task)
    scoring = _usual_scoring(task, values) if scoring is None else checks.text("scoring", scoring)
    together = sample_groups(groups, len(values))
    scorer, parts = _scorer(scoring, task, values), _folds(values, task, folds, seed, together)
    study = _Study(table, values, tuple(labels), task, scorer, parts, seed, together)
    parameters = {"folds": folds, "random_state": seed}
    parameters |= {} if together is None else {"groups": len(np.unique(together))}
    found = MethodComparison(target, task, scoring, tuple(labels), len(values), (), tuple(chosen), left_out, parameters)
    remarks: dict[str, None] = {}
    report = reporter(progress)
    try:
        for number, name in enumerate(chosen):
            outcome = _run(study, METHODS[name], number, len(chosen), report, remarks)
            done = (*found.outcomes, outcome)
            found = replace(found, outcomes=done, unfinished=tuple(chosen[len(done) :]), warnings=tuple(remarks))
    except KeyboardInterrupt:
        pass  # what is finished is returned, and the rest is named in `unfinished`
    return found


def _run(
    study: _Study,
    method: Method,
    number: int,
    count: int,
    progress: Progress,
    remarks: dict[str, None],
) -> Outcome:
    """Run one method. Its warnings are kept once each, and an error of its own does not end the comparison."""

    def advance(fold: int) -> None:
        share = (number + fold / (len(study.folds) + 1)) / count
        progress(method.name, share, f"method {number + 1} of {count}")

    advance(0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome = study.outcome(method, advance)
        except (RelspanError, ValueError, ArithmeticError, ImportError, TypeError, AttributeError) as error:
            # a peer that its installed dependencies have left behind fails in any of these ways
            outcome = Outcome(method.name, method.about, error=f"{type(error).__name__}: {error}")
    for warning in caught:
        if issubclass(warning.category, RelspanWarning):
            remarks.setdefault(f"{method.name}: {warning.message}")
        elif issubclass(warning.category, ConvergenceWarning):
            remarks.setdefault(f"{method.name}: some of its fits did not converge")
    return outcome


def _checked(X: Any, y: Any) -> tuple[Floats, NDArray[Any]]:
    try:
        table, values = np.asarray(X, dtype=np.float64), np.asarray(y)
    except (TypeError, ValueError) as error:
        raise DataError(f"X must hold numbers: {error}") from error
    if table.ndim != 2 or values.shape != table.shape[:1]:
        raise DataError(
            f"X has shape {table.shape} and y {values.shape}, but a table and one target value per row are needed"
        )
    if not np.isfinite(table).all():
        column = int(np.flatnonzero(~np.isfinite(table).all(axis=0))[0])
        raise DataError(f"column {column} contains NaN or infinity; impute or drop these rows first")
    return table, values


def _labels(names: Any, count: int) -> list[str]:
    given = None if names is None else checks.collection("names", names, "the columns' names")
    labels = [f"x{j}" for j in range(count)] if given is None else [str(name) for name in given]
    if len(labels) != count:
        raise ParameterError(f"names must have one name per column: there are {len(labels)} for {count} columns")
    twice = [name for name, times in Counter(labels).items() if times > 1]
    if twice:
        raise ParameterError(f"names must differ, and two columns are called {twice[0]!r}")
    return labels


def _task(task: str, y: NDArray[Any]) -> str:
    if checks.text("task", task) == "auto":
        return guess_task(y)[0]
    if task not in TASKS or TASKS[task].peer_scoring(y) is None:
        known = [name for name, one in TASKS.items() if one.peer_scoring(y) is not None]
        raise ParameterError(f"task must be auto or one of {', '.join(known)}, not {task!r}")
    if sees_numbers(task) and y.dtype.kind not in "iuf":
        raise DataError(f"task {task!r} needs a target of numbers, not text such as {y.tolist()[0]!r}")
    return task


def _methods(asked: Sequence[str] | None, n_features: int, task: str) -> tuple[list[str], dict[str, str]]:
    if asked is None:
        return available_methods(n_features)
    given = checks.collection("methods", asked, f"names among {', '.join(METHODS)}")
    if not given:
        raise ParameterError(f"methods must be a list of names among {', '.join(METHODS)}, not {asked!r}")
    for name in given:
        method = METHODS[checks.one_of("methods", name, METHODS)]
        if not method.installed:
            raise ParameterError(f"methods: {name!r} needs the package {method.package}, which is not installed")
        if method.classes_only and sees_numbers(task):
            raise ParameterError(
                f"methods: {name!r} needs classes, but the target of the task {task!r} contains numbers"
            )
    return list(dict.fromkeys(given)), {}


def _usual_scoring(task: str, y: NDArray[Any]) -> str:
    return str(TASKS[task].peer_scoring(y))


def _scorer(scoring: str, task: str, y: NDArray[Any]) -> Any:
    if scoring not in get_scorer_names():
        usual = _usual_scoring(task, y)
        raise ParameterError(f"scoring must be the name of a scikit-learn scorer, such as {usual!r}, not {scoring!r}")
    return check_scoring(judge_for(task), scoring=scoring)


def _folds(
    y: NDArray[Any], task: str, count: int, seed: int, groups: Ints | None
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    most, why = int(np.unique(y, return_counts=True)[1].min()), "every fold needs a row of the rarest class"
    if sees_numbers(task):
        most, why = len(y) // 2, "every fold needs two rows"  # a single row has no r2
    if groups is not None:
        most, why = len(np.unique(groups)), "every fold needs a group"
    checks.whole("folds", count, at_least=2, at_most=most, hint=why)
    return list(folds_for(task, count, seed, groups is not None).split(np.zeros((len(y), 1)), y, groups))
