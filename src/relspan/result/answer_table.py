"""AnswerTable: what every answer of relspan shares: columns, a data frame, one line of text, a table in a notebook.

An answer states its `columns` and its `headline`; everything else follows from these two.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from relspan import checks

FRAMES = ("pandas", "polars", "dict")


class AnswerTable:
    """An answer that is also a table.

    See Also
    --------
    RelevanceResult : The features of an analysis.
    relspan.explore.Stability : Another answer of this kind.

    Examples
    --------
    >>> from relspan.explore import Panel
    >>> issubclass(Panel, AnswerTable)
    True
    """

    __slots__ = ()

    def columns(self) -> dict[str, list[Any]]:
        """The answer as a table, by column.

        Returns
        -------
        dict of str to list
            One list per column, all of the same length.
        """
        raise NotImplementedError

    @property
    def headline(self) -> str:
        """The answer in a few words, for a console and above the table in a notebook.

        Returns
        -------
        str
            Some words without a full stop.
        """
        raise NotImplementedError

    def to_frame(self, kind: str | None = None) -> Any:
        """The answer as a data frame.

        Parameters
        ----------
        kind : {"pandas", "polars", "dict"}, optional
            The library of the frame. By default pandas or polars, whichever is installed, else a dict of columns.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or dict
            The table of `columns`.
        """
        if kind is not None:
            checks.one_of("kind", kind, FRAMES)
        columns = self.columns()
        if kind == "dict":
            return columns
        for library in [kind] if kind else ["pandas", "polars"]:
            try:
                return import_module(library).DataFrame(columns)
            except ModuleNotFoundError:
                if kind:
                    raise
        return columns

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.headline}>"

    def _repr_html_(self) -> str:
        return str(import_module("relspan.show.html.columns_table").columns_table(self))


def counted(number: int, noun: str) -> str:
    """A number and what it counts: "1 feature", "2 features"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
