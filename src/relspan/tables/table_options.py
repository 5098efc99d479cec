"""How a file is read and turned into numbers, as one object that a result can record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from relspan.checks import one_of
from relspan.errors import ParameterError
from relspan.options import changed, option

MISSING = frozenset({"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NAN", "null", "NULL", "?"})
"""Cells that stand for a missing value."""

IMPUTATIONS = ("mean", "median", "drop")
TAB_WORDS = ("tab", "\\t", "\t")
ALL_COLUMNS = ("all",)


@dataclass(frozen=True)
class TableOptions:
    """Options by which a table is read and prepared; the defaults guess, fill, encode and leave out nothing.

    Attributes
    ----------
    categorical : tuple of str
        Columns to encode as zeros and ones; ``("all",)`` is every text column.
    impute : {"mean", "median", "drop"} or None
        How missing values are treated; None refuses them.
    drop : tuple of str
        Columns to leave out.
    groups : str or None
        The column that names the group of each row, such as a patient; it is not a feature.
    separator : str or None
        The character between columns, or "tab"; None guesses it.
    decimal : {".", ","} or None
        The decimal sign; None guesses it.
    encoding : str
        The encoding of the text.
    missing : tuple of str
        Marks of missing values beside those of `MISSING`.

    See Also
    --------
    read_table : Takes what `reading` gives.
    prepare_table : Takes what `preparing` gives.

    Examples
    --------
    >>> from relspan.tables import TableOptions, parse_table, prepare_table
    >>> options = TableOptions(impute="mean", missing=["-999"])
    >>> table = parse_table(b"height,y\\n1.7,0\\n-999,1\\n", "two.csv", **options.reading())
    >>> prepare_table(table, "y", **options.preparing(table.names)).X.tolist()
    [[1.7], [1.7]]
    >>> options.record()
    {'impute': 'mean', 'missing': ['-999']}
    """

    categorical: tuple[str, ...] = option(
        (),
        metavar="NAMES|all",
        help="Text columns to encode as zeros and ones, separated by commas; 'all' encodes every text column.",
    )
    impute: str | None = option(
        None,
        metavar="|".join(IMPUTATIONS),
        help="Fill missing numbers with the column's mean or median, or drop the rows with missing values.",
        show_default="missing values are refused",
    )
    drop: tuple[str, ...] = option((), metavar="NAMES", help="Columns to leave out, separated by commas.")
    groups: str | None = option(
        None,
        metavar="NAME",
        help="Column that names the group of each row, such as the patient it was measured on. It is not a feature. "
        "Rows of one group stay together in folds, and chance is measured by exchanging whole groups.",
        show_default="every row stands alone",
    )
    separator: str | None = option(
        None,
        metavar="CHAR|tab",
        help="The character between columns.",
        show_default="guessed among comma, semicolon and tab",
    )
    decimal: str | None = option(
        None,
        metavar=".|,",
        help="The decimal sign.",
        show_default="guessed where the separator is not a comma",
    )
    encoding: str = option("utf-8", metavar="NAME", help="The encoding of the file's text.")
    missing: tuple[str, ...] = option(
        (), metavar="MARK", help="A further mark of missing values, such as -999; may be repeated."
    )

    def __post_init__(self) -> None:
        for name in ("categorical", "drop", "missing"):
            value = getattr(self, name)
            if isinstance(value, str):
                raise ParameterError(f"{name} must be a list, not the text {value!r}")
            object.__setattr__(self, name, tuple(value))
        if self.impute is not None:
            one_of("impute", self.impute, IMPUTATIONS)
        if self.decimal not in (None, ".", ","):
            raise ParameterError(f"decimal must be '.' or ',', not {self.decimal!r}")
        if self.separator in TAB_WORDS:
            object.__setattr__(self, "separator", "tab")
        elif self.separator is not None and (len(self.separator) != 1 or self.separator in '"\r\n '):
            raise ParameterError(f"separator must be one character or 'tab', not {self.separator!r}")

    def reading(self) -> dict[str, Any]:
        """Give the keyword arguments of `read_table`.

        Returns
        -------
        dict
            With the keys separator, decimal, encoding and missing.
        """
        return {
            "separator": self.separator,
            "decimal": self.decimal,
            "encoding": self.encoding,
            "missing": MISSING.union(self.missing),
        }

    def preparing(self, names: Sequence[str]) -> dict[str, Any]:
        """Give the keyword arguments of `prepare_table`.

        Parameters
        ----------
        names : sequence of str
            The columns of the table. A word of `categorical` or `drop` that is none of them may name several, separated
            by commas.

        Returns
        -------
        dict
            With the keys categorical, impute, drop and groups.
        """
        categorical: list[str] | Literal["all"] = split_names(self.categorical, names)
        return {
            "categorical": "all" if tuple(categorical) == ALL_COLUMNS else categorical,
            "impute": self.impute,
            "drop": split_names(self.drop, names),
            "groups": self.groups,
        }

    def record(self) -> dict[str, Any]:
        """Record the options that are not the defaults.

        Returns
        -------
        dict
            Their values as JSON has them, by name; ``TableOptions(**record)`` gives the options back.
        """
        return {name: list(value) if isinstance(value, tuple) else value for name, value in changed(self).items()}


def split_names(words: Sequence[str], names: Sequence[str]) -> list[str]:
    """Column names from words that may hold several with commas; a name with a comma in it counts as itself."""
    known, longest = set(names), 1 + max((name.count(",") for name in names), default=0)
    found: list[str] = []
    for word in words:
        parts = word.split(",")
        while parts:
            starts = [",".join(parts[:size]) for size in range(min(longest, len(parts)), 0, -1)]
            start = next((one for one in starts if one in known or one.strip() in known), parts[0])
            name = start if start in known else start.strip()
            found += [name] if name else []
            parts = parts[1 + start.count(",") :]
    return found
