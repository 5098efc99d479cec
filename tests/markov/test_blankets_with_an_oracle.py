"""With d-separation as the test the searches must find the truth, and fail where theory says they fail."""

import json
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from relspan.errors import DataError
from relspan.markov import BlanketSearch, DSeparation

NETWORKS = json.loads((Path(__file__).parents[1] / "data" / "hiton" / "networks.json").read_text())
ORACLES = {name: DSeparation(parents) for name, parents in NETWORKS.items()}  # shared: they remember their answers
SIZES = {"asia": 8, "child": 20, "insurance": 27, "alarm": 37}

# T -> A, B -> A, A -> C, B -> C
COUNTER_EXAMPLE = {"T": [], "B": [], "A": ["T", "B"], "C": ["A", "B"]}


def separated_in_the_moral_graph(oracle, x, t, given):
    """The textbook twin: moralise the graph of the ancestors, delete S, look for a path."""
    relevant, stack = set(), [x, t, *given]
    while stack:
        v = stack.pop()
        if v not in relevant:
            relevant.add(v)
            stack += oracle.parents[v]
    neighbours = {v: set() for v in relevant}
    for v in relevant:
        family = [*oracle.parents[v], v]
        for a, b in combinations(family, 2):
            neighbours[a].add(b)
            neighbours[b].add(a)
    reached, stack = {t}, [t]
    while stack:
        for w in neighbours[stack.pop()] - reached - set(given):
            reached.add(w)
            stack.append(w)
    return x not in reached


def random_graph(seed, size=9):
    random = np.random.default_rng(seed)
    names = [f"v{i}" for i in range(size)]
    return {name: [names[j] for j in range(i) if random.random() < 0.3] for i, name in enumerate(names)}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_d_separation_equals_the_moral_graph(seed):
    oracle = DSeparation(random_graph(seed))
    everything = range(oracle.n_variables)
    for t, x in combinations(everything, 2):
        for size in range(4):
            for given in combinations([v for v in everything if v not in (t, x)], size):
                found = oracle.evidence(np.array([x]), t, given).independent(0.05)[0]
                assert found == separated_in_the_moral_graph(oracle, x, t, given)


@cache
def search(network, variant):
    return BlanketSearch(ORACLES[network], max_k=3, symmetric=True, variant=variant)


@cache
def blanket(network, target, variant="semi-interleaved"):
    return search(network, variant).blanket(target)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("network", "variant"),
    [*((name, "semi-interleaved") for name in NETWORKS), ("asia", "interleaved"), ("child", "interleaved")],
)
def test_every_blanket_is_exact_with_symmetry(network, variant):
    oracle = ORACLES[network]
    assert oracle.n_variables == SIZES[network]
    for target in range(oracle.n_variables):
        result = blanket(network, target, variant)
        assert set(result.members) == oracle.blanket(target), oracle.names[target]
        assert set(result.pc.members) == set(oracle.parents[target]) | set(oracle.children[target])


@pytest.mark.slow
@pytest.mark.parametrize("network", NETWORKS)
def test_roles_that_are_told_are_true(network):
    oracle = ORACLES[network]
    told = 0
    for target in range(oracle.n_variables):
        for x, role in blanket(network, target).roles.items():
            if role == "parent":
                assert x in oracle.parents[target]
            elif role == "child":
                assert x in oracle.children[target]
            elif role == "spouse":
                assert set(oracle.children[x]) & set(oracle.children[target])
            told += role in ("parent", "child")
    assert told > 0


@pytest.mark.slow
def test_without_symmetry_alarm_is_exact_for_28_of_37_with_39_false_positives():
    oracle = ORACLES["alarm"]
    search = BlanketSearch(oracle, symmetric=False)
    pairs = [(set(search.blanket(t).members), oracle.blanket(t)) for t in range(37)]
    assert sum(found == truth for found, truth in pairs) == 28
    assert sum(len(found - truth) for found, truth in pairs) == 39
    assert all(truth <= found for found, truth in pairs)


@pytest.mark.parametrize(("symmetric", "blanket"), [(False, {"A", "B", "C"}), (True, {"A", "B"})])
def test_the_counter_example_both_ways(symmetric, blanket):
    oracle = DSeparation(COUNTER_EXAMPLE)
    result = BlanketSearch(oracle, symmetric=symmetric).blanket(0)
    assert {oracle.names[x] for x in result.members} == blanket
    assert oracle.blanket(0) == {1, 2}


def test_symmetry_says_what_removed_the_descendant():
    result = BlanketSearch(DSeparation(COUNTER_EXAMPLE), symmetric=True).pc(0)
    assert result.members == [2]
    assert set(result.separations[3].given) == {1, 2}  # seen from C: T is independent of it given A and B
    assert result.separations[3].phase == "symmetry"


def test_every_common_child_of_a_spouse_is_found():
    graph = {"T": [], "X": [], "A": ["T", "X"], "B": ["T", "X"], "Y": [], "C": ["T", "Y"]}
    result = BlanketSearch(DSeparation(graph)).blanket(0)
    assert {x: set(via) for x, via in result.spouses.items()} == {1: {2, 3}, 4: {5}}


def test_a_parent_without_an_entry_is_refused():
    with pytest.raises(DataError, match="'Z' is a parent of 'A'"):
        DSeparation({"A": ["Z"]})
