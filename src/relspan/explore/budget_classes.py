"""Classes at another budget: the best model, the test of the table and all associations stay; reach and need change.

The evidence for a feature has two parts (`relspan.analysis.verdicts`). How far the target moves with it does not depend
on a budget and is computed once. How far it reaches does: a larger family gives larger weights to features and to
permuted columns alike, so the probes are solved again in every family, from the same permutations.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Integral

import numpy as np

from relspan.analysis.chance_limits import SettledClasses, thresholds
from relspan.analysis.group_intervals import group_ends, group_intervals
from relspan.analysis.intervals import WeightRanges
from relspan.analysis.probes import run_probes
from relspan.analysis.verdicts.associations import Associable, Associations, associations
from relspan.analysis.verdicts.classes import CLASS_NAMES
from relspan.analysis.verdicts.group_verdicts import group_verdicts, joint_chances
from relspan.analysis.verdicts.published_rule import graded
from relspan.analysis.verdicts.verdict import Verdicts, verdicts
from relspan.arrays import Floats, Ints
from relspan.checks import random_generator
from relspan.engines import SharedEngine
from relspan.explore.fitted_problem import FittedProblem
from relspan.family import Family


@dataclass(frozen=True, eq=False)
class BudgetClasses:
    """The classes that the features of a problem have in families with other budgets."""

    problem: FittedProblem

    def at(self, family: Family, ranges: WeightRanges) -> dict[str, str]:
        """The class of every column and of every category; `ranges` has all columns."""
        problem, settings, found = self.problem, self.problem.settings, self.problem.analysis
        most, passed = ranges.relevances[:, 1], found.verdicts.passed
        settled = None
        if self._evident is not None and settings.may_stop_probes:
            limits = family, settings, family.n_features
            settled = SettledClasses(*limits, ranges.relevances, most, self._evident, passed)
        kind, engine, seed = settings.probes, found.engine.name, self._seed()
        probes = run_probes(family, found.problem, settings.n_probes, kind, engine, seed, settled=settled)
        SharedEngine.forget()
        tau, floor = thresholds(family, probes, settings, family.n_features)
        if self._evident is None:
            judged = Verdicts(graded(most > max(tau, floor), ranges.relevances[:, 0] > floor))
        else:
            judged = verdicts(
                *(found.problem, found.baseline, family, ranges.relevances, most, tau, floor), self._evident, passed
            )
        totals = group_ends(group_intervals(family, self._levels, ranges, "exact"))
        names = [CLASS_NAMES[kind] for kind in problem.for_all_features(judged.classes.astype(float)).astype(int)]
        return {**dict(zip(problem.names, names, strict=True)), **self._of_categories(judged, totals, tau, floor)}

    def _of_categories(self, judged: Verdicts, totals: Floats, tau: float, floor: float) -> dict[str, str]:
        member = np.array([judged.classes[levels].any() for levels in self._levels], dtype=bool)
        in_every = totals[:, 0] > floor
        if self._evident is None:
            classes = graded(member | (in_every & (totals[:, 1] > tau)), in_every)
        else:
            alpha = self.problem.settings.alpha
            classes = group_verdicts(member, in_every, self._joint_chances, judged.passed, alpha)
        return {name: CLASS_NAMES[kind] for name, kind in zip(self._categories, classes, strict=True)}

    @cached_property
    def _categories(self) -> list[str]:
        return [group.name for group in self.problem.result.groups if group.category]

    @cached_property
    def _levels(self) -> list[Ints]:
        """The solver's columns of every category."""
        groups = [group for group in self.problem.result.groups if group.category]
        return [np.array(self.problem.columns_of(group.members), dtype=np.intp) for group in groups]

    @cached_property
    def _associable(self) -> Associable:
        return Associable(self.problem.analysis.problem, self.problem.analysis.baseline)

    @cached_property
    def _evident(self) -> Associations | None:
        """How far the target moves with each feature; not asked by the papers' own rule."""
        settings = self.problem.settings
        if settings.rule == "published":
            return None
        return associations(self._associable, settings.alpha, settings.control)

    @cached_property
    def _joint_chances(self) -> Floats:
        return joint_chances(self._associable, [levels.tolist() for levels in self._levels])

    def _seed(self) -> np.random.SeedSequence:
        """The seed of the analysis, so that the probes are the same columns; 0 where it had none."""
        seed = self.problem.result.parameters.get("random_state")
        drawn = random_generator("random_state", int(seed) if isinstance(seed, Integral) else 0)
        return np.random.SeedSequence(int(drawn.randint(np.iinfo(np.int32).max)))
