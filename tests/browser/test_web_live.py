"""The live thread: the newest question is answered, older ones are dropped, and nothing is lost on the way."""

from __future__ import annotations

import time

import numpy as np
import pytest

from relspan import RelevanceClassifier
from relspan.browser.live_intervals import LiveIntervals
from relspan.explore.explorer import history_of
from relspan.explore.pins import read_pin
from relspan.tables.examples import breast_cancer

CANCELLED = "ignore:These features exceed the chance threshold:relspan.errors.RelspanWarning"
pytestmark = pytest.mark.filterwarnings(CANCELLED)


@pytest.fixture(scope="module")
def cancer():
    prepared = breast_cancer()
    return RelevanceClassifier(n_probes=10, random_state=0).fit(prepared.named, prepared.y)


@pytest.fixture
def live(cancer):
    live = LiveIntervals(cancer.explore())
    yield live
    live.close()


def until(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)


@pytest.mark.slow
def test_the_newest_question_wins(live):
    wished = [(read_pin(live.problem, "worst area", (0.0, 0.5 - 0.01 * k)),) for k in range(30)]
    answers = [live.answer(pins) for pins in wished]
    until(lambda: answers[-1].pending == 0)
    assert sum(answer.pending > 0 for answer in answers[:-1]) >= 25  # nobody waits for them any more
    exact = history_of(live.explorer).solver.family_under(wished[-1]).relevances / live.problem.mu
    np.testing.assert_allclose(answers[-1].relevances, exact, atol=1e-7)


@pytest.mark.slow
def test_an_answer_only_widens_from_inside_until_it_is_exact(live):
    pins = (read_pin(live.problem, "worst radius", (0.25, np.inf)),)
    answer = live.answer(pins)
    inner = answer.relevances[answer.status == 1].copy()
    which = np.flatnonzero(answer.status == 1)
    until(lambda: answer.pending == 0)
    assert len(which)
    assert (answer.relevances[which, 0] <= inner[:, 0] + 1e-6).all()
    assert (answer.relevances[which, 1] >= inner[:, 1] - 1e-6).all()


@pytest.mark.slow
def test_the_explorer_may_be_asked_meanwhile(live):
    """A person at the prompt and the page share one solver: they take turns, and both are right."""
    live.answer((read_pin(live.problem, "worst radius", (0.2, np.inf)),))
    own = live.explorer.pin("worst area", (0.0, 0.3)).result["mean area"].max
    apart = type(live.explorer)(live.problem).pin("worst area", (0.0, 0.3)).result["mean area"].max
    assert own == pytest.approx(apart, abs=1e-7)


def test_impossible_wishes_do_not_stop_the_thread(live):
    live.answer((read_pin(live.problem, "worst area", 5.0),))
    time.sleep(0.1)
    fine = live.answer((read_pin(live.problem, "worst area", "without"),))
    until(lambda: fine.pending == 0)


@pytest.mark.slow
def test_a_grid_solved_in_advance_makes_previews_nearer(live):
    asked = (read_pin(live.problem, "worst area", (0.3, np.inf)),)
    before = live._begun(asked).relevances
    live.grid([(read_pin(live.problem, "worst area", (low, np.inf)),) for low in (0.1, 0.25, 0.35, 0.45)])
    until(lambda: not live._spare and live._target is None)
    time.sleep(0.3)
    after = live._begun(asked).relevances
    exact = history_of(live.explorer).solver.family_under(asked).relevances / live.problem.mu
    assert np.abs(after - exact).sum() < np.abs(before - exact).sum()
