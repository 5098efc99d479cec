"""How right the classes of one table are.

Relevant is strong or weak. F1 is that of "relevant": a proxy that is called relevant counts neither for nor against it;
in the strict F1 it is a false call. The three-way accuracy is the share of columns whose class is right, without
proxies.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

import numpy as np

from benchmarks.accuracy.known_truth.truth_table import NULL, PROXY, STRONG, WEAK, Codes


@dataclass(frozen=True)
class Scores:
    """The figures of one table, or their means over tables; those without a meaning on a table are NaN.

    Attributes
    ----------
    f1, strict_f1, precision, recall : float
        Of "relevant"; a proxy called relevant is a false call in the strict F1 alone.
    three_way : float
        The share of columns other than proxies with the right class.
    null_called, null_strong : float
        The numbers of nulls called relevant, and called strong.
    false_call : float
        1 if a null is called relevant, else 0.
    strong_missed, weak_missed : float
        The numbers of strong and of weak columns called irrelevant.
    strong_as_weak, weak_as_strong : float
        The numbers of relevant columns of which only the kind of relevance is wrong.
    proxies_called : float
        The share of proxies called relevant.
    """

    f1: float
    strict_f1: float
    precision: float
    recall: float
    three_way: float
    null_called: float
    null_strong: float
    false_call: float
    strong_missed: float
    weak_missed: float
    strong_as_weak: float
    weak_as_strong: float
    proxies_called: float


def scored(truth: Codes, found: Codes) -> Scores:
    """The figures of one table; `found` has 2 for strong, 1 for weak, 0 for irrelevant."""
    truth, found = np.asarray(truth), np.asarray(found)
    called, relevant, proxy = found > 0, truth > 0, truth == PROXY

    def count(mask: np.ndarray) -> int:
        return int(np.count_nonzero(mask))

    true, false, missed = count(called & relevant), count(called & (truth == NULL)), count(~called & relevant)
    proxies = count(called & proxy)
    return Scores(
        f1=_share(2 * true, 2 * true + false + missed, 1.0),
        strict_f1=_share(2 * true, 2 * true + false + proxies + missed, 1.0),
        precision=_share(true, true + false, 1.0),
        recall=_share(true, true + missed, np.nan),
        three_way=_share(count((found == truth) & ~proxy), count(~proxy), np.nan),
        null_called=false,
        null_strong=count((found == STRONG) & (truth == NULL)),
        false_call=float(false > 0),
        strong_missed=count(~called & (truth == STRONG)),
        weak_missed=count(~called & (truth == WEAK)),
        strong_as_weak=count((found == WEAK) & (truth == STRONG)),
        weak_as_strong=count((found == STRONG) & (truth == WEAK)),
        proxies_called=_share(proxies, count(proxy), np.nan),
    )


def _share(part: int, whole: int, empty: float) -> float:
    return part / whole if whole else empty


def all_right(truth: Codes, found: Codes) -> bool:
    """Whether every class is right; a proxy may have any."""
    truth, found = np.asarray(truth), np.asarray(found)
    return bool(np.all((found == truth) | (truth == PROXY)))


def mean_scores(tables: list[Scores]) -> Scores:
    """The mean of each figure over the tables on which it has a meaning."""
    means = {}
    for field in fields(Scores):
        values = np.array([asdict(scores)[field.name] for scores in tables], dtype=float)
        known = values[~np.isnan(values)]
        means[field.name] = float(known.mean()) if len(known) else np.nan
    return Scores(**means)


def changed_classes(first: Codes, other: Codes) -> tuple[int, int]:
    """The number of columns whose class differs between two fits, and of those that are relevant in one of them."""
    first, other = np.asarray(first), np.asarray(other)
    relevant = (first > 0) | (other > 0)
    return int(((first != other) & relevant).sum()), int(relevant.sum())
