"""Rows that seem to belong together are reported by name, and ordinary tables are left alone."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_linnerud, load_wine

from relspan import RelevanceClassifier
from relspan.errors import RelspanWarning
from relspan.estimators.dependent_rows import dependence_remarks, duplicates, identifiers
from relspan.simulate import simulate


def patients(count: int, visits: int, seed: int = 0):
    """A table whose first column numbers the patients; each keeps part of its values, and its label."""
    rng = np.random.default_rng(seed)
    who = np.repeat(rng.permutation(count) + 100.0, visits)
    own = rng.standard_normal((count, 6))
    X = own[np.repeat(np.arange(count), visits)] + 0.7 * rng.standard_normal((count * visits, 6))
    y = np.repeat(rng.random(count) < 0.5, visits) * 1.0
    return np.column_stack([who, X]), y


NAMES = ["number", *"abcdef"]


@pytest.mark.parametrize(("count", "visits"), [(53, 3), (30, 5), (20, 10), (100, 2)])
@pytest.mark.parametrize("seed", range(3))
def test_patients_are_recognised_by_their_target_or_their_values(count: int, visits: int, seed: int) -> None:
    X, y = patients(count, visits, seed)
    assert identifiers(X, y, NAMES) == [0]
    other = np.random.default_rng(seed).permutation(y)  # by their values alone
    assert identifiers(X, other, NAMES) == [0]
    noise = np.column_stack([X[:, 0], np.random.default_rng(seed).standard_normal((len(y), 6))])
    assert identifiers(noise, y, NAMES) == [0]  # by their target alone
    assert identifiers(noise, other, NAMES) == []
    assert identifiers(noise, other, ["patient_id", *"abcdef"]) == [0]


@pytest.mark.parametrize("name", ["id", "ID", "patient", "Subject", "patient id", "PatientID", "sample_id", "donor"])
def test_a_name_of_an_identifier_is_enough(name: str) -> None:
    X = np.column_stack([np.arange(60) // 3, np.random.default_rng(0).standard_normal(60)])
    y = np.random.default_rng(1).permutation(np.arange(60) % 2) * 1.0
    assert identifiers(X, y, [name, "x"]) == [0]
    for other in ("width", "acid", "inpatient days", "hid", "amid"):
        assert identifiers(X, y, [other, "x"]) == []


def test_the_warning_names_the_column_and_what_to_do_and_groups_silence_it() -> None:
    X, y = patients(40, 3)
    X[:, 1] += 3 * y
    frame = pd.DataFrame(X, columns=NAMES)
    with pytest.warns(RelspanWarning, match="number looks like the name of what several rows belong to.*--groups"):
        model = RelevanceClassifier(C=0.1, n_probes=5, random_state=0).fit(frame, y)
    assert any("number looks like" in text for text in model.result_.warnings)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        RelevanceClassifier(C=0.1, n_probes=5, random_state=0).fit(frame[NAMES[1:]], y, groups=frame["number"])
    assert not any("looks like" in str(warning.message) for warning in caught)


def test_duplicated_rows_are_counted_where_rows_cannot_coincide() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((100, 4)), np.arange(100) % 2 * 1.0
    assert duplicates(X, y) == 0
    doubled = np.vstack([X, X[:30]]), np.concatenate([y, y[:30]])
    assert duplicates(*doubled) == 30
    assert "30 of 130 rows repeat another row exactly" in dependence_remarks(*doubled, list("abcd"))[0]
    assert duplicates(np.vstack([X, X[:2]]), np.concatenate([y, y[:2]])) == 0
    assert duplicates((X > 0).astype(float), y) == 0


TOY_SETS = {
    "iris": load_iris,
    "wine": load_wine,
    "breast_cancer": load_breast_cancer,
    "diabetes": lambda **options: load_diabetes(scaled=False, **options),
    "digits": load_digits,
}


@pytest.mark.parametrize("name", TOY_SETS)
def test_ordinary_tables_are_left_alone(name: str) -> None:
    X, y = TOY_SETS[name](return_X_y=True, as_frame=True)
    assert dependence_remarks(X.to_numpy(dtype=float), y.to_numpy(dtype=float), [str(c) for c in X.columns]) == []


def test_a_small_table_of_counts_is_left_alone() -> None:
    X, Y = load_linnerud(return_X_y=True)
    assert dependence_remarks(X, Y[:, 0], ["chins", "situps", "jumps"]) == []


@pytest.mark.parametrize("seed", range(5))
def test_ages_counts_and_categories_are_left_alone(seed: int) -> None:
    """Whole numbers that many columns depend on, and a target that follows from one of them."""
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 80, 300) * 1.0
    drift = 0.05 * age[:, None] + rng.standard_normal((300, 5))
    X = np.column_stack([age, rng.poisson(20, 300), rng.integers(0, 12, 300), rng.integers(0, 2, 300), drift])
    names = ["age", "visits", "month", "sex", *"abcde"]
    for y in ((age > 50) * 1.0, age + rng.standard_normal(300), rng.integers(0, 2, 300) * 1.0):
        assert dependence_remarks(X, y, names) == []


@pytest.mark.parametrize("task", ["classification", "regression", "ordinal"])
def test_simulated_tables_are_left_alone(task: str) -> None:
    data = simulate(200, strong=2, weak=2, irrelevant=6, task=task, random_state=0)
    assert dependence_remarks(data.X, data.y * 1.0, data.names) == []
