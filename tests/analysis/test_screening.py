"""screen=True: features proven irrelevant get no program, and the classes stay the same."""

from __future__ import annotations

import numpy as np
import pytest

from problems import all_ranges, family_around, two_classes
from relspan import RelevanceClassifier
from relspan.analysis import screening
from relspan.analysis.screening import screened_ranges
from relspan.analysis.verdicts.associations import Associations
from relspan.analysis.verdicts.verdict import classes_at, irrelevant_up_to
from relspan.errors import ParameterError
from relspan.result import RelevanceResult

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")


@pytest.fixture(autouse=True)
def small_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screening, "FEATURES_PER_ROUND", 5)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"loss_budget": "relative"}, {"probes": "replace", "n_probes": 20}])
@pytest.mark.parametrize("shape", [(120, 15), (30, 60)])
def test_classes_are_the_same(shape: tuple[int, int], options: dict[str, object]) -> None:
    X, y = two_classes(*shape, seed=1, flips=0.05, copies=1)
    whole = RelevanceClassifier(C=0.5, random_state=0, engine="exact", **options).fit(X, y)
    fewer = RelevanceClassifier(C=0.5, random_state=0, engine="exact", screen=True, **options).fit(X, y)
    assert (whole.relevance_ == fewer.relevance_).all()
    solved = np.array([f.solved for f in fewer.result_.features])
    assert np.allclose(whole.signed_intervals_[solved], fewer.signed_intervals_[solved], atol=1e-6)
    # the others' intervals hold the true ones
    assert (fewer.signed_intervals_[:, 0] <= whole.signed_intervals_[:, 0] + 1e-6).all()
    assert (fewer.signed_intervals_[:, 1] >= whole.signed_intervals_[:, 1] - 1e-6).all()
    skipped = [f for f in fewer.result_.features if not f.solved]
    assert all(f.relevance == "irrelevant" and f.evidence <= fewer.result_.thresholds["evidence"] for f in skipped)
    assert fewer.result_.certificates.verify() <= 1e-6
    assert fewer.result_.largest_gap <= 1e-6


@pytest.mark.slow
def test_features_are_skipped_and_the_result_says_so() -> None:
    X, y = two_classes(30, 60, seed=1, flips=0.05)
    fit = RelevanceClassifier(C=0.5, random_state=0, screen=True).fit(X, y)
    skipped = [f for f in fit.result_.features if not f.solved]
    assert 0 < len(skipped) < 60
    assert {f.relevance for f in skipped} == {"irrelevant"}
    text = fit.result_.to_text(everything=True)
    assert sum("<=" in line for line in text.splitlines()) == len(skipped)
    assert RelevanceResult.from_json(fit.result_.to_json()).features == fit.result_.features
    assert fit.result_.columns()["solved"].count(False) == len(skipped)
    with pytest.raises(ParameterError, match="screen=False"):
        fit.explore()


@pytest.mark.slow
def test_the_answer_does_not_depend_on_workers() -> None:
    X, y = two_classes(30, 60, seed=1, flips=0.05)
    one, two = (RelevanceClassifier(C=0.5, random_state=0, screen=True, n_jobs=n).fit(X, y) for n in (1, 2))
    assert one.result_.features == two.result_.features


def test_each_feature_is_skipped_up_to_its_own_limit() -> None:
    X, y = two_classes(80, 8, seed=2, flips=0.02)
    family, baseline = family_around(X, y, 1.0, 0.1, 0.02, "explained")
    most = all_ranges("reference", family).relevances[:, 1]
    limits = np.where(np.arange(8) % 2, -np.inf, np.inf)
    found = screened_ranges(family, baseline, limits)
    np.testing.assert_array_equal(found.solved, limits < 0)
    assert screened_ranges(family, baseline, 0.9 * most).solved.all()


@pytest.mark.parametrize("adjusted", [True, False])
def test_below_its_limit_no_feature_is_relevant_and_beyond_the_lowest_line_each_one_is(adjusted: bool) -> None:
    rng, d, chance = np.random.default_rng(0), 400, 3.0
    alone, beyond, needed = chance * rng.uniform(0.0, 1.2, (3, d))
    found = Associations(alone, beyond, needed, np.arange(d), chance, adjusted)
    limits = irrelevant_up_to(0.2, 0.01, found)
    below = np.where(np.isfinite(limits), limits * (1 - 1e-9), 0.0)
    asked = np.isfinite(limits)
    for least in (0.0, 0.05):  # some models do without the feature, or none
        intervals = np.column_stack([np.full(d, least), np.maximum(below, least)])
        classes = classes_at(0.2, intervals, below, 0.01, found, passed=True)
        assert (classes[asked] == 0).all()
    assert 0 < asked.sum() < d
    if not adjusted:  # the line does not depend on other features, so the limits are sharp
        beyond_them = np.where(asked, limits * (1 + 1e-9), 0.0)
        intervals = np.column_stack([np.zeros(d), beyond_them])
        assert (classes_at(0.2, intervals, beyond_them, 0.01, found, passed=True)[asked] > 0).all()


def test_limits_are_numbers_where_nothing_is_left_that_a_feature_could_move_with() -> None:
    nothing = np.zeros(3)
    limits = irrelevant_up_to(0.2, 0.01, Associations(nothing, nothing, nothing, np.arange(3), 0.0, True))
    assert (limits > 0.2).all()


def test_exact_is_true_or_false() -> None:
    X, y = two_classes(30, 4, seed=1)
    with pytest.raises(ParameterError, match="screen must be True or False"):
        RelevanceClassifier(screen="no").fit(X, y)
