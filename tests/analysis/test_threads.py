"""Steps side by side in threads give the answers of one thread, and an interruption stops them."""

import threading
from collections.abc import Callable

import numpy as np
import pytest

from relspan.analysis.baseline import C_grid, cross_validate
from relspan.analysis.folds import Folds
from relspan.analysis.threads import rounds_side_by_side, side_by_side
from relspan.engines.solver_runs import is_ending
from relspan.losses import Hinge
from relspan.simulate import simulate


def counting(start: int) -> Callable[[], int]:
    numbers = iter(range(start, start + 100))
    return lambda: next(numbers)


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_answers_come_in_order(n_jobs: int) -> None:
    assert side_by_side([counting(10 * k) for k in range(5)], n_jobs) == [0, 10, 20, 30, 40]
    assert rounds_side_by_side([counting(0), counting(10)], 3, n_jobs) == [[0, 1, 2], [10, 11, 12]]


@pytest.mark.parametrize("whole_grid", [True, False])
def test_folds_side_by_side_choose_from_the_same_models(whole_grid: bool) -> None:
    data = simulate(90, 2, 2, 4, random_state=1, flips=0.1)
    y, costs = np.where(data.y == data.y.max(), 1.0, -1.0), C_grid(Hinge(), data.X, np.sign(data.y - 0.5), None)
    folds = Folds(5, 2, stratified=True, seed=0)
    one, two = (
        cross_validate(Hinge(), data.X, y, None, costs, folds, whole_grid=whole_grid, n_jobs=jobs) for jobs in (1, 2)
    )
    assert list(one.models) == list(two.models)
    for C, models in one.models.items():
        np.testing.assert_array_equal(models, two.models[C])


def test_a_step_that_fails_stops_those_that_run() -> None:
    begun, ended = threading.Event(), threading.Event()

    def endless() -> None:
        begun.set()
        while not is_ending():
            ended.wait(0.001)
        ended.set()

    def failing() -> None:
        begun.wait(10)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        side_by_side([endless, failing], 2)
    assert ended.is_set()
    assert not is_ending()
