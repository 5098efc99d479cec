"""Permutations of the samples: what a column, or the target, would be if it had nothing to do with the rest.

Without groups every order of the samples is as likely as any other. Where several rows belong to one group (one
patient, one site), they are not independent, and such a permutation would tear apart what belongs together: chance
would look smaller than it is. So whole groups change places, and the rows of one group receive the values of one other
group, in their order:

    rows of group g  <-  rows of group pi(g),    pi a random permutation of the groups.

Groups of one size exchange their rows one by one, and every value is kept. Groups are therefore permuted among groups
of their own size, as long as there are enough of these (`FEWEST_IN_POOL`); rarer sizes are pooled with the next larger
ones. There a donor may be too long, and only a run of its rows is taken, from a random row on; or too short, and its
rows are repeated in turn.
"""

from __future__ import annotations

import numpy as np

from relspan.arrays import Ints

FEWEST_IN_POOL = 10  # groups that change places with each other: 10! orders, far more than are ever drawn


def permutation(n_samples: int, groups: Ints | None, rng: np.random.Generator) -> Ints:
    """An index p: ``values[p]`` are the values of all samples, permuted over the samples, or over their groups."""
    if groups is None:
        return rng.permutation(n_samples)
    members = np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups))[:-1])
    chosen = np.empty(n_samples, dtype=np.intp)
    for pool in _pools(np.array([len(rows) for rows in members])):
        for place, donor in zip(pool, rng.permutation(pool), strict=True):
            chosen[members[place]] = _rows_of(members[donor], len(members[place]), rng)
    return chosen


def _pools(sizes: Ints) -> list[Ints]:
    """The groups that change places with each other: of one size each, rare sizes together with the next ones."""
    by_size = [np.flatnonzero(sizes == size) for size in np.unique(sizes[sizes > 0])]
    pools = [by_size[0]]
    for groups in by_size[1:]:
        if len(pools[-1]) < FEWEST_IN_POOL:
            pools[-1] = np.concatenate([pools[-1], groups])
        else:
            pools.append(groups)
    if len(pools) > 1 and len(pools[-1]) < FEWEST_IN_POOL:
        pools[-2:] = [np.concatenate(pools[-2:])]
    return pools


def _rows_of(donor: Ints, count: int, rng: np.random.Generator) -> Ints:
    """So many rows of a group, in their order: all, a run of them that may go round, or all of them repeatedly."""
    first = int(rng.integers(len(donor))) if len(donor) > count else 0
    return donor[(first + np.arange(count)) % len(donor)]
