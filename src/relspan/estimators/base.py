"""What all relevance estimators share: checking the table, scaling, running the analysis, telling the result."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, cast

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from relspan.errors import DataError, RelspanWarning
from relspan.losses import Floats, Loss
from relspan.relevance.analysis import Analysis, Settings, analyse
from relspan.relevance.classify import NAMES
from relspan.result import Certificates, FeatureRelevance, RelevanceResult, current_versions
from relspan.tables import NamedMatrix


class RelevanceEstimator(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Relevance intervals for one loss; subclasses say which, and how targets are read."""

    def _parameters(self) -> dict[str, Any]:
        """The parameters by the names that the analysis knows."""
        return dict(self.get_params(deep=False))

    def _settings(self) -> Settings:
        given = self._parameters()
        return Settings(**{name: given[name] for name in Settings.__dataclass_fields__ if name in given})

    def _fit(
        self,
        losses: Sequence[Loss],
        task: str,
        X: Floats,
        y: Floats,
        sample_weight: Floats | None,
        costs: Floats | None,
        splitter: BaseCrossValidator,
        target: dict[str, Any],
    ) -> None:
        """Analyse a validated table and set all fitted attributes.

        `costs` is what a sample's loss is multiplied by: its weight, times that of its class where classes have one.
        """
        settings = self._settings()
        self._n_samples = len(y)
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
        found = analyse(
            losses,
            Z,
            y,
            costs,
            kept,
            settings,
            splitter,
            np.random.SeedSequence(entropy),
            self.progress or (lambda stage, share: None),
        )
        remarks = list(found.warnings)
        if not varies.all():
            constant = [name for name, keep in zip(names, varies, strict=True) if not keep]
            remarks.insert(0, f"constant columns are irrelevant, with the interval [0, 0]: {listed(constant)}")
        self._store(found, varies, mean, scale)
        self.result_ = self._result(found, task, names, varies, settings, tuple(remarks), target)
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
        self._varies, self._mean, self._scale = varies, mean, scale
        self._analysis = found

    def _result(
        self,
        found: Analysis,
        task: str,
        names: Sequence[str],
        varies: np.ndarray,
        settings: Settings,
        remarks: tuple[str, ...],
        target: dict[str, Any],
    ) -> RelevanceResult:
        baseline, family, mu = found.baseline, found.family, found.baseline.norm
        gaps = np.zeros((len(names), 2))
        gaps[varies] = found.ranges.gaps / mu
        features = tuple(
            FeatureRelevance(name, least, most, lo, hi, NAMES[relevance], gap_lo, gap_hi)
            for name, (least, most), (lo, hi), relevance, (gap_lo, gap_hi) in zip(
                names,
                self.intervals_.tolist(),
                self.signed_intervals_.tolist(),
                self.relevance_,
                gaps.tolist(),
                strict=True,
            )
        )
        seed = self.random_state
        return RelevanceResult(
            task=task,
            features=features,
            baseline={
                "C": baseline.C,
                "loss_function": {"name": baseline.loss_function.name, **asdict(cast(Any, baseline.loss_function))},
                "l1_norm": mu,
                "loss": baseline.loss,
                "null_loss": baseline.null_loss,
                "score": baseline.score,
                "scores": {f"{C:.6g}": scores.tolist() for C, scores in baseline.scores.items()},
            },
            budgets={
                "kind": settings.loss_budget,
                "limits": [[b.norm_price, b.loss_price, b.limit] for b in family.budgets],
            },
            probes={
                "kind": found.probes.kind,
                "sources": [names[i] for i in np.flatnonzero(varies)[found.probes.sources]],
                "lo": (found.probes.lo / mu).tolist(),
                "hi": (found.probes.hi / mu).tolist(),
                "lost": found.probes.lost,
            },
            thresholds={"relevant": found.upper_threshold / mu, "strong": found.floor / mu},
            parameters={
                **settings.as_dict(),
                "standardize": bool(self.standardize),
                "random_state": seed if isinstance(seed, (int, type(None))) else "a generator",
            },
            data={"n_samples": self._n_samples, "n_features": len(names), **target},
            warnings=remarks,
            seconds=found.seconds,
            versions=current_versions(),
            certificates=Certificates(
                family, found.ranges.extremes, tuple(name for name, keep in zip(names, varies, strict=True) if keep)
            ),
        )

    def _read(self, X: Any, y: Any = "no_validation", reset: bool = False, **options: Any) -> Any:
        """The table as float64, with names remembered or compared; non-finite values are refused later, by name."""
        read = validate_data(
            self,
            X,
            y,
            reset=reset,
            dtype=np.float64,
            ensure_all_finite=False,
            ensure_min_samples=2 if reset else 1,
            **options,
        )
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


def seed_of(random_state: Any) -> int | None:
    """Folds from the same seed as the probes; a RandomState is drawn from."""
    if random_state is None or isinstance(random_state, (int, np.integer)):
        return None if random_state is None else int(random_state)
    return int(random_state.randint(np.iinfo(np.int32).max))


def column_names(estimator: Any, count: int) -> list[str]:
    """The columns' names, x0, x1 ... where the table has none; duplicates are refused."""
    given = getattr(estimator, "feature_names_in_", None)
    names = [f"x{j}" for j in range(count)] if given is None else [str(name) for name in given]
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise DataError(f"several columns are called {listed(twice)}: rename them, results are told by name")
    return names


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
        raise DataError("sample_weight is zero for every sample: there is nothing to learn from")
    return weights


def _scaling(X: Floats, sample_weight: Floats | None) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each column (weighted as the samples are); 1 for a constant column."""
    mean = np.average(X, axis=0, weights=sample_weight)
    scale = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=sample_weight))
    return mean, np.where(scale > 0, scale, 1.0)


def listed(names: Sequence[str], most: int = 8) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
