"""RelevanceClassifier(loss="logistic"): the same questions and proofs, and probabilities."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from problems import two_classes
from relspan import RelevanceClassifier
from relspan.errors import ParameterError
from relspan.explore import Explorer
from relspan.simulate import simulate
from relspan.tasks.registry import estimator_for

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
QUICK = {"loss": "logistic", "C": 0.2, "n_probes": 6, "random_state": 0}


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray]:
    drawn = simulate(120, strong=2, weak=2, irrelevant=3, flips=0.1, random_state=0)
    return drawn.X, drawn.y


@pytest.fixture(scope="module")
def fitted(data: tuple[np.ndarray, np.ndarray]) -> RelevanceClassifier:
    return RelevanceClassifier(loss="logistic", random_state=0).fit(*data)


def test_strong_weak_and_irrelevant_features(fitted: RelevanceClassifier) -> None:
    assert fitted.relevance_.tolist() == [2, 2, 1, 1, 0, 0, 0]
    assert fitted.result_.certificates.verify() <= 1e-6
    assert fitted.result_.baseline["loss_function"]["name"] == "logistic"
    assert fitted.result_.parameters["loss"] == "logistic"


def test_probabilities_are_those_of_the_scores(
    fitted: RelevanceClassifier, data: tuple[np.ndarray, np.ndarray]
) -> None:
    X, y = data
    found, scores = fitted.predict_proba(X), fitted.decision_function(X)
    assert found.shape == (len(y), 2)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    np.testing.assert_allclose(found[:, 1], expit(scores))
    np.testing.assert_array_equal(fitted.classes_[found.argmax(axis=1)], fitted.predict(X))


def test_columns_of_probabilities_follow_the_classes(data: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = data
    names = np.where(y == y.max(), "a", "b")  # the order of the classes is turned round
    plain, turned = RelevanceClassifier(**QUICK).fit(X, y), RelevanceClassifier(**QUICK).fit(X, names)
    assert turned.classes_.tolist() == ["a", "b"]
    np.testing.assert_allclose(turned.predict_proba(X)[:, ::-1], plain.predict_proba(X), atol=1e-9)


def test_the_model_is_near_the_one_of_l1_logistic_regression() -> None:
    X, y = two_classes(300, 5, seed=1, flips=0.2)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    mine = RelevanceClassifier(loss="logistic", C=0.1, n_probes=5, random_state=0).fit(X, y)
    theirs = LogisticRegression(l1_ratio=1.0, C=0.1, solver="saga", tol=1e-6, max_iter=10_000).fit(X, y)
    assert np.abs(mine.predict_proba(X) - theirs.predict_proba(X)).max() < 0.06


def test_hinge_scores_are_no_probabilities(data: tuple[np.ndarray, np.ndarray]) -> None:
    hinge = RelevanceClassifier(C=0.2, n_probes=6, random_state=0).fit(*data)
    assert not hasattr(hinge, "predict_proba")
    with pytest.raises(AttributeError, match="has no attribute 'predict_proba'") as refused:
        _ = hinge.predict_proba
    assert "needs loss='logistic', and loss is 'hinge'" in str(refused.value.__cause__)


def test_more_than_two_classes_are_refused_with_what_works(data: tuple[np.ndarray, np.ndarray]) -> None:
    X, _ = data
    with pytest.raises(
        ParameterError, match="loss='logistic' needs two classes, and the target has 3; use loss='hinge'"
    ):
        RelevanceClassifier(**QUICK).fit(X, np.arange(len(X)) % 3)


def test_an_unknown_loss_is_refused_by_name(data: tuple[np.ndarray, np.ndarray]) -> None:
    with pytest.raises(ParameterError, match="loss must be one of hinge, logistic"):
        RelevanceClassifier(loss="logit").fit(*data)


def test_the_papers_had_the_hinge() -> None:
    for paper in ("fri2019", "esann2017"):
        assert RelevanceClassifier.as_published(paper).loss == "hinge"
    assert RelevanceClassifier.as_published("fri2019", loss="logistic").loss == "logistic"


def test_an_estimator_by_the_name_of_its_task() -> None:
    made = estimator_for("classification", loss="logistic")
    assert isinstance(made, RelevanceClassifier)
    assert clone(made).loss == "logistic"


@pytest.mark.parametrize("engine", ["exact", "batched", "reference"])
@pytest.mark.slow
def test_engines_agree(data: tuple[np.ndarray, np.ndarray], engine: str) -> None:
    X, y = data
    auto, other = (RelevanceClassifier(**QUICK, engine=name).fit(X, y) for name in ("auto", engine))
    np.testing.assert_allclose(other.intervals_, auto.intervals_, atol=1e-6)
    np.testing.assert_array_equal(other.relevance_, auto.relevance_)


@pytest.mark.slow
def test_whole_weights_are_repeated_rows(data: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = data
    v = np.random.default_rng(0).integers(0, 3, len(y))
    weighted = RelevanceClassifier(**QUICK).fit(X, y, sample_weight=v)
    repeated = RelevanceClassifier(**QUICK).fit(np.repeat(X, v, axis=0), np.repeat(y, v))
    np.testing.assert_allclose(weighted.intervals_, repeated.intervals_, atol=1e-6)


@pytest.mark.slow
def test_class_weights_are_weights(data: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = data
    low, high = np.unique(y).tolist()
    by_class = RelevanceClassifier(**QUICK, class_weight={low: 1.0, high: 3.0}, standardize=False).fit(X, y)
    by_row = RelevanceClassifier(**QUICK, standardize=False).fit(X, y, sample_weight=np.where(y == high, 3.0, 1.0))
    np.testing.assert_allclose(by_class.intervals_, by_row.intervals_, atol=1e-6)


@pytest.mark.slow
def test_a_sparse_table_has_the_same_intervals(data: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = data
    dense, thin = RelevanceClassifier(**QUICK).fit(X, y), RelevanceClassifier(**QUICK).fit(sparse.csr_array(X), y)
    np.testing.assert_allclose(thin.intervals_, dense.intervals_, atol=1e-6)
    np.testing.assert_allclose(thin.predict_proba(sparse.csr_array(X)), dense.predict_proba(X), atol=1e-6)


@pytest.mark.slow
def test_screening_and_totals_of_groups(data: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = data
    plain = RelevanceClassifier(**QUICK, feature_groups={"twins": [2, 3]}).fit(X, y)
    screened = RelevanceClassifier(**QUICK, screen=True).fit(X, y)
    np.testing.assert_array_equal(screened.relevance_, plain.relevance_)
    (twins,) = plain.result_.groups
    assert twins.min > 0
    assert twins.max <= plain.intervals_[[2, 3], 1].sum() + 1e-9


@pytest.mark.slow
def test_privileged_columns_may_explain_slack(data: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = data
    found = RelevanceClassifier(**QUICK).fit(X[:, :5], y, privileged=X[:, 5:])
    assert found.privileged_intervals_.shape == (2, 2)
    assert found.result_.certificates.verify() <= 1e-6


@pytest.mark.slow
def test_a_session_is_saved_and_continued(fitted: RelevanceClassifier, tmp_path) -> None:
    explorer = fitted.explore()
    weak = fitted.result_.features[2].name
    pinned = explorer.pin(weak, (0, 0)).result
    assert pinned[fitted.result_.features[3].name].min > 0  # what its twin leaves has to come from the other
    explorer.save(tmp_path / "session.json")
    again = Explorer.load(tmp_path / "session.json")
    for mine, theirs in zip(again.result.features, pinned.features, strict=True):
        assert (mine.min, mine.max) == pytest.approx((theirs.min, theirs.max), abs=1e-6)


@pytest.mark.slow
def test_panels_paths_and_stability(fitted: RelevanceClassifier) -> None:
    explorer = fitted.explore()
    panel = explorer.smallest_panel()
    assert len(panel.features) == panel.bound == 3  # both strong ones, and one of the two twins
    path = explorer.path("C", values=[0.1, 0.2])
    assert [step.value for step in path.steps] == [0.1, 0.2]
    assert max(step.largest_gap for step in path.steps) <= 1e-6
    stable = explorer.stability(n_draws=3, random_state=0)
    assert len(stable.features) == 7
    assert len(explorer.predictions().samples) == 120
