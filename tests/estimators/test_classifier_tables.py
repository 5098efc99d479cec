"""Tables in, names out: arrays, pandas, polars; scaling; weights; constant columns."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from problems import two_classes
from relspan import RelevanceClassifier
from relspan.errors import ParameterError, RelspanWarning
from relspan.simulate import simulate

NAMES = ["age", "CRL", "NT", "noise", "hum"]


def classifier(**parameters: object) -> RelevanceClassifier:
    return RelevanceClassifier(**{"C": 1.0, "n_probes": 10, "random_state": 0, **parameters})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def table() -> tuple[np.ndarray, np.ndarray]:
    X, y = two_classes(80, 5, seed=0, flips=0.05)
    return X * [1.0, 10.0, 0.1, 1.0, 5.0] + [0.0, 100.0, -3.0, 1.0, 0.0], np.where(y > 0, "sick", "healthy")


@pytest.mark.slow
def test_pandas_and_polars_give_what_an_array_gives(table: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = table
    by_array = classifier().fit(X, y)
    for frame in (pd.DataFrame(X, columns=NAMES), pl.DataFrame(X, schema=NAMES)):
        by_name = classifier().fit(frame, y)
        np.testing.assert_array_equal(by_name.intervals_, by_array.intervals_)
        np.testing.assert_array_equal(by_name.relevance_, by_array.relevance_)
        assert list(by_name.feature_names_in_) == NAMES
        assert [f.name for f in by_name.result_.features] == NAMES
        np.testing.assert_array_equal(by_name.predict(frame), by_array.predict(X))
        support = by_array.relevance_ > 0
        assert list(by_name.get_feature_names_out()) == [n for n, s in zip(NAMES, support, strict=True) if s]
    assert [f.name for f in by_array.result_.features] == ["x0", "x1", "x2", "x3", "x4"]


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_set_output_and_transform(table: tuple[np.ndarray, np.ndarray], kind: str) -> None:
    X, y = table
    frame = pd.DataFrame(X, columns=NAMES)
    clf = classifier().set_output(transform=kind).fit(frame, y)
    selected = clf.transform(frame)
    assert list(selected.columns) == list(clf.get_feature_names_out())
    support = clf.get_support()
    np.testing.assert_array_equal(support, clf.relevance_ > 0)
    np.testing.assert_array_equal(clf.get_support(indices=True), np.flatnonzero(support))
    np.testing.assert_array_equal(np.asarray(selected), X[:, support])
    assert 0 < support.sum() < 5


def test_strong_features_alone_are_selected_on_request() -> None:
    data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
    found = {
        select: RelevanceClassifier(random_state=0, select=select).fit(data.X, data.y)
        for select in ("relevant", "strong")
    }
    assert found["relevant"].get_support().tolist() == [True, True, True, False, False]
    assert found["strong"].get_support().tolist() == [True, False, False, False, False]
    assert found["strong"].transform(data.X).shape == (100, 1)
    assert found["strong"].result_.features == found["relevant"].result_.features
    with pytest.raises(ParameterError, match="select must be one of relevant, strong, not 'weak'"):
        RelevanceClassifier(select="weak").fit(data.X, data.y)


def test_names_that_do_not_match_are_refused(table: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = table
    frame = pd.DataFrame(X, columns=NAMES)
    clf = classifier().fit(frame, y)
    with pytest.raises(ValueError, match="feature names"):
        clf.predict(frame.rename(columns={"age": "Age"}))
    with pytest.raises(ValueError, match="feature names"):
        clf.predict(frame[NAMES[::-1]])
    with pytest.raises(ValueError, match="missing:\n- hum"):
        clf.predict(frame[NAMES[:3]])
    with pytest.raises(ValueError, match="X has 3 features"):
        classifier().fit(X, y).predict(X[:, :3])


@pytest.mark.slow
@pytest.mark.parametrize("standardize", [True, False])
def test_the_model_is_told_in_the_units_of_the_table(table: tuple[np.ndarray, np.ndarray], standardize: bool) -> None:
    X, y = table
    clf = classifier(standardize=standardize).fit(X, y)
    scores = X @ clf.coef_[0] + clf.intercept_[0]
    np.testing.assert_allclose(clf.decision_function(X), scores, atol=1e-9)
    np.testing.assert_array_equal(clf.predict(X), np.where(scores > 0, "sick", "healthy"))
    assert clf.score(X, y) > 0.8
    assert list(clf.classes_) == ["healthy", "sick"]
    # the model of the table is the best model of the (scaled) table
    Z = StandardScaler().fit_transform(X) if standardize else X
    again = classifier(standardize=False).fit(Z, y)
    np.testing.assert_allclose(again.decision_function(Z), clf.decision_function(X), atol=1e-6)
    np.testing.assert_allclose(again.intervals_, clf.intervals_, atol=1e-6)


@pytest.mark.slow
def test_standardised_intervals_do_not_depend_on_units(table: tuple[np.ndarray, np.ndarray]) -> None:
    """Not even on units in which a square is no number any more."""
    X, y = table
    plain = classifier().fit(X, y)
    for unit in (2.0**-700, 2.0**700):
        odd = classifier().fit(X * [unit, 1, 1, 1, 1], y)
        np.testing.assert_allclose(odd.intervals_, plain.intervals_, atol=1e-6)
        np.testing.assert_array_equal(odd.predict(X * [unit, 1, 1, 1, 1]), plain.predict(X))


def test_intervals_hold_their_baseline_and_come_as_shares(table: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = table
    clf = classifier().fit(X, y)
    share = clf.coef_[0] * X.std(axis=0) / clf.result_.baseline["l1_norm"]
    assert np.abs(share).sum() == pytest.approx(1.0)
    assert (clf.signed_intervals_[:, 0] - 1e-6 <= share).all()
    assert (share <= clf.signed_intervals_[:, 1] + 1e-6).all()
    assert clf.result_.baseline["loss"] == pytest.approx(
        float(np.maximum(0, 1 - np.where(y == "sick", 1, -1) * clf.decision_function(X)).sum())
    )


def test_constant_columns_are_irrelevant_and_said(table: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = table
    frame = pd.DataFrame(X, columns=NAMES)
    plain = classifier().fit(frame, y)
    with pytest.warns(RelspanWarning, match="constant columns are irrelevant.*: flat, zero"):
        clf = classifier().fit(frame.assign(flat=3.7, zero=0.0)[["flat", *NAMES, "zero"]], y)
    np.testing.assert_array_equal(clf.intervals_[[0, 6]], 0)
    np.testing.assert_array_equal(clf.relevance_[[0, 6]], 0)
    np.testing.assert_array_equal(clf.intervals_[1:6], plain.intervals_)
    assert clf.result_["flat"].relevance == "irrelevant"
    assert clf.coef_.shape == (1, 7)
    assert clf.result_.warnings[0].startswith("constant columns")
    assert clf.result_.certificates is not None
    assert clf.result_.certificates.columns == tuple(NAMES)


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_sample_weights_are_repeated_samples(table: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = table
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = classifier().fit(X, y, sample_weight=weight)
    repeated = classifier().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(weighted.intervals_, repeated.intervals_, atol=1e-6)
    np.testing.assert_allclose(weighted.decision_function(X), repeated.decision_function(X), atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("C", [1.0, None])
def test_a_weight_of_zero_leaves_the_sample_out(table: tuple[np.ndarray, np.ndarray], C: float | None) -> None:
    """Entirely: from scaling, folds and probes too. What such a row holds, or what class it is of, does not matter."""
    X, y = table
    kept = np.random.default_rng(1).random(len(y)) < 0.8
    odd_X, odd_y = np.where(kept[:, None], X, 1e6), np.where(kept, y, "a third class")
    left_out = classifier(C=C).fit(odd_X, odd_y, sample_weight=kept.astype(float))
    absent = classifier(C=C).fit(X[kept], y[kept])
    np.testing.assert_array_equal(left_out.intervals_, absent.intervals_)
    np.testing.assert_array_equal(left_out.relevance_, absent.relevance_)
    assert left_out.C_ == absent.C_
    assert left_out.result_.data["classes"] == absent.result_.data["classes"]


def test_one_weight_for_all_is_a_matter_of_cost(table: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = table
    doubled, dearer = classifier(C=0.5).fit(X, y, sample_weight=2.0), classifier(C=1.0).fit(X, y)
    np.testing.assert_allclose(doubled.intervals_, dearer.intervals_, atol=1e-6)


def test_pickled_and_cloned(table: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = table
    clf = classifier().fit(X, y)
    back = pickle.loads(pickle.dumps(clf))
    np.testing.assert_array_equal(back.intervals_, clf.intervals_)
    assert back.result_ == clf.result_
    assert back.result_.certificates.verify() <= 1e-6
    np.testing.assert_array_equal(back.predict(X), clf.predict(X))
    fresh = clone(clf)
    assert fresh.get_params() == clf.get_params()
    assert not hasattr(fresh, "intervals_")


@pytest.mark.slow
def test_in_a_pipeline_and_a_cross_validation(table: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = table
    assert cross_val_score(classifier(), X, y, cv=3).mean() > 0.8
    chain = make_pipeline(classifier(), StandardScaler()).fit(X, y)
    assert chain.transform(X).shape[1] == chain[0].get_support().sum()


def test_progress_is_told_stage_by_stage(table: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = table
    told: list[tuple[str, float]] = []
    classifier(C=None, progress=lambda stage, share, note: told.append((stage, share))).fit(X, y)
    assert list(dict.fromkeys(stage for stage, _ in told)) == ["baseline", "bounds", "evidence", "probes", "verdicts"]
    for stage in ("baseline", "bounds", "evidence", "probes", "verdicts"):
        shares = [share for s, share in told if s == stage]
        assert shares == sorted(shares)
        assert shares[-1] == 1.0
