"""Certificates.verify: what is sound passes, what was changed does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from problems import all_ranges, family_around, two_classes
from relspan.engines import CertifiedMaxima
from relspan.errors import VerificationError
from relspan.result import Certificates


def certificates(engine: str = "exact", kind: str = "explained", flips: float = 0.1) -> Certificates:
    X, y = two_classes(50, 5, seed=0, flips=flips)
    family, _ = family_around(X, y, C=10.0, kind=kind)
    return Certificates(family, all_ranges(engine, family).extremes, tuple("abcde"))


@pytest.mark.parametrize("kind", ["explained", "relative", "combined"])
@pytest.mark.parametrize("flips", [0.0, 0.1])
def test_what_an_engine_says_is_sound(engine: str, kind: str, flips: float) -> None:
    assert certificates(engine, kind, flips).verify() <= 1e-6


def stretched_model(e: CertifiedMaxima) -> CertifiedMaxima:
    models = np.array(e.models)
    models[0] *= 1.01
    return replace(e, models=models)


def stretched_model_and_value(e: CertifiedMaxima) -> CertifiedMaxima:
    """A model outside the family attains more than the truth: the gap alone would be negative."""
    values = np.array(e.values)
    values[0] *= 1.01
    return replace(stretched_model(e), values=values)


def shrunk_model(e: CertifiedMaxima) -> CertifiedMaxima:
    models = np.array(e.models)
    models[3] *= 0.99
    return replace(e, models=models)


def other_offset(e: CertifiedMaxima) -> CertifiedMaxima:
    models = np.array(e.models)
    models[2, -1] += 0.05
    return replace(e, models=models)


def larger_value(e: CertifiedMaxima) -> CertifiedMaxima:
    values = np.array(e.values)
    values[1] += 0.01
    return replace(e, values=values)


def smaller_value(e: CertifiedMaxima) -> CertifiedMaxima:
    values = np.array(e.values)
    values[1] -= 0.01
    return replace(e, values=values)


def larger_multiplier(e: CertifiedMaxima) -> CertifiedMaxima:
    a = np.array(e.hinge_multipliers)
    a[0, np.argmax(a[0])] *= 1.05
    return replace(e, hinge_multipliers=a)


def dropped_multipliers(e: CertifiedMaxima) -> CertifiedMaxima:
    a = np.array(e.hinge_multipliers)
    a[4] = 0.0
    return replace(e, hinge_multipliers=a)


def swapped_multipliers(e: CertifiedMaxima) -> CertifiedMaxima:
    return replace(e, hinge_multipliers=e.hinge_multipliers[::-1])


def not_a_number(e: CertifiedMaxima) -> CertifiedMaxima:
    models = np.array(e.models)
    models[0, 0] = np.nan
    return replace(e, models=models)


TAMPERINGS = [
    stretched_model,
    stretched_model_and_value,
    shrunk_model,
    other_offset,
    larger_value,
    smaller_value,
    larger_multiplier,
    dropped_multipliers,
    swapped_multipliers,
    not_a_number,
]


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda t: t.__name__)
def test_whatever_was_changed_shows(tamper: Callable[[CertifiedMaxima], CertifiedMaxima]) -> None:
    sound = certificates()
    changed = replace(sound, extremes=tamper(sound.extremes))
    with pytest.raises(VerificationError, match=r"the proof of an end of [a-e] fails by"):
        changed.verify()


def test_another_family_shows() -> None:
    """The proofs speak of one family: with a tighter budget the same models are outside."""
    sound = certificates()
    X, y = two_classes(50, 5, seed=0)
    tighter, _ = family_around(X, y, C=10.0, kind="explained", delta_norm=0.05)
    with pytest.raises(VerificationError, match="fails by"):
        replace(sound, family=tighter).verify()
