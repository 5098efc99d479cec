"""The answers a perfect sample would give: d-separation in a known graph.

X and T are d-separated by S in a directed acyclic graph when no path between them is open. A path is closed by a member
of S that is not a collider on it, or by a collider that has no descendant in S and is not in S itself. The reachable
variables are found by passing a ball through the graph (Shachter 1998): it arrives at a variable from a parent or from
a child, and where it may go next depends only on that and on whether the variable is in S.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from relspan.arrays import Bools, Ints
from relspan.checks import collection, mapping
from relspan.errors import DataError
from relspan.markov.independence import Evidence


class DSeparation:
    """An independence test that knows the graph, for studying what a search does with perfect answers.

    Parameters
    ----------
    parents : mapping of str to sequence of str
        The parents of every variable. The order of the keys numbers the variables.

    Attributes
    ----------
    names : tuple of str
        The variables in the order of their numbers.
    parents : list of list of int
        The parents of every variable, by number.
    children : list of list of int
        The children of every variable, by number.

    See Also
    --------
    BlanketSearch : Finds Markov blankets with a test.
    TableTest : A test on a sample of discrete variables.

    Examples
    --------
    >>> from relspan.markov import BlanketSearch, DSeparation
    >>> graph = DSeparation({"smoking": [], "cancer": ["smoking"], "cough": ["cancer"]})
    >>> BlanketSearch(graph).blanket(1).members
    [0, 2]
    """

    def __init__(self, parents: Mapping[str, Sequence[str]]) -> None:
        mapping("parents", parents, "variables to lists of their parents")
        self.names = tuple(parents)
        number = {name: i for i, name in enumerate(self.names)}
        for name, above in parents.items():
            for parent in collection(f"the parents of {name!r}", above, "variables"):
                if parent not in number:
                    raise DataError(f"{parent!r} is a parent of {name!r} but has no entry of its own")
        self.parents = [[number[parent] for parent in parents[name]] for name in self.names]
        self.children: list[list[int]] = [[] for _ in self.names]
        for child, above_child in enumerate(self.parents):
            for parent_number in above_child:
                self.children[parent_number].append(child)
        self._answers: dict[tuple[int, frozenset[int]], Bools] = {}  # a search asks the same thing often

    @property
    def n_variables(self) -> int:
        """Number of variables in the graph."""
        return len(self.names)

    def blanket(self, target: int) -> set[int]:
        """The true Markov blanket: parents, children and the children's other parents.

        Parameters
        ----------
        target : int
            Number of the target.

        Returns
        -------
        set of int
            Numbers of the members.
        """
        found = set(self.parents[target]) | set(self.children[target])
        for child in self.children[target]:
            found |= set(self.parents[child])
        return found - {target}

    def evidence(self, candidates: Ints, target: int, given: Sequence[int]) -> Evidence:
        """Test every candidate: p = 1 where it is separated, p = 0 where it is connected; always reliable.

        Parameters
        ----------
        candidates : ndarray of int
            Numbers of the variables to test.
        target : int
            Number of the target.
        given : sequence of int
            Numbers of the variables to condition on.

        Returns
        -------
        Evidence
            One entry per candidate.
        """
        question = target, frozenset(given)
        if question not in self._answers:
            self._answers[question] = self._connected_variables(*question)
        connected = self._answers[question][candidates]
        log_p = np.where(connected, -np.inf, 0.0)
        ones = np.ones(len(candidates))
        return Evidence(log_p, connected.astype(float), ones, ones.astype(bool))

    def _connected_variables(self, target: int, given: frozenset[int]) -> Bools:
        opened = set(given)  # members of S and their ancestors: colliders there are open
        stack = list(given)
        while stack:
            for parent in self.parents[stack.pop()]:
                if parent not in opened:
                    opened.add(parent)
                    stack.append(parent)
        reached = np.zeros(self.n_variables, dtype=bool)
        visited: set[tuple[int, bool]] = set()
        balls = [(target, False)]  # (variable, whether the ball came from a parent)
        while balls:
            ball = balls.pop()
            if ball in visited:
                continue
            visited.add(ball)
            variable, from_parent = ball
            if variable not in given:
                reached[variable] = True
                balls += [(child, True) for child in self.children[variable]]
                if not from_parent:
                    balls += [(parent, False) for parent in self.parents[variable]]
            if from_parent and variable in opened:
                balls += [(parent, False) for parent in self.parents[variable]]
        return reached
