"""Which task is it? A guess from the target, with its reason, and the estimator of a task by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from relspan.errors import DataError, ParameterError
from relspan.estimators.classifier import RelevanceClassifier
from relspan.estimators.multiclass import MulticlassRelevanceClassifier
from relspan.estimators.ordinal import OrdinalRelevanceClassifier
from relspan.estimators.regressor import RelevanceRegressor
from relspan.estimators.reject import RejectRelevanceClassifier

TASKS: dict[str, Any] = {
    "classification": RelevanceClassifier,
    "multiclass": MulticlassRelevanceClassifier,
    "ordinal": OrdinalRelevanceClassifier,
    "regression": RelevanceRegressor,
    "reject": RejectRelevanceClassifier,
}
MOST_CLASSES = 10  # whole numbers of more values than this are taken as measurements


def guess_task(y: Any) -> tuple[str, str]:
    """The task that a target asks for, and why, in words.

    Two values are classes; words are classes; numbers with fractions are measurements; few whole numbers are ordered
    classes, many are measurements. A reject option is never guessed: what a rejection costs only the user knows.

    Returns
    -------
    task : {"classification", "multiclass", "ordinal", "regression"}
        What `estimator_for` takes.
    reason : str
        One sentence that says what was seen and how to ask for something else.
    """
    values = np.asarray(y)
    if values.ndim != 1 or len(values) == 0:
        raise DataError(f"the target must be one column with values, not of shape {values.shape}")
    distinct = np.unique(values.astype(str) if values.dtype.kind == "O" else values)
    count = len(distinct)
    if count < 2:
        raise DataError(f"the target has one value only ({distinct.tolist()[0]!r}): there is nothing to learn")
    if count == 2:
        return "classification", "the target has two values"
    if values.dtype.kind not in "iuf":
        return "multiclass", f"the target has {count} values that are words; ask for 'ordinal' if they have an order"
    if not np.isfinite(values).all():
        raise DataError("the target holds NaN or infinity; impute or drop these rows first")
    if (values != np.round(values)).any():
        return "regression", f"the target has numbers with fractions ({count} distinct values)"
    if count <= MOST_CLASSES:
        return (
            "ordinal",
            f"the target has {count} whole numbers, taken as ordered classes; ask for 'multiclass' if their order "
            "means nothing, or for 'regression' if their distances do",
        )
    return (
        "regression",
        f"the target has {count} different whole numbers, taken as measurements; ask for 'ordinal' or 'multiclass' if "
        "they are classes",
    )


def estimator_for(task: str, **options: Any) -> Any:
    """An unfitted estimator for a task; options go to its constructor, and one it does not have is refused by name."""
    if task not in TASKS:
        raise ParameterError(f"task must be one of {', '.join(sorted(TASKS))}, not {task!r}")
    known = TASKS[task]().get_params()
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise ParameterError(f"{unknown[0]!r} means nothing for task {task!r}; it takes {', '.join(sorted(known))}")
    return TASKS[task](**options)
