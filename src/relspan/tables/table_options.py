"""How a file is read and turned into numbers, as one object that a result can record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from relspan.checks import collection, one_of, text
from relspan.errors import ParameterError
from relspan.options import changed, option

MISSING = frozenset({"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NAN", "null", "NULL", "?"})
"""Cells that stand for a missing value."""

IMPUTATIONS = ("mean", "median", "drop")
TEXT_IMPUTATIONS = ("frequent", "missing")
TAB_WORDS = ("tab", "\\t", "\t")
ALL_COLUMNS = ("all",)


@dataclass(frozen=True)
class TableOptions:
    """Options by which a table is read and prepared; the defaults guess, fill, encode and leave out nothing.

    Attributes
    ----------
    categorical : tuple of str
        Columns to encode as zeros and ones; ``("all",)`` is every text column.
    ordered : tuple of str
        Categories whose levels have an order, as ``"size=small<medium<large"``.
    impute : {"mean", "median", "drop"} or None
        How missing numbers are treated, or "drop" for rows with any missing value; None refuses missing numbers.
    impute_text : {"frequent", "missing"} or None
        How missing words are treated: filled with the most frequent one, or a level of their own; None refuses them.
    drop : tuple of str
        Columns to leave out.
    groups : str or None
        The column that names the group of each row, such as a patient; it is not a feature.
    event : str or None
        The column that states whether the event of each row was seen; the target then is the time of observation.
    separator : str or None
        The character between columns, or "tab"; None guesses it.
    decimal : {".", ","} or None
        The decimal sign; None guesses it.
    encoding : str
        The encoding of the text.
    missing : tuple of str
        Marks of missing values beside those of `MISSING`.
    sheet : str or None
        The sheet of an Excel workbook; None is the only one that has values.

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
        help="Columns to encode as categories, separated by commas; 'all' encodes every text column. All levels of a "
        "category are one feature.",
    )
    ordered: tuple[str, ...] = option(
        (),
        metavar="NAME=LOW<HIGH",
        help="A category whose levels have an order, from low to high, as in 'size=small<medium<large'. Its steps are "
        "one feature. May be repeated.",
    )
    impute: str | None = option(
        None,
        metavar="|".join(IMPUTATIONS),
        help="Fill missing numbers with the column's mean or median, or drop the rows with any missing value. Rows "
        "without a value of the target are always dropped then.",
        show_default="missing values are refused",
    )
    impute_text: str | None = option(
        None,
        metavar="|".join(TEXT_IMPUTATIONS),
        help="Fill missing words with the column's most frequent one, or make them a level of their own, 'missing'.",
        show_default="missing words are refused",
    )
    drop: tuple[str, ...] = option((), metavar="NAMES", help="Columns to leave out, separated by commas.")
    groups: str | None = option(
        None,
        metavar="NAME",
        help="Column that names the group of each row, such as the patient it was measured on. It is not a feature. "
        "Rows of one group stay together in folds, and chance is measured by exchanging whole groups.",
        show_default="every row stands alone",
    )
    event: str | None = option(
        None,
        metavar="NAME",
        help="Column that is 1 where the event of a row was seen and 0 where it was not. The target (--time) is the "
        "time until the event or the end of observation.",
        show_default="the target has no events",
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
    sheet: str | None = option(
        None, metavar="NAME", help="The sheet of an Excel workbook.", show_default="the only one that has values"
    )

    def __post_init__(self) -> None:
        for name in ("categorical", "ordered", "drop", "missing"):
            value = getattr(self, name)
            object.__setattr__(self, name, tuple(text(name, word) for word in collection(name, value, "names")))
        for name in ("separator", "decimal", "sheet", "groups", "event"):
            if getattr(self, name) is not None:
                text(name, getattr(self, name))
        text("encoding", self.encoding)
        if self.impute is not None:
            one_of("impute", self.impute, IMPUTATIONS)
        if self.impute_text is not None:
            one_of("impute_text", self.impute_text, TEXT_IMPUTATIONS)
        for word in self.ordered:
            if "=" not in word or "<" not in word.partition("=")[2]:
                raise ParameterError(f"ordered must be NAME=LOW<HIGH, as in 'size=small<medium<large', not {word!r}")
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
            With the keys separator, decimal, encoding, missing and sheet.
        """
        return {
            "separator": self.separator,
            "decimal": self.decimal,
            "encoding": self.encoding,
            "missing": MISSING.union(self.missing),
            "sheet": self.sheet,
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
            With the keys categorical, ordered, impute, impute_text, drop, groups and event.
        """
        categorical: list[str] | Literal["all"] = split_names(self.categorical, names)
        return {
            "categorical": "all" if tuple(categorical) == ALL_COLUMNS else categorical,
            "ordered": dict(split_order(word, names) for word in self.ordered),
            "impute": self.impute,
            "impute_text": self.impute_text,
            "drop": split_names(self.drop, names),
            "groups": self.groups,
            "event": self.event,
        }

    def record(self) -> dict[str, Any]:
        """Record the options that are not the defaults.

        Returns
        -------
        dict
            Their values as JSON has them, by name; ``TableOptions(**record)`` gives the options back.
        """
        return {name: list(value) if isinstance(value, tuple) else value for name, value in changed(self).items()}


def split_order(word: str, names: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The column and the levels of ``NAME=LOW<HIGH``; a name may have an equals sign in it."""
    parts = word.split("=")
    starts = ["=".join(parts[:size]) for size in range(1, len(parts))]
    name = next((start for start in starts if start in names), starts[0])
    return name, tuple(level.strip() for level in word[len(name) + 1 :].split("<"))


def joined_order(name: str, levels: Sequence[str]) -> str:
    """What `split_order` takes apart."""
    return f"{name}={'<'.join(levels)}"


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
