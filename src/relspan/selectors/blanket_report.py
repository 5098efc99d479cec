"""`relspan blanket`: the Markov blanket of a target, as a table or JSON."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from relspan.errors import RelspanWarning
from relspan.markov.blanket import BlanketResult
from relspan.markov.explanations import blanket_reason, p_text
from relspan.markov.outcomes import Decision
from relspan.progress import Progress
from relspan.result.answer_table import AnswerTable, counted
from relspan.result.record import current_versions, write_record
from relspan.selectors.discrete_features import discrete_features
from relspan.selectors.hiton import HITON
from relspan.tables import PreparedTable, UnknownColumnError
from relspan.terminal_text import printable

ROLES = {
    "parent": "by the tests it points at the target, unless a common cause of the two is hidden",
    "child": "by the tests the target points at it, unless a common cause of the two is hidden",
    "parent or child": "a direct neighbour; the tests do not show the direction",
    "spouse": "informative about the target once the column under 'through' is known",
}
"""What the graph's words mean. None of them is proof of cause and effect: that takes an experiment."""


@dataclass(frozen=True)
class BlanketMember:
    """One member of the blanket."""

    name: str
    role: str
    log_p: float
    p: str
    through: list[str]
    why: str


@dataclass(frozen=True, repr=False)
class BlanketReport(AnswerTable):
    """What `relspan blanket` found; plain values, ready for a table or JSON."""

    target: str
    n_samples: int
    n_features: int
    test: str
    members: list[BlanketMember]
    dropped: dict[str, dict[str, Any]]
    independent: int
    parameters: dict[str, Any]
    n_tests: int
    n_conditional_tests: int
    stopped: str | None
    seconds: float
    warnings: list[str] = field(default_factory=list)
    why: dict[str, str] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> str:
        """JSON with a schema version and the version of relspan."""
        head = {"relspan": current_versions()["relspan"], "kind": "blanket", "roles": ROLES}
        return write_record({**head, **asdict(self)})

    def columns(self) -> dict[str, list[Any]]:
        """One row per member, for a file."""
        return {
            "feature": [member.name for member in self.members],
            "role": [member.role for member in self.members],
            "log_p": [member.log_p for member in self.members],
            "through": [", ".join(member.through) for member in self.members],
            "why": [member.why for member in self.members],
        }

    @property
    def headline(self) -> str:
        """The target, and how many features its blanket has."""
        return f"blanket of {self.target}: {len(self.members)} of {counted(self.n_features, 'feature')}"

    def to_table(self) -> Table:
        """One row per member."""
        caption = (
            f"{self.n_tests} tests ({self.test}); {self.independent} of {self.n_features} independent on their own"
        )
        if self.stopped:
            caption += f"; PARTIAL: {self.stopped}"
        met = [role for role in ROLES if any(member.role == role for member in self.members)]
        caption = "\n".join([caption, *(f"{role}: {ROLES[role]}" for role in met), *map(printable, self.why.values())])
        table = Table(title=printable(f"Markov blanket of {self.target}"), caption=caption)
        table.add_column("feature")
        table.add_column("role")
        table.add_column("alone")
        table.add_column("through")
        for member in self.members:
            table.add_row(printable(member.name), member.role, member.p, printable(", ".join(member.through)))
        return table


@dataclass(frozen=True)
class NamedTarget:
    """A target with its name, as a pandas series has one; progress names it."""

    values: NDArray[Any]
    name: str

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Give the values alone."""
        return np.array(self.values, dtype=dtype, copy=copy)


def blanket_report(
    table: PreparedTable,
    *,
    why: Sequence[str] = (),
    progress: Progress | None = None,
    **parameters: Any,
) -> tuple[BlanketReport, BlanketResult]:
    """Find the blanket of a table's target and describe how.

    Parameters
    ----------
    table : PreparedTable
        With text columns numbered (``encode="codes"``).
    why : sequence of str
        Features whose being kept or dropped is to be explained.
    progress : callable, optional
        As in `HITON`.
    **parameters
        Other parameters of `HITON`; the report records them.

    Returns
    -------
    report : BlanketReport
    result : BlanketResult
        Everything by number (the target is the last), for `blanket_reason` and the plot.
    """
    names, target = list(table.names), table.report.target
    unknown = next((name for name in why if name not in names), None)
    if unknown is not None:
        raise UnknownColumnError(unknown, names)
    selector = HITON(discrete_features=discrete_features(table), progress=progress, **parameters)
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RelspanWarning)
        selector.fit(table.named, NamedTarget(table.y, target))
    result = selector.result_
    report = BlanketReport(
        target=target,
        n_samples=len(table.X),
        n_features=len(names),
        test=selector.test_,
        members=_members(result, [*names, target]),
        dropped={
            names[x]: {"given": [[*names, target][s] for s in found.given], "log_p": found.log_p}
            for x, found in result.pc.separations.items()
        },
        independent=int(np.sum(result.pc.decisions == Decision.INDEPENDENT)),
        parameters=parameters,
        n_tests=selector.n_tests_,
        n_conditional_tests=selector.n_conditional_tests_,
        stopped=selector.stopped_,
        seconds=time.perf_counter() - start,
        warnings=[str(w.message) for w in caught],
        why={name: blanket_reason(result, names.index(name), [*names, target].__getitem__) for name in why},
        data=table.report.facts(),
    )
    return report, result


def _members(result: BlanketResult, names: Sequence[str]) -> list[BlanketMember]:
    members = []
    for x in result.members:
        log_p = float(result.pc.marginal.log_p[x])
        through = [names[y] for y in result.spouses.get(x, {})]
        why = blanket_reason(result, x, names.__getitem__)
        members.append(BlanketMember(names[x], result.roles[x], log_p, p_text(log_p), through, why))
    return members
