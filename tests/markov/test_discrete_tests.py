"""G2 and chi2 from contingency tables, counted two ways."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from relspan.errors import ParameterError
from relspan.markov import TableTest
from relspan.markov.contingency import DiscreteColumns
from relspan.markov.independence import CountedTest

DATA = Path(__file__).parents[1] / "data" / "hiton"


def slow_table(columns, x, t, given):
    """One count at a time."""
    table = {}
    for row in columns:
        key = (tuple(row[list(given)]), row[t], row[x])
        table[key] = table.get(key, 0) + 1
    return table


def by_scipy(data, x, t, given, kind):
    """Sum over the strata of scipy's contingency tests; empty rows and columns removed."""
    total, df = 0.0, 0
    strata = np.unique(data[:, list(given)], axis=0, return_inverse=True)[1] if given else np.zeros(len(data), int)
    for s in np.unique(strata):
        table = stats.contingency.crosstab(data[strata == s, x], data[strata == s, t]).count
        if min(table.shape) > 1:
            found = stats.chi2_contingency(table, correction=False, lambda_=kind)
            total, df = total + found.statistic, df + found.dof
    return total, df


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 200),
    levels=st.lists(st.integers(1, 5), min_size=4, max_size=7),
    size=st.integers(0, 3),
)
def test_tables_equal_counting_by_hand(seed, n, levels, size):
    random = np.random.default_rng(seed)
    data = np.stack([random.integers(0, k, n) for k in levels], axis=1)
    columns = DiscreteColumns([data[:, :2], data[:, 2:]])
    candidates = np.array([j for j in range(data.shape[1]) if j > size], dtype=int)
    given = tuple(range(1, 1 + size))
    seen = []
    for positions, counts in columns.tables(candidates, 0, given):
        for position, table in zip(positions, counts, strict=True):
            slow = slow_table(data, candidates[position], 0, given)
            assert sorted(table[table > 0]) == sorted(slow.values())
            seen.append(int(position))
    assert sorted(seen) == list(range(len(candidates)))


@pytest.mark.parametrize("size", [0, 1, 3])
def test_packed_and_plain_counting_agree(size):
    """A column of three levels among the conditions or candidates turns popcounts of bits into other ways to count."""
    random = np.random.default_rng(1)
    data = (random.random((777, 300)) < 0.3).astype(int)
    given = tuple(range(1, 1 + size))
    candidates = np.arange(4, 300)
    bits = TableTest([data]).evidence(candidates, 0, given)
    for kept in (candidates[:1], candidates[:20], candidates):
        columns = DiscreteColumns([data])
        columns._is_packed = columns._is_packed.copy()
        for way in ("bits", "masks", "bincount"):
            if way == "masks":  # the target is no longer known to be two-valued: masks come from the codes
                columns._wide, columns._is_packed[0], columns._row[0] = data[:, [0]].T.astype(np.int32), False, 0
            if way == "bincount":
                columns._wide, columns._is_packed[:] = data.T.astype(np.int32), False
                columns._row = np.arange(300)
            test = TableTest([data])
            test.columns = columns
            found = test.evidence(kept, 0, given)
            np.testing.assert_array_equal(found.statistic, bits.statistic[: len(kept)], err_msg=way)
            np.testing.assert_array_equal(found.df, bits.df[: len(kept)], err_msg=way)


@pytest.mark.parametrize("statistic", ["g2", "chi2"])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_several_sets_at_once_equal_one_by_one(statistic, size):
    random = np.random.default_rng(3)
    data = (random.random((150, 9)) < random.uniform(0.1, 0.9, 9)).astype(int)
    data[:, 8] = 1  # constant
    test = TableTest([data], statistic=statistic)
    assert test.takes_set_batches
    candidates, sets = np.array([1, 2, 8]), [(3, 4, 5)[:size], (8, 3, 6)[:size], (7, 6, 5)[:size]]
    together = test.evidence_of_sets(candidates, 0, sets)
    for row, one in enumerate(sets):
        alone = test.evidence(candidates, 0, one)
        for part in ("log_p", "statistic", "df", "reliable"):
            np.testing.assert_allclose(getattr(together, part)[row], getattr(alone, part), atol=1e-10)


