"""From a table to a search for parents, children and spouses: the part that HITON-PC and HITON share."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from relspan.arrays import Bools
from relspan.errors import ParameterError, RelspanWarning
from relspan.markov.blanket import BlanketSearch
from relspan.markov.independence_choice import choose_test
from relspan.markov.outcomes import PCResult
from relspan.selectors.selector import Selector
from relspan.selectors.subset_scorer import mask_of


class MarkovSelector(Selector):
    """Chooses the independence test, runs a `BlanketSearch` with y as the last variable, and keeps what it found."""

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
        progress: bool | Callable[[str], None] = False,
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

    def _search(self, X: Any, y: Any) -> tuple[BlanketSearch, npt.NDArray[np.generic], npt.NDArray[np.generic]]:
        if isinstance(self.discrete_target, str) and self.discrete_target != "auto":
            raise ParameterError(f"discrete_target={self.discrete_target!r}: must be 'auto', True or False")
        self.target_name_ = str(getattr(y, "name", None) or "the target")
        X, y = self._checked(X, y)
        chosen = choose_test(
            X,
            y,
            test=self.test,
            discrete=self._discrete_mask(),
            target_discrete=None if isinstance(self.discrete_target, str) else bool(self.discrete_target),
            n_bins=self.n_bins,
            samples_per_df=self.samples_per_df,
            names=self._names,
        )
        self.test_, self.discrete_ = chosen.name, chosen.discrete
        search = BlanketSearch(
            chosen.test,
            alpha=self.alpha,
            max_k=self.max_k,
            variant=self.variant,
            symmetric=self.symmetric,
            max_tests=self.max_tests,
            max_pc=self.max_pc,
            progress=_say_on_stderr if self.progress is True else self.progress or None,
        )
        return search, X, y

    def _discrete_mask(self) -> Bools | None:
        chosen = self.discrete_features
        if isinstance(chosen, str):
            if chosen != "auto":
                raise ParameterError(f"discrete_features={chosen!r}: must be 'auto', a mask, or a list of columns")
            return None
        if np.asarray(chosen).dtype == bool:
            mask = np.asarray(chosen)
            if mask.shape != (self.n_features_in_,):
                raise ParameterError(f"discrete_features has shape {mask.shape} for {self.n_features_in_} columns")
            return mask
        return mask_of([self._column(c) for c in chosen], self.n_features_in_)

    def _keep(self, search: BlanketSearch, members: Sequence[int], stopped: str | None) -> None:
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

    def _named_sets(self, pc: PCResult) -> dict[str, tuple[str, ...]]:
        return {self._name_of(x): tuple(self._name_of(s) for s in found.given) for x, found in pc.separations.items()}


def _say_on_stderr(line: str) -> None:
    sys.stderr.write(line + "\n")
