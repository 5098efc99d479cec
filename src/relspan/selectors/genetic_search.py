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

from relspan.arrays import Bools, Floats
from relspan.checks import MOST_REPETITIONS, number, random_generator, whole
from relspan.selectors.selector import Selector
from relspan.selectors.subset_scorer import SubsetScorer, check_learner


@dataclass(frozen=True)
class Generation:
    """Summary of one generation.

    Attributes
    ----------
    best_fitness : float
        Fitness of the best individual.
    mean_fitness : float
        Mean fitness.
    best_size : int
        Number of features of the best individual.
    mean_size : float
        Mean number of features.
    """

    best_fitness: float
    mean_fitness: float
    best_size: int
    mean_size: float


class GeneticSearch(Selector):
    """Genetic search over feature subsets.

    Parameters
    ----------
    estimator : scikit-learn classifier or regressor, default=None
        The learner; None takes five nearest neighbours.
    population : int, default=40
        Number of individuals per generation.
    generations : int, default=30
        Largest number of generations.
    patience : int, default=10
        Generations without a better individual before the search ends.
    mutation : float, default=None
        Chance that a feature is added to or removed from a child; None means one feature on average (1 / n_features).
    tournament : int, default=3
        Number of individuals among which the fittest becomes a parent.
    elite : int, default=2
        Number of the fittest individuals that the next generation keeps.
    initial_share : float, default=0.5
        Chance that a feature is in an individual of the first generation.
    size_penalty : float, default=0.01
        What the full set pays for its size.
    cv : int, splitter or iterable, default=5
        Folds of the cross-validation.
    scoring : str or callable, default=None
        Score of the cross-validation; None takes the estimator's own.
    random_state : int, RandomState instance or None, default=None
        Seed of the search.

    Attributes
    ----------
    support_ : bool ndarray of shape (n_features,)
        Mask of the selected features.
    score_ : float
        Score of the chosen set on the folds that chose it: too good to report.
    fitness_ : float
        The score less the penalty.
    history_ : list of Generation
        One summary per generation.
    n_evaluations_ : int
        Number of different subsets scored.

    See Also
    --------
    ExhaustiveSearch : Scores every subset where there are few.
    GreedyWrapper : Adds and removes one feature at a time.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from relspan.selectors import GeneticSearch
    >>> X, y = load_iris(return_X_y=True)
    >>> GeneticSearch(population=8, size_penalty=0.1, random_state=0).fit(X, y).get_support()
    array([False, False, False,  True])
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
        """Evolve subsets of the columns of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            The target.

        Returns
        -------
        GeneticSearch
            The fitted selector.
        """
        learner = KNeighborsClassifier() if self.estimator is None else self.estimator
        self._check_parameters()
        check_learner(learner, self.cv, self.scoring)
        random = random_generator("random_state", self.random_state)
        X, y = self._validate(X, y)
        p = X.shape[1]
        score = SubsetScorer(learner, X, y, self.cv, self.scoring)

        def fitness_of(masks: Bools) -> Floats:
            return np.array([score(np.flatnonzero(m)) - float(self.size_penalty) * m.sum() / p for m in masks])

        masks = self._with_a_feature(random.uniform(size=(self.population, p)) < self.initial_share, random)
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
        return self._with_a_feature(children ^ (random.uniform(size=(count, p)) < rate), random)

    @staticmethod
    def _with_a_feature(masks: Bools, random: Any) -> Bools:
        for i in np.flatnonzero(~masks.any(axis=1)):
            masks[i, random.randint(masks.shape[1])] = True
        return masks

    def _check_parameters(self) -> None:
        population = whole("population", self.population, at_least=2, at_most=MOST_REPETITIONS)
        for name in ("generations", "patience", "tournament"):
            whole(name, getattr(self, name), at_least=1, at_most=MOST_REPETITIONS)
        whole("elite", self.elite, at_least=1, at_most=population - 1, hint="the rest of the population are children")
        if self.mutation is not None:
            number("mutation", self.mutation, at_least=0, at_most=1, hint="None means 1 / n_features")
        number("initial_share", self.initial_share, above=0, at_most=1)
        number("size_penalty", self.size_penalty, at_least=0)
