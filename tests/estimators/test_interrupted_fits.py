"""Fits that are killed or interrupted, in processes of their own, and what is left of them."""

from __future__ import annotations

import signal
import subprocess
import sys
import warnings
from dataclasses import replace

import numpy as np
import pytest

from relspan import RelevanceClassifier
from relspan.analysis import intervals, screening
from relspan.analysis.checkpoint import CheckpointError
from relspan.analysis.intervals import FEATURES_PER_WIDE_BLOCK
from relspan.engines import ENGINES
from relspan.engines.simplex.exact_engine import ExactEngine
from relspan.errors import ParameterError, RelspanWarning
from relspan.progress import Interrupted
from relspan.result import RelevanceResult
from relspan.simulate import simulate

# a close call is warned of here, and is not what is tested
pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")

SETTINGS = {"C": None, "n_probes": 60, "all_probes": True, "random_state": 0, "engine": "exact"}
SHAPE = (60, 2, 2, 70)  # three blocks of features, three of probes

# Fits until a stage has come to a share, says so, and waits for its end.
CHILD = f"""
import sys, time
from relspan import RelevanceClassifier
from relspan.simulate import simulate
path, stage, share = sys.argv[1], sys.argv[2], float(sys.argv[3])

def progress(now, done, note):
    if now == stage and done >= share:
        print("here", flush=True)
        time.sleep(600)

data = simulate(*{SHAPE}, random_state=0)
RelevanceClassifier(**{SETTINGS}, checkpoint=path or None, progress=progress).fit(data.X, data.y)
"""


@pytest.fixture(scope="module")
def data():
    return simulate(*SHAPE, random_state=0)


@pytest.fixture(scope="module")
def uninterrupted(data):
    with warnings.catch_warnings(action="ignore", category=RelspanWarning):
        return RelevanceClassifier(**SETTINGS).fit(data.X, data.y)


def end_in_the_middle(path, stage, share, how):
    """Run the child until it is there, and send it a signal."""
    words = [sys.executable, "-c", CHILD, str(path), stage, str(share)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "here\n", child.stderr.read()
        child.send_signal(how)
        return child.wait(60)


@pytest.fixture
def solved(monkeypatch):
    """Counts the programs of features and of probes that engines solve, and the baselines."""
    counts = {"bounds": 0, "probes": 0}

    class Counting(ExactEngine):
        def maxima(self, directions):
            counts["bounds"] += len(directions)
            return super().maxima(directions)

        def appended(self, columns):
            counts["probes"] += 2 * columns.shape[1]
            return super().appended(columns)

    monkeypatch.setitem(ENGINES, "exact", Counting)
    return counts


def same(one: RelevanceResult, other: RelevanceResult) -> bool:
    """Equal in everything but seconds and the checkpoint's name."""
    parameters = {**one.parameters, "checkpoint": None}
    return replace(one, seconds={}, parameters=parameters) == replace(other, seconds={})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stage", "share", "left"),
    [
        ("bounds", 2 / 3, {"bounds": 2 * (74 - 64), "probes": 2 * 60}),
        ("probes", 1 / 3, {"bounds": 0, "probes": 2 * (60 - 25)}),
        ("probes", 1.0, {"bounds": 0, "probes": 0}),
    ],
)
def test_a_killed_fit_goes_on_without_repeating_what_was_finished(
    tmp_path, data, uninterrupted, solved, stage, share, left
):
    path = tmp_path / "c.jsonl"
    assert end_in_the_middle(path, stage, share, signal.SIGKILL) == -signal.SIGKILL
    stages = []
    again = RelevanceClassifier(
        **SETTINGS, checkpoint=path, progress=lambda stage, share, note: stages.append((stage, share))
    ).fit(data.X, data.y)
    assert solved == left
    assert "baseline" not in dict(stages)
    assert stages == sorted(stages)
    assert same(again.result_, uninterrupted.result_)
    mine, theirs = again.result_.certificates.extremes, uninterrupted.result_.certificates.extremes
    np.testing.assert_array_equal(mine.hinge_multipliers, theirs.hinge_multipliers)
    assert again.result_.certificates.verify() < 1e-6


@pytest.mark.slow
def test_more_workers_may_go_on(tmp_path, data, uninterrupted):
    path = tmp_path / "c.jsonl"
    end_in_the_middle(path, "bounds", 1 / 3, signal.SIGKILL)
    again = RelevanceClassifier(**SETTINGS, checkpoint=path, n_jobs=2).fit(data.X, data.y)
    assert same(replace(again.result_, parameters=uninterrupted.result_.parameters), uninterrupted.result_)


