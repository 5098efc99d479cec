"""What all relevance estimators share: checking the table, scaling, running the analysis, telling the result."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from importlib.metadata import version
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from relspan.baseline import Baseline
from relspan.errors import DataError, ParameterError, RelspanWarning
from relspan.explore.problem import Problem
from relspan.explore.session import Explorer
from relspan.family import Family
from relspan.losses import Floats, Loss
from relspan.relevance.analysis import Analysis, Interruption, Settings, analyse
from relspan.relevance.checkpoint import Checkpoint, data_hash
from relspan.relevance.classify import NAMES
from relspan.relevance.workers import silent
from relspan.result import Certificates, FeatureRelevance, Interrupted, RelevanceResult, current_versions
from relspan.tables import NamedMatrix


class RelevanceEstimator(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Relevance intervals for one loss; subclasses say which, and how targets are read."""

    def _settings(self) -> Settings:
        given = self.get_params(deep=False)
        if not isinstance(self.standardize, (bool, np.bool_)):
            raise ParameterError(f"standardize must be True or False, not {self.standardize!r}")
        if not (self.progress is None or callable(self.progress)):
            raise ParameterError(f"progress must be called as progress(stage, share), not {self.progress!r}")
        return Settings(**{name: given[name] for name in Settings.__dataclass_fields__ if name in given})

    def _fit(
        self,
        loss: Loss,
        task: str,
        X: Floats,
        y: Floats,
        sample_weight: Floats | None,
        splitter: BaseCrossValidator,
        target: dict[str, Any],
    ) -> None:
        """Analyse a validated table and set all fitted attributes."""
        settings = self._settings()
        names = column_names(self, X.shape[1])
        refuse_non_finite(X, names)
        mean, scale = _scaling(X, sample_weight) if self.standardize else (np.zeros(X.shape[1]), np.ones(X.shape[1]))
        varies = X.max(axis=0) > X.min(axis=0)
        if not varies.any():
            raise DataError(f"every column is constant ({', '.join(names[:8])}): there is nothing to learn from")
        kept = [name for name, keep in zip(names, varies, strict=True) if keep]
        Z = np.ascontiguousarray(((X - mean) / scale)[:, varies])
        # an integer, so that refitting the same object and any n_jobs draw the same probes
        entropy = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        facts = partial(self._facts, task, settings, target, len(names))
        try:
            with self._open_checkpoint(X, y, sample_weight) as checkpoint:
                found = analyse(
                    loss,
                    Z,
                    y,
                    sample_weight,
                    kept,
                    settings,
                    splitter,
                    np.random.SeedSequence(entropy),
                    self.progress or silent,
                    checkpoint,
                )
        except Interruption as stop:
            raise Interrupted(_partial_result(stop, names, varies, facts(stop.baseline, stop.family))) from stop
        remarks = list(found.warnings)
        if not varies.all():
            constant = [name for name, keep in zip(names, varies, strict=True) if not keep]
            remarks.insert(0, f"constant columns are irrelevant, with the interval [0, 0]: {listed(constant)}")
        self._store(found, varies, mean, scale)
        self._table = (varies, mean, scale, loss, Z, y, sample_weight, splitter, settings)
        self.result_ = self._result(found, names, varies, tuple(remarks), facts(found.baseline, found.family))
        for remark in remarks:
            warnings.warn(remark, RelspanWarning, stacklevel=3)

    def _store(self, found: Analysis, varies: np.ndarray, mean: Floats, scale: Floats) -> None:
        mu, d = found.baseline.norm, len(varies)
        self.intervals_ = np.zeros((d, 2))
        self.intervals_[varies] = found.ranges.relevances / mu
        self.signed_intervals_ = np.zeros((d, 2))
        self.signed_intervals_[varies] = np.column_stack([found.ranges.lo, found.ranges.hi]) / mu
        self.relevance_ = np.zeros(d, dtype=np.int64)
        self.relevance_[varies] = found.classes
        self.C_ = found.baseline.C
        weights = np.zeros(d)
        weights[varies] = found.baseline.weights
        self._weights = weights / scale
        self._offsets = found.baseline.offsets
        self._shift = float(mean @ self._weights)
        self._analysis = found

    def _facts(
        self,
        task: str,
        settings: Settings,
        target: dict[str, Any],
        n_features: int,
        baseline: Baseline,
        family: Family,
    ) -> dict[str, Any]:
        """What any result tells, whole or partial."""
        seed = self.random_state
        return {
            "task": task,
            "baseline": {
                "C": baseline.C,
                "l1_norm": baseline.norm,
                "loss": baseline.loss,
                "null_loss": baseline.null_loss,
                "score": baseline.score,
                "scores": {f"{C:.6g}": scores.tolist() for C, scores in baseline.scores.items()},
            },
            "budgets": {
                "kind": settings.loss_budget,
                "limits": [[b.norm_price, b.loss_price, b.limit] for b in family.budgets],
            },
            "parameters": {
                **settings.as_dict(),
                "standardize": bool(self.standardize),
                "random_state": seed if seed is None or isinstance(seed, Integral) else "a generator",
                "checkpoint": None if self.checkpoint is None else str(self.checkpoint),
            },
            "data": {"n_samples": self._n_samples, "n_features": n_features, **target},
            "versions": current_versions(),
        }

    def _result(
        self, found: Analysis, names: Sequence[str], varies: np.ndarray, remarks: tuple[str, ...], facts: dict[str, Any]
    ) -> RelevanceResult:
        family, mu = found.family, found.baseline.norm
        gaps = np.zeros((len(names), 2))
        gaps[varies] = found.ranges.gaps / mu
        classes = [NAMES[relevance] for relevance in self.relevance_]
        return RelevanceResult(
            **facts,
            features=_features(names, self.intervals_, self.signed_intervals_, classes, gaps),
            probes={
                "kind": found.probes.kind,
                "sources": [names[i] for i in np.flatnonzero(varies)[found.probes.sources]],
                "lo": (found.probes.lo / mu).tolist(),
                "hi": (found.probes.hi / mu).tolist(),
                "lost": found.probes.lost,
            },
            thresholds={"relevant": found.upper_threshold / mu, "strong": found.floor / mu},
            warnings=remarks,
            seconds=found.seconds,
            certificates=Certificates(
                family, found.ranges.extremes, tuple(name for name, keep in zip(names, varies, strict=True) if keep)
            ),
        )

    def _open_checkpoint(
        self, X: Floats, y: Floats, sample_weight: Floats | None
    ) -> AbstractContextManager[Checkpoint | None]:
        """The checkpoint that was asked for, of just this question."""
        if self.checkpoint is None:
            return nullcontext()
        if not isinstance(self.random_state, Integral):
            raise ParameterError(
                "a checkpoint needs a whole number as random_state, so that a run that goes on asks the same question; "
                f"it is {self.random_state!r}"
            )
        unasked = {"n_jobs", "progress", "checkpoint"}  # they do not change the answer
        given = {name: value for name, value in self.get_params(deep=False).items() if name not in unasked}
        return Checkpoint(
            self.checkpoint,
            {
                "relspan": version("relspan"),
                "estimator": type(self).__name__,
                "data": data_hash(X, y, sample_weight),
                "parameters": {k: repr(v.item() if isinstance(v, np.generic) else v) for k, v in given.items()},
            },
        )

    def explore(self) -> Explorer:
        """A session on this family: pins, substitutes, panels, predictions that all good models share."""
        check_is_fitted(self)
        names = tuple(feature.name for feature in self.result_.features)
        classes = getattr(self, "classes_", None)
        return Explorer(
            Problem(
                names,
                *self._table,
                self._analysis,
                self.result_,
                None if classes is None else tuple(classes.tolist()),
            )
        )

    def _read(self, X: Any, y: Any = "no_validation", reset: bool = False, **options: Any) -> Any:
        """The table as float64, with names remembered or compared; non-finite values are refused later, by name."""
        refuse_duplicates([name for name in getattr(X, "columns", ()) if isinstance(name, str)])
        # one layout whatever the table came as, so that sums are the same to the last bit
        read = validate_data(self, X, y, reset=reset, dtype=np.float64, order="C", ensure_all_finite=False, **options)
        if reset and isinstance(X, NamedMatrix):  # scikit-learn asks only data frames for names
            self.feature_names_in_ = np.array(X.columns, dtype=object)
        return read

    def _scores(self, X: Any) -> Floats:
        """x.w without the offsets, for new samples."""
        check_is_fitted(self)
        X = self._read(X)
        refuse_non_finite(X, column_names(self, X.shape[1]))
        return np.asarray(X @ self._weights - self._shift)

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        return np.asarray(self.relevance_ > 0)


