"""The profile's checks can fail; a slow method is not asked for larger tables."""

from __future__ import annotations

import sys

import numpy as np
from benchmarks.accuracy import profile
from benchmarks.speed import methods
from sklearn.datasets import load_breast_cancer


def test_the_thirty_features_are_ten_triples():
    names = list(load_breast_cancer().feature_names)
    triples = profile.triples(names)
    assert len(triples) == 10
    assert sorted(name for members in triples.values() for name in members) == sorted(names)


def test_groups_that_mean_something_are_told_from_random_ones():
    labels = np.repeat(np.arange(5), 3)
    rng = np.random.default_rng(0)
    noise = rng.uniform(0, 0.2, size=(15, 15))
    noise = (noise + noise.T) / 2
    planted = noise + 0.5 * (labels[:, None] == labels[None, :])
    assert profile.chance(planted, labels, 999, 0) == 1 / 1000
    assert profile.chance(noise, labels, 999, 0) > 0.05
    assert profile.chance(-planted, labels, 999, 0) == 1.0
    assert profile.within(planted, labels) > 0.5


def test_sizes_are_asked_from_small_to_large():
    assert methods.ordered(["500x30", "200x10", "200x30"]) == [(200, 10), (200, 30), (500, 30)]


def test_a_method_beyond_the_limit_is_not_asked_again(monkeypatch, capsys):
    asked = []

    def answer(method, X, y, seed, fri_python):
        asked.append((method, X.shape))
        return None, {"relspan": 2.0, "Boruta": 70.0}[method]

    monkeypatch.setattr(methods, "answer", answer)
    monkeypatch.setattr(methods, "lacking", lambda methods: {})
    words = ["methods", "--sizes", "30x10", "20x10", "--methods", "relspan", "Boruta", "--repeat", "2"]
    monkeypatch.setattr(sys, "argv", words)
    methods.main()
    assert asked == [("relspan", (20, 10))] * 2 + [("relspan", (30, 10))] * 2 + [("Boruta", (20, 10))] * 2
    printed = capsys.readouterr().out
    assert "| relspan | 2.00 (1.0) | 2.00 (1.0) |" in printed
    assert "| Boruta | 70.00 (35.0) | not asked |" in printed
    assert "more than 60 s" in printed
