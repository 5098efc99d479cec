"""What a loss must state, what most losses share, and the register of all losses.

A loss is a formula: its hinge rows. Everything below it (families, engines, certificates) and above it (probes, pins,
panels, saved sessions) works from the few statements of `Loss`, so a new loss is one class:

    @register_loss
    @dataclass(frozen=True)
    class Pinball(OneScoreLoss):
        quantile: float
        name = "pinball"
        n_offsets = 1

        def rows(self, X, y, sample_weight=None): ...
        def predict_from_margins(self, margins): ...
        def score(self, y, predicted, sample_weight=None): ...
        def smallest_C(self, X, y, sample_weight=None): ...
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import is_dataclass
from typing import Any, Protocol, Self, TypeVar

import numpy as np

from relspan.arrays import Floats, Matrix
from relspan.errors import ParameterError
from relspan.family.constraints import Constraints
from relspan.family.hinge_rows import HingeRows
from relspan.family.weight_blocks import WeightBlocks, one_weight_per_feature
from relspan.tolerances import EQUAL_SHARES


class Loss(Protocol):
    """What every loss states. Losses with one weight per feature inherit most of it from `OneScoreLoss`."""

    @property
    def name(self) -> str: ...

    @property
    def n_offsets(self) -> int: ...

    @property
    def way_out(self) -> str:
        """What to try where no feature helps, as a sentence; empty where there is nothing else to try."""
        ...

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        """The loss on these samples. Linear in X: a probe column is `rows(column, y)` too."""
        ...

    def constraints(self, X: Matrix, y: Floats) -> Constraints | None:
        """What else every model must satisfy, such as ordered thresholds; None where there is nothing."""
        ...

    def blocks(self, n_features: int) -> WeightBlocks:
        """Which weights belong to which feature, in the order of the features."""
        ...

    def with_copy_of(self, feature: int) -> Loss:
        """The loss over a table with one more column at its end, of the same kind as that feature."""
        ...

    def with_covariates(self, X: Matrix, y: Floats) -> Matrix:
        """The table that samples are predicted from: the features, with the covariates that targets may carry."""
        ...

    def predict(self, X: Matrix, weights: Floats, offsets: Floats) -> Floats:
        """The predictions of a model, in the code of the targets."""
        ...

    def predict_each(self, X: Matrix, models: Floats) -> Floats:
        """(models, n): the predictions of several models, whose rows hold their weights and then their offsets."""
        ...

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        """How good predictions are, higher is better. Cross-validation chooses C by it."""
        ...

    def smallest_C(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        """The C near which the first feature enters the model: the lower end of the grid."""
        ...

    def labels_by_code(self, classes: Sequence[Any]) -> dict[float, Any]:
        """The label that each code stands for, None for a rejected sample; empty where the target is a number."""
        ...

    def target_scores(self, y: Floats) -> Floats:
        """(n, k): the targets as numbers that scores can be compared with, one column or one per class."""
        ...

    def with_target_unit(self, unit: float) -> Loss:
        """The same loss for targets that are larger by this factor."""
        ...

    def residual_scores(self, residuals: Floats) -> Floats:
        """(n, k): how much the residuals of a regression of `target_scores` count where chance is judged by them."""
        ...


class OneScoreLoss:
    """What losses share whose models give a sample one score x.w: one weight per feature, no constraints.

    Every offset b_k makes one *margin* of a sample, ::

        m_k = x.w + b_k    where the offset is an intercept,
        m_k = x.w - b_k    where the offsets are thresholds (`offsets_are_thresholds`),

    and the prediction follows from the margins alone. It never falls when a margin rises: so the predictions that a
    sample can get over a family of models lie between those at the lowest and at the highest margins.

    Subclasses state `name`, `n_offsets`, `rows`, `predict_from_margins`, `score` and `smallest_C`; those that predict
    classes also `label_codes`. A loss that is to work with privileged columns states `n_slack_kinds` and `slack_kinds`
    as well, see `relspan.losses.privileged.TwoSidedLoss`.
    """

    offsets_are_thresholds: bool = False
    rejected_code: float | None = None
    """The code of a sample that gets no label; None where every sample gets one."""
    way_out: str = ""
    name: str = ""

    @property
    def n_offsets(self) -> int:
        raise NotImplementedError

    def rows(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> HingeRows:
        raise NotImplementedError

    def score(self, y: Floats, predicted: Floats, sample_weight: Floats | None = None) -> float:
        raise NotImplementedError

    def smallest_C(self, X: Matrix, y: Floats, sample_weight: Floats | None = None) -> float:
        raise NotImplementedError

    @property
    def label_codes(self) -> tuple[float, ...]:
        """The codes of all predictions, from the lowest score to the highest; empty where the target is a number."""
        return ()

    def constraints(self, X: Matrix, y: Floats) -> Constraints | None:
        return None

    def of_columns(self, chosen: Sequence[int]) -> OneScoreLoss:
        """The loss over a table that has these columns alone, for a loss that demands something of single columns."""
        return self

    def with_covariates(self, X: Matrix, y: Floats) -> Matrix:
        return X

    def target_scores(self, y: Floats) -> Floats:
        return np.asarray(y, dtype=np.float64)[:, None]

    def residual_scores(self, residuals: Floats) -> Floats:
        return residuals

    def with_target_unit(self, unit: float) -> Self:
        return self

    def blocks(self, n_features: int) -> WeightBlocks:
        return one_weight_per_feature(n_features)

    def with_copy_of(self, feature: int) -> Self:
        return self

    @property
    def margin_offsets(self) -> Floats:
        """(n_offsets, n_offsets): row k holds the coefficients of the offsets in margin m_k."""
        return -np.eye(self.n_offsets) if self.offsets_are_thresholds else np.eye(self.n_offsets)

    @property
    def score_offsets(self) -> Floats:
        """(n_offsets,): the coefficients of the offsets in the score: an intercept counts, thresholds do not."""
        return np.zeros(self.n_offsets) if self.offsets_are_thresholds else np.ones(self.n_offsets)

    def offsets_after_shift(self, offsets: Floats, shift: float) -> Floats:
        """The offsets that leave every margin as it is where x.w has become larger by `shift` for all samples."""
        return offsets + shift if self.offsets_are_thresholds else offsets - shift

    def margins(self, X: Matrix, weights: Floats, offsets: Floats) -> Floats:
        """(n, n_offsets): the margins of every sample."""
        score = np.asarray(X @ weights)[:, None]
        return np.asarray(score - offsets if self.offsets_are_thresholds else score + offsets)

    def predict_from_margins(self, margins: Floats) -> Floats:
        """The predictions of samples with these margins, (n, n_offsets)."""
        raise NotImplementedError

    def predict(self, X: Matrix, weights: Floats, offsets: Floats) -> Floats:
        return self.predict_from_margins(self.margins(X, weights, offsets))

    def predict_each(self, X: Matrix, models: Floats) -> Floats:
        """As `predict`: the scores of all models are one product, and each is a table of one column with weight 1."""
        d = models.shape[1] - self.n_offsets
        scores, one = np.asarray(X @ models[:, :d].T), np.ones(1)
        return np.stack([self.predict(scores[:, [i]], one, model[d:]) for i, model in enumerate(models)])

    def probabilities(self, scores: Floats) -> Floats | None:
        """The probability of the highest label that follows from each score; None where scores are no such thing."""
        return None

    def labels_by_code(self, classes: Sequence[Any]) -> dict[float, Any]:
        """The label that each code stands for, from the lowest score to the highest; None for a rejected sample."""
        labels = iter(classes)
        return {code: None if code == self.rejected_code else next(labels) for code in self.label_codes}


def weight_per_sample(y: Floats, sample_weight: Floats | None) -> Floats:
    """The weight of every sample: 1 where none is given."""
    return np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)


def weighted_f1(y: Floats, predicted: Floats, weights: Floats) -> float:
    """F1, weighted by class support.

    F1 of a class is 2 hits / (true + predicted members). scikit-learn's `f1_score` gives the same number, but takes
    longer than fitting a model.
    """
    score = 0.0
    for label in np.unique(y):
        members, predicted_members = weights @ (y == label), weights @ (predicted == label)
        if members > 0:
            hits = weights @ ((y == label) & (predicted == label))
            score += members / weights.sum() * 2 * hits / (members + predicted_members)
    return float(score)


def entry_C(X: Matrix, pulls: Floats) -> float:
    """The C at which a feature enters the model: 1 / (the largest pull of the samples on a weight at w = 0).

    `pulls` are those of the samples on their scores: one each, or one for every weight of a feature, of which half the
    spread counts. A sum that only rounding keeps from 0 is 0.
    """
    pulls = np.where(np.abs(pulls) > EQUAL_SHARES * np.abs(pulls).max(initial=0.0), pulls, 0.0)
    on_weights = np.asarray(X.T @ pulls)
    largest = np.abs(on_weights) if on_weights.ndim == 1 else np.ptp(on_weights, axis=1) / 2
    if largest.max() <= EQUAL_SHARES * max(X.max(), -X.min()) * np.abs(pulls).sum():
        sizes = abs(X).T @ np.abs(pulls)
        largest[(np.abs(on_weights) <= EQUAL_SHARES * sizes).reshape(len(largest), -1).all(axis=1)] = 0.0
    return 1.0 / float(largest.max()) if largest.any() else np.inf


LOSSES: dict[str, type] = {}
"""All registered losses by the name of their class: what a saved session can be loaded with."""

LossClass = TypeVar("LossClass", bound=type)


def register_loss(cls: LossClass) -> LossClass:
    """Enter a loss into `LOSSES`; a class decorator. The loss must be a dataclass, so that its parameters can be saved.

    A loss defined outside relspan is registered where it is defined. Import that module before a session that uses the
    loss is loaded.
    """
    if not is_dataclass(cls):
        raise ParameterError(f"the loss {cls.__name__} must be a dataclass, so that its parameters can be saved")
    known = LOSSES.setdefault(cls.__name__, cls)
    if (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
        raise ParameterError(f"a loss called {cls.__name__} is registered already, by {known.__module__}")
    LOSSES[cls.__name__] = cls  # a module that is loaded again brings a new class of the same name
    return cls
