"""No feature helps: an all-irrelevant result with a warning, predictions of the null model, and nothing to explore."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, permutation_test_score
from sklearn.pipeline import make_pipeline

from relspan import RejectRelevanceClassifier, RelevanceClassifier, RelevanceRegressor, estimator_for
from relspan.errors import DegenerateBaseline, ParameterError, RelspanWarning
from relspan.result import RelevanceResult
from relspan.show.account import account
from relspan.simulate import simulate
from relspan.tasks import TASKS

rng = np.random.default_rng(0)
X = rng.standard_normal((60, 3))
TARGETS = {
    "classification": np.arange(60) % 3 // 2,  # 40 of class 0, 20 of class 1
    "three classes": np.arange(60) % 5 // 2,
    "ordinal": np.arange(60) % 3,
    "regression": rng.standard_normal(60),
    "quantile": rng.standard_normal(60),
    "reject": np.arange(60) % 3 // 2,
}


def null_fit(name: str, **parameters):
    task = "classification" if name == "three classes" else name
    estimator = estimator_for(task, C=1e-6, n_probes=5, random_state=0, **parameters)
    with pytest.warns(RelspanWarning, match=warning_of(name)):
        return estimator.fit(X, TARGETS[name])


def warning_of(name: str) -> str:
    """With noise for columns some targets cannot be predicted at any C; the others can, at a larger one."""
    task = "classification" if name == "three classes" else name
    loss = {"classification": "hinge", "three classes": "multi-class hinge"}.get(name, TASKS[task].losses[0].name)
    return rf"every feature is irrelevant: (no linear model has a lower {loss} loss .*|there the best model .* Raise C)"


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_every_feature_is_irrelevant_and_the_null_model_predicts(name: str) -> None:
    found = null_fit(name, feature_groups={"both": [0, 1]})
    assert not found.support_.any()
    assert not found.relevance_.any()
    assert not found.intervals_.any()
    assert found.signed_intervals_.shape == ((3, 3, 2) if name == "three classes" else (3, 2))
    assert found.C_ == 1e-6
    result = found.result_
    assert result.is_null
    assert result.names("irrelevant") == ["x0", "x1", "x2"]
    assert [group.relevance for group in result.groups] == ["irrelevant"]
    assert result.baseline["loss"] == result.baseline["null_loss"] > 0
    assert len(np.unique(found.predict(X))) == 1
    assert not np.any(found.coef_)
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.predict(X), found.predict(X))


def test_the_null_model_predicts_the_most_frequent_class_or_the_quantile() -> None:
    y = TARGETS["classification"]
    assert (null_fit("classification").predict(X) == DummyClassifier().fit(X, y).predict(X)).all()
    predicted = null_fit("quantile", quantile=0.8).predict(X)
    assert predicted[0] == pytest.approx(np.quantile(TARGETS["quantile"], 0.8, method="inverted_cdf"))


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_the_error_is_there_for_those_who_want_it(name: str) -> None:
    task = "classification" if name == "three classes" else name
    with pytest.raises(DegenerateBaseline, match=warning_of(name)):
        estimator_for(task, C=1e-6, on_null="raise", random_state=0).fit(X, TARGETS[name])


RARE = np.repeat(["no", "yes"], [50, 10])


@pytest.mark.parametrize("on_null", ["irrelevant", "raise"])
def test_the_loss_the_answer_and_every_way_out_are_named(on_null: str) -> None:
    said = "lower hinge loss than one that uses no feature and answers 'no' for every row. Class 'yes' has 10 of 60 "
    estimator = RelevanceClassifier(random_state=0, on_null=on_null)
    if on_null == "raise":
        with pytest.raises(DegenerateBaseline) as caught:
            estimator.fit(X, RARE)
        text = str(caught.value)
    else:
        with pytest.warns(RelspanWarning) as warned:
            estimator.fit(X, RARE)
        (text,) = (str(one.message) for one in warned)
        assert estimator.result_.warnings == (text,)
    assert said in text
    assert "class_weight='balanced'" in text
    assert "loss='logistic'" in text


def test_weights_are_proposed_only_to_who_has_none_and_a_rare_class() -> None:
    for y, weight in [(RARE, {"yes": 1.5}), (np.arange(60) % 2, None)]:
        with pytest.warns(RelspanWarning) as warned:
            RelevanceClassifier(random_state=0, C=1e-6, class_weight=weight).fit(X, y)
        assert "balanced" not in str(warned[0].message)


def test_the_error_knows_a_larger_cost_where_there_is_one() -> None:
    with pytest.raises(DegenerateBaseline, match=r"Raise C, to") as caught:
        RelevanceRegressor(C=1e-6, on_null="raise", random_state=0).fit(X, X[:, 0])
    assert RelevanceRegressor(C=caught.value.larger_C, random_state=0).fit(X, X[:, 0]).coef_.any()


def test_a_model_that_rejects_every_row_is_described_so() -> None:
    even = np.arange(60) % 2
    with pytest.warns(RelspanWarning, match=r"rejects every row"):
        RejectRelevanceClassifier(C=1e-6, reject_cost=0.1, random_state=0).fit(X, even)


def test_nothing_can_be_explored() -> None:
    found = null_fit("classification")
    with pytest.raises(ParameterError, match="no feature helps"):
        found.explore()
    with pytest.raises(ParameterError, match="no feature helps"):
        found.result_.explore()
    with pytest.raises(ParameterError, match="no feature helps"):
        null_fit("reject").extremal_model(0, "minimal")


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_a_null_result_is_shown_and_kept(name: str) -> None:
    result = null_fit(name).result_
    assert RelevanceResult.from_json(result.to_json()) == result
    assert "3 irrelevant" in str(result)
    said = {entry.key: entry.sentence for entry in account(result)}
    assert "uses no feature" in said["best_model"]
    assert "certified" not in said
    assert "equally_good" not in said
    assert "irrelevant" in result.to_html()


def test_where_no_column_is_correlated_no_cost_is_tried() -> None:
    square = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]] * 4)
    y = (square[:, 0] * square[:, 1] > 0).astype(int)
    with pytest.warns(RelspanWarning, match="no linear model has a lower hinge loss"):
        found = RelevanceClassifier(random_state=0).fit(square, y)
    assert np.inf == found.C_
    assert found.result_.baseline["C"] is None
    assert RelevanceResult.from_json(found.result_.to_json()) == found.result_


def test_privileged_columns_are_irrelevant_too() -> None:
    with pytest.warns(RelspanWarning, match="every feature is irrelevant"):
        found = RelevanceRegressor(C=1e-6, epsilon=0.1, random_state=0).fit(
            X, TARGETS["regression"], privileged=X[:, :1]
        )
    assert found.privileged_intervals_.tolist() == [[0, 0]]
    assert [feature.relevance for feature in found.result_.privileged] == ["irrelevant"]
    assert found.predict(X).shape == (60,)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_searches_over_costs_and_permutation_tests_run_through() -> None:
    data = simulate(60, strong=1, weak=2, irrelevant=1, random_state=0)
    estimator = RelevanceClassifier(n_probes=5, random_state=0)
    search = GridSearchCV(make_pipeline(clone(estimator)), {"relevanceclassifier__C": [1e-6, 1.0]}, cv=2)
    assert search.fit(data.X, data.y).best_params_ == {"relevanceclassifier__C": 1.0}
    score, permuted, p = permutation_test_score(
        clone(estimator).set_params(C=0.2), data.X, data.y, cv=2, n_permutations=5, random_state=0
    )
    assert np.isfinite(permuted).all()
    assert score > permuted.max()
    assert p == pytest.approx(1 / 6)
