"""What a report says in words is what the result holds, for every task and every kind of budget."""

from __future__ import annotations

from dataclasses import replace

import pytest

from made_up_results import feature, made_up
from relspan.show.account import account, listed, summary


def told(result):
    return {heading: " ".join(sentences) for heading, sentences in account(result).items()}


@pytest.fixture
def result():
    return made_up(feature("a", 0.1, 0.5, "strong", gap_lo=1e-9), feature("b", 0.0, 0.1, "irrelevant", solved=False))


def test_the_classes_are_counted(result):
    assert summary(result) == "2 features: 1 strong, 0 weak, 1 irrelevant."


def test_budgets_are_told_with_their_numbers(result):
    words = told(result)
    assert "norm is at most 2.2, 10 % more" in words["Equally good"]
    assert "loss at most 3.12" in words["Equally good"]
    assert "gives up 2 %" in words["Equally good"]
    assert "9 without features and its 3" in words["Equally good"]
    relative = replace(result, budgets={**result.budgets, "kind": "relative"})
    assert "2 % more loss than the best model's 3" in told(relative)["Equally good"]
    combined = replace(result, budgets={"kind": "combined", "limits": [[1.0, 1.0, 5.5]]})
    assert "norm plus C times its loss is at most 5.5" in told(combined)["Equally good"]


def test_best_model_chance_and_proof(result):
    words = told(result)
    assert "C is 1, the best of 0 by cross-validation, weighted F1 0.900" in words["Best model"]
    given = replace(result, baseline={**result.baseline, "score": None})
    assert "C is 1, as given" in told(given)["Best model"]
    assert "10 permuted columns" in words["Chance"]
    assert "0.2000" in words["Chance"]
    assert "1.0e-09" in words["Proof"]
    assert "1 features were proven irrelevant by a bound alone" in words["Proof"]


def test_what_was_done_to_the_data_is_told(result):
    data = {
        **result.data,
        "target": "ill",
        "classes": {"no": 30, "yes": 20},
        "file": "t.csv",
        "sha256": "ab12",
        "dropped_columns": ["id"],
        "dropped_lines": [4, 9],
        "imputed": {"a": {"count": 3, "value": 1.5}},
        "encoded": {"sex": ["sex=f", "sex=m"]},
    }
    words = told(replace(result, data=data))["Data"]
    for part in (
        "50 samples, 2 features, target ill (no: 30, yes: 20)",
        "Read from t.csv, sha256 ab12.",
        "Left out: id.",
        "2 rows",
        "a: 3 missing values were filled with 1.5",
        "sex was encoded as sex=f, sex=m",
    ):
        assert part in words


def test_a_partial_result_says_so():
    partial = replace(made_up(feature("a", 0.0, 0.5, "undecided"), threshold=None), unfinished=("b", "c"))
    assert "2 have none" in summary(partial)
    assert "Chance" not in told(partial)


def test_the_solver_is_named_with_its_reason(result):
    assert "Solver" not in told(result)
    known = replace(result, engine={"name": "exact", "reason": "trial programs took few pivots"})
    assert told(known)["Solver"] == "exact: trial programs took few pivots."


def test_pins_are_told(result):
    pin = {"feature": "a", "low": 0.0, "high": None, "asked": "range"}
    pinned = replace(result, parameters={**result.parameters, "pins": [pin]})
    assert told(pinned)["Pins"] == "a was held between 0 and any size (range)."


def test_long_lists_are_counted():
    assert listed([str(j) for j in range(14)]) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more"


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
@pytest.mark.parametrize("task", ["regression", "ordinal", "reject", "multiclass", "metric"])
def test_every_task_can_be_told(task):
    import numpy as np

    from relspan import GMLVQ, MetricRelevance, estimator_for

    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    score = X[:, 0] + 0.1 * rng.standard_normal(60)
    targets = {
        "regression": score,
        "ordinal": np.digitize(score, [-0.5, 0.5]),
        "reject": score > 0,
        "multiclass": np.array(["a", "b", "c"])[np.digitize(score, [-0.5, 0.5])],
        "metric": score > 0,
    }
    if task == "metric":
        model = MetricRelevance(GMLVQ(1), effective_dimension=2, n_probes=5, probes="append", random_state=0)
    else:
        model = estimator_for(task, C=1.0, n_probes=5, random_state=0)
    result = model.fit(X, targets[task]).result_
    words = told(result)
    assert {"Data", "Best model", "Equally good", "Chance", "Proof"} <= set(words)
    assert "60 samples, 3 features" in words["Data"]
    assert "<!doctype html>" in result.to_html()
    assert "relspan-result" in result._repr_html_()
