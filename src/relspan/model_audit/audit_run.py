"""``relspan.audit``: how much the coefficients of a fitted model can change among models as good as it."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold

from relspan import checks
from relspan.arrays import Bools, Floats
from relspan.errors import DataError
from relspan.family import HingeRows
from relspan.model_audit.audit_result import AuditedPredictions, CoefficientRange, ModelAudit
from relspan.model_audit.audited_model import CLASSES, AuditedModel, read_model
from relspan.model_audit.audited_table import AuditedTable, columns_seen, read_table_of
from relspan.model_audit.equally_good_models import STRAIGHT, EquallyGoodModels, loss_of
from relspan.result import current_versions

BUDGETS = ("separate", "combined")
ONE_SE = "one_se"
USUAL_DELTA_NORM, USUAL_DELTA_LOSS = 0.1, 0.02
FOLDS = 5


def audit(
    model: Any,
    X: Any,
    y: Any,
    *,
    delta_loss: float | str = USUAL_DELTA_LOSS,
    delta_norm: float | None = None,
    budget: str = "separate",
    sample_weight: Any = None,
    predictions: bool = True,
) -> ModelAudit:
    """Ask how much a fitted linear model can change among models as good as it.

    Models are compared by the audited model's own loss, on the rows given, and by its own penalty. The audited model
    itself is always among them. Every end of a range is attained by such a model and has a proof.

    Parameters
    ----------
    model : fitted scikit-learn estimator
        A linear model of two classes or of a number: LogisticRegression, LinearSVC, SGDClassifier, RidgeClassifier,
        LinearRegression, Ridge, Lasso, ElasticNet, SGDRegressor, LinearSVR, HuberRegressor, QuantileRegressor, those
        with CV at the end of their names, and pipelines and searches that end with one of them.
    X : table of shape (n_samples, n_features)
        The rows that it was fitted to, as they were given to it: before the steps of a pipeline. Other rows are
        possible; models are then compared on those.
    y : array of shape (n_samples,)
        Their targets.
    delta_loss : float or "one_se", default=0.02
        How much more loss a model as good may have, as a share of the loss that the audited model saves compared with
        a model without columns. "one_se" allows one standard error of the held-out loss, for which the model is fitted
        anew in 5 folds.
    delta_norm : float, default=None
        How much longer the coefficients of a model as good may be, as a share: the penalty of the audited model is
        taken at (1 + delta_norm) times its coefficients. None is 0.1 for a model with a penalty and no limit for one
        without; infinity sets no limit.
    budget : {"separate", "combined"}, default="separate"
        Whether loss and penalty have a limit each, or share one: penalty plus price times loss, as the model minimises
        it, may exceed that of the audited model by what delta_loss allows. `delta_norm` is then not used.
    sample_weight : array of shape (n_samples,), default=None
        The weights that the model was fitted with. Those of its classes are read from the model.
    predictions : bool, default=True
        Whether to decide, for every row, if all models as good give it the same label.

    Returns
    -------
    ModelAudit
        The range of every coefficient in the model's own units, certain signs, and certain labels.

    See Also
    --------
    relspan.RelevanceClassifier : Ranges around the best model that relspan finds itself, with classes of features.
    relspan.model_audit.ModelAudit : The answer.

    Notes
    -----
    The losses are those that the models minimise: logistic, squared hinge, modified Huber, squared error, Huber and
    squared epsilon-insensitive as they are; hinge, epsilon-insensitive and pinball as linear programs. Only in these
    last three an L2 penalty is replaced by the sum of the absolute coefficients, each times the standard deviation of
    its column.

    Examples
    --------
    >>> import relspan
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from relspan.simulate import simulate
    >>> data = simulate(200, strong=1, weak=2, irrelevant=1, copies=1, random_state=0)
    >>> model = make_pipeline(StandardScaler(), LogisticRegression()).fit(data.X, data.y)
    >>> found = relspan.audit(model, data.X, data.y)
    >>> found.certain_signs
    ('x0',)
    """
    limits = _checked(delta_loss, delta_norm, budget, predictions)
    read = read_model(model)
    own_units = read.objective.loss in STRAIGHT and read.objective.l1 > 0 and not read.objective.l2
    table = read_table_of(read, X, y, sample_weight, own_units)
    norm = limits
    if norm is None:
        norm = USUAL_DELTA_NORM if read.objective.penalised else np.inf
    family = EquallyGoodModels(read, table, norm, 0.0, budget)
    share, error = _loss_share(delta_loss, model, read, table, X, y, family)
    family = EquallyGoodModels(read, table, norm, share, budget)
    coefficients, intercept, models = _coefficient_ranges(family)
    labels = read.target == CLASSES and predictions
    return ModelAudit(
        _facts(read, family),
        _budgets(family, delta_loss, error),
        coefficients,
        intercept,
        tuple(np.flatnonzero(_uncertain(family, models)).tolist()) if labels else None,
        len(table.y),
        current_versions(),
        lambda rows: _predictions(family, rows),
    )


def _checked(delta_loss: Any, delta_norm: Any, budget: Any, predictions: Any) -> float | None:
    checks.one_of("budget", budget, BUDGETS)
    checks.flag("predictions", predictions)
    if isinstance(delta_loss, str):
        checks.one_of("delta_loss", delta_loss, (ONE_SE,))
    else:
        checks.number("delta_loss", delta_loss, above=0, hint="it is a share, such as 0.02, or 'one_se'")
    if delta_norm is None or (isinstance(delta_norm, float) and delta_norm == np.inf):
        return delta_norm
    return checks.number("delta_norm", delta_norm, above=0, hint="it is a share, such as 0.1, or infinity for no limit")


def _loss_share(
    delta_loss: float | str,
    model: Any,
    read: AuditedModel,
    table: AuditedTable,
    X: Any,
    y: Any,
    family: EquallyGoodModels,
) -> tuple[float, float | None]:
    """delta_loss as a share, and the standard error that it follows from, if it was asked for."""
    if not isinstance(delta_loss, str):
        return float(delta_loss), None
    error = _standard_error(model, read, table, X, y)
    return error / (family.null_loss - family.fitted_loss), error


def _standard_error(model: Any, read: AuditedModel, table: AuditedTable, X: Any, y: Any) -> float:
    """sqrt(n) sd_i(loss of row i, by a model fitted without it): one standard error of the summed held-out loss."""
    given, values, n = columns_seen(read, X)[0], np.asarray(y).ravel(), len(table.y)
    folds: Any = StratifiedKFold(FOLDS, shuffle=True, random_state=0) if read.target == CLASSES else None
    folds = KFold(FOLDS, shuffle=True, random_state=0) if folds is None else folds
    if n < 2 * FOLDS:
        raise DataError(f"delta_loss='one_se' needs at least {2 * FOLDS} rows, and there are {n}; give a share instead")
    each = np.empty(n)
    for train, test in folds.split(given, values):
        try:
            fitted = read_model(clone(model).fit(_rows(X, train), values[train]))
            seen = columns_seen(fitted, _rows(X, test))[0]
        except ValueError as reason:
            raise DataError(
                f"delta_loss='one_se' fits the model anew to {len(train)} of {n} rows, which fails: {reason}"
            ) from reason
        scores = seen @ fitted.coefficients + fitted.intercept
        each[test] = _row_losses(read, scores, table.y[test], table.costs[test])
    return float(each.std(ddof=1) * np.sqrt(n))


def _rows(X: Any, chosen: np.ndarray) -> Any:
    return X.iloc[chosen] if hasattr(X, "iloc") else X[chosen] if hasattr(X, "columns") else np.asarray(X)[chosen]


def _row_losses(read: AuditedModel, scores: Floats, y: Floats, costs: Floats) -> Floats:
    """The loss of every row with these scores: that of a model with the score as its only column."""
    rows = loss_of(read, scores[:, None], y, costs)
    one = np.zeros(1 + int(read.has_intercept))
    one[0] = 1.0
    if isinstance(rows, HingeRows):
        lost = rows.costs * np.maximum(0.0, rows.slack(one[:1], one[1:]))
    else:
        lost = rows.costs * rows.curve.value(rows.heights - rows.coefficients @ one)
    return np.asarray(lost.reshape(-1, len(y)).sum(axis=0))


def _coefficient_ranges(
    family: EquallyGoodModels,
) -> tuple[tuple[CoefficientRange, ...], CoefficientRange | None, Floats]:
    """The ranges of all coefficients and of the intercept, in the model's own units, and the models at their ends."""
    table, read = family.table, family.model
    d, m = int(table.varies.sum()), len(family.fitted)
    directions = np.eye(m)[:d] / table.scale[table.varies][:, None]
    if read.has_intercept:  # b = c - sum_j m_j w_j
        own = np.append(-(table.mean / table.scale)[table.varies], 1.0)
        directions = np.vstack([directions, own])
    ends = family.maxima(np.vstack([directions, -directions]))
    k = len(directions)
    hi, lo = np.where(ends.unlimited, np.inf, ends.values).reshape(2, k)
    gaps = np.where(ends.unlimited, 0.0, ends.bounds - ends.values).reshape(2, k).max(axis=0)
    place = np.full(len(table.names), -1)
    place[table.varies] = np.arange(d)
    found = []
    for j, name in enumerate(table.names):
        value, at = float(read.coefficients[j]) + 0.0, place[j]  # no -0
        low, high = (value, value) if at < 0 else (min(value, -float(lo[at])), max(value, float(hi[at])))
        unit = None if table.unit is None else float(table.unit[j])
        per_unit = (None, None, None) if unit is None else _in_unit(value, low, high, unit)
        found.append(CoefficientRange(name, value, low, high, 0.0 if at < 0 else float(gaps[at]), at < 0, *per_unit))
    intercept = None
    if read.has_intercept:
        held = float((table.mean * read.coefficients)[~table.varies].sum())  # of constant columns
        value = read.intercept
        low, high = min(value, -float(lo[-1]) - held), max(value, float(hi[-1]) - held)
        intercept = CoefficientRange("(intercept)", value, low, high, float(gaps[-1]))
    return tuple(found), intercept, ends.models[~ends.unlimited]


