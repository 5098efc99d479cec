"""Score cards: equal to exhaustive search by an independent program, in the family, and readable."""

from __future__ import annotations

import json
from itertools import product
from math import gcd

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

from relspan import RelevanceClassifier, RelevanceRegressor
from relspan.errors import DataError, InfeasibleRules, ParameterError
from relspan.explore import Explorer
from relspan.simulate import simulate

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
LARGEST, FEATURES = 2, 2


def cards_by_exhaustion(X, y, units, largest_norm, largest_loss, least=None):
    """All cards in lowest terms that are in the family, with their least loss: one plain linear program per card.

    min 1.x  over  s >= 0, b, x >= 0   s.t.  y_i (s p.(x_i / u) + b) + x_i >= 1,   s sum_j |p_j| sd_j / u_j <= M
    """
    n, d = X.shape
    found = {}
    for points in product(range(-LARGEST, LARGEST + 1), repeat=d):
        if not any(points) or gcd(*points) > 1 or np.count_nonzero(points) > FEATURES:
            continue
        total = (X - X.mean(axis=0)) / units @ np.array(points)
        rows = -np.column_stack([y * total, y, np.eye(n)])
        norm = np.abs(points) @ (X.std(axis=0) / units)
        answer = linprog(
            np.concatenate([[0.0, 0.0], np.ones(n)]),
            A_ub=rows,
            b_ub=-np.ones(n),
            bounds=[(0, largest_norm / norm), (None, None), *[(0, None)] * n],
        )
        if answer.fun <= largest_loss * (1 + 1e-9) and (least is None or (least * np.array(points) >= 0).all()):
            found[points] = answer.fun
    return found


