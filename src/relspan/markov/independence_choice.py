"""Which test fits which columns: discrete, continuous or both.

A column is taken as *discrete* when its values are whole numbers with at most ten different ones (a target: not numbers
at all, or whole numbers with at most twenty). Both are only defaults: the caller may say which columns are discrete.
All discrete: G2. None: Fisher's z. Some: the likelihood ratio for mixed data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from relspan.arrays import Bools, Floats
from relspan.checks import number, one_of, whole
from relspan.errors import DataError
from relspan.markov.fisher_z import FisherZ
from relspan.markov.g2 import TableTest
from relspan.markov.independence import IndependenceTest
from relspan.markov.likelihood_ratio import LikelihoodRatio

TESTS = ("auto", "g2", "chi2", "fisher-z", "mixed")
MOST_BINS = 10_000  # more levels than any table could fill
_FEATURE_LEVELS = 10
_TARGET_LEVELS = 20


def discrete_columns(X: npt.NDArray[np.generic], most_levels: int = _FEATURE_LEVELS) -> Bools:
    """Whether each column holds whole numbers with few different values."""
    result = np.zeros(X.shape[1], dtype=bool)
    for left in range(0, X.shape[1], 1024):
        part = X[:, left : left + 1024]
        if part.dtype.kind == "b":
            result[left : left + 1024] = True
            continue
        whole = np.ones(part.shape[1], dtype=bool) if part.dtype.kind in "iu" else np.all(part == np.rint(part), axis=0)
        span = part.max(axis=0).astype(float) - part.min(axis=0).astype(float)
        few = span < most_levels
        for column in np.flatnonzero(whole & ~few):
            few[column] = len(np.unique(part[:, column])) <= most_levels
        result[left : left + 1024] = whole & few
    return result


def discrete_target(y: npt.NDArray[np.generic]) -> bool:
    """Whether the target is a class rather than a quantity."""
    return y.dtype.kind not in "iuf" or bool(discrete_columns(y.reshape(-1, 1), _TARGET_LEVELS)[0])


def equal_frequency_codes(X: npt.NDArray[np.generic], n_bins: int) -> npt.NDArray[np.int64]:
    """Columns cut at their quantiles into at most n_bins levels; equal values always share a level."""
    whole("n_bins", n_bins, at_least=2, at_most=MOST_BINS)
    values: Floats = np.asarray(X, dtype=float)
    cuts = np.quantile(values, np.arange(1, n_bins) / n_bins, axis=0)
    codes = np.zeros(values.shape, dtype=np.int64)
    for cut in cuts:
        codes += values > cut
    return codes


@dataclass(frozen=True)
class IndependenceChoice:
    """An independence test over the features and, as the last variable, the target."""

    test: IndependenceTest
    name: str
    discrete: Bools


def choose_test(
    X: npt.NDArray[np.generic],
    y: npt.NDArray[np.generic],
    *,
    test: str = "auto",
    discrete: Bools | None = None,
    target_discrete: bool | None = None,
    n_bins: int | None = None,
    samples_per_df: float = 5.0,
    names: Sequence[str] | None = None,
) -> IndependenceChoice:
    """Build the test; refuse columns it cannot be applied to.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    test : {"auto", "g2", "chi2", "fisher-z", "mixed"}
    discrete, target_discrete : optional
        Which columns are discrete; None looks at the values.
    n_bins : int, optional
        Cut continuous columns into this many levels of equal frequency first.
    samples_per_df : float
        The reliability rule.
    names : sequence of str, optional
        Feature names, for messages.
    """
    one_of("test", test, TESTS)
    number("samples_per_df", samples_per_df, at_least=0, hint="5 is usual")
    if n_bins is not None:
        whole("n_bins", n_bins, at_least=2, at_most=MOST_BINS)
    kinds = discrete_columns(X) if discrete is None else discrete
    y_discrete = discrete_target(y) if target_discrete is None else target_discrete
    n_classes, target = _target_codes(y, y_discrete)
    if n_bins is not None and test in ("auto", "g2", "chi2"):
        X, target = (
            _level_columns(X, kinds, n_bins),
            target if y_discrete else equal_frequency_codes(y[:, None], n_bins)[:, 0],
        )
        kinds, y_discrete = np.ones(X.shape[1], dtype=bool), True
    everything = np.append(kinds, y_discrete)
    name = test
    if test == "auto":
        name = "g2" if everything.all() else "mixed" if everything.any() else "fisher-z"
    blocks = [X, target[:, None]]
    if name == "mixed":
        return IndependenceChoice(LikelihoodRatio(blocks, everything, samples_per_df=samples_per_df), name, everything)
    if name == "fisher-z":
        if y_discrete and n_classes > 2:
            raise DataError(f"test='fisher-z' compares numbers, and the target has {n_classes} classes: use 'mixed'")
        return IndependenceChoice(FisherZ(blocks, samples_per_df=samples_per_df), name, everything)
    if not everything.all():
        first = int(np.flatnonzero(~everything)[0])
        what = "the target" if first == X.shape[1] else f"column {names[first]!r}" if names else f"column {first}"
        raise DataError(
            f"test={test!r} counts levels, and {what} is continuous: use test='mixed', or bin it with n_bins=3"
        )
    return IndependenceChoice(TableTest(blocks, statistic=name, samples_per_df=samples_per_df), name, everything)


def _target_codes(y: npt.NDArray[np.generic], discrete: bool) -> tuple[int, npt.NDArray[np.generic]]:
    """How many different values, and the target as numbers: codes of its classes, or itself."""
    if y.dtype.kind not in "iufb" and not discrete:
        raise DataError("the target is not numeric, so it cannot be continuous; leave discrete_target='auto'")
    levels, codes = np.unique(y, return_inverse=True)
    if len(levels) < 2:
        raise DataError(f"the target has one class only ({levels[0]}): nothing can depend on a constant")
    return len(levels), codes if discrete else y


def _level_columns(X: npt.NDArray[np.generic], discrete: Bools, n_bins: int) -> npt.NDArray[np.generic]:
    """Continuous columns as levels, the others as they are."""
    result = np.array(X, dtype=float)
    result[:, ~discrete] = equal_frequency_codes(result[:, ~discrete], n_bins)
    return result
