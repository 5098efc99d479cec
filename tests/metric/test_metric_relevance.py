"""MetricRelevance: the paper's xor picture, every kind of learner, equivalent maps at work, and what is refused."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from scipy.optimize import linprog
from sklearn.datasets import load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.neighbors import KNeighborsClassifier, NeighborhoodComponentsAnalysis
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from relspan.analysis.parallel import run_blocks
from relspan.errors import DataError, DegenerateBaseline, ParameterError, RelspanWarning
from relspan.metric import GMLVQ, LMNN, MetricRelevance
from relspan.metric.effective_dimension import principal_axes
from relspan.metric.map_settings import MapSettings
from relspan.metric.row_probes import FixedMap, Refit, run_row_probes
from relspan.result import RelevanceResult
from relspan.simulate import make_xor
from relspan.tables import NamedMatrix

RANK_ONE = GMLVQ(n_prototypes=2, rank=1, n_starts=6)
STRONG, WEAK, NOTHING = 2, 1, 0


NO_WEIGHTS = dict.fromkeys(
    ["check_sample_weights_not_overwritten", "check_sample_weight_equivalence_on_dense_data"],
    "neighbourhood components have no sample weights, and other weights than equal ones are refused by name",
)


def expected(estimator):
    return {} if isinstance(estimator.learner, GMLVQ) else NO_WEIGHTS


# the checks' data are tiny or pure noise: remarks on them are right, and so is a selector that selects nothing
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
@pytest.mark.filterwarnings("ignore:No features were selected:UserWarning")
@parametrize_with_checks(
    [
        MetricRelevance(GMLVQ(n_starts=1), n_probes=5, cv=2, random_state=0),
        MetricRelevance(
            NeighborhoodComponentsAnalysis(max_iter=5),
            n_probes=5,
            probes="fixed",
            effective_dimension=0.1,
            random_state=0,
        ),
    ],
    expected_failed_checks=expected,
)
def test_scikit_learn_checks(estimator, check) -> None:
    check(estimator)


@pytest.fixture(scope="module")
def xor():
    return make_xor(400, random_state=2)


@pytest.fixture(scope="module")
def fitted(xor):
    return MetricRelevance(RANK_ONE, n_probes=10, cv=3, random_state=0).fit(*xor)


@pytest.mark.slow
def test_xor_as_in_the_paper(fitted) -> None:
    assert fitted.effective_dimension_ == 3
    assert list(fitted.relevance_) == [WEAK, WEAK, WEAK, STRONG, NOTHING, NOTHING]
    (row,) = fitted.rows_
    least, most = row.intervals.T
    assert least[3] > 0.98 * most[3]
    np.testing.assert_allclose(least[[0, 1, 2, 4, 5]], 0, atol=1e-9)
    np.testing.assert_allclose(most[:3], most[3], rtol=0.02)
    assert most[4:].max() < 0.05 * most[3]
    assert row.gap < 1e-6
    assert row.violation < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_xor_for_every_seed(seed: int) -> None:
    """The copies X1, X2, X3 share the weight of their factor; one of them takes all of it if delta_norm allows it.

    Their factor and X4 weigh the same in expectation. In a draw of 400 samples GMLVQ's optimum weighs them differently
    by 1.5 % (standard deviation), so the bounds are compared with what was learned for the factor.
    """
    X, y = make_xor(400, random_state=seed)
    model = MetricRelevance(RANK_ONE, effective_dimension=3, n_probes=5, probes="fixed", random_state=seed).fit(X, y)
    (row,) = model.rows_
    least, most = row.intervals.T
    assert least[3] > 0.98 * most[3]
    np.testing.assert_allclose(least[[0, 1, 2, 4, 5]], 0, atol=1e-9)
    assert most[4:].max() < 0.05 * most[3]

    factor = abs(row.row[:3].sum())
    assert factor == pytest.approx(most[3], rel=0.05)
    U = principal_axes(X).leading(3)
    longer = np.array([length_without(copies, row.row, U) for copies in ([1, 2], [0, 2], [0, 1])]) / row.mu - 1
    np.testing.assert_array_equal(most[:3] >= factor, longer <= model.delta_norm)
    np.testing.assert_allclose(most[:3][longer <= model.delta_norm], factor, rtol=0.02)


def length_without(features: list[int], row: np.ndarray, U: np.ndarray) -> float:
    """The least L1 norm of an equivalent row that does not use these features."""
    A = np.delete(U.T, features, axis=1)
    found = linprog(np.ones(2 * A.shape[1]), A_eq=np.hstack([A, -A]), b_eq=U.T @ row)
    assert found.status == 0
    return float(found.fun)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_with_many_samples_the_substitutes_reach_what_feature_four_has(seed: int) -> None:
    X, y = make_xor(4000, random_state=seed)
    model = MetricRelevance(RANK_ONE, effective_dimension=3, n_probes=5, probes="fixed", random_state=seed).fit(X, y)
    most = model.intervals_[:, 1]
    np.testing.assert_allclose(most[:3], most[3], rtol=0.02)
    assert most[4:].max() < 0.02 * most[3]


@pytest.mark.slow
def test_substitutes_longer_than_delta_norm_allows_cannot_take_the_whole_weight() -> None:
    X, y = make_xor(400, random_state=8)  # in this draw X1 is the poorest copy
    narrow, wider = (
        MetricRelevance(
            RANK_ONE, effective_dimension=3, delta_norm=delta_norm, n_probes=5, probes="fixed", random_state=0
        ).fit(X, y)
        for delta_norm in (0.01, 0.03)
    )
    assert narrow.intervals_[0, 1] < 0.8 * narrow.intervals_[3, 1]
    assert wider.intervals_[0, 1] > 0.95 * wider.intervals_[3, 1]


@pytest.mark.slow
def test_a_feature_that_is_strong_for_want_of_delta_norm_is_named() -> None:
    X, y = make_xor(80, random_state=2)  # so few samples that the copies differ by more than 1 %
    parameters = {"effective_dimension": 3, "n_probes": 5, "probes": "fixed", "random_state": 0}
    with pytest.warns(RelspanWarning, match=r"delta_norm=0.001, .*: x"):
        narrow = MetricRelevance(RANK_ONE, delta_norm=0.001, **parameters).fit(X, y)
    (remark,) = (text for text in narrow.result_.warnings if "strong with delta_norm" in text)
    assert "x3 (" not in remark, "nothing stands in for X4"
    enough = float(remark.split("With delta_norm=")[-1].split()[0])
    wider = MetricRelevance(RANK_ONE, delta_norm=enough, **parameters).fit(X, y)
    assert list(wider.relevance_[:4]) == [WEAK, WEAK, WEAK, STRONG]
    assert not any("strong with delta_norm" in text for text in wider.result_.warnings)


@pytest.mark.slow
def test_lmnn_of_rank_one_has_the_same_picture() -> None:
    X, y = make_xor(400, random_state=4)
    learner = LMNN(rank=1, n_starts=5)
    model = MetricRelevance(learner, effective_dimension=3, n_probes=5, probes="fixed", random_state=4).fit(X, y)
    least, most = model.intervals_.T
    assert least[3] > 0.98 * most[3]
    np.testing.assert_allclose(least[[0, 1, 2, 4, 5]], 0, atol=1e-9)
    np.testing.assert_allclose(most[:3], most[3], rtol=0.02)
    assert most[4:].max() < 0.05 * most[3]


@pytest.mark.slow
def test_lmnn_keeps_a_row_the_data_do_not_see_and_it_vanishes(xor) -> None:
    X, y = xor
    model = MetricRelevance(LMNN(), effective_dimension=3, n_probes=5, probes="fixed", random_state=0).fit(X, y)
    first = model.rows_[0]
    np.testing.assert_allclose(np.abs(first.row[:4]), 0, atol=1e-8)
    assert first.vanishes
    assert np.abs(first.row[4:]).max() == pytest.approx(max(np.abs(row.row).max() for row in model.rows_), rel=0.4)
    least, most = model.intervals_.T
    assert least[3] > 0.98 * most[3]
    np.testing.assert_allclose(least[[0, 1, 2, 4, 5]], 0, atol=1e-9)
    assert most[:4].min() > 2 * most[4:].max()


@pytest.mark.filterwarnings("ignore:Rows .* nearly equal eigenvalues:relspan.errors.RelspanWarning")
@pytest.mark.slow
def test_nca_has_a_strong_row_and_a_weak_row(xor) -> None:
    X, y = xor
    learner = NeighborhoodComponentsAnalysis(random_state=0)
    model = MetricRelevance(learner, effective_dimension=3, n_probes=5, probes="fixed", random_state=0).fit(X, y)
    strong, weak = model.rows_[0].intervals, model.rows_[1].intervals
    assert strong[3, 0] > 0.98 * strong[3, 1]
    assert strong[4:, 1].max() < 0.05 * strong[3, 1]
    assert weak[:3, 0].max() < 1e-9
    assert weak[[0, 2], 1].min() > 0.9 * strong[3, 1]
    assert any(row.vanishes for row in model.rows_)


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_rows_are_combined_by_squares_or_by_sizes(xor) -> None:
    X, y = xor
    two, one = np.array([[1.0, 0.5, 0.2, 0.1, 0, 0], [0.1, 0, 0.3, 1.0, 0.4, 0.0]]), np.ones((1, 6))
    options = {"effective_dimension": 3, "n_probes": 20, "random_state": 0}
    by = {c: MetricRelevance(two, combine=c, **options).fit(X, y) for c in ("squares", "sum")}
    rows = by["sum"].rows_
    assert len(rows) == 2
    total = sum(row.intervals for row in rows)
    np.testing.assert_allclose(by["sum"].intervals_, total / sum(row.mu for row in rows), atol=1e-12)
    root = np.sqrt(sum(row.intervals**2 for row in rows))
    length = by["squares"].result_.baseline["l1_norm"]
    np.testing.assert_allclose(by["squares"].intervals_, root / length, atol=1e-12)
    # a sum of sizes lies between the root of summed squares and that times the root of the number of rows
    longest = by["sum"].result_.baseline["l1_norm"]
    reach = {c: np.array(model.result_.probes["hi"]) for c, model in by.items()}
    for smaller, larger in (
        (length * by["squares"].intervals_, longest * by["sum"].intervals_),
        (length * reach["squares"], longest * reach["sum"]),
    ):
        assert (smaller <= larger + 1e-9).all()
        assert (larger <= np.sqrt(2) * smaller + 1e-9).all()
    a, b = (MetricRelevance(one, combine=c, **options).fit(X, y) for c in ("squares", "sum"))
    np.testing.assert_allclose(a.intervals_, b.intervals_, atol=1e-12)
    np.testing.assert_allclose(a.result_.probes["hi"], b.result_.probes["hi"], atol=1e-12)


@pytest.mark.slow
def test_the_dimension_by_the_errors_of_extremal_maps(xor) -> None:
    X, y = (part[:120] for part in xor)
    options = {"n_probes": 5, "probes": "fixed", "cv": 2, "random_state": 0}
    model = MetricRelevance(RANK_ONE, dimension_by="extremal", **options).fit(X, y)
    plain = MetricRelevance(RANK_ONE, **options).fit(X, y)
    assert model.effective_dimension_ == plain.effective_dimension_ == 3
    np.testing.assert_array_equal(model.dimension_curve_.raw, plain.dimension_curve_.raw)
    assert (model.dimension_curve_.errors[:, :2] != plain.dimension_curve_.errors[:, :2]).any()
    assert json.loads(model.result_.to_json())["parameters"]["dimension_by"] == "extremal"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Rows .* nearly equal eigenvalues:relspan.errors.RelspanWarning")
@pytest.mark.parametrize("learner", [NeighborhoodComponentsAnalysis(), LMNN()])
def test_the_directions_that_classification_needs_leave_out_what_was_never_learned(xor, learner) -> None:
    X, y = xor
    options = {"effective_dimension": 3, "delta_norm": 0.02, "n_probes": 5, "random_state": 0}
    model = MetricRelevance(learner, directions="needed", **options).fit(X, y)
    assert model.effective_dimension_ == 3
    assert model.need_curve_.best == 2
    assert model.intervals_[4:, 1].max() < 0.05 * model.intervals_[3, 1]
    assert list(model.relevance_) == [WEAK, WEAK, WEAK, STRONG, NOTHING, NOTHING]
    assert model.average_map().score(*make_xor(200, random_state=9)) == 1
    assert model.projected_map().score(*make_xor(200, random_state=9)) == 1
    told = json.loads(model.result_.to_json())["baseline"]
    assert told["directions"] == 2
    assert told["need_curve"]["directions"] == [1, 2, 3]
    assert told["need_curve"]["errors"][1] == 0 < told["need_curve"]["errors"][0]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["matrix", "fitted", "frozen"])
def test_what_was_learned_before_gives_the_same_intervals(xor, fitted, kind: str) -> None:
    X, y = xor
    X = X * np.array([1, 2, 3, 4, 5, 5]) + 1  # a map weighs units, the intervals deviations
    learner = NeighborhoodComponentsAnalysis()
    learner.components_ = fitted.learner_.omega_ / X.std(axis=0)
    given = {"matrix": learner.components_, "fitted": learner, "frozen": FrozenEstimator(learner)}[kind]
    model = MetricRelevance(given, effective_dimension=3, n_probes=5, random_state=0).fit(X, y)
    np.testing.assert_allclose(model.intervals_, fitted.intervals_, atol=1e-6)
    assert model.learner_ is given
    assert model.result_.parameters["probes"] == "fixed"
    assert model.score(X, y) == 1
    assert model.average_map().score(X, y) == 1


class TestEquivalentMaps:
    @pytest.mark.slow
    def test_all_classify_as_the_learned_one(self, xor, fitted) -> None:
        X, y = make_xor(400, random_state=99)
        maps = [fitted.average_map(), fitted.shortest_map(), fitted.projected_map()]
        maps += [fitted.extreme_map(j, end) for j in range(6) for end in ("min", "max")]
        assert fitted.score(X, y) == 1
        for other in maps:
            assert other.score(X, y) == 1

    def test_extremes_have_the_weight_asked_for(self, fitted) -> None:
        row = fitted.rows_[0]
        for j in range(6):
            for end, value in zip(("min", "max"), row.intervals[j], strict=True):
                weight = np.abs(fitted.extreme_map(j, end).omega_[0, j]) / fitted._scale
                assert weight == pytest.approx(value, abs=1e-8)

    def test_they_do_the_same_along_the_leading_directions(self, xor, fitted) -> None:
        X, _ = xor
        U = principal_axes((X - X.mean(axis=0)) / X.std(axis=0)).leading(3)
        learned = fitted._scale * np.array([row.row for row in fitted.rows_])
        for other in (fitted.average_map(), fitted.extreme_map(0, "min"), fitted.projected_map()):
            np.testing.assert_allclose(other.omega_ @ U, learned @ U, atol=1e-8)
        np.testing.assert_allclose(fitted.projected_map().omega_ @ U @ U.T, fitted.projected_map().omega_, atol=1e-12)

    def test_as_transformers_in_a_pipeline(self, xor, fitted) -> None:
        X, y = xor
        pipeline = make_pipeline(fitted.average_map(), KNeighborsClassifier(3)).fit(X, y)
        assert pipeline.score(*make_xor(200, random_state=5)) == 1
        assert fitted.average_map().transform(X).shape == (400, 1)

    def test_by_name(self, xor) -> None:
        X, y = xor
        frame = pd.DataFrame(X, columns=[f"X{j}" for j in range(1, 7)])
        model = MetricRelevance(RANK_ONE, effective_dimension=3, n_probes=5, probes="fixed", random_state=0)
        model.fit(frame, y)
        assert model.extreme_map("X4", "max").omega_.shape == (1, 6)
        assert list(model.get_feature_names_out())[:4] == ["X1", "X2", "X3", "X4"]
        with pytest.raises(ParameterError, match="no feature 'X9'"):
            model.extreme_map("X9", "max")
        with pytest.raises(ParameterError, match="end must be one of min, max, not 'most'"):
            model.extreme_map("X4", "most")

    def test_neighbours_where_the_learner_does_not_classify(self, xor) -> None:
        X, y = xor
        omega = np.array([[1.0, 0, 0, 0, 0, 0], [0, 0, 0, 1.0, 0, 0]])
        with pytest.warns(RelspanWarning, match="nearly equal eigenvalues"):
            model = MetricRelevance(omega, effective_dimension=3, n_probes=5, random_state=0).fit(X, y)
        fresh = make_xor(200, random_state=7)
        assert model.score(*fresh) == 1
        assert model.extreme_map(0, "min").score(*fresh) == 1


class TestProbes:
    @pytest.mark.slow
    def test_refitted_probes_weigh_what_noise_weighs(self, xor) -> None:
        X, y = xor
        learn = Refit(GMLVQ(n_prototypes=2, rank=1, n_starts=3, random_state=0), y)
        values = run_row_probes(learn, X, 3, MapSettings(n_probes=6), np.random.SeedSequence(0)).values
        assert values.min() > 0
        assert values.max() < 0.1

    def test_values_do_not_depend_on_the_workers(self, xor, fitted) -> None:
        learn, settings = FixedMap(fitted.learner_.omega_), MapSettings(n_probes=6)
        with parallel_config(backend="threading"):
            one, two = (
                run_row_probes(
                    learn, xor[0], 3, settings, np.random.SeedSequence(0), run=partial(run_blocks, n_jobs=jobs)
                )
                for jobs in (None, 2)
            )
        np.testing.assert_array_equal(one.values, two.values)


@pytest.mark.slow
def test_the_seed_decides_everything(xor) -> None:
    X, y = make_xor(100, random_state=0)
    first, second = (
        MetricRelevance(GMLVQ(n_prototypes=2, rank=1, n_starts=2), n_probes=5, cv=2, random_state=3).fit(X, y)
        for _ in range(2)
    )
    np.testing.assert_array_equal(first.intervals_, second.intervals_)
    np.testing.assert_array_equal(first.relevance_, second.relevance_)


def test_result_has_rows_dimension_and_curve(fitted) -> None:
    result = fitted.result_
    told = json.loads(result.to_json())
    assert told["task"] == "metric"
    assert told["baseline"]["learner"] == "GMLVQ"
    assert told["baseline"]["effective_dimension"] == 3
    assert told["baseline"]["curve"]["dimensions"] == [1, 2, 3, 4, 5]
    assert len(told["baseline"]["rows"][0]["lo"]) == 6
    assert told["parameters"]["learner"]["n_prototypes"] == 2
    assert RelevanceResult.from_json(result.to_json()).names("strong") == ["x3"]
    assert set(result.seconds) == {"learner", "dimension", "bounds", "probes", "total"}
    assert "strong" in str(result)


class TestWarnings:
    def test_constant_columns(self, xor) -> None:
        X, y = xor
        X = np.column_stack([X, np.full(400, 3.0)])
        model = MetricRelevance(RANK_ONE, effective_dimension=3, n_probes=5, probes="fixed", random_state=0)
        with pytest.warns(RelspanWarning, match="constant columns are irrelevant.*x6"):
            model.fit(X, y)
        np.testing.assert_array_equal(model.intervals_[6], 0)
        assert model.average_map().score(X, y) == 1
        with pytest.raises(ParameterError, match="'x6' does not vary"):
            model.extreme_map(6, "max")

    @pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
    def test_unscaled(self, xor) -> None:
        X, y = xor
        model = MetricRelevance(
            GMLVQ(n_prototypes=2, n_starts=1),
            effective_dimension=0.1,
            n_probes=5,
            probes="fixed",
            standardize=False,
            random_state=0,
        )
        model.fit(X * np.array([1, 1, 1, 100, 1, 1]), y)
        assert any("different scales" in remark for remark in model.result_.warnings)

    @pytest.mark.slow
    @pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
    def test_fewer_samples_than_features(self) -> None:
        rng = np.random.default_rng(0)
        X, y = rng.standard_normal((12, 30)), np.arange(12) % 2
        model = MetricRelevance(GMLVQ(rank=2), n_probes=5, cv=3, random_state=0).fit(X, y)
        assert any("12 samples for 30 features" in remark for remark in model.result_.warnings)
        assert model.effective_dimension_ <= 11


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"delta_norm": -0.1}, "^delta_norm .* not -0.1"),
        ({"n_probes": 2}, "^n_probes .* not 2"),
        ({"alpha": 1.0}, "^alpha .* not 1.0"),
        ({"engine": "magic"}, "^engine .* not 'magic'"),
        ({"probes": "shuffle"}, "^probes .* not 'shuffle'"),
        ({"cv": 1}, "^cv .* not 1"),
        ({"effective_dimension": "all"}, "^effective_dimension .* not 'all'"),
        ({"effective_dimension": 9}, "^effective_dimension .* at most 5, not 9"),
        ({"smallest_eigenvalue": 1.0}, "^smallest_eigenvalue .* not 1.0"),
        ({"directions": "some"}, "^directions must be one of leading, needed, not 'some'"),
        ({"dimension_by": "test"}, "^dimension_by must be one of projected, extremal, not 'test'"),
        ({"combine": "max"}, "^combine must be one of squares, sum, not 'max'"),
        ({"learner": 3}, "^learner .* not 3"),
    ],
)
def test_bad_parameters_are_named(xor, parameters, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        MetricRelevance(**{"learner": GMLVQ(n_starts=1), **parameters}).fit(*xor)


def test_bad_tables_are_explained(xor) -> None:
    X, y = xor
    with pytest.raises(DataError, match="one class only"):
        MetricRelevance().fit(X, np.zeros(400))
    broken = X.copy()
    broken[:3, 1] = np.nan
    with pytest.raises(DataError, match=r"contains NaN, by column: x1 \(3\)"):
        MetricRelevance().fit(broken, y)
    twins = NamedMatrix(X, ("a", "b", "c", "a", "d", "e"))
    with pytest.raises(DataError, match="several columns are called 'a'"):
        MetricRelevance().fit(twins, y)
    with pytest.raises(DataError, match="map has 5 columns, X has 6"):
        MetricRelevance(np.eye(5)).fit(X, y)
    with pytest.raises(DataError, match="every column is constant"):
        MetricRelevance().fit(np.ones((6, 2)), np.arange(6) % 2)
    with pytest.raises(
        ParameterError, match="learner cannot be a StandardScaler: it has neither omega_ nor components_"
    ):
        MetricRelevance(StandardScaler()).fit(X, y)
    with pytest.raises(DegenerateBaseline, match="raise effective_dimension"):
        MetricRelevance(np.array([[0, 0, 0, 0, 1.0, -1.0]]), effective_dimension=3).fit(X, y)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
@pytest.mark.parametrize(("n", "judged"), [(40, 5), (100, 2), (200, 1), (400, 1)])
def test_the_dimension_of_a_small_table_rests_on_repeated_folds(n: int, judged: int) -> None:
    X, y = make_xor(n, random_state=0)
    model = MetricRelevance(
        GMLVQ(n_prototypes=2, rank=1, n_starts=1), n_probes=5, probes="fixed", cv=4, random_state=0
    ).fit(X, y)
    curve = model.dimension_curve_
    assert len(curve.errors) == 4 * judged
    assert curve.repeats == judged
    np.testing.assert_allclose(curve.standard_error, curve.errors.std(axis=0) / np.sqrt(4))


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
@pytest.mark.slow
def test_three_classes_with_names() -> None:
    iris = load_iris(as_frame=True)
    model = MetricRelevance(GMLVQ(n_starts=1), n_probes=5, random_state=0)
    model.fit(iris.data, iris.target_names[iris.target])
    assert model.score(iris.data, iris.target_names[iris.target]) > 0.95
    assert "petal" in str(model.result_)