def table(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((40, 4)) * [1.0, 3.0, 0.2, 10.0] + [0.0, 5.0, 1.0, 50.0]
    score = X[:, 0] - 0.5 * (X[:, 1] - 5) / 3 + 0.8 * rng.standard_normal(40)
    return pd.DataFrame(X, columns=["a", "b", "c", "d"]), np.where(score > 0, 1, 0)


@pytest.fixture(scope="module", params=[0, 1])
def case(request):
    X, y = table(request.param)
    clf = RelevanceClassifier(C=1.0, delta_loss=0.3, n_probes=5, random_state=0, loss="hinge").fit(X, y)
    return clf, X, y


def limits(clf):
    family = clf.result_.certificates.family
    return family.largest_norm, family.largest_loss


@pytest.mark.slow
def test_cards_equal_exhaustive_search(case):
    clf, X, y = case
    units = np.array([1.0, 2.0, 0.2, 10.0])
    one = clf.explore().score_card(
        largest=LARGEST, features=FEATURES, units=dict(zip("abcd", units, strict=True)), time_limit=120
    )
    truth = cards_by_exhaustion(X.to_numpy(), 2 * y - 1, units, *limits(clf))
    assert one.proven
    assert one.loss == pytest.approx(min(truth.values()), rel=1e-7)


@pytest.mark.slow
def test_the_pool_is_the_best_of_all_cards_in_order(case):
    clf, X, y = case
    units = dict(zip("abcd", [1.0, 2.0, 0.2, 10.0], strict=True))
    truth = cards_by_exhaustion(X.to_numpy(), 2 * y - 1, np.array(list(units.values())), *limits(clf))
    cards = clf.explore().score_cards(2, largest=LARGEST, features=FEATURES, units=units, time_limit=120)
    expected = sorted(truth.values())[:2]
    assert len(cards) == min(2, len(truth))
    assert [card.loss for card in cards] == pytest.approx(expected, rel=1e-6)
    assert all(card.proven for card in cards)
    for card in cards:
        points = dict(zip(card.features, card.points, strict=True))
        assert truth[tuple(points.get(name, 0) for name in "abcd")] == pytest.approx(card.loss, rel=1e-6)


def test_every_card_is_in_the_family_by_the_plain_formula(case):
    clf, X, y = case
    norm, loss = limits(clf)
    for card in clf.explore().score_cards(3, largest=3, features=3, time_limit=2):
        score = card.factor * card.total(X) + card.offset
        hinge = np.maximum(0.0, 1.0 - (2 * y - 1) * score).sum()
        assert hinge == pytest.approx(card.loss, rel=1e-9)
        assert hinge <= loss * (1 + 1e-8)
        assert card.bound <= card.loss
        assert card.model.norm <= norm * (1 + 1e-8)
        weights = np.array([card.model.weights[name] for name in X.columns])
        assert score == pytest.approx(X.to_numpy() @ weights + card.model.offsets[0])
        assert max(map(abs, card.points)) <= 3
        assert len(card.features) <= 3


@pytest.mark.slow
def test_signs_and_pins_hold_for_cards(case):
    clf, X, y = case
    units = dict(zip("abcd", [1.0, 2.0, 0.2, 10.0], strict=True))
    pinned = clf.explore().pin("b", "-").pin("c", "+")
    card = pinned.score_card(largest=LARGEST, features=FEATURES, units=units, time_limit=120)
    truth = cards_by_exhaustion(
        X.to_numpy(), 2 * y - 1, np.array(list(units.values())), *limits(clf), least=np.array([0, -1, 1, 0])
    )
    assert card.proven
    assert card.loss == pytest.approx(min(truth.values()), rel=1e-7)
    without = clf.explore().without("d").score_cards(3, largest=3, features=3, time_limit=2)
    assert all("d" not in card.features for card in without)


def test_limits_that_no_card_keeps_are_refused_with_proof():
    data = simulate(60, strong=3, weak=0, irrelevant=0, random_state=0)
    explorer = RelevanceClassifier(C=10.0, n_probes=5, random_state=0).fit(data.X, data.y).explore()
    with pytest.raises(InfeasibleRules, match=r"at most 1 features and 1 points.*proven"):
        explorer.score_card(largest=1, features=1, time_limit=60)


def test_cut_offs_and_risks_follow_the_totals(case):
    clf, X, _ = case
    card = clf.explore().score_card(largest=3, features=3, time_limit=1)
    totals = [cut.total for cut in card.cut_offs]
    assert totals == sorted(totals)
    assert [cut.sensitivity for cut in card.cut_offs] == sorted((c.sensitivity for c in card.cut_offs), reverse=True)
    assert [cut.specificity for cut in card.cut_offs] == sorted(c.specificity for c in card.cut_offs)
    assert [cut.risk for cut in card.cut_offs] == pytest.approx(card.risk(totals).tolist())
    risks = card.risk(np.sort(card.total(X)))
    assert (np.diff(risks) >= 0).all()
    assert 0 <= card.auc <= 1


def test_a_card_reads_as_a_card(case):
    clf, X, _ = case
    card = clf.explore().score_card(largest=3, features=3, units={"d": 25.0}, time_limit=1)
    text, html, record = str(card), card._repr_html_(), json.loads(card.to_json())
    for name, points in zip(card.features, card.points, strict=True):
        assert name in text
        assert f"{points:+d}" in text
        assert name in html
    assert record["points"] == list(card.points)
    assert card.to_frame()["name"].tolist() == list(card.features)
    assert "Sensitivity" in html
    with pytest.raises(DataError, match="lack"):
        card.total(X.drop(columns=[card.features[0]]))


def test_a_column_of_two_values_has_points_if_it_is_the_higher_one():
    rng = np.random.default_rng(1)
    smoker, age = rng.integers(0, 2, 150) + 1.0, rng.normal(60, 12, 150)
    y = (2 * smoker + (age - 60) / 10 + 0.5 * rng.standard_normal(150) > 3).astype(int)
    frame = pd.DataFrame({"smoker": smoker, "age": age})
    explorer = RelevanceClassifier(C=1.0, delta_loss=0.1, n_probes=5, random_state=0).fit(frame, y).explore()
    card = explorer.score_card(largest=5, features=2, time_limit=1)
    assert "if smoker is 2, not 1" in str(card)
    assert "for every 10 of age above 60" in str(card)
    assert card.points[card.features.index("smoker")] > 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"largest": 0}, "largest"),
        ({"features": 1.5}, "features"),
        ({"units": {"a": 0}}, "the unit of 'a'"),
        ({"units": {"z": 1.0}}, "z"),
        ({"limit": 0}, "limit"),
        ({"time_limit": -1}, "time_limit"),
    ],
)
def test_what_means_nothing_is_refused(case, given, message):
    with pytest.raises(ParameterError, match=message):
        case[0].explore().score_cards(**given)


def test_numbers_and_covariates_have_no_card(case):
    _, X, y = case
    number = RelevanceRegressor(C=1.0, n_probes=5, random_state=0).fit(X, X["a"] + 0.1 * X["b"]).explore()
    with pytest.raises(ParameterError, match="two classes"):
        number.score_card()
    adjusted = RelevanceClassifier(C=1.0, n_probes=5, covariates=["b"], random_state=0).fit(X, y).explore()
    with pytest.raises(ParameterError, match="covariates"):
        adjusted.score_card()


@pytest.mark.slow
def test_a_saved_session_gives_the_same_card(case, tmp_path):
    file = tmp_path / "model.json"
    case[0].explore().save(file)
    limits = {"largest": 1, "features": FEATURES, "time_limit": 60}
    assert Explorer.load(file).score_card(**limits).points == case[0].explore().score_card(**limits).points
