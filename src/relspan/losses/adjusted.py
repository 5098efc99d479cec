"""A loss beyond covariates: columns that every model may use without a price, and that are never judged.

The score of a sample is  x.w + u.g + b  with its covariates u and free coefficients g, so the family is

    F = { (w, b, g) :  ||w||_1 <= M,  loss(x.w + u.g + b) <= R }.

The coefficients g are offsets of the models: free, and not part of the norm. Hinge rows are linear in the columns, so
the rows of the loss over the covariates hold the coefficients of g. A target carries its covariates with it: it is
(n, 1 + r), and the target itself comes first. What permutes or draws targets keeps both together, so that chance is
what features reach that know nothing beyond the covariates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from relspan.arrays import Floats, Matrix
from relspan.family.constraints import Constraints
from relspan.family.hinge_rows import HingeRows
from relspan.losses.loss import OneScoreLoss, register_loss


@register_loss
@dataclass(frozen=True)
class Adjusted(OneScoreLoss):
    """A loss with one score per sample, with `n_covariates` free columns. Targets are (n, 1 + n_covariates)."""

    inner: OneScoreLoss
    n_covariates: int

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.inner.name

    @property
    def way_out(self) -> str:  # type: ignore[override]
        return self.inner.way_out

    @property
    def n_offsets(self) -> int:
        return self.inner.n_offsets + self.n_covariates

    @property
    def label_codes(self) -> tuple[float, ...]:
        return self.inner.label_codes

    @property
    def rejected_code(self) -> float | None:  # type: ignore[override]
        return self.inner.rejected_code

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        own = self.inner.rows(X, y[:, 0], sample_weight)
        covariates = self.inner.rows(y[:, 1:], y[:, 0], sample_weight).features
        return replace(own, offsets=np.hstack([own.offsets, covariates]))

    def constraints(self, X: Matrix, y: Floats) -> Constraints | None:
        own = self.inner.constraints(X, y[:, 0])
        if own is None:
            return None
        return replace(own, offsets=np.hstack([own.offsets, np.zeros((own.n_rows, self.n_covariates))]))

    def with_target_unit(self, unit: float) -> Self:
        return replace(self, inner=self.inner.with_target_unit(unit))

    def with_covariates(self, X: Matrix, y: Floats) -> Matrix:
        return np.hstack([X, y[:, 1:]])

    def predict(self, X: Matrix, weights: Floats, offsets: Floats) -> Floats:
        """By features and covariates, side by side; by the features alone where all covariates are at their mean."""
        own = self.inner.n_offsets
        if X.shape[1] > len(weights):
            weights = np.concatenate([weights, offsets[own:]])
        return self.inner.predict(X, weights, offsets[:own])

    def predict_each(self, X: Matrix, models: Floats) -> Floats:
        d, own = models.shape[1] - self.n_offsets, self.inner.n_offsets
        weights, offsets, covariates = np.split(models, [d, d + own], axis=1)
        if X.shape[1] > d:
            weights = np.hstack([weights, covariates])
        return self.inner.predict_each(X, np.hstack([weights, offsets]))

    def predict_from_margins(self, margins: Floats) -> Floats:
        return self.inner.predict_from_margins(margins)

    def probabilities(self, scores: Floats) -> Floats | None:
        return self.inner.probabilities(scores)

    def offsets_after_shift(self, offsets: Floats, shift: float) -> Floats:
        return self.inner.offsets_after_shift(offsets, shift)

    @property
    def margin_offsets(self) -> Floats:
        own = self.inner.margin_offsets
        return np.hstack([own, np.zeros((len(own), self.n_covariates))])

    @property
    def score_offsets(self) -> Floats:
        return np.concatenate([self.inner.score_offsets, np.zeros(self.n_covariates)])

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        return self.inner.score(y[:, 0], predicted, sample_weight)

    def smallest_C(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        """That of the loss itself: the features are what the covariates do not express."""
        return self.inner.smallest_C(X, y[:, 0], sample_weight)

    def labels_by_code(self, classes: Sequence[Any]) -> dict[float, Any]:
        return self.inner.labels_by_code(classes)

    def target_scores(self, y: Floats) -> Floats:
        """What a regression on the covariates leaves of the target."""
        known = np.column_stack([np.ones(len(y)), y[:, 1:]])
        target = self.inner.target_scores(y[:, 0])
        return np.asarray(target - known @ np.linalg.lstsq(known, target, rcond=None)[0])

    def residual_scores(self, residuals: Floats) -> Floats:
        return self.inner.residual_scores(residuals)