def _in_unit(value: float, low: float, high: float, unit: float) -> tuple[float, float, float]:
    ends = sorted([low * unit, high * unit])
    return value * unit, ends[0], ends[1]


def _uncertain(family: EquallyGoodModels, witnesses: Floats) -> Bools:
    """The rows whose label some model changes. Models at the ends of coefficients settle many of them."""
    Z = family.table.Z
    rows = np.hstack([Z, np.ones((len(Z), len(family.fitted) - Z.shape[1]))])
    label = np.where(rows @ family.fitted > 0, 1.0, -1.0)
    changed = np.asarray((label[:, None] * (rows @ witnesses.T) <= 0).any(axis=1))
    left = np.flatnonzero(~changed)
    if len(left):
        ends = family.maxima(
            -label[left, None] * rows[left], enough=lambda values, bounds: (values >= 0) | (bounds < 0)
        )
        changed[left] = ends.bounds >= 0  # certain only with a proof
    return changed


def _predictions(family: EquallyGoodModels, X: Any) -> AuditedPredictions:
    """The range of every score."""
    read = family.model
    seen, _ = columns_seen(read, X)
    Z = family.table.scaled(seen)
    held = ((seen - family.table.mean) * read.coefficients)[:, ~family.table.varies].sum(axis=1)
    rows = np.hstack([Z, np.ones((len(Z), len(family.fitted) - Z.shape[1]))])
    ends = family.maxima(np.vstack([rows, -rows]))
    n, score = len(rows), rows @ family.fitted + held
    hi, lo = np.where(ends.unlimited, np.inf, ends.values).reshape(2, n)
    gaps = np.where(ends.unlimited, 0.0, ends.bounds - ends.values).reshape(2, n).max(axis=0)
    lo, hi = np.minimum(score, held - lo), np.maximum(score, held + hi)

    def numbers(values: Floats) -> tuple[float, ...]:
        return tuple(float(value) for value in values)

    parts = numbers(score), numbers(lo), numbers(hi), numbers(gaps)
    if read.target != CLASSES:
        return AuditedPredictions(*parts)
    assert read.classes is not None
    labels = tuple(read.classes[int(value > 0)] for value in score)
    certain = tuple(bool(value) for value in (lo - gaps > 0) | (hi + gaps < 0))
    probabilities = (numbers(expit(lo)), numbers(expit(hi))) if read.objective.loss == "logistic" else (None, None)
    return AuditedPredictions(*parts, labels, certain, *probabilities)


