"""Nested cross-validation of selectors: for every fold, everything that learns is done without it.

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

from relspan.arrays import Bools, Floats
from relspan.compare.method_comparison import MethodComparison, Outcome, mean_agreement
from relspan.compare.methods import METHODS, Method, available_methods, folds_for, is_number, judge_for
from relspan.errors import DataError, ParameterError, RelspanError, RelspanWarning
from relspan.tasks import TASKS, guess_task


@dataclass(frozen=True, eq=False)
class _Study:
    """A table, its folds, and the scorer: what all methods share."""

    X: Floats
    y: NDArray[Any]
    task: str
    scorer: Any
    folds: list[tuple[NDArray[np.int64], NDArray[np.int64]]]
    seed: int

    def chosen(self, method: Method, rows: NDArray[np.int64] | slice) -> NDArray[np.int64]:
        """What the method keeps when it sees these rows alone."""
        return method.select(StandardScaler().fit_transform(self.X[rows]), self.y[rows], self.task, self.seed)

    def score(self, kept: Bools, train: NDArray[np.int64], test: NDArray[np.int64]) -> float:
        """The judge's score on the test rows; with no column it can only guess."""
        X, judge = self.X[:, kept], clone(judge_for(self.task))
        if not kept.any():
            X = np.zeros((len(self.X), 1))
            judge = DummyRegressor() if is_number(self.task) else DummyClassifier(strategy="prior")
        scaler = StandardScaler().fit(X[train])
        judge.fit(scaler.transform(X[train]), self.y[train])
        return float(self.scorer(judge, scaler.transform(X[test]), self.y[test]))

    def outcome(self, method: Method, names: Sequence[str], advance: Callable[[int], None]) -> Outcome:
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
            selected=tuple(names[int(j)] for j in np.flatnonzero(whole > 0)),
            strong=tuple(names[int(j)] for j in np.flatnonzero(whole == 2)),
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
    seed: int = 0,
    progress: Callable[[str, float], None] | None = None,
) -> MethodComparison:
    """Run selectors side by side and judge what they select.

    Parameters
    ----------
    X : array or data frame of shape (n_samples, n_features)
        Finite numbers.
    y : array of shape (n_samples,)
        The target.
    names : sequence of str, optional
        Of the columns; by default those of a data frame, else x0, x1, ...
    target : str
        What the target is called.
    task : {"auto", "classification", "ordinal", "regression"}
        "auto" guesses as `relspan.guess_task` does. Peers know no ordered classes: they, and the judge, take them as
        numbers.
    methods : sequence of str, optional
        Names among `METHODS`; by default all that are installed and not too slow for the table's width.
    folds : int
        Of the outer cross-validation.
    scoring : str, optional
        A name that scikit-learn knows; by default "roc_auc" for two classes, "balanced_accuracy" for more, "r2".
    seed : int
        Of folds and methods.
    progress : callable, optional
        Called as ``progress(method, share)``.

    Returns
    -------
    MethodComparison
        Interrupted by Ctrl-C, one of the methods that were finished; `unfinished` names the others.

    Raises
    ------
    ParameterError, DataError
        What is wrong, and what would work.
    """
    table, values = _checked(X, y)
    labels = _labels(names if names is not None else getattr(X, "columns", None), table.shape[1])
    task = _task(task, values)
    chosen, left_out = _methods(methods, table.shape[1])
    scoring = _usual_scoring(task, values) if scoring is None else scoring
    study = _Study(table, values, task, _scorer(scoring, task, values), _folds(values, task, folds, seed), seed)
    found = MethodComparison(
        target, task, scoring, tuple(labels), len(values), (), tuple(chosen), left_out, {"folds": folds, "seed": seed}
    )
    remarks: dict[str, None] = {}
    try:
        for number, name in enumerate(chosen):
            outcome = _run(study, METHODS[name], labels, number, len(chosen), progress, remarks)
            done = (*found.outcomes, outcome)
            found = replace(found, outcomes=done, unfinished=tuple(chosen[len(done) :]), warnings=tuple(remarks))
    except KeyboardInterrupt:
        pass  # what is finished is returned, and the rest is named in `unfinished`
    return found


def _run(
    study: _Study,
    method: Method,
    names: Sequence[str],
    number: int,
    count: int,
    progress: Callable[[str, float], None] | None,
    remarks: dict[str, None],
) -> Outcome:
    """One method; its warnings are told once, and an error of its own does not end the comparison."""

    def advance(fold: int) -> None:
        if progress is not None:
            progress(method.name, (number + fold / (len(study.folds) + 1)) / count)

    advance(0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome = study.outcome(method, names, advance)
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
            f"X has shape {table.shape} and y {values.shape}: rows x columns and one target a row is needed"
        )
    if not np.isfinite(table).all():
        column = int(np.flatnonzero(~np.isfinite(table).all(axis=0))[0])
        raise DataError(f"column {column} holds NaN or infinity; impute or drop these rows first")
    return table, values


def _labels(names: Any, count: int) -> list[str]:
    labels = [f"x{j}" for j in range(count)] if names is None else [str(name) for name in names]
    if len(labels) != count:
        raise ParameterError(f"names: {len(labels)} names for {count} columns")
    twice = [name for name, times in Counter(labels).items() if times > 1]
    if twice:
        raise ParameterError(f"names: two columns are called {twice[0]!r}")
    return labels


def _task(task: str, y: NDArray[Any]) -> str:
    if task == "auto":
        return guess_task(y)[0]
    if task not in TASKS or TASKS[task].peer_scoring(y) is None:
        known = [name for name, one in TASKS.items() if one.peer_scoring(y) is not None]
        raise ParameterError(f"task must be auto or one of {', '.join(known)}, not {task!r}")
    if is_number(task) and y.dtype.kind not in "iuf":
        raise DataError(f"task {task!r} needs numbers as target, not words such as {y.tolist()[0]!r}")
    return task


def _methods(asked: Sequence[str] | None, n_features: int) -> tuple[list[str], dict[str, str]]:
    if asked is None:
        return available_methods(n_features)
    unknown = [name for name in asked if name not in METHODS]
    if unknown or not asked:
        wrong = repr(unknown[0]) if unknown else "an empty list"
        raise ParameterError(f"methods must be among {', '.join(METHODS)}, not {wrong}")
    absent = [name for name in asked if not METHODS[name].installed]
    if absent:
        raise ParameterError(f"method {absent[0]!r} needs the package {METHODS[absent[0]].package}: pip install it")
    return list(dict.fromkeys(asked)), {}


def _usual_scoring(task: str, y: NDArray[Any]) -> str:
    return str(TASKS[task].peer_scoring(y))


def _scorer(scoring: str, task: str, y: NDArray[Any]) -> Any:
    if scoring not in get_scorer_names():
        usual = _usual_scoring(task, y)
        raise ParameterError(f"scoring must be a name of scikit-learn, such as {usual!r}, not {scoring!r}")
    return check_scoring(judge_for(task), scoring=scoring)


def _folds(y: NDArray[Any], task: str, count: int, seed: int) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    most, what = int(np.unique(y, return_counts=True)[1].min()), "the rows of the rarest class"
    if is_number(task):
        most, what = len(y) // 2, "two rows each"  # of a single row there is no r2
    if not 2 <= count <= most:
        raise ParameterError(f"folds must be from 2 to {most}, {what}, not {count}")
    return list(folds_for(task, count, seed).split(np.zeros((len(y), 1)), y))
