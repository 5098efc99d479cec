"""Random problems of every kind keep the laws; `make fuzz` tries many more."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from laws import MORE_LAWS, checked, made, weights_are_repetitions
from long_run import ENDINGS
from recipes import CHOICES, LARGE_TABLES, Recipe, random_recipe, recipes


@pytest.mark.slow
@settings(max_examples=12)
@given(recipes())
def test_every_random_problem_keeps_the_laws_or_is_refused(recipe: Recipe) -> None:
    assert checked(recipe) in ENDINGS


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
@pytest.mark.parametrize("law", MORE_LAWS)
def test_every_law_holds_for_a_plain_problem(law) -> None:
    problem = made(Recipe(seed=1, weights="whole", C=0.5, n=40))
    law(problem, problem.fitted())


def test_a_recipe_reads_back_and_makes_the_same_problem() -> None:
    recipe = random_recipe(np.random.default_rng(0))
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe
    np.testing.assert_array_equal(made(again).plain, made(recipe).plain)
    np.testing.assert_array_equal(made(again).y, made(recipe).y)


def test_long_runs_draw_from_every_choice() -> None:
    rng = np.random.default_rng(0)
    drawn = [random_recipe(rng) for _ in range(2000)]
    for name, choices in CHOICES.items():
        assert {getattr(recipe, name) for recipe in drawn} >= set(choices)
    assert {(recipe.n, recipe.d) for recipe in drawn} >= set(LARGE_TABLES)


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_whole_weights_are_repeated_rows_where_nothing_is_left_to_cross_validation() -> None:
    """A regression of six rows: epsilon is chosen even where C is given, and may be another one for repeated rows."""
    given = made(Recipe(seed=1853536524, task="numbers", n=6, d=1, signal="clear", weights="whole", C=0.5, epsilon=0.1))
    assert weights_are_repetitions(given, given.fitted())
