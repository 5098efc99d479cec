"""What an audit of a fitted model found: the range of every coefficient, certain signs and certain predictions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from relspan.checks import listed, place_of
from relspan.result.answer_table import AnswerTable, counted
from relspan.result.record import write_record
from relspan.tolerances import LARGEST_FAULT


@dataclass(frozen=True)
class CoefficientRange:
    """One coefficient of an audited model, and its range over all models as good.

    Parameters
    ----------
    name : str
        The column of the coefficient.
    value : float
        The coefficient of the audited model.
    lo, hi : float
        The smallest and the largest coefficient among models as good; infinite where nothing limits it.
    gap : float
        How far the truth may lie beyond these ends.
    constant : bool
        Whether the column has one value in all rows, so that they say nothing about the coefficient.
    table_value, table_lo, table_hi : float or None
        The same three numbers per unit of the table's column, where only scalers lie between table and model.

    See Also
    --------
    ModelAudit : All coefficients of a model.

    Examples
    --------
    >>> from relspan.model_audit import CoefficientRange
    >>> CoefficientRange("age", 0.2, 0.1, 0.4, 0.0).sign
    1
    """

    name: str
    value: float
    lo: float
    hi: float
    gap: float
    constant: bool = False
    table_value: float | None = None
    table_lo: float | None = None
    table_hi: float | None = None

    @property
    def sign(self) -> int:
        """The sign that the coefficient has in every model as good.

        Returns
        -------
        {-1, 0, 1}
            0 where it is not the same in all of them, or where it can be 0.
        """
        return 0 if self.constant else int(self.lo - self.gap > 0) - int(self.hi + self.gap < 0)

    def __str__(self) -> str:
        sign = {1: "+", -1: "-", 0: "constant" if self.constant else "can be 0"}[self.sign]
        return f"{self.name}: {self.value:.4g}, between {self.lo:.4g} and {self.hi:.4g} ({sign})"


@dataclass(frozen=True, repr=False)
class AuditedPredictions(AnswerTable):
    """What models as good as an audited one predict for some rows.

    Parameters
    ----------
    score, lo, hi : tuple of float
        The score of every row by the audited model (of classes: the decision function), and the smallest and the
        largest score among models as good.
    gap : tuple of float
        How far the truth may lie beyond these ends.
    label : tuple or None
        The label of every row by the audited model; None where the target is a number.
    certain : tuple of bool or None
        Whether all models as good give this label; None where the target is a number.
    probability_lo, probability_hi : tuple of float or None
        The same ends as probabilities of the second class, for the logistic loss.

    See Also
    --------
    ModelAudit.predictions : Compute them.

    Examples
    --------
    >>> from relspan.model_audit import AuditedPredictions
    >>> AuditedPredictions((0.2,), (-0.1,), (0.4,), (0.0,), ("yes",), (False,)).headline
    '1 row, 0 labels certain'
    """

    score: tuple[float, ...]
    lo: tuple[float, ...]
    hi: tuple[float, ...]
    gap: tuple[float, ...]
    label: tuple[Any, ...] | None = None
    certain: tuple[bool, ...] | None = None
    probability_lo: tuple[float, ...] | None = None
    probability_hi: tuple[float, ...] | None = None

    def columns(self) -> dict[str, list[Any]]:
        """One row per sample, by column.

        Returns
        -------
        dict of str to list
            What this class describes, without what the model does not have.
        """
        return {name: list(value) for name, value in vars(self).items() if value is not None}

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        rows = counted(len(self.score), "row")
        return rows if self.certain is None else f"{rows}, {counted(sum(self.certain), 'label')} certain"

    def to_json(self, indent: int | None = 2) -> str:
        """Write the predictions as JSON.

        Parameters
        ----------
        indent : int or None, default=2
            Spaces per level; None puts everything on one line.

        Returns
        -------
        str
            The JSON text.
        """
        return write_record(self.columns(), indent)


@dataclass(frozen=True, repr=False)
class ModelAudit(AnswerTable):
    """How much a fitted linear model can change among models as good as it.

    Parameters
    ----------
    model : dict
        What was audited: its class, loss, penalty, steps before it, and the classes of its target.
    budgets : dict
        What counts as equally good: losses, limits and the shares they follow from.
    coefficients : tuple of CoefficientRange
        One entry per coefficient, in the order of the model.
    intercept : CoefficientRange or None
        The same of the intercept; None where the model has none.
    uncertain_rows : tuple of int or None
        The rows, counted from 0, whose label some model as good as the audited one changes; None where the target is a
        number, or where this was not asked.
    n_rows : int
        The number of rows that the audit rests on.
    versions : dict
        The versions of relspan and of the libraries it rests on.
    session : callable or None
        Asks further questions; not part of what is written.

    See Also
    --------
    relspan.audit : Make one.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import Ridge
    >>> import relspan
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> X = X[["mean radius", "mean texture", "mean smoothness"]]
    >>> found = relspan.audit(Ridge().fit(X, y), X, y)
    >>> found["mean radius"].sign
    -1
    """

    model: Mapping[str, Any]
    budgets: Mapping[str, Any]
    coefficients: tuple[CoefficientRange, ...]
    intercept: CoefficientRange | None
    uncertain_rows: tuple[int, ...] | None
    n_rows: int
    versions: Mapping[str, str]
    session: Callable[[Any], AuditedPredictions] | None = field(default=None, compare=False)

    def __len__(self) -> int:
        return len(self.coefficients)

    def __getitem__(self, column: Any) -> CoefficientRange:
        return self.coefficients[place_of(column, [one.name for one in self.coefficients])]

    def __str__(self) -> str:
        return self.account

    @property
    def certain_signs(self) -> tuple[str, ...]:
        """The columns whose coefficient has the same sign in every model as good.

        Returns
        -------
        tuple of str
            Their names, in the order of the model.
        """
        return tuple(one.name for one in self.coefficients if one.sign)

    @property
    def unproven(self) -> tuple[str, ...]:
        """The columns whose range may be wider than shown by more than a thousandth of its width.

        Returns
        -------
        tuple of str
            Their names; none, unless the rows are separable or nearly so.
        """
        return tuple(one.name for one in self.coefficients if one.gap > LARGEST_FAULT * (one.hi - one.lo))

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        text = f"{self.model['class']}: {len(self.certain_signs)} of {counted(len(self), 'sign')} certain"
        if self.uncertain_rows is None:
            return text
        return f"{text}, {self.n_rows - len(self.uncertain_rows)} of {counted(self.n_rows, 'label')} certain"

    @property
    def account(self) -> str:
        """The audit in whole sentences, with a table of all coefficients.

        Returns
        -------
        str
            Several lines of text.
        """
        return "\n".join([*self.sentences, "", *_table(self.coefficients, self.intercept)])

    @property
    def sentences(self) -> list[str]:
        """What was audited, what counts as equally good, and what is certain.

        Returns
        -------
        list of str
            One entry per sentence or two.
        """
        model, given = self.model, self.budgets
        steps = f" after {', '.join(model['steps'])}" if model["steps"] else ""
        lines = [
            f"{model['class']}{steps}: {counted(len(self), 'coefficient')}, {model['loss']} loss, {model['penalty']}, "
            f"{counted(self.n_rows, 'row')}.",
            given["sentence"],
        ]
        certain = self.certain_signs
        free = [one.name for one in self.coefficients if not one.sign and not one.constant]
        lines.append(
            f"The signs of {len(certain)} of {counted(len(self), 'coefficient')} are certain"
            + (f": {listed(certain)}." if certain else ".")
        )
        if free:
            lines.append(
                f"{counted(len(free), 'coefficient')} can be 0 or change sign in a model as good, each for itself: "
                f"{listed(free)}."
            )
        unlimited = [one.name for one in self.coefficients if np.isinf([one.lo, one.hi]).any()]
        if unlimited:
            lines.append(
                "Nothing limits these coefficients, because other columns can make up for them, or because the rows "
                f"are separable: {listed(unlimited)}."
            )
        if self.unproven:
            lines.append(
                "These ranges are not proven to their usual precision; the truth may lie beyond them by their gap: "
                f"{listed(self.unproven)}."
            )
        constant = [one.name for one in self.coefficients if one.constant]
        if constant:
            lines.append(
                f"The rows say nothing about constant columns; their coefficients are held: {listed(constant)}."
            )
        if self.uncertain_rows is not None:
            kept = self.n_rows - len(self.uncertain_rows)
            lines.append(
                f"All models as good agree with the label of {kept} of {counted(self.n_rows, 'row')} "
                f"({kept / self.n_rows:.1%})."
            )
        return lines

    def columns(self) -> dict[str, list[Any]]:
        """One row per coefficient, by column.

        Returns
        -------
        dict of str to list
            What `CoefficientRange` describes, and its sign.
        """
        names = ["name", "value", "lo", "hi", "gap", "sign", "constant"]
        names += ["table_value", "table_lo", "table_hi"] if self.coefficients[0].table_value is not None else []
        return {name: [getattr(one, name) for one in self.coefficients] for name in names}

    def predictions(self, X: Any) -> AuditedPredictions:
        """The scores and labels that models as good give to other rows.

        Parameters
        ----------
        X : table
            Rows with the columns that the model was fitted with.

        Returns
        -------
        AuditedPredictions
            The range of every score, and which labels are certain.

        See Also
        --------
        uncertain_rows : The same question about the rows of the audit.
        """
        if self.session is None:
            raise ValueError("this audit was read from a file and can answer no further questions")
        return self.session(X)

    def to_json(self, indent: int | None = 2) -> str:
        """Write the audit as JSON.

        Parameters
        ----------
        indent : int or None, default=2
            Spaces per level; None puts everything on one line.

        Returns
        -------
        str
            The JSON text; an end that nothing limits is null.
        """
        return write_record(self.record(), indent)

    def record(self) -> dict[str, Any]:
        """The audit as plain data.

        Returns
        -------
        dict
            What `to_json` writes.
        """
        return {
            "versions": dict(self.versions),
            "model": dict(self.model),
            "budgets": dict(self.budgets),
            "n_rows": self.n_rows,
            "coefficients": [_finite({**asdict(one), "sign": one.sign}) for one in self.coefficients],
            "intercept": None if self.intercept is None else _finite(asdict(self.intercept)),
            "uncertain_rows": None if self.uncertain_rows is None else list(self.uncertain_rows),
        }

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "session": None}  # a written audit leaves the rows behind


def _finite(record: dict[str, Any]) -> dict[str, Any]:
    return {k: None if isinstance(v, float) and not np.isfinite(v) else v for k, v in record.items()}


def _table(coefficients: tuple[CoefficientRange, ...], intercept: CoefficientRange | None) -> list[str]:
    """A table of the coefficients for a terminal."""
    shown = [*coefficients, *([] if intercept is None else [intercept])]
    width = max(len("column"), *(len(one.name) for one in shown))
    lines = [f"{'column':<{width}}  {'model':>10}  {'from':>10}  {'to':>10}  sign"]
    for one in shown:
        sign = {1: "+", -1: "-", 0: "held" if one.constant else "can be 0"}[one.sign]
        lines.append(f"{one.name:<{width}}  {one.value:>10.4g}  {one.lo:>10.4g}  {one.hi:>10.4g}  {sign}")
    return lines
