"""HITON-PC: the parents and children of a target, and how every other variable was ruled out.

Common part: test every variable against T alone; drop the independent ones. Order the others by log p, then by the
statistic per degree of freedom, then by number. A variable is *separated* when some S with at most `max_k` members of
the current PC makes it reliably independent of T.

- ``"interleaved"`` (Aliferis, Tsamardinos, Statnikov 2003): admit the next X. If some S in PC separates X, remove it
  for good. Otherwise look at every other member, newest first, with the sets that contain X; remove those separated.
  (The slides of 2003 test X and remove another variable; the one found independent is the one removed here.)
- ``"semi-interleaved"`` (Aliferis and others 2010): while candidates remain only the newest can be removed; then one
  backward pass over the others, newest first, with the sets that have a member admitted after them.

In the second, PC only grows while candidates remain. So a candidate separated *now* would also be refused when its turn
comes: after each admission all remaining candidates are tested against each new S in one batch. The admitted set is
the same as one by one, and a batch is what the tests are fast at. Where few candidates are left and the test can do
it, several S go in one batch; the first that separates counts. The backward pass is batched in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, islice

import numpy as np

from relspan.arrays import Bools, Floats, Ints
from relspan.checks import number, one_of, whole
from relspan.markov.independence import CountedTest, Evidence, OutOfTests
from relspan.markov.outcomes import Decision, PCResult, Separation
from relspan.progress import Progress, silent

VARIANTS = ("semi-interleaved", "interleaved")
ConditioningSet = tuple[int, ...]


@dataclass(frozen=True)
class SearchLimits:
    """How far a search goes.

    Attributes
    ----------
    alpha : float
        Level of the tests.
    max_k : int
        Size of the largest conditioning set.
    variant : {"semi-interleaved", "interleaved"}
        The algorithm of 2010 or that of 2003.
    max_pc : int or None
        Largest number of parents and children; None sets no limit.
    """

    alpha: float = 0.05
    max_k: int = 3
    variant: str = "semi-interleaved"
    max_pc: int | None = None

    def __post_init__(self) -> None:
        number("alpha", self.alpha, above=0, below=1, hint="0.05 is usual")
        whole("max_k", self.max_k, at_least=0, hint="3 is usual")
        one_of("variant", self.variant, VARIANTS)
        if self.max_pc is not None:
            whole("max_pc", self.max_pc, at_least=1, hint="None sets no limit")


def parents_and_children(
    test: CountedTest,
    target: int,
    limits: SearchLimits,
    progress: Progress = silent,
    name_of: Callable[[int], str] = str,
) -> PCResult:
    """Run HITON-PC without symmetry correction. A search that reaches a limit ends with a partial result that says so.

    Parameters
    ----------
    test : CountedTest
        The independence test; its `max_tests` limits the number of tests.
    target : int
        The number of the target variable.
    limits : SearchLimits
        How far the search goes.
    progress : callable, optional
        Called as ``progress(stage, share, note)`` after every admission.
    name_of : callable, optional
        The name of a variable by its number, for the stage that progress reports.

    Returns
    -------
    PCResult
        The members, and the reason for every decision.
    """
    search = ParentsSearch(test, target, limits)

    def report() -> None:
        left = len(search.candidates)
        note = f"{len(search.pc)} admitted, {left} candidates left, {test.n_tests} tests"
        progress(f"neighbours of {name_of(target)}", 1 - left / max(search.n_dependent, 1), note)

    stopped = None
    try:
        search.test_alone()
        report()
        if limits.variant == "interleaved":
            search.interleave(report)
        else:
            search.admit(report)
            search.remove_separated()
        if len(search.candidates):
            stopped = f"max_pc={limits.max_pc} reached: {len(search.candidates)} variables were not decided"
    except OutOfTests:
        stopped = f"max_tests={test.max_tests} reached: {search.undecided} variables were not decided"
        if not search.undecided:
            stopped = f"max_tests={test.max_tests} reached: members were not checked against all the others"
    return search.result(stopped)


class ParentsSearch:
    """The state of one search: the current PC, the candidates left, and the decisions so far."""

    def __init__(self, test: CountedTest, target: int, limits: SearchLimits) -> None:
        self.test, self.target, self.limits = test, target, limits
        p = test.test.n_variables
        self.pc: list[int] = []
        self.candidates: Ints = np.zeros(0, dtype=np.intp)
        self.n_dependent = 0  # candidates at the start
        self.decisions = np.zeros(p, dtype=np.int8)
        self.decisions[target] = Decision.TARGET
        self.marginal = Evidence(np.zeros(p), np.zeros(p), np.zeros(p), np.zeros(p, dtype=bool))
        self.separations: dict[int, Separation] = {}
        # The closest every variable came to being separated: log p, statistic, df, and the number of the set.
        self.closest: Floats = np.full((3, p), -np.inf)
        self.closest_set: Ints = np.zeros(p, dtype=np.intp)
        self.sets: list[tuple[int, ...]] = []

    @property
    def undecided(self) -> int:
        """How many variables are neither admitted nor dropped."""
        return int((self.decisions == Decision.UNDECIDED).sum()) - len(self.pc)

    def result(self, stopped: str | None) -> PCResult:
        """What was found so far, and why the search ended early if it did."""
        self.decisions[self.pc] = Decision.MEMBER
        weakest = {}
        for x in self.pc:
            log_p, statistic, df = map(float, self.closest[:, x])
            weakest[x] = Separation(self.sets[self.closest_set[x]], log_p, statistic, df, "kept")
        return PCResult(self.target, self.pc, self.decisions, self.marginal, self.separations, weakest, stopped)

    def test_alone(self) -> None:
        """Test every variable alone; the dependent ones become candidates, in HITON's order."""
        others = np.delete(np.arange(self.test.test.n_variables), self.target)
        evidence = self.test.evidence(others, self.target, ())
        for name in ("log_p", "statistic", "df", "reliable"):
            getattr(self.marginal, name)[others] = getattr(evidence, name)
        self.decisions[others[~evidence.reliable]] = Decision.UNRELIABLE
        self.decisions[others[evidence.independent(self.limits.alpha)]] = Decision.INDEPENDENT
        passed = evidence.dependent(self.limits.alpha)
        self._record_closest(others, evidence.as_one_row(), [()], passed[None])
        dependent = np.flatnonzero(passed)
        order = np.lexsort((others[dependent], -evidence.strength[dependent], evidence.log_p[dependent]))
        self.candidates = others[dependent[order]]
        self.n_dependent = len(self.candidates)

    def admit(self, report: Callable[[], None]) -> None:
        """2010, forward: admit the first candidate, then drop all those that a set with it separates."""
        while len(self.candidates) and self._below_max_pc():
            newest, self.candidates = int(self.candidates[0]), self.candidates[1:]
            self.pc.append(newest)
            for sets in self._batches(_subsets(self.pc[:-1], self.limits.max_k - 1, with_member=newest)):
                if not len(self.candidates):
                    break
                self.candidates = self._survivors(self.candidates, sets, "forward")
            report()

    def remove_separated(self) -> None:
        """2010, backward: the members, newest first, against the sets that did not exist when they were admitted.

        A test does not depend on who is still a member, so all of them are made beforehand: for every set, the members
        that are not in it and older than its newest. The pass then only looks at sets of present members.
        """
        members = list(self.pc)
        place = {x: i for i, x in enumerate(members)}
        found: dict[int, list[Separation]] = {y: [] for y in members}
        for newest in members[1:]:
            older = np.array(members[: place[newest]])
            earlier = _subsets(older.tolist(), self.limits.max_k - 1, with_member=newest)
            for sets in self._batches(earlier, len(older)):
                evidence = self.test.evidence_of_sets(older, self.target, sets)
                separated = evidence.independent(self.limits.alpha)
                for row, i in np.argwhere(separated):
                    found[int(older[i])].append(Separation.of(evidence, (row, i), sets[row], "backward"))
                self._record_closest(older, evidence, sets, passed=~separated)
        for separations in found.values():  # smaller sets first, then in the order of admission
            separations.sort(key=lambda one: (len(one.given), [place[x] for x in one.given]))
        for y in members[-2::-1]:
            valid = (separation for separation in found[y] if set(separation.given) <= set(self.pc))
            if (separation := next(valid, None)) is not None:
                self.pc.remove(y)
                self.separations[y] = separation
                self.decisions[y] = Decision.SEPARATED

    def interleave(self, report: Callable[[], None]) -> None:
        """2003: admit one, try to remove it, then try to remove the others because of it."""
        while len(self.candidates) and self._below_max_pc():
            x, self.candidates = int(self.candidates[0]), self.candidates[1:]
            if self._separated(x, _subsets(self.pc, self.limits.max_k), "forward"):
                continue
            self.pc.append(x)
            for y in self.pc[-2::-1]:
                others = [z for z in self.pc if z not in (x, y)]
                if self._separated(y, _subsets(others, self.limits.max_k - 1, with_member=x), "backward"):
                    self.pc.remove(y)
            report()

    def _below_max_pc(self) -> bool:
        return self.limits.max_pc is None or len(self.pc) < self.limits.max_pc

    def _separated(self, x: int, sets: Iterable[ConditioningSet], phase: str) -> bool:
        alone = np.array([x])
        return any(given and not len(self._survivors(alone, [given], phase)) for given in sets)

    def _batches(
        self, sets: Iterable[ConditioningSet], candidates: int | None = None
    ) -> Iterator[list[ConditioningSet]]:
        """Sets of one size that are asked together: one for many candidates, many for a few."""
        for _, same_size in groupby(sets, len):
            while batch := list(islice(same_size, self.test.sets_at_once(candidates or len(self.candidates)))):
                yield batch

    def _survivors(self, candidates: Ints, sets: list[ConditioningSet], phase: str) -> Ints:
        """Those that none of the sets separates from the target; the others are written down and dropped."""
        evidence = self.test.evidence_of_sets(candidates, self.target, sets)
        separated = evidence.independent(self.limits.alpha)
        gone, first = separated.any(axis=0), separated.argmax(axis=0)
        for i in np.flatnonzero(gone):
            self.separations[int(candidates[i])] = Separation.of(evidence, (first[i], i), sets[first[i]], phase)
        self.decisions[candidates[gone]] = Decision.SEPARATED
        self._record_closest(candidates, evidence, sets, passed=~separated)
        return candidates[~gone]

    def _record_closest(
        self, candidates: Ints, evidence: Evidence, sets: Sequence[ConditioningSet], passed: Bools
    ) -> None:
        """Of the sets that a candidate passed reliably, the one with the largest p, if it is larger than before."""
        log_p = np.where(passed & evidence.reliable, evidence.log_p, -np.inf)
        best = log_p.argmax(axis=0)
        here = np.arange(len(candidates))
        closer = (passed & evidence.reliable)[best, here] & (log_p[best, here] >= self.closest[0, candidates])
        which, rows, columns = candidates[closer], best[closer], here[closer]
        for line, figures in enumerate((evidence.log_p, evidence.statistic, evidence.df)):
            self.closest[line, which] = figures[rows, columns]
        self.closest_set[which] = len(self.sets) + rows
        self.sets.extend(sets)


def _subsets(members: Sequence[int], largest: int, with_member: int | None = None) -> Iterator[ConditioningSet]:
    """Subsets of the members, smallest first, each together with `with_member` if there is one."""
    extra = () if with_member is None else (with_member,)
    for size in range(min(largest, len(members)) + 1):
        for chosen in combinations(members, size):
            yield (*chosen, *extra)
