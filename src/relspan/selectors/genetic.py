"""Genetic search over subsets, with nearest neighbours as the judge.

An individual is a mask of features F with fitness v(F) - size_penalty * |F| / p. Each generation keeps the best (elite)
and fills up with children: two parents by tournament, each feature from either parent with equal chance (uniform
crossover), then each bit flips with probability `mutation`. An empty child gets one feature at random. The search ends
after `generations`, or after `patience` of them without a better individual.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import check_random_state

from relspan.arrays import Bools, Floats
from relspan.errors import ParameterError
from relspan.selectors.selector import Selector
from relspan.selectors.subset_scorer import SubsetScorer


@dataclass(frozen=True)
class Generation:
    """What one generation looked like."""

    best_fitness: float
    mean_fitness: float
    best_size: int
    mean_size: float


class GeneticSearch(Selector):
    """Genetic algorithm over feature subsets.

    Parameters
    ----------
    estimator : scikit-learn classifier or regressor, optional
        None takes five nearest neighbours.
    population : int, default=40
    generations : int, default=30
    patience : int, default=10
        Generations without a better individual before the search ends.
    mutation : float, optional
        Chance that a bit flips; None means one feature on average (1 / p).
    tournament : int, default=3
    elite : int, default=2
    initial_share : float, default=0.5
        Chance that a feature is in an individual of the first generation.
    size_penalty : float, default=0.01
        What the full set pays for its size.
    cv : int, splitter or iterable, default=5
    scoring : str or callable, optional
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    support_ : boolean array of shape (n_features,)
    score_ : float
        Score of the chosen set on the folds that chose it: too good to report.
    fitness_ : float
        The score less the penalty.
    history_ : list of Generation
    n_evaluations_ : int
        Different subsets scored.
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        population: int = 40,
        generations: int = 30,
        patience: int = 10,
        mutation: float | None = None,
        tournament: int = 3,
        elite: int = 2,
        initial_share: float = 0.5,
        size_penalty: float = 0.01,
        cv: Any = 5,
        scoring: Any = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.population = population
        self.generations = generations
        self.patience = patience
        self.mutation = mutation
        self.tournament = tournament
        self.elite = elite
        self.initial_share = initial_share
        self.size_penalty = size_penalty
        self.cv = cv
        self.scoring = scoring
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Evolve subsets of the columns of X."""
        self._check_parameters()
        X, y = self._checked(X, y)
        p = X.shape[1]
        random = check_random_state(self.random_state)
        learner = KNeighborsClassifier() if self.estimator is None else self.estimator
        score = SubsetScorer(learner, X, y, self.cv, self.scoring)

        def fitness_of(masks: Bools) -> Floats:
            return np.array([score(np.flatnonzero(m)) - self.size_penalty * m.sum() / p for m in masks])

        masks = self._not_empty(random.uniform(size=(self.population, p)) < self.initial_share, random)
        fitness = fitness_of(masks)
        self.history_: list[Generation] = []
        best, since = -np.inf, 0
        for _ in range(self.generations + 1):
            order = np.lexsort((masks.sum(axis=1), -fitness))  # the fittest first, the smaller of equals
            masks, fitness = masks[order], fitness[order]
            sizes = masks.sum(axis=1)
            self.history_.append(
                Generation(float(fitness[0]), float(fitness.mean()), int(sizes[0]), float(sizes.mean()))
            )
            since = 0 if fitness[0] > best else since + 1
            best = max(best, float(fitness[0]))
            if since > self.patience or len(self.history_) > self.generations:
                break
            children = self._children(masks, fitness, random)
            masks = np.concatenate([masks[: self.elite], children])
            fitness = np.concatenate([fitness[: self.elite], fitness_of(children)])
        self.support_ = masks[0]
        self.fitness_ = float(fitness[0])
        self.score_ = score(np.flatnonzero(masks[0]))
        self.n_evaluations_ = score.n_evaluations
        return self

    def _children(self, masks: Bools, fitness: Floats, random: Any) -> Bools:
        count, p = self.population - self.elite, masks.shape[1]
        rivals = random.randint(len(masks), size=(2, count, self.tournament))
        winners = np.take_along_axis(rivals, fitness[rivals].argmax(axis=2)[:, :, None], axis=2)[:, :, 0]
        from_first = random.uniform(size=(count, p)) < 0.5
        children = np.where(from_first, masks[winners[0]], masks[winners[1]])
        rate = 1.0 / p if self.mutation is None else self.mutation
        return self._not_empty(children ^ (random.uniform(size=(count, p)) < rate), random)

    @staticmethod
    def _not_empty(masks: Bools, random: Any) -> Bools:
        for i in np.flatnonzero(~masks.any(axis=1)):
            masks[i, random.randint(masks.shape[1])] = True
        return masks

    def _check_parameters(self) -> None:
        for name, least in (("population", 2), ("generations", 1), ("patience", 1), ("tournament", 1), ("elite", 1)):
            if getattr(self, name) < least:
                raise ParameterError(f"{name}={getattr(self, name)!r}: must be {least} or more")
        if self.elite >= self.population:
            raise ParameterError(f"elite={self.elite!r}: must be smaller than population={self.population}")
        if self.mutation is not None and not 0.0 <= self.mutation <= 1.0:
            raise ParameterError(f"mutation={self.mutation!r}: must be between 0 and 1, or None for 1 / n_features")
        if not 0.0 < self.initial_share <= 1.0:
            raise ParameterError(f"initial_share={self.initial_share!r}: must be above 0 and at most 1")
