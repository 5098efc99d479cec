"""Comparing selectors: agreement as a similarity, folds that see nothing of the test rows, failures that are told."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relspan.compare import METHODS, Method, agreement, available_methods, compare, jaccard
from relspan.compare import study as study_module
from relspan.errors import DataError, ParameterError, RelspanWarning
from relspan.simulate import simulate

SETS = st.lists(st.sets(st.integers(0, 6)), min_size=1, max_size=5)
QUICK = ["all", "relspan", "lasso", "elastic-net", "univariate", "rfe", "hiton"]


@given(SETS)
@pytest.mark.slow
def test_agreement_is_a_similarity(sets):
    matrix = np.array(agreement(sets))
    assert np.array_equal(matrix, matrix.T)
    assert (np.diag(matrix) == 1).all()
    assert ((matrix >= 0) & (matrix <= 1)).all()
    same = [[one == other for other in sets] for one in sets]
    assert np.array_equal(matrix == 1, same)


def test_agreement_by_hand():
    assert jaccard("abc", "bcd") == 0.5
    assert jaccard([], []) == 1.0
    assert jaccard("a", []) == 0.0


@pytest.fixture(scope="module")
def found():
    data = simulate(150, 2, 2, 6, random_state=0)
    return compare(data.X, data.y, data.names, methods=QUICK, folds=3)


@pytest.mark.slow
def test_relspan_finds_the_truth_and_all_selects_all(found):
    by_name = {outcome.method: outcome for outcome in found.outcomes}
    assert set(by_name["relspan"].selected) == {"strong1", "strong2", "weak1_1", "weak1_2"}
    assert set(by_name["relspan"].strong) == {"strong1", "strong2"}
    assert by_name["all"].selected == found.features
    assert all(outcome.strong == () for outcome in found.outcomes if outcome.method != "relspan")


@pytest.mark.slow
def test_every_method_has_a_score_a_fold(found):
    assert [outcome.method for outcome in found.outcomes] == QUICK
    assert not found.partial
    for outcome in found.outcomes:
        assert outcome.error is None
        assert len(outcome.scores) == len(outcome.fold_sizes) == 3
        assert 0.8 < outcome.score <= 1.0
        assert 0 <= outcome.fold_agreement <= 1


@pytest.mark.slow
def test_json_and_columns_say_the_same(found):
    told = json.loads(found.to_json())
    columns = found.columns()
    assert [outcome["score"] for outcome in told["outcomes"]] == columns["score"]
    assert columns["n_selected"] == [len(outcome["selected"]) for outcome in told["outcomes"]]
    assert columns["selects strong1"][1] == 2
    assert np.array(told["agreement"]["jaccard"]).shape == (7, 7)
    assert told["versions"]["relspan"]


def test_warnings_name_the_columns_as_the_table_does(monkeypatch):
    def warn(X, y, task, seed):
        warnings.warn(f"look at {X.columns[0]}", RelspanWarning, stacklevel=1)
        return np.ones(2, dtype=int)

    monkeypatch.setattr(study_module, "METHODS", {**METHODS, "relspan": replace(METHODS["relspan"], select=warn)})
    data = simulate(60, 1, 0, 1, random_state=0)
    assert compare(data.X, data.y, ["age", "size"], methods=["relspan"], folds=2).warnings == ("relspan: look at age",)


def spy(seen):
    """A method that keeps the column most correlated with the target, and notes how many rows it saw."""

    def select(X, y, task, seed):
        seen.append(len(X))
        best = np.argmax(np.abs((y - y.mean()) @ X))
        return (np.arange(X.shape[1]) == best).astype(int)

    return Method("spy", "best single column", select)


@pytest.mark.slow
def test_scores_of_noise_are_chance_although_the_selection_fits_it(monkeypatch):
    """Selected on all rows, the best of 500 columns of noise would score far above one half."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 500)), np.repeat([0, 1], 30)
    seen = []
    monkeypatch.setattr(study_module, "METHODS", {**METHODS, "spy": spy(seen)})
    scores = [compare(X, y, methods=["spy"], folds=5, random_state=seed).outcomes[0].score for seed in range(6)]
    assert set(seen) == {48, 60}
    assert 0.35 < np.mean(scores) < 0.65
    chosen = int(np.argmax(np.abs((y - y.mean()) @ X)))
    biased = np.mean([_auc_of(X[:, [chosen]], y, seed) for seed in range(6)])
    assert biased > np.mean(scores) + 0.1


def _auc_of(X, y, seed):
    return compare(X, y, methods=["all"], folds=5, random_state=seed).outcomes[0].score


def test_no_column_is_a_guess(monkeypatch):
    nothing = Method("nothing", "no column", lambda X, y, task, seed: np.zeros(X.shape[1], dtype=int))
    monkeypatch.setattr(study_module, "METHODS", {**METHODS, "nothing": nothing})
    data = simulate(60, 2, 0, 2, random_state=0)
    outcome = compare(data.X, data.y, methods=["nothing"], folds=3).outcomes[0]
    assert outcome.selected == ()
    assert outcome.scores == (0.5, 0.5, 0.5)


def stop(X, y, task, seed):
    raise KeyboardInterrupt


