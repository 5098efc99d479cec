"""Signs that are demanded of weights: how they are given, and which of them the data contradict.

The sign of a feature's weight is the direction of its effect: "+" where a larger value must never lower the score, "-"
where it must never raise it. A weight of 0 has both signs. What the demand does to the family is in `losses.signed`.

*Contradicted signs.* At the best model under the signs every feature j is pressed by G_j = sum_i a_i f_ij, with a the
multipliers of the hinge rows. Without signs |G_j| <= 1 would hold at the best model,  min ||w||_1 + C loss.  So where
s_j G_j < -1, a weight of the other sign would make this model better: the data contradict the demand.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from relspan.analysis.baseline import Baseline
from relspan.checks import did_you_mean_or_all, quoted
from relspan.errors import ParameterError
from relspan.family import HingeRows
from relspan.losses import signs_of
from relspan.tolerances import SIGN_PRESSURE

SIGNS: Mapping[Any, int] = {"+": 1, "positive": 1, 1: 1, "-": -1, "negative": -1, -1: -1}
"""All ways to give a sign."""


def read_sign(what: str, given: Any) -> int:
    """+1 or -1 from a sign as it is given; `what` begins the message about one that means nothing."""
    if isinstance(given, bool) or not isinstance(given, (str, int, np.integer)) or given not in SIGNS:
        raise ParameterError(f"{what} must be '+' or '-' ('positive', 'negative'), not {given!r}")
    return SIGNS[given]


def read_signs(
    given: Any, names: Sequence[str], categories: Mapping[str, Sequence[str]], ordered: Collection[str]
) -> dict[int, int]:
    """The demanded sign, +1 or -1, by column. Features are given by name or by column number.

    An ordered category stands for all its steps, so that a sign makes its effect monotone.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ParameterError(f"signs must map features to '+' or '-', not {given!r}")
    found: dict[int, int] = {}
    for feature, sign in given.items():
        value = read_sign(f"the sign of {feature!r}", sign)
        for column in _columns(feature, names, categories, ordered):
            if found.setdefault(column, value) != value:
                raise ParameterError(f"signs demand both '+' and '-' of {names[column]!r}")
    return found


def _columns(
    feature: Any, names: Sequence[str], categories: Mapping[str, Sequence[str]], ordered: Collection[str]
) -> list[int]:
    if isinstance(feature, str) and feature in names:
        return [names.index(feature)]
    if isinstance(feature, str) and feature in categories:
        levels = list(categories[feature])
        if feature not in ordered:
            raise ParameterError(
                f"{feature!r} is a category without an order, so it has no sign; demand the sign of one of its "
                f"levels, such as {levels[0]!r}, or give the category an order"
            )
        return [names.index(level) for level in levels]
    if isinstance(feature, str):
        known = [*names, *categories]
        raise ParameterError(f"signs name {feature!r}, which is not a column{did_you_mean_or_all(feature, known)}")
    if isinstance(feature, (int, np.integer)) and not isinstance(feature, bool) and 0 <= feature < len(names):
        return [int(feature)]
    raise ParameterError(f"signs name {feature!r}; the table has columns 0 to {len(names) - 1}")


def refuse_signs(signs: Mapping[int, int], names: Sequence[str], covariates: Collection[int], several: bool) -> None:
    """Refuse signs of what has none: covariates, which are free, and features with several weights (`several`)."""
    free = [names[j] for j in signs if j in covariates]
    if free:
        raise ParameterError(f"{quoted(free)}: a covariate is free and has no demanded sign; leave it out of signs")
    if signs and several:
        raise ParameterError(
            "signs need one weight per feature, and several classes or privileged columns give features several. Keep "
            "two of the classes, and leave privileged columns out"
        )


def signs_in_words(signs: Mapping[str, int]) -> list[str]:
    """``dose +, age -``, one text per feature."""
    return [f"{name} {'+' if sign > 0 else '-'}" for name, sign in signs.items()]


def contradicted_signs(baseline: Baseline, rows: HingeRows) -> list[int]:
    """The columns whose demanded sign the data contradict: the best model would use the other sign."""
    signs = signs_of(baseline.loss_function, rows.n_features)
    if not signs.any():
        return []
    pressed = signs * rows.pressures(baseline.multipliers)
    return [int(j) for j in np.flatnonzero(pressed < -(1.0 + SIGN_PRESSURE))]
