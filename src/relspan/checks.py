"""Checks of parameters and names. Every refusal names the parameter, the value it has, and what would work."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence, Sized
from difflib import get_close_matches
from numbers import Integral, Real
from pathlib import Path
from typing import Any, cast

import numpy as np

from relspan.errors import DataError, ParameterError

LARGEST_SHOWN = 1024  # binary digits: no float is larger

MOST_PROCESSES = 10_000  # more would be a mistake
MOST_ENTRIES = 10**9  # of a simulated table: more fit into no memory
MOST_REPETITIONS = 10**6  # of starts, steps or generations: more would never end
MOST_SHARE = 1e9  # of a budget: more is no number that the solver can work with
NAMES_IN_A_MESSAGE = 3  # names that a message lists before it only counts the rest


def number(
    name: str,
    value: Any,
    *,
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    below: float | None = None,
    hint: str = "",
) -> float:
    """The value as a float, if it is a finite number within the limits; else ParameterError."""
    wanted = _limits({"at least": at_least, "above": above, "at most": at_most, "below": below})
    if not _is_finite(value) or not _within(float(value), at_least, above, at_most, below):
        raise ParameterError(f"{name} must be a number{wanted}, not {_shown(value)}{hint and f'; {hint}'}")
    return float(value)


def whole(name: str, value: Any, *, at_least: int | None = None, at_most: int | None = None, hint: str = "") -> int:
    """The value as an int, if it is a whole number within the limits; else ParameterError."""
    wanted = _limits({"at least": at_least, "at most": at_most})
    is_whole = isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))
    if not is_whole or not _is_finite(value) or not _within(float(value), at_least, None, at_most, None):
        raise ParameterError(f"{name} must be a whole number{wanted}, not {_shown(value)}{hint and f'; {hint}'}")
    return int(value)


def processes(name: str, value: Any) -> int | None:
    """The value, if it is a number of processes, -1 for all cores, or None; else ParameterError."""
    if value is not None and whole(name, value, at_least=-MOST_PROCESSES, at_most=MOST_PROCESSES) == 0:
        raise ParameterError(f"{name} must not be 0; it is the number of processes, -1 for all cores")
    return None if value is None else int(value)


def one_of(name: str, value: Any, choices: Iterable[str]) -> str:
    """The value, if it is one of the choices; else ParameterError with the nearest one."""
    allowed = list(choices)
    if not isinstance(value, str) or value not in allowed:
        raise ParameterError(f"{name} must be one of {', '.join(allowed)}, not {value!r}{did_you_mean(value, allowed)}")
    return value


def flag(name: str, value: Any) -> bool:
    """The value, if it is True or False; else ParameterError."""
    if not isinstance(value, (bool, np.bool_)):
        raise ParameterError(f"{name} must be True or False, not {value!r}")
    return bool(value)


def text(name: str, value: Any) -> str:
    """The value, if it is text; else ParameterError."""
    if not isinstance(value, str):
        raise ParameterError(f"{name} must be text, not {_shown(value)}")
    return value


def file_path(name: str, value: Any) -> Path:
    """The value as a path, if it can name a file; else ParameterError."""
    if not isinstance(value, (str, os.PathLike)):
        raise ParameterError(f"{name} must name a file, not {_shown(value)}")
    try:
        given = os.fspath(value)
        os.fsencode(given)
    except (TypeError, UnicodeError) as reason:
        raise ParameterError(f"{name} must name a file, but {value!r} cannot be a name") from reason
    if not isinstance(given, str) or "\0" in given:
        raise ParameterError(f"{name} must name a file, but {given!r} cannot be a name")
    return Path(given)


def mapping(name: str, value: Any, what: str) -> Mapping[Any, Any]:
    """The value, if it is a mapping; else ParameterError. `what` is what it maps: "features to factors"."""
    if not isinstance(value, Mapping):
        raise ParameterError(f"{name} must map {what}, not {_shown(value)}")
    return value


def having(name: str, value: Any, attribute: str, what: str) -> Any:
    """The value, if it has an attribute by which `what` is recognised; else ParameterError."""
    if isinstance(value, type) or not hasattr(value, attribute):
        raise ParameterError(f"{name} must be {what}, not {_shown(value)}")
    return value


def collection(name: str, value: Any, what: str) -> list[Any]:
    """The value as a list, if it is an iterable but no text; else ParameterError. `what` is what it lists."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise ParameterError(f"{name} must list {what}, not {_shown(value)}")
    return list(value)


def features(name: str, value: Any) -> list[Any]:
    """The value as a list of features, each by its name or position; else ParameterError."""
    given = None if isinstance(value, str) or not isinstance(value, Iterable) else list(value)
    if given is None or not all(isinstance(key, (str, Integral)) for key in given):
        found = f"the text {value!r}" if isinstance(value, str) else _shown(value)
        raise ParameterError(f"{name} must list features by their names or positions, not {found}")
    return given


def folds(name: str, value: Any) -> None:
    """Refuse what gives no folds of a cross-validation: neither their number, nor a splitter, nor an iterable."""
    if isinstance(value, str) or not (hasattr(value, "split") or isinstance(value, Iterable)):
        whole(name, value, at_least=2, hint="a splitter or an iterable of folds is taken, too")
    if isinstance(value, bytes) or (isinstance(value, Sized) and not hasattr(value, "split")):
        each = list(cast(Iterable[Any], value))
        if not each or not all(_is_fold(fold) for fold in each):
            raise ParameterError(f"{name} must list folds as pairs of training rows and test rows, not {_shown(value)}")


def _is_fold(fold: Any) -> bool:
    """Whether this is a pair of rows to fit on and rows to test."""
    if isinstance(fold, str) or not isinstance(fold, Sequence | np.ndarray) or len(fold) != 2:
        return False
    return all(np.ndim(part) == 1 and np.asarray(part).dtype.kind in "iub" for part in fold)


