"""Explorer: the questions that can be asked of a family of equally good models, at the pins of a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from relspan.arrays import Floats
from relspan.errors import DataError, ParameterError, SolverError
from relspan.explore.alternatives import Alternative, alternatives
from relspan.explore.discrepancy import Discrepancy, discrepancy
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.member_models import BudgetUse, HeldOutScore, Model, describe, subset_score, usage
from relspan.explore.panels import Panel, Report, panels
from relspan.explore.paths import RelevancePath, cost_path, delta_path
from relspan.explore.pin_history import PinHistory, Scenario
from relspan.explore.pinned_family import Pinned
from relspan.explore.pinned_result import pin_record, read_pin_records
from relspan.explore.pins import read_pin
from relspan.explore.predictions import Predictions, predictions
from relspan.explore.saved_session import decode, encode, read, write
from relspan.explore.stability import Stability, stability
from relspan.explore.substitute_groups import Groups, groups
from relspan.explore.substitution import Substitution, substitution


class Explorer(PinHistory):
    """Ask what if: pin features, see what moves, go back, keep scenarios.

    Made by ``estimator.explore()`` or ``Explorer.load(file)``. Relevances are shares of the baseline's L1 norm, and
    features go by name. Pins that no equally good model satisfies are refused with InfeasiblePins, and nothing changes.

    Examples
    --------
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=1, copies=1, random_state=0)
    >>> ex = RelevanceClassifier(random_state=0).fit(data.X, data.y).explore()
    >>> ex.without("x1").result["x2"].min > 0        # its only substitute is needed now
    True
    >>> ex.undo().pins
    ()
    """

    # -- answers ---------------------------------------------------------------------------------------------------

    @property
    def branches(self) -> list[dict[str, tuple[float, float]]]:
        """The signed interval of every feature in each sign branch; one branch unless a pinned sign is free."""
        mu = self.problem.mu
        return [
            {
                name: (float(lo) / mu, float(hi) / mu)
                for name, lo, hi in zip(self.problem.columns, b.ranges.lo, b.ranges.hi, strict=True)
            }
            for b in self.pinned.branches
        ]

    def model(self) -> Model:
        """The best model at the current pins, min ||w||_1 + C loss: one concrete member of the family."""
        return describe(self.problem, self.pinned.best.best)

    def usage(self) -> BudgetUse:
        """The norm and loss that the current pins use up at least."""
        return usage(self.board, self.pinned)

    def score(self) -> HeldOutScore:
        """Cross-validated score of the features of `model()`; optimistic, see HeldOutScore."""
        return subset_score(self.problem, self.model().features)

    # -- substitutes -----------------------------------------------------------------------------------------------

    def substitution(self, features: Sequence[str] | None = None) -> Substitution:
        """How every other feature's interval moves when one is held at its min or max, at the current pins.

        For the relevant features, unless others are named.
        """
        return substitution(self.board, self._columns(features), self._pins)

    def alternatives(self, feature: str) -> list[Alternative]:
        """The relevant features that could take this one's place, the likeliest first; each has a `sentence`."""
        self.problem.known(feature)
        return alternatives(self.board, self.pinned, feature, self._columns(None))

    def groups(self, features: Sequence[str] | None = None, cut: float | None = None) -> Groups:
        """Groups of relevant features that replace one another; `substitute_groups` has the distance."""
        return groups(self.board, self.pinned, self._columns(features), cut)

    def _columns(self, features: Sequence[str] | None) -> list[int]:
        if features is None:
            return np.flatnonzero(self.problem.analysis.classes > 0).tolist()
        return self.problem.columns_of(features)

    # -- panels ----------------------------------------------------------------------------------------------------

    def smallest_panel(
        self,
        must: Sequence[str] = (),
        without: Sequence[str] = (),
        time_limit: float = 60.0,
        report: Report = lambda seconds, cost, bound: None,
    ) -> Panel:
        """The fewest features from which an equally good model can be made, at the current pins.

        `must` are in the panel in any case (and may be used or not), `without` never. `report(seconds, cost, bound)`
        is called as the gap closes; at the time limit the best panel is given with the bound that is proven.
        """
        return self._panel(None, must, without, time_limit, report)

    def cheapest_panel(
        self,
        costs: Mapping[str, float],
        must: Sequence[str] = (),
        without: Sequence[str] = (),
        time_limit: float = 60.0,
        report: Report = lambda seconds, cost, bound: None,
    ) -> Panel:
        """The cheapest such set, given what each feature costs."""
        return self._panel(costs, must, without, time_limit, report)

    def minimal_panels(
        self,
        limit: int = 10,
        costs: Mapping[str, float] | None = None,
        must: Sequence[str] = (),
        without: Sequence[str] = (),
        time_limit: float = 60.0,
    ) -> list[Panel]:
        """Up to `limit` panels of which no feature can be left out, the smallest (cheapest) first.

        Ends early where there are no more, or at the time limit with a panel that is not proven to be next.
        """
        return list(panels(self.board, self._avoiding(without), costs, must, limit, time_limit))

    def _panel(
        self,
        costs: Mapping[str, float] | None,
        must: Sequence[str],
        without: Sequence[str],
        time_limit: float,
        report: Report,
    ) -> Panel:
        found = panels(self.board, self._avoiding(without), costs, must, 1, time_limit, report)
        panel = next(found, None)
        if panel is None:
            raise SolverError(f"no panel was found in {time_limit:g} seconds; allow more time")
        return panel

    def _avoiding(self, without: Sequence[str]) -> Pinned:
        """The current pins, and no model with these features."""
        extra = [read_pin(self.problem, name, "without") for name in without]
        return self._solve((*(pin for pin in self._pins if pin.feature not in without), *extra))

    # -- samples ---------------------------------------------------------------------------------------------------

    def predictions(self, X: Any = None) -> Predictions:
        """The interval of every sample's score over all equally good models, and whether they agree on its label.

        X is a table like the one analysed; None takes the training samples.
        """
        return predictions(self.board, self.pinned, self._samples(X))

    def discrepancy(
        self, X: Any = None, time_limit: float = 60.0, report: Report = lambda seconds, share, bound: None
    ) -> Discrepancy:
        """The largest share of labels that one equally good model can change, with its gap at the time limit."""
        return discrepancy(self.board, self.pinned, self._samples(X), time_limit, report)

    def _samples(self, X: Any) -> Floats:
        return self.problem.X if X is None else self.problem.scaled(X)

    # -- without pins: other budgets, other samples ----------------------------------------------------------------

    def path(self, along: str = "C", values: Sequence[float] | None = None) -> RelevancePath:
        """The intervals along "C" (by default the grid it was chosen from), "delta_norm", "delta_loss" or "delta"."""
        if along == "C":
            return cost_path(self.problem, values)
        spread = np.array([0.0, 0.25, 0.5, 1.0, 2.0, 4.0])
        usual = self.problem.settings.delta_norm if along == "delta_norm" else self.problem.settings.delta_loss
        deltas = (spread * (usual or 0.02)).tolist() if values is None else values
        return delta_path(self.problem, deltas, "both" if along == "delta" else along)

    def stability(self, n_draws: int = 50, level: float = 0.9, seed: int = 0, n_jobs: int | None = None) -> Stability:
        """Bootstrap whiskers of both end points and class frequencies; the answer does not depend on n_jobs."""
        return stability(self.problem, n_draws, level, seed, n_jobs)

    # -- the browser ------------------------------------------------------------------------------------------------

    def show(self, browser: bool = True) -> Any:
        """Open this session in the browser; what comes back has its `address` and is ended by `stop()`.

        Needs the extra ``web``. The server listens on this machine only and lives in a thread.
        """
        try:
            web = import_module("relspan.browser.server")  # it lies above, and needs what not everyone has installed
        except ModuleNotFoundError as error:
            raise ParameterError(f"the explorer needs {error.name!r}: pip install 'relspan[web]'") from error
        return web.show(self, browser)

    # -- files -----------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the model, its family, the current pins and all scenarios as one JSON file (.gz: compressed).

        The file holds the scaled training table: whoever has the file has the data.
        """
        write(path, self.problem, self._remembered())

    @classmethod
    def load(cls, path: str | Path) -> Explorer:
        """The session that `save` wrote."""
        return cls._resumed(*read(path), str(path))

    def dump(self, **more: Any) -> bytes:
        """What `save` writes, as bytes; `more` is kept beside the pins and handed back by `parse`."""
        return encode(self.problem, {**more, **self._remembered()})

    @classmethod
    def parse(cls, data: bytes, source: str = "session") -> tuple[Explorer, dict[str, Any]]:
        """The session that `dump` gave, and what was kept with it. Other data are refused with DataError."""
        problem, session = decode(data, source)
        return cls._resumed(problem, session, source), session

    def widget(self) -> Any:
        """This session in a notebook cell, an ExplorerWidget; needs anywidget. What is pinned there is pinned here."""
        # the notebook lies above this module, which must not know it: it is looked up when asked for
        return import_module("relspan.notebook").ExplorerWidget(self)

    def _remembered(self) -> dict[str, Any]:
        scenarios = [{**vars(s), "pins": [pin_record(pin) for pin in s.pins]} for s in self.scenarios.values()]
        return {"pins": [pin_record(pin) for pin in self._pins], "scenarios": scenarios}

    @classmethod
    def _resumed(cls, problem: FittedProblem, session: Mapping[str, Any], source: str) -> Explorer:
        explorer = cls(problem)
        try:
            for record in session["scenarios"]:
                name, note = str(record["name"]), str(record["note"])
                explorer.scenarios[name] = Scenario(name, read_pin_records(problem, record["pins"]), note)
            explorer._pins = read_pin_records(problem, session["pins"])
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise DataError(f"{source!r} holds a damaged session ({type(error).__name__}: {error})") from error
        return explorer
