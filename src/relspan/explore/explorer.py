"""Explorer: the questions that can be asked of a family of equally good models, under the pins of a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from numbers import Integral
from pathlib import Path
from typing import Any, Self

from relspan import checks
from relspan.arrays import Floats, dense
from relspan.checks import one_of
from relspan.errors import DataError, ParameterError, SolverError
from relspan.explore.contribution_table import ContributionTable, contribution_table
from relspan.explore.contributions import Contributions, contributions
from relspan.explore.discrepancy import Discrepancy, discrepancy
from relspan.explore.fitted_problem import FittedProblem, WholeFeature
from relspan.explore.member_models import BudgetUse, HeldOutScore, Model, budget_use, held_out_score, model_of
from relspan.explore.panels import Panel, Panels, panels
from relspan.explore.paths import PATH_PARAMETERS, RelevancePath, cost_path, delta_path, usual_deltas
from relspan.explore.pin_history import PinHistory
from relspan.explore.pinned_family import PinnedFamily, result_under
from relspan.explore.pins import Demand, Pin, pin_record, pins_from_records, read_pin
from relspan.explore.predictions import Predictions, predictions
from relspan.explore.purchases import PriceList, read_prices
from relspan.explore.ranking import Ranking, ranking
from relspan.explore.saved_session import decode, encode, read, write
from relspan.explore.scenarios import CURRENT, UNPINNED, Scenario, ScenarioComparison, compare_results
from relspan.explore.score_card import ScoreCard, ScoreCards
from relspan.explore.score_cards import score_cards
from relspan.explore.spans import Span, Spans, all_pairs, contrasts, score_gap, spans_of_weights
from relspan.explore.stability import RandomState, Stability, stability
from relspan.explore.substitute_groups import Groups, groups
from relspan.explore.substitutes import Alternatives, Substitution, alternatives, substitution
from relspan.explore.unmeasured import problem_without
from relspan.progress import Progress, ProgressChoice, reporter
from relspan.result import RelevanceResult
from relspan.result.category_features import fold_categories, with_class_of_category


class Explorer:
    """Ask what-if questions about the family of equally good models.

    An explorer is made by ``estimator.explore()`` or ``Explorer.load(file)``. It remembers pins on features, the way
    back, and named scenarios; every answer is about the models that satisfy the pins in force. Features go by name,
    and relevances are shares of the baseline's L1 norm. Pins that no equally good model satisfies are refused with
    `InfeasiblePins`, and nothing changes.

    Parameters
    ----------
    problem : FittedProblem
        The analysis behind the questions. Only ``explore()`` and `load` make one.

    Attributes
    ----------
    scenarios : dict of str to Scenario
        The saved scenarios by name.

    See Also
    --------
    relspan.RelevanceClassifier.explore : Explore a fitted classifier.
    relspan.notebook.ExplorerWidget : The same in a notebook cell.

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

    def __init__(self, problem: FittedProblem) -> None:
        if not isinstance(problem, FittedProblem):
            raise ParameterError(
                f"an Explorer cannot be made from {type(problem).__name__} {problem!r:.40}; "
                "call explore() of a fitted estimator, or Explorer.load(file)"
            )
        self.scenarios: dict[str, Scenario] = {}
        self._problem = problem
        self._history = PinHistory(problem)

    def __repr__(self) -> str:
        pins = ", ".join(str(pin) for pin in self.pins) or "no pins"
        return f"<{type(self).__name__} of {len(self.feature_names)} features: {pins}>"

    # -- pins ---------------------------------------------------------------------------------------------------------

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of all columns that the models weigh; a category has one per level.

        Panels, substitutes, groups, paths and stability count a category as one feature, by its own name.

        Returns
        -------
        tuple of str
            Names in the order of the table.
        """
        return self._problem.names

    @property
    def categories(self) -> dict[str, tuple[str, ...]]:
        """The columns that stand for each category.

        Returns
        -------
        dict of str to tuple of str
            The columns by the category's name, which `without` and `unpin` take, too.
        """
        return self._problem.encoded

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of all columns that new samples need: the features, and the covariates where there are some.

        Returns
        -------
        tuple of str
            Names in the order of the table.
        """
        return self._problem.table_names

    @property
    def pins(self) -> tuple[Pin, ...]:
        """The pins in force.

        Returns
        -------
        tuple of Pin
            Pins in the order they were set.
        """
        return self._history.pins

    def pin(self, feature: str, demand: Demand) -> Self:
        """Demand something of a feature's relevance.

        "min" and "max" are as little and as much as the other pins allow; of several of them, those set earlier go
        first. They follow when the other pins change. A new pin on a feature replaces the old one.

        Parameters
        ----------
        feature : str
            The feature.
        demand : {"min", "max", "without", "+", "-"}, float, or tuple
            An end of its interval, no use of it at all, a weight of one sign (or 0), an exact relevance, or a range
            (low, high). A sign may stand before a relevance or a range: ("+", 0.2), ("-", 0.1, 0.3). "positive" and
            "negative" are other words for the signs.

        Returns
        -------
        Explorer
            This explorer.

        See Also
        --------
        pin_all : Set several pins in one step.
        unpin : Remove pins.

        Examples
        --------
        >>> from relspan import RelevanceClassifier
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=1, random_state=0)
        >>> ex = RelevanceClassifier(random_state=0).fit(data.X, data.y).explore()
        >>> ex.pin("x1", (0, 0.1)).pins
        (Pin(feature='x1', low=0.0, high=0.1, asked='range'),)
        >>> str(ex.pin("x0", "+").pins[-1])
        'x0 positive or 0'
        """
        (named,) = checks.features("feature", [feature])
        return self.pin_all({named: demand})

    def pin_all(self, demands: Mapping[str, Demand]) -> Self:
        """Set several pins in one step; pins on other features stay.

        Parameters
        ----------
        demands : mapping of str to demand
            For each feature a demand as `pin` takes it.

        Returns
        -------
        Explorer
            This explorer.

        See Also
        --------
        set_pins : The same, without the pins that were in force.
        """
        pins = self._read_pins(demands)
        replaced = {pin.feature for pin in pins}
        self._history.set((*(pin for pin in self.pins if pin.feature not in replaced), *pins))
        return self

    def set_pins(self, demands: Mapping[str, Demand]) -> Self:
        """Put these pins, and no others, in force, in one step.

        Parameters
        ----------
        demands : mapping of str to demand
            For each feature a demand as `pin` takes it.

        Returns
        -------
        Explorer
            This explorer.

        See Also
        --------
        pin_all : Keep the pins on other features.
        """
        self._history.set(self._read_pins(demands))
        return self

    def without(self, *features: str) -> Self:
        """Allow only models that do not use these features.

        Parameters
        ----------
        *features : str
            The features.

        Returns
        -------
        Explorer
            This explorer.

        See Also
        --------
        pin : Other demands.
        """
        return self.pin_all(dict.fromkeys(checks.features("features", features), "without"))

    def unpin(self, *features: str) -> Self:
        """Remove pins.

        Parameters
        ----------
        *features : str
            The features whose pins are removed; all of them if none is named.

        Returns
        -------
        Explorer
            This explorer.

        See Also
        --------
        undo : Go back by one change.
        """
        pinned = [pin.feature for pin in self.pins]
        freed = self._names(features)
        for feature in features:
            if not set(self._problem.members(feature)) <= set(pinned):
                raise ParameterError(f"{feature!r} is not pinned; the pins are on {', '.join(pinned) or 'no feature'}")
        self._history.set(tuple(pin for pin in self.pins if features and pin.feature not in freed))
        return self

    def undo(self) -> Self:
        """Go back to the pins before the last change.

        Returns
        -------
        Explorer
            This explorer.

        See Also
        --------
        redo : Take the undo back.
        """
        self._history.undo()
        return self

    def redo(self) -> Self:
        """Take back the last undo.

        Returns
        -------
        Explorer
            This explorer.

        See Also
        --------
        undo : Go back by one change.
        """
        self._history.redo()
        return self

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to undo.

        Returns
        -------
        bool
            True where `undo` would work.
        """
        return self._history.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether there is an undo to take back.

        Returns
        -------
        bool
            True where `redo` would work.
        """
        return self._history.can_redo

    def _read_pins(self, demands: Mapping[str, Demand]) -> tuple[Pin, ...]:
        pins: dict[str, Pin] = {}
        for feature, demand in checks.mapping("demands", demands, "features to what is demanded of them").items():
            columns = self._problem.members(feature)
            if len(columns) > 1 and demand != "without":
                raise ParameterError(
                    f"{feature!r} is a category, and only 'without' can be demanded of all its levels; pin one of "
                    f"them, such as {columns[0]!r}"
                )
            pins |= {column: read_pin(self._problem, column, demand) for column in columns}
        return tuple(pins.values())

    # -- intervals and models -----------------------------------------------------------------------------------------

    @property
    def result(self) -> RelevanceResult:
        """The result under the current pins.

        Returns
        -------
        RelevanceResult
            Every feature has its interval under the pins, the class that it has without pins, and in `under_pins` what
            the pins do to it. There are no probes and no thresholds, because none were computed under the pins.
        """
        return fold_categories(result_under(self._problem, self._history.current_family()))

    @property
    def unpinned_result(self) -> RelevanceResult:
        """The result without pins.

        Returns
        -------
        RelevanceResult
            The result of the analysis itself.
        """
        return fold_categories(self._problem.result)

    @property
    def branches(self) -> list[dict[str, tuple[float, float]]]:
        """The signed interval of every feature in each sign branch.

        A pin that excludes 0 may leave both signs of a weight possible. Each combination of signs is a branch.

        Returns
        -------
        list of dict
            One dictionary per branch, with the interval (lo, hi) of each feature's weight, in shares of the baseline's
            norm. There is one branch unless the sign of a pinned feature is free.
        """
        mu, names = self._problem.mu, self._problem.columns
        return [
            {
                name: (float(lo) / mu, float(hi) / mu)
                for name, lo, hi in zip(names, branch.ranges.lo, branch.ranges.hi, strict=True)
            }
            for branch in self._history.current_family().branches
        ]

    def model(self) -> Model:
        """The best model under the current pins, min ||w||_1 + C loss.

        Returns
        -------
        Model
            One concrete member of the family.

        See Also
        --------
        score : How well its features do on held-out samples.
        """
        return model_of(self._problem, self._history.current_family().best.best)

    def budget_use(self) -> BudgetUse:
        """The norm and the loss that the current pins use up at least.

        Returns
        -------
        BudgetUse
            The smallest norm and loss, and their shares of the budgets.

        See Also
        --------
        model : One model under the pins.
        """
        return budget_use(self._history.solver, self._history.current_family())

    def score(self) -> HeldOutScore:
        """Cross-validate a model on the features of `model()` alone.

        Returns
        -------
        HeldOutScore
            The score per fold, beside that of all features. It is optimistic for new samples, because the features
            were chosen on all samples.

        See Also
        --------
        model : The model whose features are scored.
        """
        return held_out_score(self._problem, self.model().features)

    # -- substitutes --------------------------------------------------------------------------------------------------

    def substitution(self, features: Sequence[str] | None = None, *, progress: ProgressChoice = None) -> Substitution:
        """How every other feature's interval moves when one is pinned at its min or max.

        Parameters
        ----------
        features : sequence of str, optional
            The features to look at; by default the relevant ones.
        progress : callable or bool, optional
            Called as ``progress(stage, share, note)``; True prints lines to standard error.

        Returns
        -------
        Substitution
            The intervals under each of these pins, beside the current ones.

        See Also
        --------
        alternatives : The same question about one feature.
        groups : Groups of features that replace one another.
        """
        return substitution(self._history.solver, self._features(features), self.pins, reporter(progress))

    def alternatives(self, feature: str, *, progress: ProgressChoice = None) -> Alternatives:
        """The relevant features that could take the place of this one.

        Parameters
        ----------
        feature : str
            The feature to replace.
        progress : callable or bool, optional
            Called as ``progress(stage, share, note)``; True prints lines to standard error.

        Returns
        -------
        Alternatives
            The likeliest substitute first; each has a `sentence`.

        See Also
        --------
        substitution : The same question about all features.
        """
        asked, history = self._problem.feature(feature), self._history
        return alternatives(history.solver, history.current_family(), asked, self._features(None), reporter(progress))

    def groups(
        self, features: Sequence[str] | None = None, *, cut: float | None = None, progress: ProgressChoice = None
    ) -> Groups:
        """Groups of features that replace one another.

        Parameters
        ----------
        features : sequence of str, optional
            The features to group; by default the relevant ones.
        cut : float, optional
            The distance 1 - exchange at which the tree is cut into groups; by default in the widest gap.
        progress : callable or bool, optional
            Called as ``progress(stage, share, note)``; True prints lines to standard error.

        Returns
        -------
        Groups
            The groups, the largest first.

        See Also
        --------
        substitution : How intervals move when a feature is pinned.
        relspan.plots.ExchangeGraphDisplay : Draw the exchange of all pairs.
        """
        history = self._history
        report = reporter(progress)
        if cut is not None:
            checks.number("cut", cut, at_least=0)
        return groups(history.solver, history.current_family(), self._features(features), cut, report)

    def _names(self, features: Sequence[str]) -> list[str]:
        """The names of the columns that features stand for."""
        given = checks.features("include", features)
        return [column for feature in given for column in self._problem.members(feature)]

    def _features(self, features: Sequence[str] | None) -> list[WholeFeature]:
        """Some features, or the relevant ones; those that are constant are left out."""
        if features is None:
            return self._problem.relevant_features
        given = checks.features("features", features)
        return [feature for feature in map(self._problem.feature, given) if feature.columns]

    # -- panels -------------------------------------------------------------------------------------------------------

    def smallest_panel(
        self,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        at_most: Sequence[tuple[int, Sequence[str]]] | None = None,
        together: Sequence[Sequence[str]] | None = None,
        time_limit: float = 60.0,
        progress: ProgressChoice = None,
    ) -> Panel:
        """The fewest features from which an equally good model can be made, under the current pins.

        Parameters
        ----------
        include : sequence of str, default=()
            Features that are part of the panel in any case, whether the model uses them or not.
        exclude : sequence of str, default=()
            Features that the panel must not hold.
        at_most : sequence of (number, features), optional
            Groups of features of which a panel may hold at most so many.
        together : sequence of sequence of str, optional
            Groups of features that are bought together: a panel holds all of a group or none.
        time_limit : float, default=60.0
            Seconds after which the best panel so far is returned, with the bound that is proven.
        progress : callable or bool, optional
            Called as ``progress(stage, share, note)`` while the gap closes; the note has the cost of the best panel so
            far and the proven bound.

        Returns
        -------
        Panel
            The panel, with a model that uses no other features.

        See Also
        --------
        cheapest_panel : Where features have costs.
        minimal_panels : Several panels.
        """
        prices = read_prices(self._problem, None, None, at_most, together)
        return self._one_panel(prices, include, exclude, time_limit, progress)

    def cheapest_panel(
        self,
        costs: Mapping[str, float],
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        kits: Mapping[str, Any] | None = None,
        at_most: Sequence[tuple[int, Sequence[str]]] | None = None,
        together: Sequence[Sequence[str]] | None = None,
        time_limit: float = 60.0,
        progress: ProgressChoice = None,
    ) -> Panel:
        """The cheapest features from which an equally good model can be made, under the current pins.

        Parameters
        ----------
        costs : mapping of str to float
            The cost of each feature, 0 or more; a category is paid once. Features of kits need none.
        include : sequence of str, default=()
            Features that are part of the panel in any case, whether the model uses them or not.
        exclude : sequence of str, default=()
            Features that the panel must not hold.
        kits : mapping of str to Kit or (price, features), optional
            Kits by name. The price of a kit is paid once, whatever the number of its features in the panel; a cost of
            such a feature comes on top, and is 0 where none is given. A feature of several kits needs one of them.
        at_most : sequence of (number, features), optional
            Groups of features of which a panel may hold at most so many.
        together : sequence of sequence of str, optional
            Groups of features that are bought together: a panel holds all of a group or none.
        time_limit : float, default=60.0
            Seconds after which the best panel so far is returned, with the bound that is proven.
        progress : callable or bool, optional
            Called as ``progress(stage, share, note)`` while the gap closes; the note has the cost of the best panel so
            far and the proven bound.

        Returns
        -------
        Panel
            The panel, with a model that uses no other features.

        See Also
        --------
        smallest_panel : Where every feature costs the same.
        minimal_panels : Several panels.
        """
        prices = read_prices(self._problem, costs, kits, at_most, together)
        return self._one_panel(prices, include, exclude, time_limit, progress)

    def minimal_panels(
        self,
        limit: int = 10,
        *,
        costs: Mapping[str, float] | None = None,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        kits: Mapping[str, Any] | None = None,
        at_most: Sequence[tuple[int, Sequence[str]]] | None = None,
        together: Sequence[Sequence[str]] | None = None,
        time_limit: float = 60.0,
        progress: ProgressChoice = None,
    ) -> Panels:
        """Panels of which no feature can be left out, the smallest (or cheapest) first.

        Parameters
        ----------
        limit : int, default=10
            How many panels to find.
        costs : mapping of str to float, optional
            The cost of each feature; by default every feature costs 1.
        include : sequence of str, default=()
            Features that are part of every panel, whether the model uses them or not.
        exclude : sequence of str, default=()
            Features that no panel must hold.
        kits : mapping of str to Kit or (price, features), optional
            Kits by name. The price of a kit is paid once, whatever the number of its features in the panel; a cost of
            such a feature comes on top, and is 0 where none is given. A feature of several kits needs one of them.
        at_most : sequence of (number, features), optional
            Groups of features of which a panel may hold at most so many.
        together : sequence of sequence of str, optional
            Groups of features that are bought together: a panel holds all of a group or none.
        time_limit : float, default=60.0
            Seconds for the whole search.
        progress : callable or bool, optional
            Called as ``progress(stage, share, note)`` while the gap closes; the note has the cost of the best panel so
            far and the proven bound.

        Returns
        -------
        Panels
            At most `limit` panels: fewer where there are no more, or where the time is over. The last one may not be
            proven to be next.

        See Also
        --------
        smallest_panel : The first of them.
        """
        family = self._family_excluding(exclude, reporter(progress))
        prices = read_prices(self._problem, costs, kits, at_most, together)
        required = self._names(include)
        return Panels(panels(self._history.solver, family, prices, required, limit, time_limit, reporter(progress)))

    def _one_panel(
        self,
        prices: PriceList,
        include: Sequence[str],
        exclude: Sequence[str],
        time_limit: float,
        progress: ProgressChoice,
    ) -> Panel:
        family = self._family_excluding(exclude, reporter(progress))
        found = next(panels(self._history.solver, family, prices, include, 1, time_limit, reporter(progress)), None)
        if found is None:
            raise SolverError(f"no panel was found in {time_limit:g} seconds; allow more time")
        return found

    # -- score cards --------------------------------------------------------------------------------------------------

    def score_card(
        self,
        *,
        largest: int = 5,
        features: int = 8,
        units: Mapping[str, float] | None = None,
        time_limit: float = 30.0,
        progress: ProgressChoice = None,
    ) -> ScoreCard:
        """The equally good score card with the least loss: whole points per unit of each feature, under the pins.

        For a target of two classes. A card is a linear model whose weights are whole points times one factor; it is in
        the family of equally good models, which is checked by the plain formulas.

        Parameters
        ----------
        largest : int, default=5
            The largest number of points, positive or negative, per unit of a feature.
        features : int, default=8
            The largest number of features.
        units : mapping of str to float, optional
            How much of a feature is one unit. By default the standard deviation, rounded to 1, 2 or 5 times a power of
            ten; for a column of two values their difference.
        time_limit : float, default=30.0
            Seconds after which the best card so far is returned, with the bound of the loss that is proven.
        progress : callable or bool, optional
            Called as ``progress(stage, share, note)``.

        Returns
        -------
        ScoreCard
            The card, with calibrated risks and cut-offs from held-out rows. `InfeasibleRules` is raised where no card
            within these limits is equally good.

        See Also
        --------
        score_cards : Several equally good cards.
        smallest_panel : The fewest features, with any weights.
        """
        return self.score_cards(
            1, largest=largest, features=features, units=units, time_limit=time_limit, progress=progress
        )[0]

    def score_cards(
        self,
        limit: int = 10,
        *,
        largest: int = 5,
        features: int = 8,
        units: Mapping[str, float] | None = None,
        time_limit: float = 30.0,
        progress: ProgressChoice = None,
    ) -> ScoreCards:
        """Equally good score cards, the one with the least loss first, under the current pins.

        Parameters
        ----------
        limit : int, default=10
            How many cards to find.
        largest : int, default=5
            The largest number of points, positive or negative, per unit of a feature.
        features : int, default=8
            The largest number of features.
        units : mapping of str to float, optional
            How much of a feature is one unit; see `score_card`.
        time_limit : float, default=30.0
            Seconds for the search of all cards.
        progress : callable or bool, optional
            Called as ``progress(stage, share, note)``.

        Returns
        -------
        ScoreCards
            At most `limit` cards, all of them equally good. Each has the bound that is proven for its place: no card
            but those before it has less loss.

        See Also
        --------
        score_card : The first of them.
        """
        report = reporter(progress)
        family = self._history.current_family(report)
        return ScoreCards(
            score_cards(self._history.solver, family, largest, features, units, limit, time_limit, report)
        )

    def _family_excluding(self, features: Sequence[str], progress: Progress) -> PinnedFamily:
        """The family under the current pins, without models that use these features."""
        excluded = self._read_pins(dict.fromkeys(checks.features("exclude", features), "without"))
        names = {pin.feature for pin in excluded}
        pins = (*(pin for pin in self.pins if pin.feature not in names), *excluded)
        return self._history.family_under(pins, progress)

    # -- samples ------------------------------------------------------------------------------------------------------

    def predictions(
        self, X: Any = None, *, unmeasured: Sequence[str] = (), progress: ProgressChoice = None
    ) -> Predictions:
        """The interval of every sample's score over all equally good models, and whether they agree on its label.

        Parameters
        ----------
        X : table of shape (n_samples, n_features), optional
            Samples with the columns of the table that was analysed; a data frame may have them in any order. By
            default the training samples.
        unmeasured : sequence of str, default=()
            Features that are not measured at all. The models are then those that are as good as the best model
            without these features, at the same C; labels that were certain may become uncertain. Pins do not count,
            and X must be left out.
        progress : callable or bool, optional
            Called as ``progress(stage, share, note)``; True prints lines to standard error.

        Returns
        -------
        Predictions
            One prediction per sample.

        See Also
        --------
        discrepancy : How many labels one model can change at once.
        """
        report = reporter(progress)
        if not checks.features("unmeasured", unmeasured):
            return predictions(self._history.solver, self._history.current_family(), self._samples(X), report)
        if X is not None:
            raise ParameterError(
                "unmeasured must list features of the table that was analysed, but X cannot be given with it"
            )
        history = PinHistory(problem_without(self._problem, unmeasured, report))
        return predictions(history.solver, history.current_family(), history.problem.samples, report)

    def contributions(self, sample: Any) -> Contributions:
        """What each feature contributes to the score of one sample, over all equally good models.

        Parameters
        ----------
        sample : int or table of shape (1, n_features)
            The number of a training sample, from 0; or a table with one row and the columns of the table that was
            analysed.

        Returns
        -------
        Contributions
            The range of w_j (x_j - mean_j) of every feature, and the prediction for the sample.

        See Also
        --------
        predictions : The score interval of many samples.
        """
        if isinstance(sample, Integral):
            count, number = self._problem.X.shape[0], int(sample)
            if not 0 <= number < count:
                raise ParameterError(f"sample must be a number from 0 to {count - 1}, not {number}")
            z = dense(self._problem.samples)[number]
        else:
            table = self._problem.scaled(sample)
            if len(table) != 1:
                raise DataError(f"contributions are those of one sample, not of {len(table)}")
            z = table[0]
        return contributions(self._history.solver, self._history.current_family(), z)

    def discrepancy(self, X: Any = None, *, time_limit: float = 60.0, progress: ProgressChoice = None) -> Discrepancy:
        """The largest share of labels that one equally good model can change.

        Parameters
        ----------
        X : table of shape (n_samples, n_features), optional
            Samples as in `predictions`; by default the training samples.
        time_limit : float, default=60.0
            Seconds after which the largest share so far is returned, with the bound that is proven.
        progress : callable or bool, optional
            Called as ``progress(stage, share, note)`` while the gap closes; the note has the largest share so far and
            the proven bound.

        Returns
        -------
        Discrepancy
            The share, the model that changes these labels, and the bound.

        See Also
        --------
        predictions : Which labels are ambiguous.
        """
        family, limit = self._history.current_family(), checks.number("time_limit", time_limit, at_least=0)
        return discrepancy(self._history.solver, family, self._samples(X), limit, reporter(progress))

    # -- any linear functional ----------------------------------------------------------------------------------------

    def span(self, direction: Mapping[str, float], *, name: str = "") -> Span:
        """The range of a weighted sum of weights over all equally good models.

        Parameters
        ----------
        direction : mapping of str to float
            The factor of each feature's weight; features that are not named have the factor 0.
        name : str, default=""
            What the sum is called in the answer; by default it is written out.

        Returns
        -------
        Span
            Its smallest and largest value, in shares of the norm, as signed intervals are.

        See Also
        --------
        contrast : The difference of two weights.
        combined : The sum of several weights.
        """
        if not checks.mapping("direction", direction, "features to factors"):
            raise ParameterError("direction names no feature; give a factor for at least one")
        factors = {
            feature: checks.number(f"the factor of {feature!r}", factor) for feature, factor in direction.items()
        }
        written = checks.text("name", name) or " + ".join(f"{c:g} {feature}" for feature, c in factors.items())
        return spans_of_weights(self._history.solver, self._history.current_family(), [direction], [written]).spans[0]

    def contrast(self, first: str, second: str) -> Span:
        """The range of the difference of two weights over all equally good models.

        Parameters
        ----------
        first, second : str
            The features; the weight of the second is subtracted.

        Returns
        -------
        Span
            In shares of the norm. If its `sign` is not 0, all models agree on which weight is larger.

        See Also
        --------
        contrasts : All pairs at once.
        ranking : The order of absolute weights.
        """
        first, second = checks.features("first and second", (first, second))
        return contrasts(self._history.solver, self._history.current_family(), [(first, second)]).spans[0]

    def contrasts(self, features: Sequence[str] | None = None) -> Spans:
        """The ranges of the differences of all pairs of weights.

        Parameters
        ----------
        features : sequence of str, optional
            The features to compare; by default all.

        Returns
        -------
        Spans
            One range per pair.

        See Also
        --------
        contrast : One pair.
        """
        pairs = all_pairs(self.feature_names if features is None else checks.features("features", features))
        return contrasts(self._history.solver, self._history.current_family(), pairs)

    def combined(self, features: Sequence[str], *, name: str = "") -> Span:
        """The range of the sum of several weights: what a group of substitutes does together.

        Substitutes can exchange weight, and near-copies can carry weights of opposite sign that cancel. Neither changes
        their signed sum, so its range is often narrow where each single interval is wide.

        Parameters
        ----------
        features : sequence of str
            The features whose weights are added, with their signs.
        name : str, default=""
            What the sum is called in the answer; by default the features are named.

        Returns
        -------
        Span
            In shares of the norm.

        See Also
        --------
        groups : Find groups of substitutes.
        """
        given = checks.features("features", features)
        return self.span(dict.fromkeys(given, 1.0), name=checks.text("name", name) or " + ".join(map(str, given)))

    def ranking(self) -> Ranking:
        """The order of the features by absolute weight, as far as all equally good models agree on it.

        Returns
        -------
        Ranking
            A partial order: every pair of features whose order is the same in all models.

        See Also
        --------
        contrasts : Differences of signed weights.
        relspan.plots.RankingDisplay : Draw it.
        """
        return ranking(self._history.solver, self._history.current_family())

    def shap(self, X: Any = None) -> ContributionTable:
        """The range of each feature's contribution to each sample's score, over all equally good models.

        The contribution is the weight times the distance of the sample's value from the mean of the table that was
        analysed, which for a linear model is its SHAP value.

        Parameters
        ----------
        X : table of shape (n_samples, n_features), optional
            Samples as in `predictions`; by default the training samples.

        Returns
        -------
        ContributionTable
            Smallest, largest and best model's contributions.

        See Also
        --------
        contributions : One sample in detail.
        predictions : The range of the whole score.
        """
        return contribution_table(self._history.solver, self._history.current_family(), self._samples(X))

    def gap(self, subgroup: Any, X: Any = None, *, name: str = "subgroup - others") -> Span:
        """The range of the difference between the mean scores of a subgroup and of all other samples.

        Parameters
        ----------
        subgroup : array of bool of shape (n_samples,)
            Which samples belong to the subgroup, such as the patients of one site or of one sex.
        X : table of shape (n_samples, n_features), optional
            Samples as in `predictions`; by default the training samples, with their weights.
        name : str, default="subgroup - others"
            What the difference is called in the answer.

        Returns
        -------
        Span
            In units of the score. If it holds 0, some equally good model treats both alike on average.

        See Also
        --------
        shap : What each feature contributes.
        """
        checks.text("name", name)
        weights = self._problem.sample_weight if X is None else None
        family = self._history.current_family()
        return score_gap(self._history.solver, family, self._samples(X), weights, subgroup, name)

    def _samples(self, X: Any) -> Floats:
        return self._problem.samples if X is None else self._problem.scaled(X)

    # -- without pins: other budgets, other samples -------------------------------------------------------------------

    def path(
        self,
        along: str = "C",
        values: Sequence[float] | None = None,
        *,
        classes: bool = False,
        progress: ProgressChoice = None,
    ) -> RelevancePath:
        """The intervals along C or along a budget; pins do not count.

        Parameters
        ----------
        along : {"C", "delta_norm", "delta_loss", "delta"}, default="C"
            What changes: C, one of the budgets, or ("delta") both budgets at once.
        values : sequence of float, optional
            The values; by default the grid that C was chosen from, or six values around the budget in force.
        classes : bool, default=False
            Whether to judge the features anew at every budget, with probes in its own family. Not along C, because
            other values of C were not tested against chance.
        progress : callable or bool, optional
            Called as ``progress(stage, share, note)``; True prints lines to standard error.

        Returns
        -------
        RelevancePath
            The intervals of all features at each value.

        See Also
        --------
        relspan.plots.PathDisplay : Draw a path.
        """
        one_of("along", along, PATH_PARAMETERS)
        if checks.flag("classes", classes) and along == "C":
            raise ParameterError("classes are known along a budget, such as along='delta_loss', but not along C")
        if along == "C":
            return cost_path(self._problem, values, reporter(progress))
        deltas = usual_deltas(self._problem.settings, along) if values is None else values
        return delta_path(self._problem, deltas, along, reporter(progress), classes=classes)

    def stability(
        self,
        n_draws: int = 50,
        *,
        over: str = "samples",
        level: float = 0.9,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        progress: ProgressChoice = None,
    ) -> Stability:
        """How much intervals and classes move between draws of the samples, or of the folds; pins do not count.

        Parameters
        ----------
        n_draws : int, default=50
            How often they are drawn again and analysed.
        over : {"samples", "folds"}, default="samples"
            "samples" draws the samples again, with replacement, and keeps C: what would another sample show? "folds"
            keeps the samples, and chooses C by other folds and the threshold by other probes: how much do the classes
            depend on chance in the analysis itself?
        level : float, default=0.9
            The share of draws that the reported quantiles enclose.
        random_state : int, RandomState or None, default=0
            Seed of the draws; None draws differently each time.
        n_jobs : int, optional
            Worker processes. The answer does not depend on them.
        progress : callable or bool, optional
            Called as ``progress(stage, share, note)``; True prints lines to standard error.

        Returns
        -------
        Stability
            Quantiles of both end points and class frequencies of every feature.

        See Also
        --------
        relspan.plots.StabilityDisplay : Draw it.
        """
        return stability(self._problem, n_draws, level, random_state, n_jobs, reporter(progress), over)

    # -- scenarios ----------------------------------------------------------------------------------------------------

    def save_scenario(self, name: str, note: str = "") -> Self:
        """Save the current pins under a name.

        Parameters
        ----------
        name : str
            The name; a scenario of this name is replaced. "current" and "unpinned" are taken.
        note : str, default=""
            Any text, such as the reason for the pins.

        Returns
        -------
        Explorer
            This explorer.

        See Also
        --------
        load_scenario : Put its pins in force again.
        compare : Compare two scenarios.
        """
        if checks.text("name", name) in ("", CURRENT, UNPINNED):
            raise ParameterError(f"{name!r} cannot name a scenario; {CURRENT!r} and {UNPINNED!r} always exist")
        self.scenarios[name] = Scenario(name, self.pins, checks.text("note", note))
        return self

    def load_scenario(self, name: str) -> Self:
        """Put the pins of a scenario in force.

        Parameters
        ----------
        name : str
            A saved scenario, or "unpinned".

        Returns
        -------
        Explorer
            This explorer.

        See Also
        --------
        save_scenario : Save the current pins.
        """
        self._history.set(self._pins_of(name))
        return self

    def annotate_scenario(self, name: str, note: str) -> Self:
        """Replace the note of a saved scenario.

        Parameters
        ----------
        name : str
            The scenario.
        note : str
            Its new note.

        Returns
        -------
        Explorer
            This explorer.

        See Also
        --------
        save_scenario : Save the current pins.
        """
        self.scenarios[name] = replace(self._saved(name), note=checks.text("note", note))
        return self

    def delete_scenario(self, name: str) -> Self:
        """Delete a saved scenario.

        Parameters
        ----------
        name : str
            The scenario.

        Returns
        -------
        Explorer
            This explorer.

        See Also
        --------
        save_scenario : Save the current pins.
        """
        del self.scenarios[self._saved(name).name]
        return self

    def compare(self, first: str, second: str = CURRENT) -> ScenarioComparison:
        """Compare two scenarios feature by feature.

        Parameters
        ----------
        first, second : str, default="current" for the second
            Saved scenarios, "current" or "unpinned".

        Returns
        -------
        ScenarioComparison
            The interval of every feature in both.

        See Also
        --------
        save_scenario : Save the current pins.
        """
        a, b = (
            fold_categories(result_under(self._problem, self._history.family_under(self._pins_of(name))))
            for name in (first, second)
        )
        return compare_results(first, a, second, b)

    def _saved(self, name: str) -> Scenario:
        if checks.text("name", name) not in self.scenarios:
            raise ParameterError(f"no saved scenario {name!r}; there are {list(self.scenarios)}")
        return self.scenarios[name]

    def _pins_of(self, name: str) -> tuple[Pin, ...]:
        always = {UNPINNED: (), CURRENT: self.pins}
        if checks.text("name", name) not in always and name not in self.scenarios:
            raise ParameterError(f"no scenario {name!r}; there are {[*always, *self.scenarios]}")
        return always[name] if name in always else self.scenarios[name].pins

    # -- files --------------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the model, its family, the current pins and all scenarios to one JSON file.

        The file holds the scaled training table: whoever has the file has the data.

        Parameters
        ----------
        path : str or Path
            The file. A name that ends in .gz is compressed.

        See Also
        --------
        load : Read the file.
        """
        write(path, self._problem, self._session_record())

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a session that `save` wrote.

        Parameters
        ----------
        path : str or Path
            The file.

        Returns
        -------
        Explorer
            An explorer with the same pins and scenarios.

        See Also
        --------
        save : Write the file.
        """
        return cls._from_record(*read(path), str(path))

    def to_bytes(self, **extras: Any) -> bytes:
        """The bytes that `save` would write.

        Parameters
        ----------
        **extras : object
            Anything that JSON can hold, to be kept beside the pins; `from_bytes` gives it back.

        Returns
        -------
        bytes
            JSON text in UTF-8.

        See Also
        --------
        from_bytes : Read them.
        """
        return encode(self._problem, {**extras, **self._session_record()})

    @classmethod
    def from_bytes(cls, data: bytes, source: str = "session") -> tuple[Self, dict[str, Any]]:
        """Read a session that `to_bytes` or `save` wrote.

        Parameters
        ----------
        data : bytes
            JSON text. Anything else is refused with `DataError`.
        source : str, default="session"
            What error messages call the data.

        Returns
        -------
        explorer : Explorer
            An explorer with the same pins and scenarios.
        extras : dict
            What `to_bytes` was given to keep, together with the records of pins and scenarios.

        See Also
        --------
        to_bytes : Write them.
        """
        problem, session = decode(data, checks.text("source", source))
        return cls._from_record(problem, session, source), session

    def _session_record(self) -> dict[str, Any]:
        scenarios = [{**vars(s), "pins": [pin_record(pin) for pin in s.pins]} for s in self.scenarios.values()]
        return {"pins": [pin_record(pin) for pin in self.pins], "scenarios": scenarios}

    @classmethod
    def _from_record(cls, problem: FittedProblem, session: Mapping[str, Any], source: str) -> Self:
        explorer = cls(problem)
        try:
            for record in session["scenarios"]:
                name, note = str(record["name"]), str(record["note"])
                explorer.scenarios[name] = Scenario(name, pins_from_records(problem, record["pins"]), note)
            explorer._history = PinHistory(problem, pins_from_records(problem, session["pins"]))
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise DataError(f"{source!r} contains a damaged session ({type(error).__name__}: {error})") from error
        return explorer

    # -- surfaces, which lie above this file and are imported when they are asked for ---------------------------------

    def show(self, *, browser: bool = True) -> Any:
        """Open this session in the browser.

        Needs the extra ``web``. The server listens on this machine only and runs in a thread.

        Parameters
        ----------
        browser : bool, default=True
            Whether to open a browser window.

        Returns
        -------
        relspan.browser.RunningServer
            The server, with its `address`; end it with ``stop()``.

        See Also
        --------
        widget : The same in a notebook cell.
        """
        checks.flag("browser", browser)
        try:
            server = import_module("relspan.browser.server")
        except ModuleNotFoundError as error:
            raise ParameterError(f"the explorer needs {error.name!r}: pip install 'relspan[web]'") from error
        return server.show(self, browser=browser)

    def to_html(
        self,
        title: str | None = None,
        *,
        n_panels: int = 3,
        time_limit: float = 20.0,
        samples: bool = False,
        progress: ProgressChoice = None,
    ) -> str:
        """A read-only page to pass on: the report with substitutes, panels, the best model and a slider of budgets.

        Everything in it is computed now, so it works offline: search, order, classes, details and the slider. It
        contains no row of the table, unless `samples` asks for them.

        Parameters
        ----------
        title : str, optional
            The heading. By default it names the target, where that is known.
        n_panels : int, default=3
            The number of minimal panels to find; 0 leaves them out.
        time_limit : float, default=20.0
            Seconds for the search for panels.
        samples : bool, default=False
            Whether the page contains the samples: whoever has it then sees the score, the class and values of each.
        progress : callable or bool, optional
            Called as ``progress(stage, share, note)``; True prints lines to standard error.

        Returns
        -------
        str
            The text of one HTML file.

        See Also
        --------
        save : A session file, which holds the table and can be explored further.
        RelevanceResult.to_html : The report of a result alone.
        """
        if title is not None:
            checks.text("title", title)
        checks.flag("samples", samples)
        checks.number("time_limit", time_limit, at_least=0)
        reporter(progress)
        shared_page = import_module("relspan.browser.exports").shared_page
        return str(shared_page(self, title, n_panels, time_limit, progress, samples))

    def widget(self) -> Any:
        """This session in a notebook cell: what is pinned there is pinned here.

        Needs the extra ``notebook``.

        Returns
        -------
        relspan.notebook.ExplorerWidget
            The widget; as the last line of a cell, it is displayed.

        See Also
        --------
        show : The same in the browser.
        """
        return import_module("relspan.notebook").ExplorerWidget(self)


def history_of(explorer: Explorer) -> PinHistory:
    """The pins and the solver behind an explorer, for the surfaces that drive it step by step."""
    return explorer._history


def column_result(explorer: Explorer) -> RelevanceResult:
    """The result without pins that has a feature for every column, for surfaces on which columns are pinned.

    The levels of a category are features of their own there, with the class of the category, which is a group.
    """
    return with_class_of_category(explorer._problem.result)
