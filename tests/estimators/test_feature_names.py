"""Names, integer labels and positions address features; what is misspelt is answered with the nearest name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from relspan import RelevanceClassifier
from relspan.checks import place_of
from relspan.errors import DataError, ParameterError
from relspan.result import RelevanceResult
from relspan.simulate import simulate

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")


@pytest.fixture(scope="module")
def data():
    return simulate(80, strong=1, weak=2, irrelevant=1, random_state=0)


def fitted(X, y):
    return RelevanceClassifier(C=1.0, n_probes=10, random_state=0).fit(X, y)


def test_labels_come_before_positions():
    assert [place_of(key, ["10", "20", "1"]) for key in (10, 20, 0, 1, 2, "1", np.int64(20))] == [0, 1, 0, 2, 2, 2, 1]
    with pytest.raises(ParameterError, match="no feature 7; positions are 0 to 2"):
        place_of(7, ["10", "20", "1"])
    with pytest.raises(ParameterError, match="no feature 'agee'; did you mean 'age'"):
        place_of("agee", ["age", "sex"])
    for wrong in (True, 1.0, None):
        with pytest.raises(ParameterError, match="no feature"):
            place_of(wrong, ["1", "0"])


def test_integer_labels_of_a_frame_are_names(data):
    pd = pytest.importorskip("pandas")
    model = fitted(pd.DataFrame(data.X, columns=[10, 20, 30, 40]), data.y)
    assert [f.name for f in model.result_.features] == ["10", "20", "30", "40"]
    assert model.result_[10] is model.result_["10"] is model.result_[0]
    explorer = model.explore().without(20)
    assert explorer.pins[0].feature == "20"
    assert explorer.unpin(20).pin(2, (0, 0.2)).pins[0].feature == "30"
    assert explorer.smallest_panel(include=[40]).features[-1] == "40"
    model.predict(pd.DataFrame(data.X, columns=[10, 20, 30, 40]))


def test_misspelt_names_are_answered_with_the_nearest(data):
    pd = pytest.importorskip("pandas")
    result = fitted(pd.DataFrame(data.X, columns=["alcohol", "malic", "ash", "hue"]), data.y).result_
    with pytest.raises(KeyError, match="no feature 'alcohl'; did you mean 'alcohol'"):
        result["alcohl"]
    with pytest.raises(KeyError, match="no feature 9; positions are 0 to 3"):
        result[9]
    assert result[2].name == "ash"


@pytest.mark.parametrize(
    "names",
    [["age", "sex", "a", "b"], {"x0": "age", "x1": "sex", "x2": "a", "x3": "b"}, np.array(["age", "sex", "a", "b"])],
)
def test_features_can_be_renamed_everywhere(data, names):
    plain = fitted(data.X, data.y)
    before = plain.result_
    model = fitted(data.X, data.y).rename(names)
    assert [f.name for f in model.result_.features] == ["age", "sex", "a", "b"]
    assert replace(model.result_, seconds={}) == replace(before.rename(names), seconds={})
    assert [f.min for f in model.result_.features] == [f.min for f in before.features]
    assert model.explore().without("sex").result["a"] == _named(plain.explore().without("x1").result["x2"], "a")
    assert model.result_.certificates.columns == ("age", "sex", "a", "b")
    assert RelevanceResult.from_json(model.result_.to_json()) == model.result_
    np.testing.assert_array_equal(model.predict(data.X), plain.predict(data.X))


def _named(feature, name):
    names = {"x0": "age", "x1": "sex", "x2": "a", "x3": "b"}
    return replace(feature, name=name, cluster=tuple(names[other] for other in feature.cluster))


@pytest.mark.parametrize(
    ("names", "error", "said"),
    [
        (["a"], ParameterError, "1 names were given for 4 features"),
        ({"x9": "a"}, ParameterError, "no feature 'x9'; there are 'x0'"),
        ({"x0": "x1"}, DataError, "'x1'"),
        ("abcd", ParameterError, "names must map"),
        (3, ParameterError, "names must map"),
    ],
)
def test_names_that_do_not_fit_are_refused(data, names, error, said):
    model = fitted(data.X, data.y)
    for thing in (model, model.result_):
        with pytest.raises(error, match=said):
            thing.rename(names)
    assert [f.name for f in model.result_.features] == ["x0", "x1", "x2", "x3"]


def test_a_category_is_renamed_with_its_levels():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    x, island = rng.standard_normal(60), rng.choice(["A", "B", "C"], 60)
    model = fitted(pd.DataFrame({"x": x, "island": island}), x > 0).rename({"island": "Insel"})
    assert model.result_["Insel"].levels == ("Insel=A", "Insel=B", "Insel=C")
    assert model.explore().without("Insel").result["Insel"].max == 0
