"""The settings of an analysis: each with its default, its help text and its check, once for all tasks."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from relspan import checks
from relspan.errors import ParameterError
from relspan.options import option

PENALTIES = ("l1", "l2")
PROBE_KINDS = ("append", "replace")
CONTROLS = ("familywise", "per_feature")
FEWEST_PROBES = 5  # a spread of fewer values means little


@dataclass(frozen=True)
class Settings:
    """What decides an analysis, apart from the table and the seed. Every value is checked when the object is made."""

    C: float | None = option(
        None,
        flag="--C",
        short="-C",
        help="Price of loss (prediction errors) in the best model, which minimises norm + C * loss.",
        show_default="by cross-validation",
    )
    penalty: str = option(
        "l1",
        metavar="KIND",
        help="Norm that the best model minimises: 'l1', the sum of the absolute weights, or 'l2', half the sum of "
        "their squares, as in the first paper.",
    )
    delta_norm: float = option(
        0.1,
        help="How much larger than the best model's norm (the sum of its absolute weights) the norm of an equally good "
        "model may be, as a share of it.",
    )
    delta_loss: float = option(
        0.02,
        help="How much more loss than the best model an equally good model may have, as a share of the loss named by "
        "the loss budget.",
    )
    loss_budget: str = option(
        "explained",
        metavar="KIND",
        help="What the extra loss of an equally good model is a share of: 'explained', the loss that the best model "
        "saves compared with a model without features; 'relative', the best model's own loss; or 'combined', where one "
        "budget holds for norm and loss together, and delta_norm is its size.",
    )
    n_probes: int = option(
        50,
        help="Number of probes: permuted copies of columns, which show how relevant a feature can look by chance.",
    )
    probes: str = option(
        "append",
        metavar="KIND",
        help="Where a probe goes: 'append' adds it to the table as one more column, 'replace' puts it in the place of "
        "the column it was made from.",
    )
    alpha: float = option(0.003, help="Probability that an irrelevant feature is called relevant.")
    control: str = option(
        "familywise",
        metavar="KIND",
        help="Whether alpha is the probability of one or more such mistakes among all features ('familywise'), or of "
        "a mistake for each single feature ('per_feature').",
    )
    engine: str = option(
        "auto",
        metavar="NAME",
        help="Solver of the linear programs: 'auto', whichever suits the table; 'exact', the simplex method; "
        "'batched', an interior point method for many programs at once; 'gpu', the same on a CUDA device; or "
        "'reference', a plain and slow one to compare with.",
    )
    screen: bool = option(
        False,
        help="Skip the exact interval of features already proven irrelevant and show an upper bound (<=) instead.",
    )
    n_jobs: int | None = option(
        None,
        flag="--jobs",
        short="-j",
        help="Number of processes that share the work; -1 uses all cores. The result does not depend on it.",
        show_default="1",
    )

    def __post_init__(self) -> None:
        # families and engines are costly to import, and a command's help needs neither
        from relspan.engines import ENGINES
        from relspan.family import BUDGET_KINDS

        if self.C is not None:
            checks.number("C", self.C, above=0, hint="None lets cross-validation choose it")
        for name in ("delta_norm", "delta_loss"):
            checks.number(name, getattr(self, name), at_least=0, hint="it is a share, such as 0.1")
        checks.number("alpha", self.alpha, above=0, below=1, hint="it is a probability, such as 0.01")
        checks.whole("n_probes", self.n_probes, at_least=FEWEST_PROBES, hint="50 serves well")
        checks.flag("screen", self.screen)
        if self.n_jobs is not None and checks.whole("n_jobs", self.n_jobs) == 0:
            raise ParameterError("n_jobs must not be 0; it is the number of processes, -1 for all cores")
        checks.one_of("penalty", self.penalty, PENALTIES)
        checks.one_of("loss_budget", self.loss_budget, BUDGET_KINDS)
        checks.one_of("probes", self.probes, PROBE_KINDS)
        checks.one_of("control", self.control, CONTROLS)
        checks.one_of("engine", self.engine, ("auto", *ENGINES))

    def as_dict(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}
