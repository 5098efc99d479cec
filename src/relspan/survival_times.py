"""Times until an event that has not been seen for every sample: their order, and what can be estimated from it.

Sample i has been observed until the time t_i; e_i says whether its event was seen then, or whether it is *censored*:
observed no longer, so that its event comes later, or never. Only the order of the times counts. Sample j is known to be
*later* than i if the event of i was seen and j was observed beyond it,

    e_i = 1   and   ( t_j > t_i   or   t_j = t_i and e_j = 0 ),

so at the same time events come before ends of observation, and two events at one time cannot be compared. Inside the
analysis a target is one number per sample, its *signed rank*: the rank of its time, from 1 on, equal for equal times,
and negative if it is censored. Whatever reorders the targets keeps time and event together. Samples with equal times
may be put in an order by a fraction of a rank, which counts only where some of them are to be chosen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Bools, Floats, Ints
from relspan.errors import DataError

SURVIVAL = np.dtype([("time", np.float64), ("event", np.bool_)])
"""Time and event of a sample as one entry of an array."""


def survival_target(times: Any, events: Any, times_name: str = "the times", name: str = "the events") -> NDArray[Any]:
    """Times and events, checked, as one array; the names are what a refusal calls them."""
    time = _numbers(times, times_name)
    wrong = np.flatnonzero(~(np.isfinite(time) & (time >= 0)))
    if len(wrong):
        raise DataError(f"{times_name} must be finite and not negative; row {wrong[0]} has {time[wrong[0]]:g}")
    event = _numbers(events, name)
    wrong = np.flatnonzero((event != 0) & (event != 1))
    if len(wrong):
        raise DataError(
            f"{name} must be 1 where the event was seen and 0 where it was not; row {wrong[0]} has {event[wrong[0]]:g}"
        )
    target = np.empty(len(time), dtype=SURVIVAL)
    target["time"], target["event"] = time, event == 1
    return target


def read_survival(y: Any) -> NDArray[Any]:
    """A target of times and events in any of its forms: two columns, an array with two fields, or times alone."""
    names = getattr(getattr(y, "dtype", None), "names", None)
    if names is not None:
        return _from_fields(np.asarray(y), names)
    try:
        values = y if hasattr(y, "shape") else np.asarray(y)
    except ValueError as reason:
        raise DataError(
            "the target must have two columns, the time and the event, but its rows differ in length"
        ) from reason
    shape = values.shape
    if len(shape) == 1 or (len(shape) == 2 and shape[1] == 1):
        times = np.asarray(values).reshape(-1)
        return survival_target(times, np.ones(len(times)))
    if len(shape) != 2 or shape[1] != 2:
        raise DataError(f"the target must have two columns, the time and the event, not the shape {tuple(shape)}")
    columns = np.asarray(values)
    return survival_target(columns[:, 0], columns[:, 1])


def _from_fields(y: NDArray[Any], names: tuple[str, ...]) -> NDArray[Any]:
    events = [name for name in names if y.dtype[name].kind == "b"]
    if len(names) != 2 or len(events) != 1:
        raise DataError(
            f"an array with the fields {', '.join(names)} is no survival target: it needs one field of booleans, the "
            "events, and one of numbers, the times"
        )
    return survival_target(y[next(name for name in names if name not in events)], y[events[0]])


def _numbers(values: Any, name: str) -> Floats:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} must be numbers: {error}") from error


def signed_ranks(target: NDArray[Any]) -> Floats:
    """The rank of every time, from 1 on, with a minus where the sample is censored."""
    ranks = np.unique(target["time"], return_inverse=True)[1] + 1.0
    return np.where(target["event"], ranks, -ranks)


def with_ties_broken(ranks: Floats, order: Ints) -> Floats:
    """The same ranks, with fractions that put equal ones into this order of all samples."""
    place = np.empty(len(order))
    place[order] = np.arange(len(order)) / (2 * len(order))
    return ranks + np.where(ranks > 0, place, -place)


def order_keys(y: Floats) -> Ints:
    """Numbers in the order of signed ranks: even for events, odd for ends of observation, which come after them.

    Sample j is later than i where the key of i is even and that of j is larger.
    """
    return (2 * np.floor(np.abs(y)) + (y < 0)).astype(np.intp)


def any_comparable(y: Floats) -> bool:
    """Whether some sample is later than another."""
    keys = order_keys(y)
    seen = keys[y > 0]
    return bool(len(seen)) and bool(keys.max() > seen.min())


def log_rank_scores(y: Floats) -> Floats:
    """e_i - H(t_i), with H the cumulative hazard of all samples (Nelson, Aalen): events seen beyond those expected."""
    keys, place, count = np.unique(order_keys(y), return_inverse=True, return_counts=True)
    at_risk = np.cumsum(count[::-1])[::-1]
    hazard = np.cumsum(np.where(keys % 2 == 0, count / at_risk, 0.0))
    return np.asarray((y > 0) - hazard[place])


def inverse_censoring_weights(y: Floats, sample_weight: Floats) -> Floats:
    """1 / G(t_i)^2 of every event, 0 of others: G(t) is the estimated chance to be observed until t (Kaplan, Meier).

    Times that few samples are observed until count more, so that censoring does not decide which times count (Uno et
    al. 2011). The weights are divided by their mean over the events.
    """
    keys, place = np.unique(order_keys(y), return_inverse=True)
    weight = np.bincount(place, weights=sample_weight)
    at_risk = np.cumsum(weight[::-1])[::-1]
    stays = np.where((keys % 2 == 1) & (at_risk > 0), 1.0 - weight / np.maximum(at_risk, np.finfo(float).tiny), 1.0)
    observed = np.concatenate([[1.0], np.cumprod(stays)[:-1]])[place]
    seen = y > 0
    inverse = np.divide(1.0, observed**2, out=np.zeros(len(y)), where=seen)
    total = float(sample_weight @ inverse)
    return np.asarray(inverse * (float(sample_weight @ seen) / total) if total > 0 else inverse)


def later_samples(y: Floats) -> tuple[Ints, Ints]:
    """The samples in order of their keys, and for every sample the place in that order where the later ones begin."""
    keys = order_keys(y)
    order = np.lexsort([np.abs(y), keys])
    return order, np.searchsorted(keys[order], keys, side="right")


def events_of(y: Floats) -> Bools:
    """Where the event was seen, of signed ranks."""
    return np.asarray(y > 0)
