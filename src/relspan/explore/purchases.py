"""What panels cost and may hold: prices of features, kits, limits of groups, columns that come together.

With z_j = 1 where feature j is in the panel and y_k = 1 where kit k is bought, a panel costs

    sum_j c_j z_j + sum_k C_k y_k

    z_j <= sum_{k holds j} y_k        a feature of one or several kits needs one of them
    sum_{j in G} z_j <= m             at most m of a group
    z_i = z_j                         columns that are bought together, or not at all

A kit's price is paid once, whatever the number of its features; c_j comes on top. A feature that can also be bought
alone is in a kit of its own. A category is one column of the table that was given: a price by its name is paid once for
all its levels, as that of a kit is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relspan.arrays import Floats, Ints
from relspan.checks import quoted, whole
from relspan.errors import ParameterError
from relspan.explore.fitted_problem import FittedProblem


@dataclass(frozen=True)
class Kit:
    """Features that are bought in one piece: the price is paid once, whatever the number of features in use.

    Parameters
    ----------
    price : float
        The price of the kit, 0 or more.
    features : tuple of str
        The features that the kit provides.

    See Also
    --------
    Explorer.cheapest_panel : Takes kits by name.

    Examples
    --------
    >>> from relspan.explore import Kit
    >>> Kit(30, ("CRP", "IL6"))
    Kit(price=30, features=('CRP', 'IL6'))
    """

    price: float
    features: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class PriceList:
    """Prices and rules over the switches (z, y): the solver's columns, then the kits.

    `coefficients`, `lower` and `upper` are the rows of the rules, and `together` the columns that come together.
    """

    kits: tuple[str, ...]
    contents: tuple[Ints, ...]
    costs: Floats
    coefficients: Floats
    lower: Floats
    upper: Floats
    together: tuple[Ints, ...]

    @property
    def n_columns(self) -> int:
        """How many of the switches are columns."""
        return len(self.costs) - len(self.kits)

    def allows(self, on: np.ndarray) -> bool:
        """Whether these switches keep all rules."""
        values = self.coefficients @ on
        return bool(((values >= self.lower) & (values <= self.upper)).all())

    def with_kits(self, panel: np.ndarray) -> np.ndarray:
        """The switches of a panel with kits that provide its features: each time the kit that is cheapest per feature,
        and at the end without those that are not needed."""
        on = np.concatenate([panel, np.zeros(len(self.kits), dtype=bool)])
        d, prices = self.n_columns, self.costs[self.n_columns :]
        in_kits = np.zeros(d, dtype=bool)
        for members in self.contents:
            in_kits[members] = True
        open_ones = panel & in_kits
        while open_ones.any():
            gain = np.array([open_ones[members].sum() for members in self.contents])
            chosen = int(np.argmin(np.where(gain > 0, prices / np.maximum(gain, 1), np.inf)))
            on[d + chosen] = True
            open_ones[self.contents[chosen]] = False
        return self.without_idle_kits(on)

    def without_idle_kits(self, on: np.ndarray) -> np.ndarray:
        """The same switches without kits that nothing in the panel needs, the dearest first."""
        on, d = on.copy(), self.n_columns
        bought = [k for k in range(len(self.kits)) if on[d + k]]
        for k in sorted(bought, key=lambda k: -self.costs[d + k]):
            others = [j for other in bought if other != k and on[d + other] for j in self.contents[other]]
            if np.isin([j for j in self.contents[k] if on[j]], others).all():
                on[d + k] = False
        return on


def read_prices(
    problem: FittedProblem,
    costs: Mapping[str, float] | None,
    kits: Mapping[str, Any] | None,
    at_most: Any,
    together: Any,
) -> PriceList:
    """Prices and rules as a person gives them; what means nothing is refused by name."""
    bought = {str(name): _kit(problem, name, given) for name, given in _mapping("kits", kits).items()}
    priced = _of_categories(problem, costs, bought)
    contents = {name: np.array(sorted(problem.columns_of(kit.features)), dtype=np.intp) for name, kit in bought.items()}
    in_kits = {j for members in contents.values() for j in members.tolist()}
    prices = _feature_prices(problem, priced, in_kits)
    d, m = len(problem.columns), len(bought)
    rows: list[tuple[Floats, float, float]] = []

    def add(entries: Mapping[int, float], low: float, high: float) -> None:
        row = np.zeros(d + m)
        row[list(entries)] = list(entries.values())
        rows.append((row, low, high))

    for j in sorted(in_kits):
        holders = [d + k for k, members in enumerate(contents.values()) if j in members]
        add({j: 1.0, **dict.fromkeys(holders, -1.0)}, -np.inf, 0.0)
    for most, members in _limits(problem, at_most):
        add(dict.fromkeys(members, 1.0), -np.inf, float(most))
    tied = [_tied(problem, names) for names in _lists("together", together)]
    for first, *others in (group.tolist() for group in tied):
        for other in others:
            add({first: 1.0, other: -1.0}, 0.0, 0.0)
    return PriceList(
        tuple(bought),
        tuple(contents.values()),
        np.concatenate([prices, [kit.price for kit in bought.values()]]),
        np.array([row for row, _, _ in rows]).reshape(-1, d + m),
        np.array([low for _, low, _ in rows]),
        np.array([high for _, _, high in rows]),
        tuple(tied),
    )


def _mapping(name: str, given: Any) -> Mapping[Any, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ParameterError(f"{name} must map names to what they stand for, not {given!r}")
    return given


def _kit(problem: FittedProblem, name: Any, given: Any) -> Kit:
    price, features = (given.price, given.features) if isinstance(given, Kit) else _pair("kit", name, given)
    price = _price(f"the price of kit {name!r}", price)
    names = _names(f"kit {name!r}", features)
    for feature in names:
        problem.members(feature)
    return Kit(price, tuple(names))


def _pair(kind: str, name: Any, given: Any) -> tuple[Any, Any]:
    if isinstance(given, (tuple, list)) and len(given) == 2:
        return given[0], given[1]
    raise ParameterError(f"{kind} {name!r} must be a pair of a number and a list of features, not {given!r}")


def _price(what: str, given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, (int, float, np.number)) or not 0 <= given < np.inf:
        raise ParameterError(f"{what} is {given!r}; prices must be finite and not negative")
    return float(given)


def _names(what: str, given: Any) -> list[str]:
    if isinstance(given, str) or not isinstance(given, (Sequence, set, frozenset)) or not len(given):
        raise ParameterError(f"{what} must list names of features, not {given!r}")
    names = list(given)
    if len(set(names)) < len(names):
        raise ParameterError(f"{what} lists {next(n for n in names if names.count(n) > 1)!r} twice")
    return names


def _lists(name: str, given: Any) -> list[Any]:
    if given is None:
        return []
    if isinstance(given, (str, Mapping)) or not isinstance(given, Sequence):
        raise ParameterError(f"{name} must list groups of features, not {given!r}")
    return list(given)


def _of_categories(
    problem: FittedProblem, costs: Mapping[str, float] | None, bought: dict[str, Kit]
) -> Mapping[str, float] | None:
    """The costs of single columns; the price of a category becomes that of a kit with its name."""
    if costs is None:
        return None
    single = {}
    for name, price in costs.items():
        if len(problem.members(name)) > 1:
            if name in bought:
                raise ParameterError(f"{name!r} has a price as a category and as a kit; leave out one of them")
            bought[name] = Kit(_price(f"the cost of {name!r}", price), problem.members(name))
        else:
            single[name] = price
    return single


def _feature_prices(problem: FittedProblem, costs: Mapping[str, float] | None, in_kits: set[int]) -> Floats:
    """What each column costs by itself; columns of kits cost nothing more unless a price is given."""
    if costs is None:
        return np.array([0.0 if j in in_kits else 1.0 for j in range(len(problem.columns))])
    for name in costs:
        problem.known(name)
    absent = [name for j, name in enumerate(problem.columns) if name not in costs and j not in in_kits]
    if absent:
        raise ParameterError(f"no cost for {quoted(absent)}: every feature needs one, of 0 or more, or a kit")
    prices = [costs.get(name, 0.0) for name in problem.columns]
    for name, price in zip(problem.columns, prices, strict=True):
        if not 0 <= float(price) < np.inf:
            raise ParameterError(f"the cost of {name!r} is {price!r}; costs must be finite and not negative")
    return np.array([float(price) for price in prices])


def _limits(problem: FittedProblem, at_most: Any) -> list[tuple[int, list[int]]]:
    """Groups of columns and how many of each a panel may hold; a category counts as one for all its levels."""
    found = []
    for given in _lists("at_most", at_most):
        most, features = _pair("the group of at_most", given, given)
        names = _names("a group of at_most", features)
        several = [name for name in names if len(problem.members(name)) > 1]
        if several:
            raise ParameterError(f"{several[0]!r} is a category of several columns; at_most counts single columns")
        found.append((whole("at_most", most, at_least=0), problem.columns_of(names)))
    return found


def _tied(problem: FittedProblem, given: Any) -> Ints:
    names = _names("a group of together", given)
    absent = [name for name in names if len(problem.members(name)) == 1 and problem.column(name) is None]
    if absent:
        raise ParameterError(f"{absent[0]!r} is constant, so no panel holds it; leave it out of together")
    return np.array(problem.columns_of(names), dtype=np.intp)
