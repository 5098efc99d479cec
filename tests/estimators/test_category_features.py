"""A category is one feature: one interval, one class, its levels inside; in data frames of pandas and polars alike."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from relspan import Explorer, RelevanceClassifier, RelevanceRegressor
from relspan.errors import DataError, ParameterError
from relspan.result import RelevanceResult
from relspan.tables import NamedMatrix
from relspan.tables.categories import Category

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")

ROWS = 90
SIZES = ["small", "medium", "large"]


def samples():
    rng = np.random.default_rng(0)
    mass, size = rng.standard_normal(ROWS), rng.integers(3, size=ROWS)
    columns = {
        "mass": mass,
        "size": [SIZES[s] for s in size],
        "island": rng.choice(["A", "B", "C"], ROWS).tolist(),
        "sex": rng.choice(["m", "f"], ROWS).tolist(),
        "ok": rng.random(ROWS) > 0.5,
    }
    return columns, mass + size + 0.4 * rng.standard_normal(ROWS) > 1


def pandas_frame(columns):
    frame = pd.DataFrame(columns)
    return frame.assign(size=pd.Categorical(frame["size"], SIZES, ordered=True))


def polars_frame(columns):
    return pl.DataFrame(columns).with_columns(pl.col("size").cast(pl.Enum(SIZES)))


def fitted(frame, y, **parameters):
    return RelevanceClassifier(C=1.0, n_probes=10, random_state=0, **parameters).fit(frame, y)


@pytest.fixture(scope="module", params=[pandas_frame, polars_frame], ids=["pandas", "polars"])
def model(request):
    columns, y = samples()
    frame = request.param(columns)
    return fitted(frame, y), frame, y


def test_every_column_of_the_frame_is_one_feature(model):
    estimator, frame, _ = model
    result = estimator.result_
    assert [f.name for f in result.features] == ["mass", "size", "island", "sex=m", "ok"]
    assert estimator.n_features_in_ == len(frame.columns)
    assert estimator.intervals_.shape == estimator.signed_intervals_.shape == (5, 2)
    assert estimator.support_.shape == estimator.relevance_.shape == (5,)
    np.testing.assert_array_equal(estimator.intervals_, [[f.min, f.max] for f in result.features])
    assert result["size"].levels == ("size>=medium", "size>=large")
    assert list(result["island"].parts) == ["island=A", "island=B", "island=C"]
    assert result["size"].relevance == "strong"
    assert result.groups == ()


def test_the_interval_of_a_category_is_that_of_the_group_of_its_levels(model):
    estimator, _, y = model
    encoding = estimator._encoding
    columns, _ = samples()
    matrix = encoding.encode(pandas_frame(columns))
    several = {name: columns for name, columns in matrix.categories.items() if len(columns) > 1}
    plain = fitted(NamedMatrix(matrix.values, matrix.columns), y, feature_groups=several).result_
    assert [group.name for group in plain.groups] == ["size", "island"]
    for group in plain.groups:
        found = estimator.result_[group.name]
        assert (found.min, found.max, found.relevance) == (group.min, group.max, group.relevance)
        assert found.threshold == group.threshold == estimator.result_.threshold_of(found)
        for level in group.members:
            assert found.parts[level] == (plain[level].lo, plain[level].hi)


def test_both_libraries_give_the_same_intervals():
    columns, y = samples()
    a, b = (fitted(make(columns), y).intervals_ for make in (pandas_frame, polars_frame))
    np.testing.assert_array_equal(a, b)


def test_the_order_of_levels_without_an_order_does_not_matter():
    columns, y = samples()
    other = {**columns, "island": [{"A": "Z", "B": "Y", "C": "X"}[i] for i in columns["island"]]}
    a, b = (fitted(pandas_frame(c), y).result_["island"] for c in (columns, other))
    assert (a.min, a.max, a.relevance) == pytest.approx((b.min, b.max, b.relevance), abs=1e-5)


def test_predictions_selection_and_questions_take_the_frame_itself(model):
    estimator, frame, y = model
    assert (estimator.predict(frame) == y).mean() > 0.8
    assert estimator.get_feature_names_out().tolist() == ["mass", "size"]
    assert np.asarray(estimator.transform(frame)).shape == (ROWS, 2)
    explorer = estimator.explore()
    assert explorer.categories["size"] == ("size>=medium", "size>=large")
    predicted = [p.label for p in explorer.predictions(frame).samples]
    assert predicted == estimator.predict(frame).tolist()


def test_a_category_is_left_out_by_its_name(model):
    explorer = model[0].explore().without("island")
    assert [pin.feature for pin in explorer.pins] == ["island=A", "island=B", "island=C"]
    under = explorer.result["island"]
    assert (under.min, under.max) == (0, 0)
    assert under.under_pins.words == "pinned, left out"
    assert explorer.result["size"].min >= explorer.unpinned_result["size"].min - 1e-5
    assert explorer.unpin("island").pins == ()
    with pytest.raises(ParameterError, match="'size' is a category, and only 'without'"):
        explorer.pin("size", "max")
    assert explorer.pin("size>=large", "max").result["size>=large"].min > 0
    assert explorer.unpin().without("sex").pins[0].feature == "sex=m"
    with pytest.raises(ParameterError, match="did you mean 'island'"):
        explorer.without("islnd")


def test_pins_on_other_features_move_a_category_within_its_interval(model):
    explorer = model[0].explore()
    before = explorer.unpinned_result["size"]
    under = explorer.pin("mass", "max").result["size"]
    assert before.min - 1e-5 <= under.min <= under.max <= before.max + 1e-5
    assert (under.under_pins.unpinned_min, under.under_pins.unpinned_max) == (before.min, before.max)


def test_copies_and_files_keep_categories(model, tmp_path):
    estimator, frame, _ = model
    result = estimator.result_
    assert RelevanceResult.from_json(result.to_json()) == result
    again = pickle.loads(pickle.dumps(estimator))
    assert again.result_ == result
    assert again.explore().without("island").result["island"].max == 0
    explorer = estimator.explore()
    explorer.save(tmp_path / "model.json")
    loaded = Explorer.load(tmp_path / "model.json")
    assert loaded.unpinned_result == explorer.unpinned_result
    assert loaded.predictions(frame) == explorer.predictions(frame)


def test_every_surface_shows_a_category_as_one_feature(model):
    result = model[0].result_
    assert result.names("strong") == ["mass", "size"]
    assert result.to_frame("dict")["name"] == ["mass", "size", "island", "sex=m", "ok"]
    text = result.to_text(everything=True)
    assert [line.split()[0] for line in text.splitlines()[1:]].count("size") == 1
    for page in (result.to_html(), result._repr_html_()):
        assert "size&gt;=large" in page
    drawn = result.plot()
    assert [row.name for row in drawn.rows if row.name.startswith("size")] == ["size"]


def test_several_classes_have_a_category_as_one_feature():
    columns, _ = samples()
    y = np.digitize(columns["mass"], [-0.5, 0.5]).astype(str)
    model = fitted(pandas_frame(columns), y)
    assert [f.name for f in model.result_.features] == ["mass", "size", "island", "sex=m", "ok"]
    assert model.signed_intervals_.shape == (5, 3, 2)
    assert len(model.result_["island"].parts) == 9
    with pytest.raises(ParameterError, match="several weights per feature"):
        model.explore()


def test_where_no_feature_helps_a_category_is_one_irrelevant_feature():
    columns, y = samples()
    model = RelevanceClassifier(C=1e-9, random_state=0).fit(pandas_frame(columns), y)
    assert [f.name for f in model.result_.features] == ["mass", "size", "island", "sex=m", "ok"]
    assert not model.support_.any()


def test_a_regression_takes_categories_too():
    columns, _ = samples()
    y = columns["mass"] + np.array([SIZES.index(s) for s in columns["size"]])
    model = RelevanceRegressor(C=1.0, epsilon=0.1, n_probes=10, random_state=0).fit(pandas_frame(columns), y)
    assert model.result_.names("strong") == ["mass", "size"]


# -- what is refused, and by which name ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "values", "said"),
    [
        ("island", [f"x{i}" for i in range(ROWS)], "column 'island' has a different value in every row"),
        ("mass", [str(i) for i in range(ROWS)], "column 'mass' holds numbers as text"),
        ("mass", [str(i) if i else "none" for i in range(ROWS)], "text such as 'none' among numbers"),
        ("island", [None, "A", "B"] * (ROWS // 3), "column 'island': 30 values are missing"),
    ],
)
@pytest.mark.parametrize("make", [pandas_frame, polars_frame])
def test_text_that_is_no_category_is_refused_by_name(make, column, values, said):
    columns, y = samples()
    with pytest.raises(DataError, match=said):
        fitted(make({**columns, column: values}), y)


@pytest.mark.parametrize("library", [pd, pl])
def test_dates_are_refused_by_name(library):
    columns, y = samples()
    days = pd.date_range("2024-01-01", periods=ROWS)
    frame = library.DataFrame({"mass": columns["mass"], "when": days if library is pd else days.to_pydatetime()})
    with pytest.raises(DataError, match="column 'when' holds dates or times"):
        fitted(frame, y)


def test_categories_can_be_refused():
    columns, y = samples()
    with pytest.raises(DataError, match="the columns 'size', 'island', 'sex' hold categories or text"):
        fitted(pandas_frame(columns), y, categorical="error")
    with pytest.raises(ParameterError, match="categorical must be one of auto, error"):
        fitted(pandas_frame(columns), y, categorical="none")


def test_whole_numbers_that_are_categorical_are_a_category():
    columns, y = samples()
    ward = pd.Categorical([1, 2, 3] * (ROWS // 3))
    result = fitted(pd.DataFrame({"mass": columns["mass"], "ward": ward}), y).result_
    assert result["ward"].levels == ("ward=1", "ward=2", "ward=3")


def test_unknown_levels_are_refused_and_declared_ones_are_not():
    columns, y = samples()
    frame = pandas_frame(columns)
    model = fitted(frame, y)
    with pytest.raises(DataError, match="column 'island' holds 'D', which is not one of its levels"):
        model.predict(frame.assign(island="D"))
    with pytest.raises(DataError, match="fitted with the categories 'size', 'island', 'sex'; give it a data frame"):
        model.predict(frame.to_numpy())
    declared = frame.assign(island=pd.Categorical(frame["island"], ["A", "B", "C", "D"]))
    model = fitted(declared, y)
    model.predict(declared.assign(island=pd.Categorical(["D"] * ROWS, ["A", "B", "C", "D"])))


def test_a_declared_level_that_no_row_has_gets_the_steps_below_it():
    size = Category("size", ("small", "large"), ordered=True, declared=("tiny", "small", "medium", "large"))
    assert size.columns == ("size>=large",)
    assert size.encode(["tiny", "small", "medium", "large"]).ravel().tolist() == [0, 0, 0, 1]


def test_words_where_the_model_expects_numbers_are_refused_by_name():
    columns, y = samples()
    numbers = pd.DataFrame({"mass": columns["mass"], "b": np.arange(ROWS)})
    with pytest.raises(DataError, match="column 'b' holds categories or text"):
        fitted(numbers, y).predict(numbers.assign(b="x"))


def test_booleans_that_may_be_missing_keep_their_labels():
    columns, y = samples()
    model = fitted(pandas_frame(columns), pd.Series(y).astype("boolean"))
    assert model.classes_.tolist() == [False, True]
    assert model.classes_.dtype == bool
    with pytest.raises(DataError, match="1 of the 90 values of the target are missing"):
        fitted(pandas_frame(columns), pd.Series([None, *y[1:]]).astype("boolean"))
