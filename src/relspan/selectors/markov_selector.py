"""From a table to a search for parents, children and spouses: the part that HITON-PC and HITON share."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from relspan.arrays import Bools
from relspan.checks import features, flag, number, one_of, whole
from relspan.errors import ParameterError, RelspanWarning
from relspan.markov.blanket import BlanketSearch
from relspan.markov.independence_choice import MOST_BINS, TESTS, IndependenceChoice, choose_test
from relspan.markov.outcomes import PCResult
from relspan.markov.parents_and_children import SearchLimits
from relspan.progress import ProgressChoice, reporter
from relspan.selectors.selector import Selector, mask_of


class MarkovSelector(Selector):
    """Chooses the independence test, runs a `BlanketSearch` with y as the last variable, and stores what it found."""

    _tests: Sequence[str] = TESTS

    def __init__(
        self,
        *,
        alpha: float = 0.05,
        max_k: int = 3,
        test: str = "auto",
        variant: str = "semi-interleaved",
        symmetric: bool = False,
        discrete_features: str | Sequence[Any] | Bools = "auto",
        discrete_target: str | bool = "auto",
        n_bins: int | None = None,
        samples_per_df: float = 5.0,
        max_tests: int | None = None,
        max_pc: int | None = None,
        progress: ProgressChoice = None,
    ) -> None:
        self.alpha = alpha
        self.max_k = max_k
        self.test = test
        self.variant = variant
        self.symmetric = symmetric
        self.discrete_features = discrete_features
        self.discrete_target = discrete_target
        self.n_bins = n_bins
        self.samples_per_df = samples_per_df
        self.max_tests = max_tests
        self.max_pc = max_pc
        self.progress = progress

    def _check_parameters(self) -> None:
        """Refuse parameters that mean nothing, before the table is read."""
        SearchLimits(self.alpha, self.max_k, self.variant, self.max_pc)
        one_of("test", self.test, self._tests)
        flag("symmetric", self.symmetric)
        number("samples_per_df", self.samples_per_df, at_least=0, hint="5 is usual")
        if self.n_bins is not None:
            whole("n_bins", self.n_bins, at_least=2, at_most=MOST_BINS)
        if self.max_tests is not None:
            whole("max_tests", self.max_tests, at_least=1, hint="None sets no limit")
        reporter(self.progress)
        asked = self.discrete_target
        if not isinstance(asked, (bool, np.bool_)) and not (isinstance(asked, str) and asked == "auto"):
            raise ParameterError(f"discrete_target must be 'auto', True or False, not {asked!r}")
        chosen = self.discrete_features
        if not isinstance(chosen, Iterable) or (isinstance(chosen, str) and chosen != "auto"):
            raise ParameterError(f"discrete_features must be 'auto', a mask or a list of columns, not {chosen!r}")

    def _read(self, X: Any, y: Any) -> tuple[npt.NDArray[np.generic], npt.NDArray[np.generic]]:
        """The table and the target as arrays, once the parameters are known to mean something."""
        self._check_parameters()
        self.target_name_ = str(getattr(y, "name", None) or "the target")
        return self._validate(X, y)

    def _choice(
        self, X: npt.NDArray[np.generic], y: npt.NDArray[np.generic], test: str, n_bins: int | None
    ) -> IndependenceChoice:
        """The independence test over the table, with y as the last variable."""
        return choose_test(
            X,
            y,
            test=test,
            discrete=self._discrete_mask(),
            target_discrete=None if isinstance(self.discrete_target, str) else bool(self.discrete_target),
            n_bins=n_bins,
            samples_per_df=self.samples_per_df,
            names=self._feature_names,
        )

    def _search(self, choice: IndependenceChoice) -> BlanketSearch:
        """The search with a test."""
        return BlanketSearch(
            choice.test,
            alpha=self.alpha,
            max_k=self.max_k,
            variant=self.variant,
            symmetric=self.symmetric,
            max_tests=self.max_tests,
            max_pc=self.max_pc,
            progress=reporter(self.progress),
            name_of=self._name_of,
        )

    def _discrete_mask(self) -> Bools | None:
        """Which features are discrete; None where the values decide."""
        chosen = self.discrete_features
        if isinstance(chosen, str):
            return None
        given = list(chosen)
        if given and all(isinstance(one, (bool, np.bool_)) for one in given):
            if len(given) != self.n_features_in_:
                raise ParameterError(f"discrete_features has shape ({len(given)},) for {self.n_features_in_} columns")
            return np.array(given)
        columns = [self._column_of(column) for column in features("discrete_features", given)]
        return mask_of(columns, self.n_features_in_)

    def _store(
        self, choice: IndependenceChoice, search: BlanketSearch, members: Sequence[int], stopped: str | None
    ) -> None:
        """Set the fitted attributes that both searches have."""
        self.test_, self.discrete_ = choice.name, choice.discrete
        self.n_tests_ = search.n_tests
        self.n_conditional_tests_ = search.counted.n_conditional
        self.stopped_ = stopped
        self.support_ = mask_of(members, self.n_features_in_)
        self.members_ = [self._name_of(x) for x in members]
        if stopped is not None:
            warnings.warn(f"partial result: {stopped}", RelspanWarning, stacklevel=3)

    def _name_of(self, variable: int) -> str:
        if variable == self.n_features_in_:
            return self.target_name_
        given = getattr(self, "feature_names_in_", None)  # without building all the names: there may be many
        return f"x{variable}" if given is None else str(given[variable])

    def _separating_sets(self, pc: PCResult) -> dict[str, tuple[str, ...]]:
        return {self._name_of(x): tuple(self._name_of(s) for s in found.given) for x, found in pc.separations.items()}