def _features(
    names: Sequence[str], intervals: Floats, signed: Floats, classes: Sequence[str], gaps: Floats
) -> tuple[FeatureRelevance, ...]:
    told = zip(names, intervals.tolist(), signed.tolist(), classes, gaps.tolist(), strict=True)
    return tuple(
        FeatureRelevance(name, least, most, lo, hi, relevance, gap_lo, gap_hi)
        for name, (least, most), (lo, hi), relevance, (gap_lo, gap_hi) in told
    )


def _partial_result(
    stop: Interruption, names: Sequence[str], varies: np.ndarray, facts: dict[str, Any]
) -> RelevanceResult:
    """The intervals that were proven before an interruption; constant columns have theirs at once."""
    mu, positions = stop.baseline.norm, np.flatnonzero(varies)[stop.columns]
    intervals, signed, gaps = (np.zeros((len(names), 2)) for _ in range(3))
    if stop.ranges is not None:
        intervals[positions] = stop.ranges.relevances / mu
        signed[positions] = np.column_stack([stop.ranges.lo, stop.ranges.hi]) / mu
        gaps[positions] = stop.ranges.gaps / mu
    known = ~varies
    known[positions] = True
    done = [name for name, sure in zip(names, known, strict=True) if sure]
    return RelevanceResult(
        **facts,
        partial=True,
        features=_features(done, intervals[known], signed[known], ["undecided"] * len(done), gaps[known]),
        unfinished=tuple(name for name, sure in zip(names, known, strict=True) if not sure),
        probes={},
        thresholds={},
        seconds=stop.seconds,
    )


