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
CRITERIA = ("loss", "score")
RULES = ("evidence", "published")
ONE_SE = "one_se"  # the loss budget that the rows themselves suggest, see `one_standard_error`
MOST_PROBES = 10**6
FEWEST_PROBES = 5  # a spread of fewer values means little
NOT_IN_THE_ANSWER = ("select", "n_jobs", "on_null", "progress", "checkpoint")
"""Parameters of estimators that do not change a result, only how it is computed or used."""


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
    criterion: str = option(
        "loss",
        metavar="KIND",
        help="What cross-validation chooses C by: 'loss', the least loss on rows left out, in 5 folds that are dealt "
        "twice; or 'score', the best score of the predictions, in 3 random folds, as in the papers.",
    )
    penalty: str = option(
        "l1",
        metavar="KIND",
        help="Norm that the best model minimises: 'l1', the sum of the absolute weights, or 'l2', half the sum of "
        "their squares, as in the first paper (ESANN 2017).",
    )
    delta_norm: float = option(
        0.1,
        help="Norm budget: how much larger the norm (the sum of the absolute weights) of an equally good model may be, "
        "as a share of the best model's norm.",
    )
    delta_loss: float | str = option(
        0.02,
        metavar="SHARE|one_se",
        help="Loss budget: how much more loss than the best model an equally good model may have, as a share of the "
        "loss that loss_budget names; or 'one_se', one standard error of the loss on rows left out.",
    )
    loss_budget: str = option(
        "explained",
        metavar="KIND",
        help="What delta_loss is a share of: 'explained', the loss that the best model saves compared with a model "
        "without features; or 'relative', the best model's own loss. With 'combined', norm and loss share one budget, "
        "whose size is delta_norm.",
    )
    n_probes: int = option(
        50,
        help="Number of probes: permuted copies of columns, which show how relevant a feature can look by chance. "
        "Fewer are drawn where they settle all classes.",
    )
    all_probes: bool = option(
        False,
        help="Draw all probes, even where fewer of them settle all classes.",
    )
    probes: str = option(
        "append",
        metavar="KIND",
        help="How a probe enters the table: 'append' adds it as one more column, 'replace' puts it in the place of the "
        "column it was made from.",
    )
    alpha: float = option(
        0.01,
        help="Level of the tests against chance: how often the most extreme of all irrelevant features exceeds what "
        "counts as chance.",
    )
    control: str = option(
        "familywise",
        metavar="KIND",
        help="What alpha limits: the probability of any such mistake among all features ('familywise'), or the "
        "probability of a mistake for each single feature ('per_feature').",
    )
    rule: str = option(
        "evidence",
        metavar="KIND",
        help="How classes follow: 'evidence' tests the table, the reach of each feature and its association with the "
        "target against chance; 'published' compares intervals with the probes' thresholds, as the papers do.",
    )
    engine: str = option(
        "auto",
        metavar="NAME",
        help="Solver of the linear programs: 'auto' chooses the one that suits the table; 'exact' is the simplex "
        "method; 'batched' is an interior point method for many programs at once; 'gpu' is the same on a CUDA device; "
        "'restricted' is one for wide tables, with few columns and rows per program; "
        "'reference' is plain and slow, for comparison.",
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
        checks.number(
            "delta_norm", self.delta_norm, at_least=0, at_most=checks.MOST_SHARE, hint="it is a share, such as 0.1"
        )
        self._check_loss_budget()
        checks.number("alpha", self.alpha, above=0, below=1, hint="it is a probability, such as 0.01")
        checks.whole("n_probes", self.n_probes, at_least=FEWEST_PROBES, at_most=MOST_PROBES, hint="50 serves well")
        checks.flag("all_probes", self.all_probes)
        checks.flag("screen", self.screen)
        checks.processes("n_jobs", self.n_jobs)
        checks.one_of("criterion", self.criterion, CRITERIA)
        checks.one_of("penalty", self.penalty, PENALTIES)
        checks.one_of("loss_budget", self.loss_budget, BUDGET_KINDS)
        checks.one_of("probes", self.probes, PROBE_KINDS)
        checks.one_of("control", self.control, CONTROLS)
        checks.one_of("rule", self.rule, RULES)
        checks.one_of("engine", self.engine, ("auto", *ENGINES))

    def _check_loss_budget(self) -> None:
        if isinstance(self.delta_loss, str) and self.delta_loss == ONE_SE:
            if self.loss_budget == "combined":
                raise ParameterError(
                    "delta_loss='one_se' has no meaning with loss_budget='combined', whose size is delta_norm; choose "
                    "loss_budget='explained'"
                )
            return
        checks.number(
            "delta_loss",
            self.delta_loss,
            at_least=0,
            at_most=checks.MOST_SHARE,
            hint="it is a share, such as 0.1, or 'one_se'",
        )

    @property
    def loss_share(self) -> float:
        """The loss budget as a number, which "one_se" becomes once there is a best model."""
        return float(self.delta_loss)

    @property
    def may_stop_probes(self) -> bool:
        """Whether fewer probes than planned may do.

        The papers' own rule and screening need the exact threshold.
        """
        return not self.all_probes and self.rule == "evidence" and self.probes == "append" and not self.screen

    def as_dict(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}