def test_a_checkpoint_of_anything_else_is_refused(tmp_path, data):
    quick = {"C": 1.0, "n_probes": 5, "random_state": 0, "checkpoint": tmp_path / "c.jsonl"}
    RelevanceClassifier(**quick).fit(data.X[:, :5], data.y)
    RelevanceClassifier(**{**quick, "C": np.float64(1.0), "n_jobs": 1}).fit(data.X[:, :5], data.y)
    with pytest.raises(CheckpointError, match="other data"):
        RelevanceClassifier(**quick).fit(data.X[:, :5] + 1e-9, data.y)
    with pytest.raises(CheckpointError, match="other data"):
        RelevanceClassifier(**quick).fit(data.X[:, :5], data.y, sample_weight=np.full(len(data.y), 2.0))
    with pytest.raises(CheckpointError, match=r"delta_norm was 0\.1, is 0\.2"):
        RelevanceClassifier(**quick, delta_norm=0.2).fit(data.X[:, :5], data.y)
    with pytest.raises(CheckpointError, match="random_state was 0, is 1"):
        RelevanceClassifier(**{**quick, "random_state": 1}).fit(data.X[:, :5], data.y)


@pytest.mark.parametrize("seed", [None, np.random.RandomState(0)])
def test_a_checkpoint_needs_a_seed(tmp_path, data, seed):
    with pytest.raises(ParameterError, match="whole number as random_state"):
        RelevanceClassifier(random_state=seed, checkpoint=tmp_path / "c").fit(data.X, data.y)
    assert list(tmp_path.iterdir()) == []


class Interrupt:
    """Progress that ends in Ctrl-C."""

    def __init__(self, stage, share):
        self.there = stage, share

    def __call__(self, stage, share, note):
        if stage == self.there[0] and share >= self.there[1]:  # a forecast, on a busy machine, has no share
            signal.raise_signal(signal.SIGINT)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stage", "share", "finished"), [("bounds", 1 / 3, 32), ("bounds", 1, 74), ("probes", 0.3, 74)]
)
def test_an_interrupted_fit_tells_what_is_proven(data, uninterrupted, stage, share, finished):
    X = np.column_stack([np.zeros(len(data.X)), data.X])  # a constant column is known at once
    with pytest.raises(KeyboardInterrupt) as caught:
        RelevanceClassifier(**SETTINGS, progress=Interrupt(stage, share)).fit(X, data.y)
    assert isinstance(caught.value, Interrupted)
    result = caught.value.partial
    assert result.partial
    assert [f.name for f in result.features] == [f"x{j}" for j in range(finished + 1)]
    assert list(result.unfinished) == [f"x{j}" for j in range(finished + 1, 75)]
    assert {f.relevance for f in result.features} == {"undecided"}
    assert (result.features[0].min, result.features[0].max) == (0, 0)
    for found, whole in zip(result.features[1:], uninterrupted.result_.features, strict=False):
        assert (found.lo, found.hi, found.gap_lo) == (whole.lo, whole.hi, whole.gap_lo)
    assert dict(result.thresholds) == dict(result.probes) == {}
    assert RelevanceResult.from_json(result.to_json()) == result
    assert f"before {len(result.unfinished)} more intervals" in str(result)


def test_an_interruption_before_anything_is_proven_is_a_plain_one(data):
    with pytest.raises(KeyboardInterrupt) as caught:
        RelevanceClassifier(**SETTINGS, progress=Interrupt("baseline", 0)).fit(data.X, data.y)
    assert not isinstance(caught.value, Interrupted)


@pytest.mark.parametrize("interruption", [KeyboardInterrupt(), Interrupted(), Interrupted({"a": "block"})])
def test_so_is_one_that_progress_raises_there(data, interruption):
    def stop(stage, share, note):
        if stage == "baseline":
            raise interruption

    with pytest.raises(KeyboardInterrupt) as caught:
        RelevanceClassifier(**SETTINGS, progress=stop).fit(data.X, data.y)
    assert not isinstance(caught.value, Interrupted), "what a user catches as Interrupted holds a partial result"


@pytest.mark.parametrize("interruption", [KeyboardInterrupt(), Interrupted()])
def test_one_that_progress_raises_later_brings_the_partial_result(data, interruption):
    def stop(stage, share, note):
        if stage == "bounds":
            raise interruption

    with pytest.raises(Interrupted) as caught:
        RelevanceClassifier(**{**SETTINGS, "C": 1.0}, progress=stop).fit(data.X[:, :6], data.y)
    assert caught.value.partial.partial
    assert caught.value.partial.task == "classification"


