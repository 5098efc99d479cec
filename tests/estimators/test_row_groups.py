"""Rows that belong together: fit(groups=) in every relevance estimator."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import ClassifierMixin
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from relspan import (
    OrdinalRelevanceClassifier,
    QuantileRelevanceRegressor,
    RejectRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
)
from relspan.errors import DataError
from relspan.estimators.samples import sample_groups

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
ESTIMATORS = [
    RelevanceClassifier,
    RelevanceRegressor,
    OrdinalRelevanceClassifier,
    QuantileRelevanceRegressor,
    RejectRelevanceClassifier,
]
QUICK = {"n_probes": 10, "random_state": 0}


def patients(count: int = 40, visits: int = 3, markers: int = 0, seed: int = 0):
    """A table with several rows per patient: columns that a patient mostly keeps, and one label per patient."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(count), visits)
    own = rng.standard_normal((count, 8))
    y = (rng.random(count) < 0.5).astype(int) if not markers else (own[:, :markers].sum(axis=1) > 0).astype(int)
    X = own[groups] + 0.6 * rng.standard_normal((len(groups), 8))
    return X, y[groups], groups


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_folds_and_permutations_keep_groups_together(estimator) -> None:
    X, y, groups = patients(markers=2)
    y = y if issubclass(estimator, ClassifierMixin) else X[:, 0] + X[:, 1]
    model = estimator(**QUICK).fit(X, y, groups=[f"patient {number}" for number in groups])
    problem = model._analysis.problem
    np.testing.assert_array_equal(problem.groups, groups)
    _, splitter, _, asked, _ = model._asked
    for train, test in splitter.split(X, y, asked):
        assert not set(groups[train]) & set(groups[test])
    assert model.result_.data["groups"] == {"count": 40}
    assert model.relevance_[:2].all()


def test_labels_may_be_anything_and_are_numbered_in_the_order_of_rows() -> None:
    expected = [0, 1, 0, 2]
    days = np.array(["2020-01-02", "2020-01-01", "2020-01-02", "2020-01-03"], dtype="datetime64[D]")
    for labels in (
        ["b", "a", "b", "c"],
        (2.5, 1, 2.5, 7),
        [("x", 1), ("x", 0), ("x", 1), ()],
        pd.Series(["b", "a", "b", "c"], index=[7, 3, 1, 0]),
        pd.Series(["b", "a", "b", "c"], dtype="category"),
        pd.DataFrame({"patient": ["b", "a", "b", "c"]}),
        pl.Series(["b", "a", "b", "c"]),
        np.array([[4], [3], [4], [9]]),
        days,
    ):
        np.testing.assert_array_equal(sample_groups(labels, 4), expected)
    assert sample_groups(None, 4) is None


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a", "b"], "groups has 2 labels, but one per sample is needed, 4 in all"),
        (["a", None, "b", "c"], r"groups has no label in row 1 \(None\)"),
        ([1.0, 2.0, np.nan, 3.0], "groups has no label in row 2"),
        (pd.Series(["a", "b", "c", pd.NA]), "groups has no label in row 3"),
        (np.array(["2020-01-01", "NaT", "2020-01-01", "2020-01-01"], dtype="datetime64[D]"), "no label in row 1"),
        ([["a"], ["b"], ["c"], ["d"]], r"can be hashed.*row 0 has \['a'\]"),
        (np.zeros((4, 2)), "one label per sample"),
        ("abcd", "one label per sample"),
        (3, "one label per sample"),
    ],
)
def test_bad_labels_are_refused_by_row(labels, message) -> None:
    with pytest.raises(DataError, match=message):
        sample_groups(labels, 4)


@pytest.mark.parametrize("C", [None, 1.0])
def test_too_few_groups_are_refused_with_the_number_needed(C) -> None:
    X, y, _ = patients(markers=1)
    with pytest.raises(DataError, match="groups has 2 different labels, and at least 3 groups are needed"):
        RelevanceClassifier(C=C).fit(X, y, groups=np.arange(len(y)) % 2)


def test_a_class_within_one_group_is_refused() -> None:
    X, _, groups = patients()
    with pytest.raises(DataError, match="every class in at least 2 groups"):
        RelevanceClassifier().fit(X, groups == 0, groups=groups)


def test_samples_of_weight_zero_take_their_groups_with_them() -> None:
    X, y, groups = patients(markers=1)
    kept = groups < 30
    with_weights = RelevanceClassifier(C=0.05, **QUICK).fit(X, y, kept * 1.0, groups)
    without = RelevanceClassifier(C=0.05, **QUICK).fit(X[kept], y[kept], groups=groups[kept])
    np.testing.assert_allclose(with_weights.intervals_, without.intervals_)
    assert with_weights.result_.data["groups"] == {"count": 30}


@pytest.mark.parametrize("kind", ["series", "frame", "polars"])
def test_the_result_names_the_column_of_the_groups(kind: str) -> None:
    X, y, groups = patients(markers=1)
    given = {
        "series": pd.Series(groups, name="patient"),
        "frame": pd.DataFrame({"patient": groups}),
        "polars": pl.Series("patient", groups),
    }[kind]
    found = RelevanceClassifier(C=0.05, **QUICK).fit(X, y, groups=given).result_
    assert found.data["groups"] == {"count": 40, "column": "patient"}


def test_groups_of_one_row_each_change_nothing_at_a_given_C() -> None:
    X, y, _ = patients(markers=1)
    alone = RelevanceClassifier(C=0.05, **QUICK).fit(X, y)
    grouped = RelevanceClassifier(C=0.05, **QUICK).fit(X, y, groups=np.arange(len(y)))
    np.testing.assert_allclose(grouped.intervals_, alone.intervals_)


def test_noise_of_patients_reaches_further_among_patients() -> None:
    """Chance looks smaller than it is if rows of one patient are permuted one by one."""
    X, y, groups = patients(30, 5)
    rows = RelevanceClassifier(C=0.3, n_probes=50, random_state=0).fit(X, y).result_
    whole = RelevanceClassifier(C=0.3, n_probes=50, random_state=0).fit(X, y, groups=groups).result_
    assert whole.thresholds["relevant"] > 1.2 * rows.thresholds["relevant"]


def test_scikit_learn_routes_groups() -> None:
    X, y, groups = patients(markers=1)
    with sklearn.config_context(enable_metadata_routing=True):
        model = RelevanceClassifier(C=0.05, **QUICK).set_fit_request(groups=True)
        found = cross_validate(
            make_pipeline(StandardScaler(), model),
            X,
            y,
            cv=GroupKFold(3),
            params={"groups": groups},
            return_estimator=True,
        )
    for pipeline in found["estimator"]:
        assert pipeline[-1].result_.data["groups"]["count"] < 40


def test_a_checkpoint_belongs_to_its_groups(tmp_path) -> None:
    X, y, groups = patients(markers=1)
    model = RelevanceClassifier(C=0.05, checkpoint=tmp_path / "journal", **QUICK)
    model.fit(X, y, groups=groups)
    with pytest.raises(ValueError, match="other data"):
        model.fit(X, y, groups=groups[::-1] % 20)