def random_generator(name: str, value: Any) -> np.random.RandomState:
    """The generator of a seed, as scikit-learn reads it: an int, a RandomState, or None; else ParameterError."""
    from sklearn.utils import check_random_state

    try:
        generator: np.random.RandomState = check_random_state(value)
    except (ValueError, TypeError) as wrong:
        raise ParameterError(
            f"{name} must be a whole number from 0 to 4294967295, a RandomState or None, not {value!r}"
        ) from wrong
    return generator


def float_array(name: str, value: Any, what: str) -> Any:
    """The value as an array of floats; ParameterError where it holds anything else. `what` is what would work."""
    try:
        return np.asarray(value, dtype=np.float64)
    except (ValueError, TypeError) as reason:
        raise ParameterError(f"{name} must be {what}, not {str(value)[:60]!r}") from reason


def per_sample(
    name: str, value: Any, count: int | None = None, *, what: str = "numbers", kind: Any = None, each: str = "sample"
) -> Any:
    """The value as an array with one entry per sample (any number of them, unless it is given); else DataError.

    `kind` is the type of the entries: None keeps what is given.
    """
    wanted = f"{what}, one value for {f'every {each}' if count is None else f'each of {count} {each}s'}"
    try:
        found = np.asarray(value, dtype=kind)
    except (ValueError, TypeError, OverflowError) as reason:
        raise DataError(f"{name} must have {wanted}, not {_shown(value)}") from reason
    if found.ndim != 1 or (count is not None and len(found) != count):
        raise DataError(f"{name} must have {wanted}, not the shape {found.shape}")
    return found


def sample_weights(given: Any, n_samples: int) -> Any:
    """One finite weight >= 0 per sample, as an array; None where none are given."""
    if given is None:
        return None
    weights = float_array("sample_weight", given, "one number per sample")
    weights = np.full(n_samples, weights) if weights.ndim == 0 else weights
    if weights.shape != (n_samples,):
        raise DataError(
            f"sample_weight has shape {weights.shape}, but one weight per sample is needed, {n_samples} in all"
        )
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        raise DataError(f"sample_weight must be finite and not negative; row {wrong[0]} has {weights[wrong[0]]}")
    if not weights.any():
        raise DataError("every sample_weight is zero: nothing is left to learn from")
    return weights


def did_you_mean(wrong: Any, known: Iterable[str]) -> str:
    """``; did you mean 'age'?`` where a known name is near, else nothing: the end of a message."""
    near = near_names(wrong, known)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def did_you_mean_or_all(wrong: Any, known: Iterable[str]) -> str:
    """`did_you_mean`, or ``; there are 'age', 'sex', ...`` where no known name is near."""
    names = list(known)
    return did_you_mean(wrong, names) or f"; there are {quoted(names)}"


def place_of(key: Any, names: Sequence[str], known: Iterable[str] | None = None) -> int:
    """The place of a feature that is named, or given by an integer label or its position; else ParameterError.

    A label stands before a position: in a table with the columns 10, 20 and 30 the feature 10 is the first one, and so
    is the feature 0. `known` are the names that a message suggests, where they are more than these.
    """
    suggested = list(names if known is None else known)
    whole_number = isinstance(key, Integral) and not isinstance(key, (bool, np.bool_))
    if (isinstance(key, str) or whole_number) and str(key) in names:
        return names.index(str(key))
    if whole_number:
        if 0 <= int(key) < len(names):
            return int(key)
        raise ParameterError(f"no feature {int(key)}; positions are 0 to {len(names) - 1}, and names {quoted(names)}")
    raise ParameterError(f"no feature {key!r}{did_you_mean_or_all(key, suggested)}")


def near_names(wrong: Any, known: Iterable[str]) -> list[str]:
    """The known names that a person who wrote `wrong` may have meant; upper and lower case count least."""
    names, folded = list(known), str(wrong).casefold()
    same = [name for name in names if name.casefold() == folded]
    if same:
        return same[:3]
    by_case = {name.casefold(): name for name in reversed(names)}
    return [by_case[near] for near in get_close_matches(folded, list(by_case), n=2, cutoff=0.7)]


def listed(words: Iterable[str], most: int = NAMES_IN_A_MESSAGE) -> str:
    """The first words, and how many more there are: ``a, b, c and 4 more``."""
    words = list(words)
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more


def quoted(names: Iterable[str]) -> str:
    """The names in quotes, as an error lists them: ``'age', 'sex' and 4 more``."""
    return listed(map(repr, names))


def _limits(limits: Mapping[str, float | None]) -> str:
    """The limits that are set, as they stand behind "a number": `` of at least 0 and below 1``."""
    words = " and ".join(f"{word} {limit:g}" for word, limit in limits.items() if limit is not None)
    return f" of {words}" if words.startswith("at") else words and f" {words}"


def _is_finite(value: Any) -> bool:
    if not isinstance(value, Real) or isinstance(value, (bool, np.bool_)):
        return False
    try:
        return bool(np.isfinite(float(value)))
    except OverflowError:  # a whole number beyond all floats
        return False


def _shown(value: Any) -> str:
    """A value as an error shows it; whole numbers of thousands of digits, which Python refuses to write, by length."""
    if isinstance(value, int) and value.bit_length() > LARGEST_SHOWN:
        return f"a whole number of {value.bit_length()} binary digits"
    return repr(value)


def _within(
    value: float, at_least: float | None, above: float | None, at_most: float | None, below: float | None
) -> bool:
    return (
        (at_least is None or value >= at_least)
        and (above is None or value > above)
        and (at_most is None or value <= at_most)
        and (below is None or value < below)
    )
