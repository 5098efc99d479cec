r"""The Markov blanket: parents and children, and the spouses (other parents of common children).

Symmetry correction: X stays in PC(T) only if T is in PC(X). Without it a descendant can stay that no subset of PC(T)
separates (T -> A, B -> A, A -> C, B -> C: C stays in PC(T), because B is not in it).

Spouses: for Y in PC(T) and X in PC(Y), X not T and not in PC(T), let S be the set that separated X from T. X is a
spouse if it is reliably *dependent* on T given S + {Y}: then Y is a common child, for only a collider opens a path.
Skipped when no set separated X or when Y is in S; |S + {Y}| = max_k + 1 is allowed; every Y is asked, not only the
first that succeeds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from relspan.checks import flag, whole
from relspan.markov.independence import CountedTest, IndependenceTest, OutOfTests
from relspan.markov.outcomes import Decision, PCResult, Separation
from relspan.markov.parents_and_children import SearchLimits, parents_and_children
from relspan.progress import Progress, silent


@dataclass
class BlanketResult:
    """The Markov blanket of one target.

    Attributes
    ----------
    target : int
        Number of the target.
    pc : PCResult
        Parents and children.
    spouses : dict of int to dict of int to Separation
        For every spouse the common children it was found by, each with the test that opened the path.
    roles : dict of int to str
        "child", "parent", "parent or child" for the members of PC; "spouse" for the others.
    stopped : str or None
        Why the search ended early; None when it is complete.

    See Also
    --------
    BlanketSearch : Finds it.
    relspan.plots.BlanketDisplay : Draws it as a graph.

    Examples
    --------
    >>> from relspan.markov import BlanketSearch, DSeparation
    >>> graph = DSeparation({"cause": [], "y": ["cause"], "other": [], "effect": ["y", "other"]})
    >>> found = BlanketSearch(graph).blanket(1)
    >>> found.members
    [0, 3, 2]
    >>> found.roles
    {0: 'parent or child', 3: 'child', 2: 'spouse'}
    """

    target: int
    pc: PCResult
    spouses: dict[int, dict[int, Separation]] = field(default_factory=dict)
    roles: dict[int, str] = field(default_factory=dict)
    stopped: str | None = None

    @property
    def members(self) -> list[int]:
        """Parents and children in order of admission, then spouses."""
        return [*self.pc.members, *self.spouses]


class BlanketSearch:
    """Search for parents, children and spouses with one independence test (HITON-PC and HITON-MB).

    The parents and children (PC) of every variable are found once and kept.

    Parameters
    ----------
    test : IndependenceTest
        The test; it numbers the variables.
    alpha : float, default=0.05
        Level of the tests: a reliable test with p <= alpha means dependent, with p > alpha independent.
    max_k : int, default=3
        Size of the largest conditioning set of HITON-PC.
    variant : {"semi-interleaved", "interleaved"}, default="semi-interleaved"
        The algorithm of 2010 or that of 2003.
    symmetric : bool, default=False
        Keep X in PC(T) only if T is in PC(X).
    max_tests : int, optional
        Largest number of tests. A search that needs more ends with a partial result that says so.
    max_pc : int, optional
        Largest number of parents and children. A search that finds more ends with a partial result that says so.
    progress : callable, optional
        Called as ``progress(stage, share, note)`` after every admission.
    name_of : callable, optional
        The name of a variable by its number, for the stage that progress reports; by default the number.

    Attributes
    ----------
    limits : SearchLimits
        The parameters that limit the search.
    counted : CountedTest
        The test, with the number of tests so far.

    See Also
    --------
    relspan.selectors.HITON : The same search as a scikit-learn selector.

    Examples
    --------
    >>> import numpy as np
    >>> from relspan.markov import BlanketSearch, FisherZ
    >>> rng = np.random.default_rng(0)
    >>> cause = rng.normal(size=500)
    >>> target = cause + rng.normal(size=500)
    >>> effect = target + rng.normal(size=500)
    >>> search = BlanketSearch(FisherZ([np.column_stack([cause, effect, target])]), alpha=0.01)
    >>> sorted(search.pc(2).members)
    [0, 1]
    """

    def __init__(
        self,
        test: IndependenceTest,
        *,
        alpha: float = 0.05,
        max_k: int = 3,
        variant: str = "semi-interleaved",
        symmetric: bool = False,
        max_tests: int | None = None,
        max_pc: int | None = None,
        progress: Progress | None = None,
        name_of: Callable[[int], str] = str,
    ) -> None:
        if max_tests is not None:
            whole("max_tests", max_tests, at_least=1, hint="None sets no limit")
        self.limits = SearchLimits(alpha, max_k, variant, max_pc)
        self.symmetric = flag("symmetric", symmetric)
        self.progress = silent if progress is None else progress
        self.name_of = name_of
        self.counted = CountedTest(test, max_tests)
        self._one_sided_results: dict[int, PCResult] = {}

    @property
    def n_tests(self) -> int:
        """Number of tests so far."""
        return self.counted.n_tests

    def _one_sided_pc(self, target: int) -> PCResult:
        if target not in self._one_sided_results:
            self._one_sided_results[target] = parents_and_children(
                self.counted, target, self.limits, self.progress, self.name_of
            )
        return self._one_sided_results[target]

    def pc(self, target: int) -> PCResult:
        """Find the parents and children of a target.

        Parameters
        ----------
        target : int
            Number of the target.

        Returns
        -------
        PCResult
            The members and the reason for every decision, after the symmetry correction if it was asked for.
        """
        whole("target", target, at_least=0, at_most=self.counted.test.n_variables - 1)
        own = self._one_sided_pc(target)
        if not self.symmetric:
            return own
        decisions, separations, stopped = own.decisions.copy(), dict(own.separations), own.stopped
        members = []
        for x in own.members:
            other = self._one_sided_pc(x)
            if target in other.members or other.decisions[target] == Decision.UNDECIDED:
                members.append(x)  # undecided: a guard was met, and nothing speaks against x
            else:
                decisions[x] = Decision.ASYMMETRIC
                separations[x] = _separation_by_symmetry(other, target)
            stopped = stopped or other.stopped
        return replace(own, members=members, decisions=decisions, separations=separations, stopped=stopped)

    def blanket(self, target: int) -> BlanketResult:
        """Find the parents, children and spouses of a target.

        Parameters
        ----------
        target : int
            Number of the target.

        Returns
        -------
        BlanketResult
            The blanket, and how each member was found.
        """
        pc = self.pc(target)
        result = BlanketResult(target, pc, stopped=pc.stopped)
        ruled_out = {target, *pc.members}
        for y in pc.members:
            neighbours = self.pc(y)
            result.stopped = result.stopped or neighbours.stopped
            try:
                self._find_spouses(result, y, [x for x in neighbours.members if x not in ruled_out])
            except OutOfTests:
                result.stopped = f"max_tests={self.counted.max_tests} reached: not all spouses were looked for"
                break
        result.roles = self._roles(result)
        return result

    def _find_spouses(self, result: BlanketResult, y: int, candidates: Iterable[int]) -> None:
        by_set: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for x in candidates:
            separating = result.pc.separating_set(x)
            if separating is not None and y not in separating:
                by_set[(*separating, y)].append(x)
        for given, group in by_set.items():
            evidence = self.counted.evidence(np.array(group), result.target, given)
            for i in np.flatnonzero(evidence.dependent(self.limits.alpha)):
                result.spouses.setdefault(group[i], {})[y] = Separation.of(evidence, int(i), given, "spouse")

    def _roles(self, result: BlanketResult) -> dict[int, str]:
        """Children are known by their spouses, parents by another parent that they meet only at the target."""
        members = result.pc.members
        children = {y for via in result.spouses.values() for y in via}
        parents = {x for pair in combinations(members, 2) if self._collide_at(*pair, result.target) for x in pair}
        roles = dict.fromkeys(members, "parent or child")
        roles |= dict.fromkeys(children - parents, "child") | dict.fromkeys(parents - children, "parent")
        return roles | dict.fromkeys(result.spouses, "spouse")

    def _collide_at(self, a: int, b: int, target: int) -> bool:
        """a -> T <- b: separated, seen from either side, by sets without T, and dependent once T is added to them.

        The first alone would take a weak chain for a collider: what a small sample cannot see looks separated.
        """
        for one, other in ((a, b), (b, a)):
            side = self._one_sided_results.get(one)
            given = None if side is None or other in side.members else side.separating_set(other)
            if given is None or target in given or not self._opens_path(one, other, (*given, target)):
                return False
        return True

    def _opens_path(self, a: int, b: int, given: tuple[int, ...]) -> bool:
        try:
            return bool(self.counted.evidence(np.array([b]), a, given).dependent(self.limits.alpha)[0])
        except OutOfTests:
            return False  # without a test nothing is claimed


def _separation_by_symmetry(other: PCResult, target: int) -> Separation:
    """The test that kept the target out of PC(X)."""
    found = other.separations.get(target)
    if found is not None:
        return replace(found, phase="symmetry")
    return Separation.of(other.marginal, target, (), "symmetry")