def _facts(read: AuditedModel, family: EquallyGoodModels) -> dict[str, Any]:
    steps = [] if read.steps is None else [type(step).__name__ for _, step in read.steps.steps if step != "passthrough"]
    return {
        "class": read.name,
        "loss": read.objective.loss,
        "penalty": read.objective.penalty_words,
        "steps": steps,
        "classes": None if read.classes is None else list(read.classes),
        "in_table_units": family.table.unit is not None,
    }


def _budgets(family: EquallyGoodModels, asked: float | str, error: float | None) -> dict[str, Any]:
    """What counts as equally good, as numbers and as a sentence."""
    rho, rho_0, R = family.fitted_loss, family.null_loss, family.loss_limit
    reason = "" if error is None else ", one standard error of the held-out loss"
    room = f"{family.delta_loss:.2%} of what it explains of the {rho_0:.4g} of a model without columns{reason}"
    if family.budget == "combined":
        sentence = (
            f"A model is as good if penalty plus {family.price:.4g} times loss exceeds that of the audited model by no "
            f"more than {family.price * (R - rho):.4g}. The loss of the audited model is {rho:.4g}; the room is {room}."
        )
    else:
        sentence = (
            f"A model is as good if its loss is at most {R:.4g}; that of the audited model is {rho:.4g}, and the "
        )
        sentence += f"room is {room}. {_norm_words(family)}"
    return {
        "budget": family.budget,
        "delta_loss": family.delta_loss,
        "delta_loss_asked": asked,
        "standard_error": error,
        "delta_norm": None if family.budget == "combined" or np.isinf(family.delta_norm) else family.delta_norm,
        "loss": rho,
        "null_loss": rho_0,
        "loss_limit": R,
        "norm": "own" if family.own_penalty else "L1 of standardised columns",
        "sentence": sentence,
    }


def _norm_words(family: EquallyGoodModels) -> str:
    own = family.objective
    if np.isinf(family.delta_norm):
        return "The size of its coefficients has no limit."
    if not family.own_penalty:
        what = "sum of absolute coefficients, each times the standard deviation of its column,"
    elif own.l1:
        what = "elastic-net penalty" if own.l2 else "sum of absolute coefficients"
    else:
        what = "sum of squared coefficients"
    factor = f"{1 + family.delta_norm:g}"
    return f"Its {what} is at most that of the audited model with all coefficients {factor} times as large."
