"""Estimators in scikit-learn's pipelines and searches: names and verdicts are right, and warnings not multiplied."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from relspan import RelevanceClassifier
from relspan.errors import RelspanWarning

pd = pytest.importorskip("pandas")
pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")

ROWS = 90


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(1)
    mass, noise, island = rng.standard_normal(ROWS), rng.standard_normal(ROWS), rng.choice(["A", "B", "C"], ROWS)
    frame = pd.DataFrame({"mass": mass, "noise": noise, "island": island})
    return frame, np.where(mass + 1.5 * (island == "A") + 0.3 * rng.standard_normal(ROWS) > 0.5, "ill", "well")


def quick(**parameters):
    return RelevanceClassifier(**{"C": 1.0, "n_probes": 10, "random_state": 0, **parameters})


def verdicts(result):
    return {f.name: f.relevance for f in result.features}


def test_a_scaler_before_changes_no_verdict_and_its_names_can_be_taken(data):
    frame, y = data[0][["mass", "noise"]], data[1]
    alone = quick().fit(frame, y).result_
    pipe = make_pipeline(StandardScaler(), quick()).fit(frame, y)
    assert verdicts(pipe[-1].result_) == {"x0": alone["mass"].relevance, "x1": alone["noise"].relevance}
    pipe[-1].rename(pipe[:-1])
    assert verdicts(pipe[-1].result_) == verdicts(alone)
    assert pipe[-1].explore().pin("noise", "min").pins[0].feature == "noise"


def test_with_set_output_names_pass_through(data):
    frame, y = data[0][["mass", "noise"]], data[1]
    pipe = make_pipeline(StandardScaler(), quick()).set_output(transform="pandas").fit(frame, y)
    assert verdicts(pipe[-1].result_) == verdicts(quick().fit(frame, y).result_)
    assert pipe.transform(frame).columns.tolist() == ["mass"]
    assert pipe.get_feature_names_out().tolist() == ["mass"]


def test_a_column_transformer_gives_its_own_names(data):
    frame, y = data
    columns = ColumnTransformer(
        [("number", StandardScaler(), ["mass", "noise"]), ("kind", OneHotEncoder(sparse_output=False), ["island"])]
    )
    pipe = make_pipeline(columns, quick()).fit(frame, y)
    names = ["number__mass", "number__noise", "kind__island_A", "kind__island_B", "kind__island_C"]
    assert [f.name for f in pipe[-1].rename(pipe[:-1]).result_.features] == names
    framed = make_pipeline(clone(columns), quick()).set_output(transform="pandas").fit(frame, y)
    assert verdicts(framed[-1].result_) == verdicts(pipe[-1].result_)


def test_a_frame_with_a_category_can_be_searched_scored_calibrated_and_copied(data):
    frame, y = data
    search = GridSearchCV(quick(), {"C": [0.1, 1.0]}, cv=3).fit(frame, y)
    best = search.best_estimator_
    assert verdicts(best.result_) == verdicts(quick(**search.best_params_).fit(frame, y).result_)
    assert [f.name for f in best.result_.features] == ["mass", "noise", "island"]
    assert cross_val_score(quick(), frame, y, cv=3).mean() > 0.8
    calibrated = CalibratedClassifierCV(quick(), cv=3).fit(frame, y)
    assert calibrated.predict_proba(frame).shape == (ROWS, 2)
    fitted = quick().fit(frame, y)
    assert verdicts(clone(fitted).fit(frame, y).result_) == verdicts(fitted.result_)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict(frame), fitted.predict(frame))
    assert again.result_ == fitted.result_


def test_as_a_selector_before_another_step_it_keeps_the_names_of_relevant_columns(data):
    frame, y = data
    numbers = frame[["mass", "noise"]]
    pipe = make_pipeline(quick(), StandardScaler()).set_output(transform="pandas").fit(numbers, y)
    assert pipe.transform(numbers).columns.tolist() == ["mass"]
    assert make_pipeline(quick()).fit(frame, y).get_feature_names_out().tolist() == ["mass", "island"]
    chosen = SelectFromModel(quick(), max_features=1).fit(numbers, y)
    assert chosen.get_feature_names_out().tolist() == ["mass"]


def test_one_fit_warns_once_and_a_search_once_per_fit(data):
    frame, y = data
    constant = frame[["mass", "noise"]].assign(same=1.0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        quick().fit(constant, y)
    told = [str(w.message) for w in caught if issubclass(w.category, RelspanWarning)]
    assert len(told) == len(set(told)) == 1
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cross_val_score(make_pipeline(StandardScaler(), quick()), constant, y, cv=3)
    told = [str(w.message) for w in caught if issubclass(w.category, RelspanWarning) and "constant" in str(w.message)]
    assert len(told) == 3
