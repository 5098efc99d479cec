"""Groups of features in the estimators: named, told, refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from relspan import RelevanceClassifier, RelevanceRegressor
from relspan.errors import ParameterError
from relspan.result import RelevanceResult
from relspan.simulate import simulate

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
DATA = simulate(120, strong=2, weak=2, irrelevant=4, random_state=0)
THREE = simulate(120, strong=2, weak=2, irrelevant=4, classes=3, random_state=0).y  # of the same columns
TABLE = pd.DataFrame(DATA.X, columns=list(DATA.names)).assign(constant=1.0)
OPTIONS = {"C": 0.5, "n_probes": 10, "alpha": 0.01, "random_state": 0}  # few probes, many standard errors


def test_substitutes_are_weak_alone_and_strong_together() -> None:
    groups = {
        "pair": ["weak1_1", "weak1_2"],
        "noise": ["irrelevant1", "irrelevant2", "irrelevant3"],
        "none": ["constant"],
    }
    found = RelevanceClassifier(feature_groups=groups, **OPTIONS).fit(TABLE, DATA.y).result_
    pair, noise, none = found.groups
    assert [found[name].relevance for name in groups["pair"]] == ["weak", "weak"]
    assert (pair.name, pair.members, pair.relevance) == ("pair", ("weak1_1", "weak1_2"), "strong")
    assert pair.min > 0.05
    assert noise.relevance == "irrelevant"
    assert noise.min == pytest.approx(0, abs=1e-12)
    assert (none.min, none.max, none.relevance) == (0, 0, "irrelevant")
    for group in found.groups:
        assert 0 <= max(group.gap_lo, group.gap_hi) < 1e-6
    assert RelevanceResult.from_json(found.to_json()).groups == found.groups


@pytest.mark.slow
@pytest.mark.parametrize(
    ("estimator", "y"), [(RelevanceClassifier, DATA.y), (RelevanceClassifier, THREE), (RelevanceRegressor, DATA.y)]
)
def test_groups_of_one_equal_features(estimator: type, y: np.ndarray) -> None:
    groups = {f"only {name}": [j] for j, name in enumerate(DATA.names)}
    found = estimator(feature_groups=groups, **OPTIONS).fit(DATA.X, y).result_
    for group, feature in zip(found.groups, found.features, strict=True):
        assert (group.min, group.max) == pytest.approx((feature.min, feature.max), abs=1e-9 + 2 * found.largest_gap)
        assert group.relevance == feature.relevance


def test_all_features_together_are_the_whole_model() -> None:
    found = RelevanceClassifier(feature_groups={"all": list(DATA.names)}, **OPTIONS).fit(TABLE, DATA.y)
    (everything,) = found.result_.groups
    assert everything.max == pytest.approx(1.1)
    assert everything.relevance == "strong"


@pytest.mark.slow
def test_a_total_that_is_only_bracketed_is_named_by_a_warning() -> None:
    data = simulate(60, strong=1, weak=4, irrelevant=12, flips=0.1, random_state=0)
    wide = {**OPTIONS, "C": 0.3, "delta_norm": 0.8, "delta_loss": 0.3}
    found = RelevanceClassifier(feature_groups={"others": list(range(1, 17))}, **wide).fit(data.X, data.y).result_
    (group,) = found.groups
    assert group.gap_hi > 1e-3
    assert found.largest_gap == group.gap_hi
    (told,) = [text for text in found.warnings if "total relevance" in text]
    assert "the group of x1, x2, x3 and 13 more" in told
    assert f"{group.gap_hi:.1e}" in told


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        (["weak1_1"], "must map a group's name"),
        ({"a": []}, "one feature or more"),
        ({"a": "weak1_1"}, "one feature or more"),
        ({"a": ["weight"]}, "'weight', which is not a column"),
        ({"a": [99]}, "columns 0 to 8"),
        ({"a": ["weak1_1", "weak1_1"]}, "twice"),
    ],
)
def test_groups_that_mean_nothing_are_refused(groups: object, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        RelevanceClassifier(feature_groups=groups).fit(TABLE, DATA.y)


def test_one_hot_columns_of_a_category_are_asked_about_together() -> None:
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue"], 150)
    X = pd.get_dummies(pd.Series(colour, name="colour"), prefix="colour", dtype=float).assign(
        noise=rng.standard_normal(150)
    )
    y = np.where(rng.random(150) < 0.1, rng.random(150) > 0.5, colour == "red")
    group = {"colour": [c for c in X if c.startswith("colour")]}
    found = RelevanceClassifier(feature_groups=group, **OPTIONS).fit(X, y).result_
    assert found.groups[0].relevance == "strong"
    assert found["noise"].relevance == "irrelevant"
