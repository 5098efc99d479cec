"""HITON as a person uses it: data frames in, names and reasons out."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from relspan.errors import DataError, ParameterError, RelspanWarning
from relspan.selectors import HITON, HITONPC

DATA = Path(__file__).parents[1] / "data" / "hiton"


@pytest.fixture(scope="module")
def alarm():
    return pd.read_csv(DATA / "alarm_n5000_s0.csv")


@pytest.fixture
def chain():
    """cause -> y -> effect <- spouse, plus a grandchild and noise, all continuous."""
    random = np.random.default_rng(0)
    e = random.normal(size=(800, 6))
    cause, spouse, noise = e[:, 0], e[:, 1], e[:, 2]
    y = cause + e[:, 3]
    effect = y + spouse + 0.5 * e[:, 4]
    grandchild = effect + e[:, 5]
    X = pd.DataFrame({"cause": cause, "noise": noise, "grandchild": grandchild, "effect": effect, "spouse": spouse})
    return X, pd.Series(y, name="y")


def test_a_known_chain(chain):
    X, y = chain
    selector = HITON(alpha=0.01).fit(X, y)
    assert selector.test_ == "fisher-z"
    assert sorted(selector.members_) == ["cause", "effect", "spouse"]
    assert selector.spouses_ == {"spouse": ["effect"]}
    assert selector.roles_ == {"effect": "child", "cause": "parent or child", "spouse": "spouse"}
    assert selector.get_feature_names_out().tolist() == ["cause", "effect", "spouse"]
    assert selector.set_output(transform="pandas").transform(X).columns.tolist() == ["cause", "effect", "spouse"]
    assert selector.separating_sets_ == {"grandchild": ("effect",)}
    assert selector.stopped_ is None
    assert selector.n_tests_ > selector.n_conditional_tests_ > 0


def test_pc_leaves_the_spouse_out(chain):
    X, y = chain
    selector = HITONPC(alpha=0.01).fit(X, y)
    assert sorted(selector.members_) == ["cause", "effect"]
    assert HITON(alpha=0.01, spouses=False).fit(X, y).members_ == selector.members_


def test_why_in_words(chain):
    X, y = chain
    selector = HITON(alpha=0.01).fit(X, y)
    assert selector.why("grandchild").startswith("grandchild was dropped: it is independent of y given effect (p = ")
    assert selector.why("noise").startswith("noise was dropped: on its own it is independent of y (p = ")
    assert selector.why("cause").startswith("cause was kept: no set that was tried separates it from y")
    assert selector.why("spouse").startswith("spouse was kept as a spouse of y through effect")
    assert selector.why(2) == selector.why("grandchild")
    with pytest.raises(ParameterError, match="no feature 'Noise'"):
        selector.why("Noise")


def test_why_after_a_guard_and_after_symmetry(alarm):
    X, y = alarm.drop(columns="VENTTUBE"), alarm["VENTTUBE"]
    with pytest.warns(RelspanWarning, match="max_pc=1 reached"):
        partial = HITONPC(alpha=0.01, max_pc=1).fit(X, y)
    undecided = X.columns[partial.result_.decisions[:-1] == 0][0]
    assert partial.why(undecided) == f"{undecided} was not decided: {partial.stopped_}."
    symmetric = HITONPC(alpha=0.01, symmetric=True).fit(X, y)
    one_sided = HITONPC(alpha=0.01).fit(X, y)
    assert set(symmetric.members_) < set(one_sided.members_)
    gone = (set(one_sided.members_) - set(symmetric.members_)).pop()
    assert "symmetry correction: VENTTUBE is not among the parents and children of " + gone in symmetric.why(gone)


def test_polars_numpy_and_pandas_agree(alarm):
    X, y = alarm.drop(columns="HR"), alarm["HR"]
    expected = HITON(alpha=0.01).fit(X, y)
    assert HITON(alpha=0.01).fit(pl.from_pandas(X), y).members_ == expected.members_
    plain = HITON(alpha=0.01).fit(X.to_numpy(), y.to_numpy())
    np.testing.assert_array_equal(plain.support_, expected.support_)
    assert plain.members_[0].startswith("x")


def test_labels_may_be_words(alarm):
    X, y = alarm.drop(columns="HR"), alarm["HR"]
    words = y.map({0: "low", 1: "normal", 2: "high"})
    assert HITON(alpha=0.01).fit(X, words).members_ == HITON(alpha=0.01).fit(X, y).members_


@pytest.mark.slow
def test_the_wrapper_drops_what_the_learner_does_not_need(alarm):
    part = alarm.head(600)
    X, y = part.drop(columns="VENTLUNG"), part["VENTLUNG"]
    learner = KNeighborsClassifier()
    selector = HITON(learner, alpha=0.01, cv=3).fit(X, y)
    assert set(selector.members_) < set(selector.blanket_)
    steps = selector.wrapper_.steps
    assert [s.dropped for s in steps] == [s.score_without >= s.score_with for s in steps]
    dropped = next(s for s in steps if s.dropped)
    assert "dropped by the wrapper" in selector.why(dropped.variable)
    assert selector.wrapper_.score >= steps[0].score_with
    keep_all = HITON(learner, alpha=0.01, cv=3, tol=-1).fit(X, y)
    assert keep_all.members_ == keep_all.blanket_
    keep_one = HITON(learner, alpha=0.01, cv=3, tol=1).fit(X, y)
    assert len(keep_one.members_) == 1


@pytest.mark.slow
def test_inside_a_pipeline_and_nested_cross_validation(chain):
    X, y = chain
    classes = (y > 0).to_numpy()
    pipeline = make_pipeline(HITON(KNeighborsClassifier(), alpha=0.01, cv=3), KNeighborsClassifier())
    assert cross_val_score(pipeline, X, classes, cv=3).mean() > 0.8


def test_mixed_and_discretised_columns(chain):
    X, y = chain
    classes = pd.Series(np.digitize(y, [-0.7, 0.7]), name="y")
    mixed = HITON(alpha=0.01).fit(X, classes)
    assert mixed.test_ == "mixed"
    assert sorted(mixed.members_) == ["cause", "effect", "spouse"]
    cut = HITONPC(alpha=0.01, n_bins=3).fit(X, classes)
    assert cut.test_ == "g2"
    assert {"cause", "effect"} <= set(cut.members_)
    assert "noise" not in cut.members_


@pytest.mark.slow
def test_kinds_may_be_told(alarm):
    X, y = alarm.drop(columns="HR"), alarm["HR"]
    assert HITONPC().fit(X, y).test_ == "g2"
    assert HITONPC(discrete_features=["CO", "BP"], max_k=0).fit(X, y).test_ == "mixed"
    assert HITONPC(discrete_features=[], discrete_target=False).fit(X, y).test_ == "fisher-z"
    mask = np.ones(36, dtype=bool)
    assert HITONPC(discrete_features=mask).fit(X, y).discrete_.all()
    with pytest.raises(ParameterError, match=r"shape \(3,\) for 36 columns"):
        HITONPC(discrete_features=np.ones(3, bool)).fit(X, y)
    with pytest.raises(ParameterError, match="discrete_features must be 'auto'"):
        HITONPC(discrete_features="all").fit(X, y)
    with pytest.raises(ParameterError, match="discrete_target must be 'auto', True or False"):
        HITONPC(discrete_target="yes").fit(X, y)


def test_refusals(chain):
    X, y = chain
    with pytest.raises(DataError, match="column 'cause' is continuous: use test='mixed'"):
        HITONPC(test="g2").fit(X, y > 0)
    with pytest.raises(DataError, match="target has 3 classes"):
        HITONPC(test="fisher-z").fit(X, np.digitize(y, [-1, 1]))
    with pytest.raises(DataError, match="one class only"):
        HITONPC().fit(X, np.zeros(len(X)))
    with pytest.raises(DataError, match="cannot be continuous"):
        HITONPC(discrete_target=False).fit(X, np.where(y > 0, "a", "b"))
    with pytest.raises(ParameterError, match=r"test .* not 'g3'"):
        HITONPC(test="g3").fit(X, y)
    with pytest.raises(ParameterError, match=r"n_bins .* not 1"):
        HITONPC(n_bins=1).fit(X, y)
    with pytest.raises(ParameterError, match=r"samples_per_df .* not -1"):
        HITONPC(samples_per_df=-1).fit(X, y)


def test_progress_on_request_only(chain, capsys):
    X, y = chain
    HITONPC().fit(X, y)
    assert capsys.readouterr() == ("", "")
    calls = []
    HITONPC(progress=lambda *call: calls.append(call)).fit(X, y)
    assert capsys.readouterr() == ("", "")
    assert {stage for stage, _, _ in calls} == {"neighbours of y"}
    shares = [share for _, share, _ in calls]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert calls[0][2].startswith("0 admitted")


@pytest.mark.slow
def test_wide_binary_data_by_popcount():
    """A small thrombin: planted causes among 4,000 sparse columns, with noisy copies as decoys."""
    random = np.random.default_rng(0)
    X = (random.random((1500, 4000)) < 0.1).astype(np.uint8)
    X[:, :3] = random.random((1500, 3)) < 0.3
    y = (random.random(1500) < 1 / (1 + np.exp(2.2 - 2.6 * X[:, :3].sum(axis=1)))).astype(int)
    X[:, 10:40] = X[:, [0]] ^ (random.random((1500, 30)) < 0.1)
    selector = HITONPC(alpha=0.01).fit(X, y)
    assert set(range(3)) <= set(np.flatnonzero(selector.support_))
    assert selector.support_.sum() < 15
    assert not selector.support_[10:40].any()
    assert selector.separating_sets_["x10"]


@pytest.fixture(scope="module")
def curved():
    """The first column speaks by its distance from 0 only, which no straight line sees; the second by its value."""
    random = np.random.default_rng(3)
    X = random.normal(size=(300, 6))
    y = (np.abs(X[:, 0]) + 0.4 * X[:, 1] + 0.2 * random.normal(size=300) > 0.8).astype(int)
    return X, y


def test_the_test_is_chosen_by_cross_validation(curved):
    X, y = curved
    learner = DecisionTreeClassifier(max_depth=4, random_state=0)
    chosen = HITON(learner, test="cv", alpha=0.01).fit(X, y)
    assert list(chosen.test_scores_) == ["fisher-z", "g2, 3 levels"]
    assert chosen.test_scores_["g2, 3 levels"] > chosen.test_scores_["fisher-z"]
    assert chosen.test_ == "g2"
    assert chosen.members_ == HITON(learner, test="g2", n_bins=3, alpha=0.01).fit(X, y).members_
    assert "x0" in chosen.members_

    straight = (X[:, 0] + 0.3 * np.random.default_rng(4).normal(size=300) > 0).astype(int)
    kept = HITON(learner, test="cv", alpha=0.01).fit(X, straight)
    assert kept.test_ == "fisher-z"
    assert kept.members_ == HITON(learner, test="fisher-z", alpha=0.01).fit(X, straight).members_


def test_more_than_two_classes_are_no_number(curved):
    X, y = curved
    three = HITON(DecisionTreeClassifier(max_depth=4, random_state=0), test="cv", cv=2).fit(X[:, :3], y + (X[:, 2] > 1))
    assert list(three.test_scores_) == ["mixed", "g2, 3 levels"]


def test_nothing_is_chosen_where_all_columns_are_discrete_or_no_estimator_judges(alarm, curved):
    X, y = alarm.drop(columns="HR").iloc[:300, :6], alarm["HR"].iloc[:300]
    discrete = HITON(DecisionTreeClassifier(random_state=0), test="cv", cv=2).fit(X, y)
    assert discrete.test_scores_ == {}
    assert discrete.test_ == "g2"
    with pytest.raises(ParameterError, match="test='cv' compares tests by the score of an estimator: give one"):
        HITON(test="cv").fit(*curved)
    with pytest.raises(ParameterError, match=r"test must be .* not 'cv'"):
        HITONPC(test="cv").fit(*curved)


def test_a_search_that_finds_nothing_scores_as_a_guess(curved):
    X, y = curved
    noise = HITON(DecisionTreeClassifier(random_state=0), test="cv", alpha=1e-4, scoring="roc_auc").fit(X[:, 2:], y)
    assert noise.members_ == []
    assert noise.test_scores_ == {"fisher-z": 0.5, "g2, 3 levels": 0.5}
    assert noise.test_ == "fisher-z"
