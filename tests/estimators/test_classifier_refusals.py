"""What cannot be analysed is refused, by name."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from problems import two_classes
from relspan import RejectRelevanceClassifier, RelevanceClassifier
from relspan.errors import DataError, DegenerateBaseline, ParameterError

NAMES = ["age", "CRL", "NT"]


@pytest.fixture
def table() -> tuple[pd.DataFrame, np.ndarray]:
    X, y = two_classes(60, 3, seed=0, flips=0.05)
    return pd.DataFrame(X, columns=NAMES), y


@pytest.mark.parametrize(("value", "kind"), [(np.nan, "NaN"), (np.inf, "infinity"), (-np.inf, "infinity")])
def test_values_that_are_not_finite_are_counted_by_column(
    table: tuple[pd.DataFrame, np.ndarray], value: float, kind: str
) -> None:
    frame, y = table
    fitted = RelevanceClassifier(C=1.0, n_probes=5).fit(frame, y)
    frame.iloc[3, 1] = frame.iloc[5, 1] = frame.iloc[0, 2] = value
    message = re.escape(f"Input X contains {kind}, by column: CRL (2), NT (1)")
    with pytest.raises(DataError, match=message):
        RelevanceClassifier(C=1.0).fit(frame, y)
    with pytest.raises(DataError, match=message):
        fitted.predict(frame)


def test_duplicate_names(table: tuple[pd.DataFrame, np.ndarray]) -> None:
    frame, y = table
    frame.columns = ["age", "CRL", "age"]
    with pytest.raises(DataError, match="several columns are called 'age'"):
        RelevanceClassifier(C=1.0).fit(frame, y)


def test_nothing_but_constant_columns(table: tuple[pd.DataFrame, np.ndarray]) -> None:
    frame, y = table
    with pytest.raises(DataError, match=r"every column is constant \(age, CRL, NT\)"):
        RelevanceClassifier(C=1.0).fit(0 * frame + 1, y)


def test_one_class(table: tuple[pd.DataFrame, np.ndarray]) -> None:
    frame, _ = table
    with pytest.raises(DataError, match=r"one class only \('sick', 60 samples\)"):
        RelevanceClassifier(C=1.0).fit(frame, np.full(60, "sick"))


def test_one_class_left_by_the_weights(table: tuple[pd.DataFrame, np.ndarray]) -> None:
    frame, y = table
    with pytest.raises(DataError, match="one class only"):
        RelevanceClassifier(C=1.0).fit(frame, y, sample_weight=(y > 0).astype(float))


def test_three_classes(table: tuple[pd.DataFrame, np.ndarray]) -> None:
    frame, _ = table
    with pytest.raises(DataError, match=r"Only binary classification.* 3 classes \(0, 1, 2\)"):
        RejectRelevanceClassifier(C=1.0).fit(frame, np.arange(60) % 3)


def test_a_continuous_target(table: tuple[pd.DataFrame, np.ndarray]) -> None:
    frame, _ = table
    with pytest.raises(ValueError, match="continuous"):
        RelevanceClassifier(C=1.0).fit(frame, np.linspace(0, 1, 60))


def test_too_few_of_a_class_to_choose_a_cost(table: tuple[pd.DataFrame, np.ndarray]) -> None:
    frame, _ = table
    y = np.array(["a", "b"])[(np.arange(60) < 2).astype(int)]
    with pytest.raises(DataError, match=r"class 'b' has 2 samples.*needs 3 of each class.*or set C"):
        RelevanceClassifier().fit(frame, y)
    frame["CRL"] = (y == "b") * 5.0 + np.arange(60) / 100
    RelevanceClassifier(C=1.0, n_probes=5).fit(frame, y)  # what the message advises works


def test_too_small_a_cost(table: tuple[pd.DataFrame, np.ndarray]) -> None:
    frame, y = table
    with pytest.raises(DegenerateBaseline, match=r"No feature helps at C = 1e-09.*Raise C"):
        RelevanceClassifier(C=1e-9, on_null="raise").fit(frame, y)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.ones(7), r"sample_weight has shape \(7,\).*60"),
        (np.ones((60, 1)), "shape"),
        (np.append(np.ones(59), -1.0), "row 59 has -1.0"),
        (np.append(np.nan, np.ones(59)), "row 0 has nan"),
        (np.zeros(60), "every sample_weight is zero"),
        (0.0, "every sample_weight is zero"),
    ],
)
def test_weights_that_mean_nothing(
    table: tuple[pd.DataFrame, np.ndarray], weight: np.ndarray | float, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        RelevanceClassifier(C=1.0).fit(*table, sample_weight=weight)


BAD = [
    *(("C", value) for value in (0, -1.0, np.nan, np.inf, "1", True)),
    *((name, value) for name in ("delta_norm", "delta_loss") for value in (-0.1, np.nan, np.inf, "0.1", None)),
    *(("alpha", value) for value in (0, 1, -0.1, np.nan, "x", None)),
    *(("n_probes", value) for value in (0, 4, -5, 10.5, 10.0, "10", None, np.nan)),
    *(("loss_budget", value) for value in ("absolute", None, 1)),
    *(("probes", value) for value in ("permute", None, ["append"])),
    *(("control", value) for value in ("max", None)),
    *(("engine", value) for value in ("simplex", None)),
    *(("n_jobs", value) for value in (0, 1.5, "two")),
    *(("random_state", value) for value in ("seed", -1, 0.5, np.random.default_rng(0))),
    *(("standardize", value) for value in ("no", 1, None)),
    ("progress", "bar"),
]


@pytest.mark.parametrize(("name", "value"), BAD, ids=[f"{name}={value}"[:30] for name, value in BAD])
def test_every_bad_parameter_is_named_with_its_value(
    table: tuple[pd.DataFrame, np.ndarray], name: str, value: object
) -> None:
    parameters = {"C": 1.0, name: value}
    with pytest.raises(ParameterError, match=name) as refused:
        RelevanceClassifier(**parameters).fit(*table)  # type: ignore[arg-type]
    assert repr(value) in str(refused.value)


def test_numpy_numbers_are_numbers(table: tuple[pd.DataFrame, np.ndarray]) -> None:
    clf = RelevanceClassifier(
        C=np.float32(1.0), n_probes=np.int64(5), delta_norm=np.float64(0.1), random_state=np.int64(3)
    ).fit(*table)
    assert clf.result_.parameters["random_state"] == 3
    clf.result_.to_json()


def test_replaced_probes_that_are_all_lost_are_explained() -> None:
    """A single column, needed: no probe in its place leaves an equally good model."""
    x = np.concatenate([np.linspace(1, 2, 20), np.linspace(-2, -1, 20)])[:, None]
    with pytest.raises(ParameterError, match=r"only 0 probes.*append"):
        RelevanceClassifier(C=10.0, probes="replace", n_probes=10).fit(x, np.sign(x[:, 0]))


def test_before_fitting() -> None:
    clf = RelevanceClassifier()
    for ask in (clf.predict, clf.transform, clf.decision_function):
        with pytest.raises(NotFittedError):
            ask(np.ones((2, 2)))
    with pytest.raises(NotFittedError):
        clf.get_support()
