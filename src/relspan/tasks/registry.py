"""The task that a target asks for, with the reason, and the estimator of a task by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from relspan.checks import did_you_mean
from relspan.errors import DataError, ParameterError
from relspan.tasks.classification import CLASSIFICATION
from relspan.tasks.ordinal import ORDINAL
from relspan.tasks.regression import REGRESSION
from relspan.tasks.survival import SURVIVAL
from relspan.tasks.task import TASKS

MOST_CLASSES = 10  # more different whole numbers than this are taken as measurements


def guess_task(y: Any) -> tuple[str, str]:
    """Name the task that a target asks for, and the reason.

    Two values are classes; words are classes; numbers with fractions are measurements; up to ten different whole
    numbers are ordered classes, more are measurements; times with events are survival. A reject option is never
    guessed, since only the user knows what a rejection costs; neither is a quantile.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The target.

    Returns
    -------
    task : {"classification", "ordinal", "regression", "survival"}
        The name of the task, which `estimator_for` takes.
    reason : str
        What was seen, and how to ask for something else.

    See Also
    --------
    estimator_for : The estimator of a task.

    Examples
    --------
    >>> from relspan import guess_task
    >>> guess_task(["ill", "well", "ill"])
    ('classification', 'the target has two values')
    """
    try:
        values = np.asarray(y)
    except ValueError as wrong:
        raise DataError("the target must be one column with values, but its entries have several lengths") from wrong
    if values.dtype.names is not None:
        return SURVIVAL.name, "the target is a time with a column of events"
    if values.ndim != 1 or len(values) == 0:
        raise DataError(f"the target must be one column with values, not of shape {values.shape}")
    distinct = np.unique(values.astype(str) if values.dtype.kind == "O" else values)
    count = len(distinct)
    if count < 2:
        raise DataError(f"the target has one value only ({distinct.tolist()[0]!r}): there is nothing to learn")
    if count == 2:
        return CLASSIFICATION.name, "the target has two values"
    if values.dtype.kind not in "iuf":
        reason = f"the target has {count} values that are words; ask for {ORDINAL.name!r} if they have an order"
        return CLASSIFICATION.name, reason
    if not np.isfinite(values).all():
        raise DataError("the target contains NaN or infinity; impute or drop these rows first")
    if (values != np.round(values)).any():
        return REGRESSION.name, f"the target has numbers with fractions ({count} distinct values)"
    if count <= MOST_CLASSES:
        return ORDINAL.name, (
            f"the target has {count} whole numbers, taken as ordered classes; ask for {CLASSIFICATION.name!r} if their "
            f"order means nothing, or for {REGRESSION.name!r} if their distances do"
        )
    return REGRESSION.name, (
        f"the target has {count} different whole numbers, taken as measurements; ask for {ORDINAL.name!r} or "
        f"{CLASSIFICATION.name!r} if they are classes"
    )


def estimator_for(task: str, **options: Any) -> Any:
    """Make the estimator of a task.

    Parameters
    ----------
    task : str
        The name of a task, such as "regression".
    **options : dict
        Parameters of the estimator; one that it does not have is refused by name.

    Returns
    -------
    RelevanceClassifier, RelevanceRegressor or another estimator
        An estimator that is not fitted yet.

    See Also
    --------
    guess_task : The task that a target asks for.

    Examples
    --------
    >>> from relspan import estimator_for
    >>> estimator_for("regression", epsilon=0.1)
    RelevanceRegressor(epsilon=0.1)
    """
    if not isinstance(task, str) or task not in TASKS:
        raise ParameterError(f"task must be one of {', '.join(sorted(TASKS))}, not {task!r}{did_you_mean(task, TASKS)}")
    kind = TASKS[task].estimator
    known = kind().get_params()
    unknown = next((name for name in sorted(options) if name not in known), None)
    if unknown is not None:
        raise ParameterError(f"{unknown!r} does not apply to task {task!r}, which takes {', '.join(sorted(known))}")
    return kind(**options)
