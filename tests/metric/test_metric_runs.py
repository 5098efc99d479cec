"""How a fit of MetricRelevance runs: progress, checkpoints, interruptions, sample weights, given folds."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import NeighborhoodComponentsAnalysis

from relspan.analysis.checkpoint import CheckpointError
from relspan.errors import ParameterError
from relspan.metric import GMLVQ, LMNN, MetricRelevance
from relspan.progress import Interrupted
from relspan.result import RelevanceResult
from relspan.simulate import make_xor

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
FITS = []


class CountedGMLVQ(GMLVQ):
    """GMLVQ that writes down how often it is fitted."""

    def fit(self, X, y, sample_weight=None):
        FITS.append(X.shape)
        return super().fit(X, y, sample_weight)


def model(**parameters):
    learner = CountedGMLVQ(n_prototypes=2, rank=1, n_starts=2, random_state=0)
    return MetricRelevance(learner, **{"n_probes": 6, "cv": 3, "random_state": 0, **parameters})


@pytest.fixture(scope="module")
def xor():
    return make_xor(200, random_state=2)


@pytest.fixture(autouse=True)
def no_fits_yet():
    FITS.clear()


@pytest.mark.slow
def test_progress_reports_every_stage_by_share(xor):
    calls = []
    fitted = model(directions="needed", progress=lambda *call: calls.append(call)).fit(*xor)
    stages = list(dict.fromkeys(stage for stage, _, _ in calls))
    assert stages == ["learner", "dimension", "directions", "bounds", "probes"]
    for stage in stages:
        shares = [share for name, share, _ in calls if name == stage]
        assert shares == sorted(shares)
        assert shares[-1] == 1
    assert "progress" not in fitted.result_.parameters


@pytest.mark.slow
def test_a_run_that_was_interrupted_goes_on_from_its_checkpoint(xor, tmp_path):
    plain = model().fit(*xor)
    whole = len(FITS)

    def stop(stage, share, note=""):
        if stage == "probes" and share >= 0.5:
            raise KeyboardInterrupt

    FITS.clear()
    with pytest.raises(Interrupted) as caught:
        model(progress=stop, checkpoint=tmp_path / "journal").fit(*xor)
    part = caught.value.partial
    assert part.partial
    assert [f.relevance for f in part.features] == ["undecided"] * 6
    np.testing.assert_allclose([(f.min, f.max) for f in part.features], plain.intervals_)
    assert part.thresholds == {}
    assert RelevanceResult.from_json(part.to_json()).unfinished == ()
    assert "interrupted" in str(part)

    first = len(FITS)
    resumed = model(checkpoint=tmp_path / "journal").fit(*xor)
    assert len(FITS) - first == 1 + 3, "the learner itself, and the probes that were left"
    assert first == whole - 3
    np.testing.assert_array_equal(resumed.intervals_, plain.intervals_)
    assert resumed.result_.probes == plain.result_.probes
    assert resumed.result_.thresholds == plain.result_.thresholds

    with pytest.raises(CheckpointError, match="alpha"):
        model(alpha=0.1, checkpoint=tmp_path / "journal").fit(*xor)
    with pytest.raises(CheckpointError, match="other data"):
        MetricRelevance(np.eye(6), random_state=0, checkpoint=tmp_path / "journal").fit(*xor)
    with pytest.raises(ParameterError, match="random_state"):
        model(random_state=None, checkpoint=tmp_path / "other").fit(*xor)


@pytest.mark.parametrize("interruption", [KeyboardInterrupt(), Interrupted()])
@pytest.mark.parametrize("there", ["learner", "dimension"])
def test_an_interruption_before_any_interval_is_a_plain_one(xor, there, interruption):
    def stop(stage, share, note=""):
        if stage == there:
            raise interruption

    with pytest.raises(KeyboardInterrupt) as caught:
        model(progress=stop).fit(*xor)
    assert not isinstance(caught.value, Interrupted)


def test_an_interruption_between_two_rows_reports_constant_columns_alone(xor):
    X, y = xor

    def stop(stage, share, note=""):
        if stage == "bounds":
            raise KeyboardInterrupt

    learner = GMLVQ(n_prototypes=2, rank=2, n_starts=1, random_state=0)
    with pytest.raises(Interrupted) as caught:
        MetricRelevance(learner, effective_dimension=3, random_state=0, progress=stop).fit(np.c_[X, np.ones(200)], y)
    assert [f.name for f in caught.value.partial.features] == ["x6"]
    assert caught.value.partial.unfinished == tuple(f"x{j}" for j in range(6))


@pytest.mark.slow
def test_two_processes_share_folds_and_probes(xor):
    one, two = (model(n_jobs=jobs).fit(*xor) for jobs in (None, 2))
    np.testing.assert_array_equal(one.intervals_, two.intervals_)
    assert one.result_.probes == two.result_.probes
    np.testing.assert_array_equal(one.dimension_curve_.errors, two.dimension_curve_.errors)


class TestSampleWeights:
    def test_a_whole_weight_is_a_row_written_down_so_often(self):
        X, y = load_iris(return_X_y=True)
        weights = np.random.default_rng(0).integers(0, 4, len(y))
        learner = GMLVQ(rank=1, n_starts=1, tol=1e-8)
        options = {"effective_dimension": 3, "probes": "fixed", "n_probes": 5, "random_state": 0}
        weighted = MetricRelevance(learner, **options).fit(X, y, sample_weight=weights)
        repeated = MetricRelevance(learner, **options).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
        np.testing.assert_allclose(weighted.intervals_, repeated.intervals_, atol=1e-3)
        np.testing.assert_allclose(weighted.eigenvalues_, repeated.eigenvalues_, atol=1e-6)
        np.testing.assert_array_equal(weighted.predict(X), repeated.predict(X))

    @pytest.mark.slow
    def test_they_count_in_folds_and_refitted_probes(self, xor):
        X, y = xor
        weights = np.where(X[:, 0] > 0, 3.0, 1.0)
        plain, weighted = (model(n_probes=5).fit(X, y, sample_weight=v) for v in (None, weights))
        assert weighted.effective_dimension_ == plain.effective_dimension_ == 3
        assert list(weighted.relevance_[3:]) == [2, 0, 0]
        assert not np.array_equal(weighted.result_.probes["hi"], plain.result_.probes["hi"])

    @pytest.mark.slow
    def test_equal_weights_are_none(self, xor):
        plain, weighted = (
            MetricRelevance(LMNN(rank=1), effective_dimension=3, probes="fixed", random_state=0).fit(*xor, v)
            for v in (None, np.full(200, 2.0))
        )
        np.testing.assert_array_equal(plain.intervals_, weighted.intervals_)

    @pytest.mark.parametrize(
        ("learner", "named"),
        [(LMNN(), "LMNN"), (NeighborhoodComponentsAnalysis(), "Neighborhood"), (np.eye(6), "a map")],
    )
    def test_learners_that_cannot_weigh_samples_refuse(self, xor, learner, named):
        with pytest.raises(ParameterError, match=f"sample_weight cannot be used with .*{named}"):
            MetricRelevance(learner, effective_dimension=3).fit(*xor, sample_weight=np.arange(200))


@pytest.mark.slow
def test_given_folds_are_used(xor):
    X, y = xor
    splitter = StratifiedKFold(4, shuffle=True, random_state=1)
    by_splitter = model(cv=splitter, probes="fixed").fit(X, y)
    by_folds = model(cv=list(splitter.split(X, y)), probes="fixed").fit(X, y)
    assert by_splitter.dimension_curve_.errors.shape[0] == 4
    np.testing.assert_array_equal(by_splitter.dimension_curve_.errors, by_folds.dimension_curve_.errors)
    assert json.loads(by_splitter.result_.to_json())["parameters"]["cv"].startswith("StratifiedKFold")
    weights = np.where(np.arange(200) < 100, 1.0, 0.0)
    assert model(cv=splitter, probes="fixed").fit(X, y, weights).dimension_curve_.repeats == 1


def test_the_result_has_the_common_form(xor):
    fitted = model(probes="fixed").fit(*xor)
    result = fitted.result_
    np.testing.assert_array_equal(fitted.support_, fitted.relevance_ > 0)
    np.testing.assert_array_equal(fitted.support_, fitted.get_support())
    assert set(result.probes) == {"kind", "sources", "lo", "hi", "lost"}
    assert len(result.probes["sources"]) == len(result.probes["hi"]) == 6
    np.testing.assert_array_equal(np.negative(result.probes["lo"]), result.probes["hi"])
    assert result.budgets == {"kind": "equivalent rows", "delta_norm": 0.01}
    assert result.parameters["control"] == "familywise"
    assert RelevanceResult.from_json(result.to_json()) == result
