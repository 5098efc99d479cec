"""Live intervals: the newest question is answered, older ones are dropped, and nothing is lost on the way."""

from __future__ import annotations

import numpy as np
import pytest

from relspan import RelevanceClassifier
from relspan.browser import live_intervals
from relspan.browser.live_intervals import EXACT, INNER, LiveIntervals
from relspan.explore import Explorer
from relspan.explore.explorer import history_of
from relspan.explore.pins import read_pin
from relspan.tables.examples import breast_cancer

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
SECONDS = 60.0  # more than enough for every answer


@pytest.fixture(scope="module")
def cancer():
    prepared = breast_cancer()
    return RelevanceClassifier(n_probes=10, random_state=0).fit(prepared.named, prepared.y)


@pytest.fixture
def live(cancer):
    live = LiveIntervals(cancer.explore())
    yield live
    live.close()


def pins_at(live, feature, demand):
    return (read_pin(live.problem, feature, demand),)


def exact_relevances(live, pins):
    """The same by a solver of its own."""
    return history_of(Explorer(live.problem)).solver.family_under(pins).relevances / live.problem.mu


@pytest.mark.slow
def test_the_newest_question_wins(live):
    asked = [pins_at(live, "worst area", (0.0, 0.5 - 0.01 * k)) for k in range(30)]
    answers = [live.answer(pins) for pins in asked]
    assert live.wait_for(lambda: answers[-1].pending == 0, SECONDS)
    assert sum(answer.pending > 0 for answer in answers[:-1]) >= 25  # nobody waits for them any more
    np.testing.assert_allclose(answers[-1].relevances, exact_relevances(live, asked[-1]), atol=1e-7)


@pytest.mark.slow
def test_every_answer_is_finished_with_its_best_model_and_score(live):
    answer = live.answer(pins_at(live, "worst area", "without"))
    assert live.wait_until_idle(SECONDS)
    assert answer.finished
    assert "worst area" not in answer.best["features"]
    assert 0 < answer.best["score"]["mean"] <= 1
    assert set(answer.allowed) == {"worst area"}


@pytest.mark.slow
def test_news_are_waited_for_and_come(live):
    seen = live.revision.number
    live.answer(live.explorer.without("worst area").pins)
    live.revision.wait(seen, SECONDS)
    assert live.revision.number > seen


@pytest.mark.slow
def test_an_answer_only_widens_from_inside_until_it_is_exact(live):
    answer = live.answer(pins_at(live, "worst radius", (0.25, np.inf)))
    which = np.flatnonzero(answer.status == INNER)
    inner = answer.relevances[which].copy()
    assert live.wait_for(lambda: answer.pending == 0, SECONDS)
    assert len(which)
    assert (answer.relevances[which, 0] <= inner[:, 0] + 1e-6).all()
    assert (answer.relevances[which, 1] >= inner[:, 1] - 1e-6).all()


@pytest.mark.slow
def test_the_explorer_may_be_asked_meanwhile(live):
    """A person at the prompt and the page share one solver: they take turns, and both are right."""
    live.answer(pins_at(live, "worst radius", (0.2, np.inf)))
    own = live.explorer.pin("worst area", (0.0, 0.3)).result["mean area"].max
    apart = Explorer(live.problem).pin("worst area", (0.0, 0.3)).result["mean area"].max
    assert own == pytest.approx(apart, abs=1e-7)


@pytest.mark.slow
def test_pins_that_no_model_satisfies_do_not_stop_the_thread(live):
    live.answer(pins_at(live, "worst area", 5.0))
    assert live.wait_until_idle(SECONDS)
    fine = live.answer(pins_at(live, "worst area", "without"))
    assert live.wait_for(lambda: fine.pending == 0, SECONDS)


@pytest.mark.slow
def test_values_solved_in_advance_make_the_first_answer_nearer(live):
    asked = pins_at(live, "worst area", (0.3, np.inf))
    before = live.first_answer(asked).relevances
    live.solve_in_advance([pins_at(live, "worst area", (low, np.inf)) for low in (0.1, 0.25, 0.35, 0.45)])
    assert live.wait_until_idle(SECONDS)
    after = live.first_answer(asked).relevances
    exact = exact_relevances(live, asked)
    assert np.abs(after - exact).sum() < np.abs(before - exact).sum()


@pytest.mark.slow
def test_the_best_model_under_a_set_of_pins_is_found_once(live, monkeypatch):
    """Every step of some columns needs it, and it is the same for all of them."""
    solver = history_of(live.explorer).solver
    solved = []
    monkeypatch.setattr(
        solver, "best_within", lambda bounds, own=solver.best_within: solved.append(bounds) or own(bounds)
    )
    answer = live.answer(pins_at(live, "worst area", "without"))
    assert live.wait_for(lambda: answer.pending == 0, SECONDS)
    assert (answer.status == EXACT).all()
    assert len(solved) == 1


def test_a_question_that_comes_while_a_score_is_computed_is_not_lost(live, monkeypatch):
    """The thread drops a question when it has answered it: only that one, not a newer one."""
    first, second = pins_at(live, "worst area", "without"), pins_at(live, "worst texture", "without")
    computed, newer = live_intervals.held_out_score, []

    def asked_meanwhile(*arguments):
        if not newer:
            newer.append(live.answer(second))
        return computed(*arguments)

    monkeypatch.setattr(live_intervals, "held_out_score", asked_meanwhile)
    live.answer(first)
    assert live.wait_for(lambda: bool(newer) and newer[0].finished, 20.0)
