"""Problems that the long run has found: each failed once, and each of its recipes says how it must end now."""

from __future__ import annotations

from dataclasses import replace

import pytest
from laws import checked, made, units_do_not_count
from recipes import Recipe

from relspan.errors import SolverError

FOUND = {
    "columns far from 0 that are not scaled": (
        Recipe(
            *(2123752550, "reject", 20, 1, "far", "exact"),
            **{"weights": "wide", "rows": "groups", "C": 500.0, "delta_norm": 0.0, "delta_loss": 0.3},
            **{"rule": "published", "standardize": False, "weight_unit": 1e-300},
        ),
        "proven",
    ),
    "a probe that one engine cannot prove": (
        Recipe(
            *(1535963740, "survival", 30, 1, "binary"),
            **{"weights": "wide", "rows": "repeated", "C": 500.0, "partners": None, "delta_norm": 0.001},
            **{"delta_loss": 0.001, "engine": "exact", "weight_unit": 1e-9, "column_unit": 1e-6},
        ),
        "proven",
    ),
    "a probe beside a norm budget far beyond the norm": (
        Recipe(
            *(603956221, "two classes", 24, 2, "binary", "clear", "blocks"),
            **{"weights": "whole", "rows": "groups", "form": "sparse", "C": 500.0, "delta_norm": 0.001},
            **{"delta_loss": 0.3, "loss_budget": "combined", "class_weight": "balanced", "engine": "exact"},
            **{"rule": "published", "weight_unit": 1e-9, "column_unit": 1e-6},
        ),
        "proven",
    ),
    "two rows that count, and epsilon to choose": (
        Recipe(946367954, "numbers", 5, 3, signal="exact", weights="some zero", rows="repeated", C=5.0),
        "DataError",
    ),
    "an epsilon that is chosen although C is given": (
        Recipe(1853536524, "numbers", 6, 1, signal="clear", weights="whole", C=0.5, rule="published"),
        "proven",
    ),
    "a quantile that leaves nothing to move with": (
        Recipe(
            *(1767656578, "quantile"),
            **{"n": 30, "values": "binary", "signal": "exact", "columns": "constant", "weights": "whole"},
            **{"privileged": 1, "form": "frame", "C": 0.5, "partners": None, "delta_loss": 0.3},
            **{"loss_budget": "relative", "engine": "exact", "screen": True},
        ),
        "proven",
    ),
    "a family without interior, whose models are evaluated as they are": (
        Recipe(
            *(1037649237, "quantile", 20, 8),
            **{"columns": "copies", "weights": "equal", "rows": "groups", "privileged": 2, "form": "sparse", "C": 5.0},
            **{"partners": None, "delta_loss": 0.0, "loss_budget": "relative", "penalty": "l2", "engine": "exact"},
            **{"rule": "published", "target_unit": 1e12, "target_offset": 67108864.0, "column_unit": 1e6},
        ),
        "proven",
    ),
    "screening beside a covariate whose offset has no limit": (
        Recipe(
            *(1213388989, "ordinal", 30, 2, "binary", "clear", "blocks"),
            **{"weights": "whole", "covariates": 2, "form": "frame", "C": 5.0, "delta_norm": 1.0, "delta_loss": 0.001},
            **{"loss_budget": "relative", "engine": "exact", "screen": True, "standardize": False},
        ),
        "proven",
    ),
    "replaced probes whose families have a larger best model": (
        Recipe(
            *(1889853443, "logistic", 30, 6, "far", "none", "copies"),
            **{"weights": "some zero", "rows": "repeated", "C": 5.0, "delta_norm": 1.0, "delta_loss": 0.001},
            **{"loss_budget": "combined", "engine": "batched", "probes": "replace", "rule": "published"},
            **{"weight_unit": 1e9},
        ),
        "proven",
    ),
    "a best model that saves less loss than could be proven": (
        Recipe(
            *(1593219548, "reject", 14, 5, "heavy", "noisy", "blocks"),
            **{"weights": "whole", "rows": "repeated", "form": "sparse", "C": 1e-9, "delta_loss": 0.0},
            **{"penalty": "l2", "class_weight": "balanced", "engine": "reference", "column_unit": 1e-6},
        ),
        "null",
    ),
    "covariates that separate the classes, so that nothing limits their offsets": (
        Recipe(
            *(572613762, "two classes", 5, 5, "few", "none"),
            **{"weights": "whole", "rows": "groups", "covariates": 2, "form": "frame", "C": 0.5, "epsilon": 0.5},
            **{"partners": None, "delta_norm": 0.001, "loss_budget": "relative", "penalty": "l2"},
            **{"engine": "reference", "column_unit": 1e-150},
        ),
        "proven",
    ),
    "an end without a proof, and groups whose totals begin with it": (
        Recipe(
            *(129936828, "logistic", 14, 8, "binary", "noisy", "blocks"),
            **{"weights": "some zero", "covariates": 1, "grouped": True, "form": "frame", "C": 0.5, "epsilon": 0.1},
            **{"partners": None, "delta_norm": 0.0, "class_weight": "balanced", "column_unit": 1e150},
            **{"target_unit": 9.094947017729282e-13},
        ),
        "proven",
    ),
    "loss so dear that a solver's tolerance for every row hides which model is best": (
        Recipe(
            *(1822031775, "quantile", 90, 20, "binary", "exact", "copies"),
            **{"weights": "whole", "rows": "repeated", "C": 500.0, "epsilon": 0.1, "delta_loss": 0.0},
            **{"rule": "published", "target_unit": 1e-12, "target_offset": 67108864.0, "column_unit": 1e150},
        ),
        "proven",
    ),
    "loss so cheap that all multipliers are below the solver's tolerance": (
        Recipe(
            *(149037348, "two classes", 9, 3, "far", "exact", "copies"),
            **{"weights": "wide", "rows": "groups", "C": 1e-9, "epsilon": 0.5, "delta_norm": 0.0, "delta_loss": 0.001},
            **{"engine": "exact", "target_unit": 1e12, "column_unit": 1e6},
        ),
        "null",
    ),
    "the same beside privileged columns": (
        Recipe(
            *(366374891, "numbers", 60, 3, "far"),
            **{"weights": "some zero", "privileged": 2, "form": "frame", "C": 1e-9, "epsilon": 0.1},
            **{"delta_norm": 0.001, "delta_loss": 0.0, "loss_budget": "combined", "engine": "reference"},
            **{"probes": "replace", "weight_unit": 1e9, "column_unit": 1e6},
        ),
        "null",
    ),
    "a payment for rounding that exceeds what an end may miss": (
        Recipe(
            *(1047943632, "ordinal", 30, 3, "few", "clear"),
            **{"weights": "equal", "C": 500.0, "epsilon": 0.5, "partners": None, "delta_norm": 0.0, "delta_loss": 0.0},
            **{"loss_budget": "combined", "class_weight": "balanced", "engine": "batched", "target_unit": 1e12},
            **{"target_offset": 67108864.0},
        ),
        "proven",
    ),
    "such a payment beside privileged columns and screening": (
        Recipe(
            *(909164338, "numbers", 20, 12, "heavy", "clear", "constant"),
            **{"privileged": 1, "form": "frame", "C": 500.0, "epsilon": 0.0, "delta_norm": 0.0, "delta_loss": 0.0},
            **{"loss_budget": "combined", "engine": "exact", "screen": True, "target_unit": 1e-12},
            **{"target_offset": 67108864.0, "weight_unit": 1e-300, "column_unit": 1e150},
        ),
        "proven",
    ),
    "a combined budget half a million times the norm of the best model": (
        Recipe(
            *(43192053, "numbers", 300, 3, "few", "none"),
            **{"privileged": 1, "form": "sparse", "C": 500.0, "epsilon": 0.1, "partners": 3, "delta_norm": 0.0},
            **{"delta_loss": 0.0, "loss_budget": "combined", "penalty": "l2", "screen": True},
            **{"weight_unit": 1e300, "column_unit": 1e6},
        ),
        "proven",
    ),
    "a second opinion whose model sticks out by rounding and attains more than is possible": (
        Recipe(
            *(393726615, "three classes", 30, 5, "far", "noisy", "sums"),
            **{"weights": "equal", "covariates": 1, "C": 5.0, "epsilon": 0.0, "delta_norm": 0.0},
            **{"loss_budget": "combined", "rule": "published", "standardize": False, "target_unit": 1e12},
            **{"column_unit": 1e150},
        ),
        "proven",
    ),
    "replaced probes whose families barely have no model": (  # it took minutes to say so
        Recipe(
            *(555167765, "survival", 300, 3, "few", "clear"),
            **{"weights": "whole", "form": "sparse", "C": 0.5, "epsilon": 0.0, "delta_norm": 0.0},
            **{"loss_budget": "relative", "engine": "exact", "probes": "replace", "standardize": False},
            **{"target_unit": 1e12, "weight_unit": 1e-300, "column_unit": 1e6},
        ),
        "ParameterError",
    ),
    "probes beside a covariate whose effect nothing limits": (
        Recipe(
            *(1341382401, "two classes", 14, 2, "few", "none", "sums"),
            **{"weights": "some zero", "rows": "groups", "covariates": 1, "C": 5.0, "epsilon": 0.0},
            **{"delta_norm": 0.0, "delta_loss": 0.0, "penalty": "l2", "engine": "reference"},
            **{"weight_unit": 1e300, "column_unit": 1e6},
        ),
        "proven",
    ),
    "a program at which the plain solver gives up": (
        Recipe(
            *(1096464359, "quantile", 7, 4, "far"),
            **{"columns": "sums", "weights": "whole", "covariates": 2, "epsilon": 0.1, "partners": 3},
            **{"delta_norm": 0.0, "loss_budget": "combined", "engine": "reference"},
            **{"target_unit": 2.0**40, "weight_unit": 1e-9, "column_unit": 1e-6},
        ),
        "proven",
    ),
    "classes whose rows begin with one of zeros": (
        Recipe(
            *(1652104634, "three classes", 40, 3, "binary"),
            **{"columns": "blocks", "weights": "some zero", "rows": "repeated", "C": 0.5, "epsilon": 0.5},
            **{"delta_norm": 0.0, "delta_loss": 0.3, "loss_budget": "relative", "engine": "batched"},
            **{"rule": "published", "standardize": False, "column_unit": 1e-6},
        ),
        "proven",
    ),
    "decisions by so few rows that their offsets depend on one another": (
        Recipe(
            *(1917443970, "reject", 24, 2, "whole", "clear", "blocks"),
            **{"weights": "wide", "covariates": 2, "C": 500.0, "epsilon": 0.5, "partners": None, "delta_norm": 1.0},
            **{"delta_loss": 0.3, "loss_budget": "relative", "engine": "exact", "screen": True},
            **{"rule": "published", "target_unit": 1e-12, "weight_unit": 1e-300, "column_unit": 1e150},
        ),
        "proven",
    ),
    "a model that exceeds its budgets by 1.7e-6 of them, of an engine that another one betters": (
        Recipe(
            *(401260362, "survival", 14, 8, "heavy"),
            **{"columns": "constant", "weights": "wide", "covariates": 2, "C": 500.0, "epsilon": 0.0},
            **{"delta_norm": 0.0, "delta_loss": 0.3, "engine": "reference"},
            **{"target_unit": 1e12, "target_offset": 2.0**26, "weight_unit": 1e9, "column_unit": 1e150},
        ),
        "proven",
    ),
    "group probes at vertices whose bases are nearly singular": (
        Recipe(
            *(65378296, "reject", 30, 60, "whole"),
            **{"columns": "constant", "weights": "wide", "rows": "repeated", "grouped": True, "form": "sparse"},
            **{"C": 0.5, "epsilon": 0.5, "delta_norm": 0.0, "delta_loss": 0.0, "loss_budget": "combined"},
            **{"engine": "exact", "target_unit": 1e-12, "target_offset": 2.0**26, "column_unit": 1e-6},
        ),
        "proven",
    ),
    "the plain solver finds no model in a family that has one": (
        Recipe(
            *(1797634515, "three classes", 20, 6, "whole", "exact", "blocks"),
            **{"weights": "whole", "rows": "groups", "C": 5.0, "epsilon": 0.1, "partners": None, "delta_norm": 0.0},
            **{"delta_loss": 0.0, "loss_budget": "combined", "engine": "reference", "screen": True},
            **{"weight_unit": 1e9, "column_unit": 1e-6},
        ),
        "proven",
    ),
    "features that only rounding correlates with the target": (
        Recipe(
            *(1443495834, "logistic", 6, 4, "whole"),
            **{"columns": "sums", "rows": "repeated", "C": 1e-9, "epsilon": 0.0},
            **{"delta_norm": 0.0, "delta_loss": 0.0, "engine": "batched", "target_unit": 2.0**40},
        ),
        "null",
    ),
    "a model that sticks out by 4e-13 of its budgets, in a family without room": (
        Recipe(
            *(801565825, "two classes", 9, 5, "whole"),
            **{"columns": "constant", "weights": "some zero", "rows": "repeated", "privileged": 1, "form": "frame"},
            **{"C": 0.5, "epsilon": 0.0, "partners": 3, "loss_budget": "relative", "penalty": "l2"},
            **{"engine": "exact", "target_offset": 2.0**26, "weight_unit": 1e9, "column_unit": 1e-150},
        ),
        "proven",
    ),
    "a model that gains 6e-5 of the norm by exceeding its budgets by 8e-10 of them": (
        Recipe(
            *(1943087591, "survival", 12, 2, "binary"),
            **{"weights": "wide", "rows": "repeated", "covariates": 2, "grouped": True, "form": "frame"},
            **{"epsilon": 0.5, "partners": None, "delta_norm": 0.0, "delta_loss": 0.0, "loss_budget": "relative"},
            **{"engine": "reference", "rule": "published", "standardize": False},
        ),
        "proven",
    ),
    "samples with the same covariates, whose difference was a rounding error": (
        Recipe(
            *(386750439, "survival", 9, 4, "binary", "clear", "blocks"),
            **{"weights": "whole", "rows": "repeated", "privileged": 1, "covariates": 2, "C": 500.0, "epsilon": 0.5},
            **{"partners": None, "delta_norm": 0.0, "delta_loss": 0.0, "penalty": "l2", "class_weight": "balanced"},
            **{"engine": "reference", "rule": "published", "target_offset": 2.0**26},
            **{"weight_unit": 1e300, "column_unit": 1e-150},
        ),
        "proven",
    ),
    "samples whose covariates lie on a line, but for rounding": (
        Recipe(
            *(152795650, "two classes", 20, 4, "few", "clear"),
            **{"weights": "some zero", "covariates": 2, "form": "frame", "C": 0.5, "epsilon": 0.0},
            **{"delta_loss": 0.3, "loss_budget": "combined", "engine": "exact", "rule": "published"},
            **{"weight_unit": 1e-300, "column_unit": 1e150},
        ),
        "proven",
    ),
    "sparse columns far from 0 that store every entry": (
        Recipe(
            *(899237891, "logistic", 14, 3, "far", "clear", "copies"),
            **{"weights": "some zero", "grouped": True, "form": "sparse", "C": 5.0, "loss_budget": "relative"},
            **{"engine": "exact", "rule": "published", "weight_unit": 1e-300, "column_unit": 1e150},
        ),
        "proven",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("which", FOUND)
def test_it_ends_as_it_should(which: str) -> None:
    recipe, ending = FOUND[which]
    assert checked(recipe, 20 if recipe.n < 15 else 1) == ending


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
@pytest.mark.parametrize("task", ["numbers", "survival"])
def test_covariates_and_times_with_ties_come_in_any_unit(task: str) -> None:
    """Squares of such columns, and products with such weights, are no numbers any more."""
    recipe = Recipe(5, task, 24, 4, "few", "clear", weights="whole", covariates=1, C=0.5, epsilon=0.1, partners=None)
    big = made(recipe.in_units(weight=1e300, column=1e150))
    assert units_do_not_count(big, big.fitted())


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_a_score_that_nothing_limits_is_refused_with_the_reason() -> None:
    """No pair of survival times holds the covariate's effect back."""
    recipe = Recipe(776503301, "survival", 14, 5, "binary", weights="some zero", rows="repeated", covariates=1, C=5.0)
    problem = made(replace(recipe, epsilon=0.1, delta_norm=1.0, engine="exact", grouped=True))
    session = problem.fitted().explore()
    with pytest.raises(SolverError, match="no limit among the equally good models"):
        session.predictions(problem.X[:3])
