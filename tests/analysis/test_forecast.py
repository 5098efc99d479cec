"""A forecast before long work: what it counts, when it is made, and that no answer depends on it."""

from __future__ import annotations

import numpy as np
import pytest

from relspan import RelevanceClassifier
from relspan.analysis import forecast
from relspan.analysis.forecast import in_words
from relspan.simulate import simulate


class Heard:
    """Keeps what it hears of the progress."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, float | None, str]] = []

    def __call__(self, stage: str, share: float | None, note: str = "") -> None:
        self.calls.append((stage, share, note))

    @property
    def stages(self) -> list[str]:
        return list(dict.fromkeys(stage for stage, _, _ in self.calls))


def fitted(progress: Heard | None, engine: str = "exact") -> np.ndarray:
    data = simulate(60, 2, 2, 4, random_state=0)
    estimator = RelevanceClassifier(n_probes=10, random_state=0, engine=engine, progress=progress)
    return estimator.fit(data.X, data.y).intervals_


def test_every_stage_is_reported_and_the_shares_of_a_stage_rise() -> None:
    heard = Heard()
    fitted(heard)
    assert heard.stages == ["baseline", "bounds", "evidence", "probes", "verdicts"]
    for stage in heard.stages:
        shares = [share for name, share, _ in heard.calls if name == stage and share is not None]
        assert shares == sorted(shares)
        assert shares[-1] == 1.0
    assert any(note == "8 of 8 intervals certified" for _, _, note in heard.calls)


@pytest.mark.parametrize("engine", ["exact", "batched", "restricted"])
def test_long_work_is_announced_once_and_answers_do_not_depend_on_it(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = fitted(None, engine)
    monkeypatch.setattr(forecast, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(forecast, "CLEARLY_SHORT", 0.0)
    heard = Heard()
    np.testing.assert_array_equal(fitted(heard, engine), without)
    notes = [note for stage, _, note in heard.calls if stage == "forecast"]
    assert len(notes) == 1
    assert notes[0].endswith("for 36 linear programs")  # 2 ends of 8 features and of 10 probes


def test_short_work_is_not_announced() -> None:
    heard = Heard()
    fitted(heard)
    assert "forecast" not in heard.stages


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (31.0, "about 30 seconds"),
        (95.0, "about 1.6 minutes"),
        (1200.0, "about 20 minutes"),
        (7200.0, "about 2.0 hours"),
    ],
)
def test_lengths_are_put_into_words(seconds: float, words: str) -> None:
    assert in_words(seconds) == words
