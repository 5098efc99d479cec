"""The one registry of methods: relspan and the selectors that `relspan.compare` and the benchmarks hold beside it.

Each has the defaults that its users would take. A method sees a scaled training part and answers with the columns it
keeps; nothing else is asked of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

from relspan import checks
from relspan.compare import selections
from relspan.compare.selections import Select


@dataclass(frozen=True)
class Method:
    """A method that selects columns.

    Attributes
    ----------
    name : str
        The method's name on the command line.
    about : str
        What it does, in a few words.
    select : callable
        Called as ``select(X, y, task, seed)`` with a scaled table. It returns one number per column: 0 for a column
        left out, 1 for one kept, and 2 for one kept that the method calls irreplaceable.
    package : str, optional
        The package that must be installed.
    most_features : int, optional
        The number of columns beyond which the method is so slow that it must be asked for by name.
    usual : bool, default=True
        Whether it takes part in a comparison without being asked for by name.
    classes_only : bool, default=False
        Whether the method needs a target of classes.
    named : bool, default=False
        Whether `select` receives the table with the names of its columns, as a NamedMatrix, so that warnings can name
        them.
    grouped : bool, default=False
        Whether `select` takes the keyword `groups`, the group of each row.

    See Also
    --------
    METHODS : All methods by name.
    compare : Runs methods side by side.

    Examples
    --------
    >>> from relspan.compare import METHODS
    >>> METHODS["lasso"].about
    'L1 penalty, cross-validated'
    """

    name: str
    about: str
    select: Select
    package: str | None = None
    most_features: int | None = None
    usual: bool = True
    classes_only: bool = False
    named: bool = False
    grouped: bool = False

    @property
    def installed(self) -> bool:
        """Whether the package that the method needs can be imported."""
        return self.package is None or find_spec(self.package) is not None


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("all", "every column", selections.every_column),
        Method("relspan", "strongly or weakly relevant", selections.relevant, named=True, grouped=True),
        Method("lasso", "L1 penalty, cross-validated", selections.lasso),
        Method("elastic-net", "half L1, half L2, cross-validated", selections.elastic_net(0.5)),
        Method("univariate", "F tests, false discovery rate .05", selections.univariate),
        Method("rfe", "recursive elimination, cross-validated", selections.recursive_elimination, most_features=2000),
        Method("forward", "greedy wrapper, cross-validated", selections.greedy_wrapper, most_features=60),
        Method("hiton", "Markov blanket, level .05", selections.markov_blanket),
        Method(
            "boruta", "random forests against permuted columns", selections.boruta, package="boruta", most_features=500
        ),
        Method(
            "mlxtend",
            "floating forward search",
            selections.sequential(floating=True),
            package="mlxtend",
            most_features=20,
        ),
        Method("mlxtend-forward", "forward search", selections.sequential(), package="mlxtend", usual=False),
        Method("mlxtend-backward", "backward search", selections.sequential(False), package="mlxtend", usual=False),
        Method(
            "elastic-net-cv",
            "L1 and L2 mixed by cross-validation",
            selections.elastic_net([0.1, 0.5, 0.9]),
            usual=False,
        ),
        Method("l2-svm", "SVM weights above their mean", selections.l2_svm, usual=False, classes_only=True),
        Method(
            "stability", "stability selection with L1", selections.stability_selection, usual=False, classes_only=True
        ),
        Method("ensemble", "mean of five importances", selections.ensemble, usual=False, classes_only=True),
    )
}
"""All methods by name."""


def available_methods(n_features: int) -> tuple[list[str], dict[str, str]]:
    """The methods that a comparison runs if none is asked for by name.

    Parameters
    ----------
    n_features : int
        The number of columns of the table.

    Returns
    -------
    names : list of str
        The methods that are installed and not too slow for such a table.
    left_out : dict of str to str
        The usual methods that are not, each with the reason.

    See Also
    --------
    compare : Takes the names of methods.

    Examples
    --------
    >>> from relspan.compare import available_methods
    >>> names, left_out = available_methods(100)
    >>> left_out["forward"]
    'slow on more than 60 columns; ask for it by name'
    """
    checks.whole("n_features", n_features, at_least=1)
    chosen, left_out = [], {}
    for name, method in METHODS.items():
        if not method.usual:
            continue
        if not method.installed:
            left_out[name] = f"the package {method.package} is not installed"
        elif method.most_features is not None and n_features > method.most_features:
            left_out[name] = f"slow on more than {method.most_features} columns; ask for it by name"
        else:
            chosen.append(name)
    return chosen, left_out