def test_of_a_candidate_that_is_in_the_set_nothing_is_asked():
    data = np.random.default_rng(4).integers(0, 2, size=(100, 5))
    counted = CountedTest(TableTest([data]))
    found = counted.evidence_of_sets(np.array([1, 2, 3]), 0, [(1, 4), (2, 3)])
    assert counted.n_conditional == 3
    assert found.reliable.tolist() == [[False, True, True], [True, False, False]]


def test_stored_values_of_alarm_to_1e_8():
    data = np.loadtxt(DATA / "alarm_n5000_s0.csv", delimiter=",", skiprows=1, dtype=int)
    fixture = json.loads((DATA / "alarm_n5000_s0_g2_fixture.json").read_text())
    assert len(fixture) == 400
    test = TableTest([data])
    found = [test.evidence(np.array([f["x"]]), f["y"], f["S"]) for f in fixture]
    np.testing.assert_allclose([e.statistic[0] for e in found], [f["g2"] for f in fixture], rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(np.exp([e.log_p[0] for e in found]), [f["p"] for f in fixture], rtol=1e-8, atol=1e-300)


@pytest.mark.parametrize(("statistic", "kind"), [("g2", "log-likelihood"), ("chi2", "pearson")])
@pytest.mark.parametrize("given", [(), (2,), (2, 3), (2, 3, 4)])
def test_equals_scipy_summed_over_the_strata(statistic, kind, given):
    random = np.random.default_rng(len(given))
    data = random.integers(0, [3, 4, 2, 3, 3, 2, 5], size=(400, 7))
    data[:, 5] = (data[:, 0] + (random.random(400) < 0.4)) % 2
    evidence = TableTest([data], statistic=statistic).evidence(np.array([1, 5, 6]), 0, given)
    for i, x in enumerate([1, 5, 6]):
        expected, df = by_scipy(data, x, 0, given, kind)
        assert evidence.statistic[i] == pytest.approx(expected, rel=1e-10)
        assert evidence.df[i] == df
        assert evidence.log_p[i] == pytest.approx(stats.chi2.logsf(expected, df), rel=1e-9)


def test_symmetric_in_x_and_t_and_blind_to_the_names_of_levels():
    random = np.random.default_rng(3)
    data = random.integers(0, [3, 4, 3], size=(300, 3))
    renamed = np.array([[7, -2, 5, 11][v] for v in data.ravel()]).reshape(data.shape)
    forward = TableTest([data]).evidence(np.array([1]), 0, (2,))
    back = TableTest([data]).evidence(np.array([0]), 1, (2,))
    other = TableTest([renamed]).evidence(np.array([1]), 0, (2,))
    assert forward.statistic[0] == pytest.approx(back.statistic[0], rel=1e-12)
    assert forward.statistic[0] == pytest.approx(other.statistic[0], rel=1e-12)
    assert forward.df[0] == back.df[0] == other.df[0]


def test_constant_columns_and_determined_strata_have_p_1():
    random = np.random.default_rng(4)
    x = random.integers(0, 2, 100)
    data = np.stack([x, np.zeros(100, int), x, random.integers(0, 2, 100)], axis=1)
    evidence = TableTest([data]).evidence(np.array([1, 3]), 0, (2,))  # given its copy, the target is constant
    assert evidence.log_p.tolist() == [0.0, 0.0]
    assert evidence.df.tolist() == [0.0, 0.0]
    assert evidence.independent(0.05).all()


def test_too_few_samples_say_nothing():
    random = np.random.default_rng(5)
    data = random.integers(0, 4, size=(40, 2))
    evidence = TableTest([data]).evidence(np.array([1]), 0, ())
    assert evidence.df[0] == 9  # 45 samples would be needed
    assert not evidence.independent(0.05)[0]
    assert not evidence.dependent(0.9999999)[0]
    assert TableTest([data], samples_per_df=4).evidence(np.array([1]), 0, ()).reliable[0]


def test_unknown_statistic():
    with pytest.raises(ParameterError, match="statistic must be one of g2, chi2"):
        TableTest([np.zeros((3, 2))], statistic="g")