def column_names(estimator: Any, count: int) -> list[str]:
    """The columns' names, x0, x1 ... where the table has none."""
    given = getattr(estimator, "feature_names_in_", None)
    return [f"x{j}" for j in range(count)] if given is None else [str(name) for name in given]


def refuse_duplicates(names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise DataError(f"several columns are called {listed(twice)}: rename them, results are told by name")


def refuse_non_finite(X: Floats, names: Sequence[str]) -> None:
    """NaN and infinities are errors that count them per column."""
    for kind, wrong in (("NaN", np.isnan(X)), ("infinity", np.isinf(X))):
        counts = wrong.sum(axis=0)
        if counts.any():
            where = listed([f"{name} ({count})" for name, count in zip(names, counts, strict=True) if count])
            raise DataError(f"Input X contains {kind}, by column: {where}. Impute or drop these values first")


def sample_weights(given: Any, n_samples: int) -> Floats | None:
    """One finite weight >= 0 a sample; None where none are given."""
    if given is None:
        return None
    weights = np.asarray(given, dtype=np.float64)
    weights = np.full(n_samples, weights) if weights.ndim == 0 else weights
    if weights.shape != (n_samples,):
        raise DataError(f"sample_weight has shape {weights.shape}; there are {n_samples} samples, one each is needed")
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        raise DataError(f"sample_weight must be finite and not negative; row {wrong[0]} has {weights[wrong[0]]}")
    if not weights.any():
        raise DataError("every sample_weight is zero: nothing is left to learn from")
    return weights


def without_weightless(X: Floats, y: np.ndarray, weights: Floats | None) -> tuple[Floats, np.ndarray, Floats | None]:
    """The samples that count. A weight of 0 leaves a sample out of scaling, folds and probes as well as of the loss."""
    if weights is None or weights.all():
        return X, y, weights
    return X[weights > 0], y[weights > 0], weights[weights > 0]


def _scaling(X: Floats, sample_weight: Floats | None) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each column (weighted as the samples are); 1 for a constant column."""
    unit = np.abs(X).max(axis=0)  # squares of values such as 1e200 or 1e-200 would not be numbers any more
    unit = np.where(unit > 0, unit, 1.0)
    mean = np.average(X / unit, axis=0, weights=sample_weight) * unit
    scale = np.sqrt(np.average(((X - mean) / unit) ** 2, axis=0, weights=sample_weight)) * unit
    return mean, np.where(scale > 0, scale, 1.0)


def listed(names: Sequence[str], most: int = 8) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