def test_an_interruption_keeps_what_is_finished(monkeypatch):
    monkeypatch.setattr(study_module, "METHODS", {**METHODS, "hiton": replace(METHODS["hiton"], select=stop)})
    data = simulate(60, 2, 0, 2, random_state=0)
    found = compare(data.X, data.y, methods=["all", "univariate", "hiton", "lasso"], folds=2)
    assert [outcome.method for outcome in found.outcomes] == ["all", "univariate"]
    assert found.unfinished == ("hiton", "lasso")
    assert json.loads(found.to_json())["partial"] is True


def fail(X, y, task, seed):
    raise ValueError("three rows at least")


def test_a_method_that_fails_is_told_and_the_others_go_on(monkeypatch):
    monkeypatch.setattr(study_module, "METHODS", {**METHODS, "hiton": replace(METHODS["hiton"], select=fail)})
    data = simulate(60, 2, 0, 2, random_state=0)
    found = compare(data.X, data.y, methods=["hiton", "univariate"], folds=2)
    assert found.outcomes[0].error == "ValueError: three rows at least"
    assert found.outcomes[1].error is None
    assert [outcome.method for outcome in found.answered] == ["univariate"]
    assert found.columns()["method"] == ["univariate"]


@pytest.mark.slow
@pytest.mark.parametrize(("task", "classes"), [("regression", None), ("ordinal", None), ("classification", 3)])
def test_other_tasks(task, classes):
    data = simulate(150, 2, 0, 4, task=task, classes=classes, random_state=0)
    found = compare(data.X, data.y, data.names, task=task, methods=["relspan", "lasso", "elastic-net", "rfe"], folds=2)
    for outcome in found.outcomes:
        assert outcome.error is None
        assert {"strong1", "strong2"} <= set(outcome.selected)
        assert outcome.score > 0.5


@pytest.mark.slow
def test_words_are_classes_like_any_other():
    data = simulate(90, 2, 0, 2, random_state=0)
    words = np.where(data.y == data.y.max(), "ill", "well")
    methods = ["relspan", "lasso", "elastic-net", "univariate"]
    by_words, by_numbers = (compare(data.X, y, methods=methods, folds=2) for y in (words, data.y))
    assert [o.selected for o in by_words.outcomes] == [o.selected for o in by_numbers.outcomes]
    for one, other in zip(by_words.outcomes, by_numbers.outcomes, strict=True):
        assert one.scores == pytest.approx(other.scores, abs=1e-12)


@pytest.mark.parametrize(("name", "package"), [("boruta", "boruta"), ("mlxtend", "mlxtend")])
def test_peers_run_where_they_are_installed(name, package):
    pytest.importorskip(package)
    data = simulate(60, 1, 0, 2, random_state=0)
    assert METHODS[name].select(data.X, data.y, "classification", 0)[0] == 1


def test_what_is_left_out_is_told(monkeypatch):
    chosen, left_out = available_methods(10_000)
    assert "relspan" in chosen
    assert "slow on more than" in left_out["forward"]
    assert "stability" not in {*chosen, *left_out}  # only if it is asked for by name
    absent = {"magic": Method("magic", "", stop, package="no_such_package")}
    monkeypatch.setattr("relspan.compare.methods.METHODS", absent)
    assert available_methods(3) == ([], {"magic": "the package no_such_package is not installed"})


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"methods": ["magic"]}, "methods must be one of all, relspan"),
        ({"methods": []}, "methods must be a list"),
        ({"folds": 1}, "folds must be a whole number of at least 2"),
        ({"scoring": "beauty"}, "such as 'roc_auc'"),
        ({"task": "guess"}, "task must be auto or one of"),
        ({"names": ["a"]}, "names must have one name per column: there are 1 for 4"),
        ({"names": ["a", "b", "a", "c"]}, "two columns are called 'a'"),
        ({"task": "regression", "folds": 60}, "folds must be .* at most 30"),
        ({"task": "regression", "methods": ["stability"]}, "'stability' needs classes"),
        ({"random_state": "a"}, "random_state must be a whole number"),
    ],
)
def test_parameters_that_mean_nothing_are_refused(options, told):
    data = simulate(60, 2, 0, 2, random_state=0)
    with pytest.raises(ParameterError, match=told):
        compare(data.X, data.y, **options)


def test_data_that_cannot_be_compared_is_refused():
    data = simulate(60, 2, 0, 2, random_state=0)
    broken = data.X.copy()
    broken[3, 1] = np.nan
    with pytest.raises(DataError, match=r"column 1 .*NaN"):
        compare(broken, data.y)
    with pytest.raises(DataError, match=r"\(60, 4\) and y \(59,\)"):
        compare(data.X, data.y[:-1])
    with pytest.raises(DataError, match="task 'regression'"):
        compare(data.X, np.where(data.y > 0, "a", "b"), task="regression")
    with pytest.raises(DataError, match="must hold numbers"):
        compare(np.full((60, 2), "a"), data.y)


def test_a_data_frame_brings_its_names():
    pd = pytest.importorskip("pandas")
    data = simulate(60, 1, 0, 1, random_state=0)
    found = compare(pd.DataFrame(data.X, columns=["one", "two"]), data.y, methods=["all"], folds=2)
    assert found.features == ("one", "two")
