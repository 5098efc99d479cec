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
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from relspan.errors import ParameterError
from relspan.markov.hiton import Limits, Progress, parents_and_children
from relspan.markov.independence import CountedTest, IndependenceTest, OutOfTestsError
from relspan.markov.outcomes import Decision, PCResult, Separation


@dataclass
class BlanketResult:
    """The Markov blanket of one target.

    Attributes
    ----------
    target : int
    pc : PCResult
        Parents and children.
    spouses : dict of int to dict of int to Separation
        For every spouse the common children it was found by, each with the test that opened the path.
    roles : dict of int to str
        "child", "parent", "parent or child" for the members of PC; "spouse" for the others.
    stopped : str or None
        Why the search ended early; None when it is complete.
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
    """HITON-PC and HITON-MB over one independence test; the PC set of every variable is found once and kept.

    Parameters
    ----------
    test : IndependenceTest
    alpha : float
        A reliable test with p <= alpha says dependent, with p > alpha independent.
    max_k : int
        Largest conditioning set of HITON-PC.
    variant : {"semi-interleaved", "interleaved"}
    symmetric : bool
        Keep X in PC(T) only if T is in PC(X).
    max_tests, max_pc : int, optional
        Guards; a search that meets one ends with a partial result that says so.
    progress : callable, optional
        Called with one line of text now and then.
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
    ) -> None:
        if max_tests is not None and max_tests < 1:
            raise ParameterError(f"max_tests={max_tests!r}: must be 1 or more, or None for no limit")
        self.limits = Limits(alpha, max_k, variant, max_pc)
        self.symmetric = symmetric
        self.progress = progress
        self.counted = CountedTest(test, max_tests)
        self._one_sided: dict[int, PCResult] = {}

    @property
    def n_tests(self) -> int:
        """Tests made so far."""
        return self.counted.n_tests

    def _one_sided_pc(self, target: int) -> PCResult:
        if target not in self._one_sided:
            self._one_sided[target] = parents_and_children(self.counted, target, self.limits, self.progress)
        return self._one_sided[target]

    def pc(self, target: int) -> PCResult:
        """Parents and children of the target, symmetric if so asked."""
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
                separations[x] = _seen_from_the_other_side(other, target)
            stopped = stopped or other.stopped
        return replace(own, members=members, decisions=decisions, separations=separations, stopped=stopped)

    def blanket(self, target: int) -> BlanketResult:
        """Parents, children and spouses of the target."""
        pc = self.pc(target)
        result = BlanketResult(target, pc, stopped=pc.stopped)
        ruled_out = {target, *pc.members}
        for y in pc.members:
            neighbours = self.pc(y)
            result.stopped = result.stopped or neighbours.stopped
            try:
                self._find_spouses(result, y, [x for x in neighbours.members if x not in ruled_out])
            except OutOfTestsError:
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
        parents = {x for pair in combinations(members, 2) if self._collide(*pair, result.target) for x in pair}
        roles = dict.fromkeys(members, "parent or child")
        roles |= dict.fromkeys(children - parents, "child") | dict.fromkeys(parents - children, "parent")
        return roles | dict.fromkeys(result.spouses, "spouse")

    def _collide(self, a: int, b: int, target: int) -> bool:
        """a -> T <- b: separated, seen from either side, by sets without T, and dependent once T is added to them.

        The first alone would take a weak chain for a collider: what a small sample cannot see looks separated.
        """
        for one, other in ((a, b), (b, a)):
            side = self._one_sided.get(one)
            given = None if side is None or other in side.members else side.separating_set(other)
            if given is None or target in given or not self._opens(one, other, (*given, target)):
                return False
        return True

    def _opens(self, a: int, b: int, given: tuple[int, ...]) -> bool:
        try:
            return bool(self.counted.evidence(np.array([b]), a, given).dependent(self.limits.alpha)[0])
        except OutOfTestsError:
            return False  # nothing was seen, so nothing is said


def _seen_from_the_other_side(other: PCResult, target: int) -> Separation:
    """The test that kept the target out of PC(X)."""
    found = other.separations.get(target)
    if found is not None:
        return replace(found, phase="symmetry")
    return Separation.of(other.marginal, target, (), "symmetry")