@pytest.mark.slow
def test_after_an_interruption_a_checkpoint_goes_on(tmp_path, data, uninterrupted, solved):
    path = tmp_path / "c.jsonl"
    with pytest.raises(Interrupted):
        RelevanceClassifier(**SETTINGS, checkpoint=path, progress=Interrupt("bounds", 2 / 3)).fit(data.X, data.y)
    assert solved == {"bounds": 2 * 64, "probes": 0}
    again = RelevanceClassifier(**SETTINGS, checkpoint=path).fit(data.X, data.y)
    assert solved == {"bounds": 2 * 74, "probes": 2 * 60}
    assert same(again.result_, uninterrupted.result_)


@pytest.mark.slow
def test_a_whole_result_is_not_partial(uninterrupted):
    assert not uninterrupted.result_.partial
    assert uninterrupted.result_.unfinished == ()
    assert '"partial": false' in uninterrupted.result_.to_json()


@pytest.fixture(scope="module")
def wide():
    """A table whose features are visited in an order of their own, in two blocks."""
    data = simulate(40, 2, 2, 296, random_state=0)
    settings = {"C": 1.0, "n_probes": 5, "random_state": 0, "engine": "exact"}
    with warnings.catch_warnings(action="ignore", category=RelspanWarning):
        return data, settings, RelevanceClassifier(**settings).fit(data.X, data.y).result_


@pytest.mark.slow
def test_an_interrupted_fit_of_a_wide_table_names_the_right_features(wide, tmp_path):
    data, settings, whole = wide
    path = tmp_path / "c.jsonl"
    with pytest.raises(Interrupted) as caught:
        RelevanceClassifier(**settings, checkpoint=path, progress=Interrupt("bounds", 0.5)).fit(data.X, data.y)
    result = caught.value.partial
    assert (len(result.features), len(result.unfinished)) == (FEATURES_PER_WIDE_BLOCK, 300 - FEATURES_PER_WIDE_BLOCK)
    names = [f.name for f in whole.features]
    assert [f.name for f in result.features] != names[:FEATURES_PER_WIDE_BLOCK]
    assert sorted([f.name for f in result.features] + list(result.unfinished)) == sorted(names)
    for found in result.features:
        assert (found.lo, found.hi, found.gap_lo) == (
            whole[found.name].lo,
            whole[found.name].hi,
            whole[found.name].gap_lo,
        )
    again = RelevanceClassifier(**settings, checkpoint=path).fit(data.X, data.y).result_
    assert same(again, whole)
    assert again.certificates.verify() < 1e-6


@pytest.mark.slow
def test_a_block_of_other_features_is_solved_again(wide, tmp_path, monkeypatch):
    """Another machine may round otherwise and visit features in another order; its blocks are others."""
    data, settings, whole = wide
    path = tmp_path / "c.jsonl"
    with pytest.raises(Interrupted):
        RelevanceClassifier(**settings, checkpoint=path, progress=Interrupt("bounds", 0.5)).fit(data.X, data.y)
    monkeypatch.setattr(intervals, "nearest_neighbour_chain", lambda features, either_sign: np.arange(300))
    again = RelevanceClassifier(**settings, checkpoint=path).fit(data.X, data.y).result_
    for found, right in zip(again.features, whole.features, strict=True):
        assert (found.lo, found.hi) == pytest.approx((right.lo, right.hi), abs=1e-7)


@pytest.mark.slow
def test_screening_goes_on_too(wide, tmp_path, solved, monkeypatch):
    """Rounds of screening depend on one another; a run that goes on finds the same rounds."""
    monkeypatch.setattr(screening, "FEATURES_PER_ROUND", 3)
    data, settings, _ = wide
    settings, path = {**settings, "screen": True, "alpha": 0.3}, tmp_path / "c.jsonl"  # many features may be relevant
    whole = RelevanceClassifier(**settings).fit(data.X, data.y).result_
    programs, probes_ = solved["bounds"], solved["probes"]
    with pytest.raises(Interrupted) as caught:
        RelevanceClassifier(**settings, checkpoint=path, progress=Interrupt("bounds", 0.965)).fit(data.X, data.y)
    some = caught.value.partial.features
    assert 3 <= len(some) < programs / 2
    for found in some:
        assert (found.lo, found.hi) == (whole[found.name].lo, whole[found.name].hi)
    again = RelevanceClassifier(**settings, checkpoint=path).fit(data.X, data.y).result_
    assert same(again, whole)
    assert solved == {"bounds": 2 * programs, "probes": 2 * probes_}
