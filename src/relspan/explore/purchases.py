"""What panels cost and may hold: prices of features, kits, limits of groups, columns that come together.

With z_j = 1 where feature j is in the panel and y_k = 1 where kit k is bought, a panel costs

    sum_j c_j z_j + sum_k C_k y_k

    z_j <= sum_{k holds j} y_k        a feature of one or several kits needs one of them
    sum_{j in G} z_j <= m             at most m of a group
    z_i = z_j                         features that are bought together, or not at all

A kit's price is paid once, whatever the number of its features; c_j comes on top. A feature that can also be bought
alone is in a kit of its own. Features are those that a reader knows: a category is one, and is paid once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relspan.arrays import Floats, Ints
from relspan.checks import mapping, quoted, whole
from relspan.errors import ParameterError
from relspan.explore.fitted_problem import FittedProblem, WholeFeature


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
    """Prices and rules over the switches (z, y): the features of the problem, by their place, then the kits.

    `contents` are the features of each kit. `coefficients`, `lower` and `upper` are the rows of the rules, and
    `together` the features that come together.
    """

    kits: tuple[str, ...]
    contents: tuple[Ints, ...]
    costs: Floats
    coefficients: Floats
    lower: Floats
    upper: Floats
    together: tuple[Ints, ...]

    @property
    def n_places(self) -> int:
        """How many of the switches are features."""
        return len(self.costs) - len(self.kits)

    def allows(self, on: np.ndarray) -> bool:
        """Whether these switches keep all rules."""
        values = self.coefficients @ on
        return bool(((values >= self.lower) & (values <= self.upper)).all())

    def with_kits(self, panel: np.ndarray) -> np.ndarray:
        """The switches of a panel with kits that provide its features: each time the kit that is cheapest per feature,
        and at the end without those that are not needed."""
        on = np.concatenate([panel, np.zeros(len(self.kits), dtype=bool)])
        d, prices = self.n_places, self.costs[self.n_places :]
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
        on, d = on.copy(), self.n_places
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
    contents = {name: _places(problem, kit.features) for name, kit in bought.items()}
    in_kits = {j for members in contents.values() for j in members.tolist()}
    prices = _feature_prices(problem, costs, in_kits)
    d, m = len(problem.features), len(bought)
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


def _places(problem: FittedProblem, names: Sequence[str]) -> Ints:
    """The places of features; a level of a category stands for the category, and constant ones have no place."""
    owner = {j: place for place, feature in enumerate(problem.features) for j in feature.columns}
    found = dict.fromkeys(owner[j] for j in problem.columns_of(names))
    return np.array(sorted(found), dtype=np.intp)


def _feature_prices(problem: FittedProblem, costs: Mapping[str, float] | None, in_kits: set[int]) -> Floats:
    """The cost of every feature that varies. Where the levels of a category have costs, it costs the largest.

    Features of kits cost nothing more unless a price is given.
    """
    if costs is None:
        return np.array([0.0 if place in in_kits else 1.0 for place in range(len(problem.features))])
    for name in mapping("costs", costs, "features to prices"):
        problem.members(name)
    prices, absent = np.zeros(len(problem.features)), []
    for place, feature in enumerate(problem.features):
        known = [costs[name] for name in _names_of(problem, feature) if name in costs]
        if not known:
            absent += [] if place in in_kits else [feature.name]
            continue
        wrong = [cost for cost in known if not 0 <= float(cost) < np.inf]
        if wrong:
            raise ParameterError(f"the cost of {feature.name!r} is {wrong[0]!r}; costs must be finite and not negative")
        prices[place] = float(known[0] if feature.name in costs else max(known))
    if absent:
        raise ParameterError(f"no cost for {quoted(absent)}: every feature needs one, of 0 or more, or a kit")
    return prices


def _names_of(problem: FittedProblem, feature: WholeFeature) -> list[str]:
    """The names that a feature goes by: its own, that of a category which has one column, and those of its levels."""
    levels = [problem.columns[j] for j in feature.columns]
    aliases = [name for name, columns in problem.encoded.items() if set(levels) <= set(columns)]
    return [feature.name, *aliases, *levels]


def _limits(problem: FittedProblem, at_most: Any) -> list[tuple[int, list[int]]]:
    """Groups of features, by place, and how many of each a panel may hold."""
    found = []
    for given in _lists("at_most", at_most):
        most, features = _pair("the group of at_most", given, given)
        names = _names("a group of at_most", features)
        found.append((whole("at_most", most, at_least=0), _places(problem, names).tolist()))
    return found


def _tied(problem: FittedProblem, given: Any) -> Ints:
    names = _names("a group of together", given)
    absent = [name for name in names if not problem.feature(name).columns]
    if absent:
        raise ParameterError(f"{absent[0]!r} is constant, so no panel holds it; leave it out of together")
    return _places(problem, names)
