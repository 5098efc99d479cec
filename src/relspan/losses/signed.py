"""A loss whose models have weights of demanded signs: a dose may only raise the score, an antidote only lower it.

The family becomes

    F = { (w, b) :  ||w||_1 <= M,  loss(w, b) <= R,  s_j w_j >= 0 for every feature j with a demanded sign s_j },

and so do the best model, the null model (which has no weights, and satisfies every sign) and the models of all folds:
they are the best *under the signs*. Signs are constraints of the loss, and everything above a loss respects those.

A probe of a signed feature has no sign. For a column that is appended,  max w  over the models with  w >= 0  is the
same as over all models: 0 is always possible, so the largest weight is at least 0, and the demand does not touch it.
The end that counts is thus the same with and without the sign, and the other end of the probe is one more draw of what
chance reaches. A probe in the place of its column is without sign for the same reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from relspan.arrays import Floats, Ints, Matrix
from relspan.family.constraints import Constraints
from relspan.family.hinge_rows import HingeRows
from relspan.losses.loss import OneScoreLoss, register_loss, weight_per_sample


@register_loss
@dataclass(frozen=True)
class Signed(OneScoreLoss):
    """A loss with one score per sample; the weight of `columns[i]` has the sign `signs[i]`, +1 or -1, or is 0."""

    inner: OneScoreLoss
    columns: tuple[int, ...]
    signs: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(int(j) for j in self.columns))  # a saved session holds lists
        object.__setattr__(self, "signs", tuple(int(sign) for sign in self.signs))

    def sign_of(self, column: int) -> int:
        """The sign that is demanded of a column's weight; 0 where none is."""
        return dict(zip(self.columns, self.signs, strict=True)).get(column, 0)

    def by_column(self, n_columns: int) -> Ints:
        """The sign that is demanded of every column's weight."""
        found = np.zeros(n_columns, dtype=np.intp)
        found[list(self.columns)] = self.signs
        return found

    def constraints(self, X: Matrix, y: Floats) -> Constraints | None:
        """s_j w_j >= 0, below the constraints of the loss itself."""
        count, sign = len(self.columns), np.array(self.signs)
        unit = np.zeros((count, X.shape[1]))
        unit[np.arange(count), list(self.columns)] = 1.0
        own = Constraints(
            unit,
            np.zeros((count, self.n_offsets)),
            np.where(sign > 0, 0.0, -np.inf),
            np.where(sign > 0, np.inf, 0.0),
        )
        others = self.inner.constraints(X, y)
        return own if others is None else others.stacked(own)

    def of_columns(self, chosen: Sequence[int]) -> OneScoreLoss:
        """The signs of the columns that are left."""
        kept = {place: sign for place, j in enumerate(chosen) if (sign := self.sign_of(int(j)))}
        inner = self.inner.of_columns(chosen)
        return replace(self, inner=inner, columns=tuple(kept), signs=tuple(kept.values())) if kept else inner

    def with_free(self, column: int) -> OneScoreLoss:
        """The same without the sign of one column."""
        kept = {j: sign for j, sign in zip(self.columns, self.signs, strict=True) if j != column}
        return replace(self, columns=tuple(kept), signs=tuple(kept.values())) if kept else self.inner

    def smallest_C(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        """That of the columns which the target pulls in the direction of their sign; of all, where there are none."""
        v, target = weight_per_sample(y, sample_weight), self.target_scores(y)[:, 0]
        pull = np.asarray(X.T @ (v * (target - np.average(target, weights=v))))
        entering = np.flatnonzero(self.by_column(X.shape[1]) * pull >= 0)
        return self.inner.smallest_C(X[:, entering] if len(entering) else X, y, sample_weight)

    def with_target_unit(self, unit: float) -> Self:
        return replace(self, inner=self.inner.with_target_unit(unit))

    # -- as the inner loss has it --------------------------------------------------------------------------------------

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.inner.name

    @property
    def way_out(self) -> str:  # type: ignore[override]
        return self.inner.way_out

    @property
    def n_offsets(self) -> int:
        return self.inner.n_offsets

    @property
    def offsets_are_thresholds(self) -> bool:  # type: ignore[override]
        return self.inner.offsets_are_thresholds

    @property
    def label_codes(self) -> tuple[float, ...]:
        return self.inner.label_codes

    @property
    def rejected_code(self) -> float | None:  # type: ignore[override]
        return self.inner.rejected_code

    @property
    def margin_offsets(self) -> Floats:
        return self.inner.margin_offsets

    @property
    def score_offsets(self) -> Floats:
        return self.inner.score_offsets

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        return self.inner.rows(X, y, sample_weight)

    def with_covariates(self, X: Matrix, y: Floats) -> Matrix:
        return self.inner.with_covariates(X, y)

    def margins(self, X: Matrix, weights: Floats, offsets: Floats) -> Floats:
        return self.inner.margins(X, weights, offsets)

    def predict(self, X: Matrix, weights: Floats, offsets: Floats) -> Floats:
        return self.inner.predict(X, weights, offsets)

    def predict_each(self, X: Matrix, models: Floats) -> Floats:
        return self.inner.predict_each(X, models)

    def predict_from_margins(self, margins: Floats) -> Floats:
        return self.inner.predict_from_margins(margins)

    def probabilities(self, scores: Floats) -> Floats | None:
        return self.inner.probabilities(scores)

    def offsets_after_shift(self, offsets: Floats, shift: float) -> Floats:
        return self.inner.offsets_after_shift(offsets, shift)

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        return self.inner.score(y, predicted, sample_weight)

    def labels_by_code(self, classes: Sequence[Any]) -> dict[float, Any]:
        return self.inner.labels_by_code(classes)

    def target_scores(self, y: Floats) -> Floats:
        return self.inner.target_scores(y)

    def residual_scores(self, residuals: Floats) -> Floats:
        return self.inner.residual_scores(residuals)


def signs_of(loss: object, n_columns: int) -> Ints:
    """The sign that a loss demands of every column's weight; 0 where it demands none."""
    return loss.by_column(n_columns) if isinstance(loss, Signed) else np.zeros(n_columns, dtype=np.intp)
