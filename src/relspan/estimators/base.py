"""What all relevance estimators share: their parameters, reading the table, running the analysis, and the result.

An estimator is a dataclass: its fields are the parameters of its constructor, all of them keywords, and it inherits the
common ones from `RelevanceEstimator`. Parameters are stored as they are given and checked by `fit`.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from time import perf_counter
from typing import Any, ClassVar, Self, cast

import numpy as np
from scipy import sparse
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from relspan import checks
from relspan.analysis.adjustment import Adjustment, adjustment_for, read_covariates
from relspan.analysis.baseline import Baseline, null_loss
from relspan.analysis.checkpoint import Checkpoint
from relspan.analysis.one_standard_error import resolved
from relspan.analysis.pipeline import Analysis, PartialAnalysis, run_analysis
from relspan.analysis.scaled_table import (
    ScaledTable,
    read_groups,
    refuse_duplicates,
    refuse_non_finite,
    scale_table,
)
from relspan.analysis.settings import Settings
from relspan.analysis.sign_demands import read_signs, refuse_signs
from relspan.analysis.units import SOLVER_UNITS, Units
from relspan.analysis.verdicts.classes import CLASS_NAMES
from relspan.arrays import Floats, Ints, Matrix
from relspan.errors import DataError, DegenerateBaseline, ParameterError, RelspanWarning
from relspan.estimators.dependent_rows import dependence_remarks
from relspan.estimators.null_model import ON_NULL, balance_hint, null_baseline, null_remark, null_result, sign_hint
from relspan.estimators.published_settings import PUBLISHED
from relspan.estimators.samples import (
    Samples,
    groups_name,
    read_privileged,
    sample_groups,
    without_weightless,
)
from relspan.estimators.table_estimator import TableEstimator
from relspan.estimators.targets import folds_for, refuse_few_groups
from relspan.explore import Explorer
from relspan.explore.fitted_problem import FittedProblem
from relspan.losses import Adjusted, Loss, OneScoreLoss, Privileged, Signed, TwoSidedLoss
from relspan.progress import Interrupted, ProgressChoice, reporter
from relspan.result import RelevanceResult
from relspan.result.category_features import fold_categories
from relspan.result.feature_names import new_names, other_names
from relspan.result.from_analysis import facts_of, partial_result, result_of
from relspan.tables.frames import CATEGORICAL, FrameEncoding
from relspan.tolerances import NO_LOSS

NOT_JUDGED = -1  # in the place of a covariate's class
CORRECTION_PRICES = (0.5, 0.8)  # of a correction that privileged columns explain, where slack costs 1


@dataclass(kw_only=True, eq=False, repr=False)
class RelevanceEstimator(TableEstimator):
    """The parameters of every relevance estimator and what they do; subclasses add a loss and read the target.

    The parameters are described in `relspan.estimators.common_parameters`.
    """

    C: float | None = None
    criterion: str = "loss"
    delta_norm: float = 0.1
    delta_loss: float | str = 0.02
    loss_budget: str = "explained"
    n_probes: int = 50
    all_probes: bool = False
    probes: str = "append"
    alpha: float = 0.01
    control: str = "familywise"
    rule: str = "evidence"
    feature_groups: Any = None
    categorical: str = "auto"
    covariates: Any = None
    signs: Any = None
    standardize: bool = True
    engine: str = "auto"
    screen: bool = False
    select: str = "relevant"
    on_null: str = "irrelevant"
    n_jobs: int | None = None
    random_state: Any = None
    progress: ProgressChoice = None
    checkpoint: str | os.PathLike[str] | None = None

    published_parameters: ClassVar[Mapping[str, Any]] = {}  # parameters of this estimator alone that all papers share

    @classmethod
    def as_published(cls, paper: str, **parameters: Any) -> Self:
        """Make an estimator with the settings of a paper.

        Parameters
        ----------
        paper : {"fri2019", "esann2017", "reject2018"}
            The paper: "fri2019" for Pfannschmidt et al. 2019, "esann2017" for Göpfert et al. 2017, which is about two
            classes, "reject2018" for Göpfert, Göpfert and Hammer 2018, which is about the reject option.
        **parameters : dict
            Further parameters of the estimator, which stand before those of the paper.

        Returns
        -------
        RelevanceEstimator
            An estimator of this class that is not fitted yet.

        See Also
        --------
        relspan.estimators.published_settings : What the papers set, and why.

        Examples
        --------
        >>> from relspan import RelevanceClassifier
        >>> RelevanceClassifier.as_published("esann2017", C=1.0)
        RelevanceClassifier(C=1.0, criterion='score', delta_norm=0.0,
                            loss_budget='combined', penalty='l2', rule='published')
        """
        settings = PUBLISHED[checks.one_of("paper", paper, PUBLISHED)]
        known = [field.name for field in fields(cls)]
        missing = next((name for name in settings if name not in known), None)
        if missing is not None:
            raise ParameterError(f"the settings of {paper} include {missing}, which {cls.__name__} does not have")
        unknown = next((name for name in parameters if name not in known), None)
        if unknown is not None:
            near = checks.did_you_mean(unknown, known)
            raise ParameterError(f"{cls.__name__} has no parameter {unknown!r}{near}")
        return cls(**{**cls.published_parameters, **settings, **parameters})

    def _own_parameters(self) -> dict[str, Any]:
        """The parameters that the analysis does not know, as a result records them."""
        return {k: v for k, v in self._recorded_parameters().items() if k not in Settings.__dataclass_fields__}

    def _settings(self) -> Settings:
        """The parameters that decide the analysis; every common parameter is checked here."""
        given = self.get_params(deep=False)
        self._check_common()
        checks.one_of("on_null", self.on_null, ON_NULL)
        checks.one_of("categorical", self.categorical, CATEGORICAL)
        return Settings(**{name: given[name] for name in Settings.__dataclass_fields__ if name in given})

    def _samples(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, privileged: Any = None, **options: Any
    ) -> Samples:
        """The samples that count, checked; `options` are those of scikit-learn's `validate_data`."""
        self._settings()
        X, y = self._read(X, y, reset=True, **options)
        if privileged is not None and sparse.issparse(X):
            raise DataError("privileged columns need a dense table, but X is sparse; X.toarray() is dense")
        table, names = read_privileged(privileged, len(y), self._column_names(X.shape[1]))
        numbers, weights = sample_groups(groups, len(y)), checks.sample_weights(sample_weight, len(y))
        X, y, table, numbers, weights = without_weightless(X, y, table, numbers, weights=weights)
        return Samples(X, y, weights, numbers, (table, names), groups_name(groups))

    def _fit(
        self,
        losses: Sequence[Loss],
        task: str,
        samples: Samples,
        y: Floats,
        costs: Floats | None,
        target: dict[str, Any],
        parts: Sequence[str] = (),
        stratified: bool = False,
        units: Units = SOLVER_UNITS,
    ) -> None:
        """Analyse validated samples and set all fitted attributes.

        `y` is the target as the loss takes it, and `units` what it is counted in. `costs` is what a sample's loss is
        multiplied by: its weight, times that of its class where classes have one. `target` describes the target in the
        result's `data`. `parts` names a feature's weights where it has several. `stratified`: the target has classes,
        and every fold gets all of them.
        """
        given = self._settings()
        units = units.with_weights(costs)
        costs, settings = units.of_weights(costs), replace(given, C=units.of_price(given.C))
        X, sample_weight, row_groups = samples.X, samples.weights, samples.groups
        refuse_few_groups(row_groups, y if stratified else None, self.C)
        splitter = folds_for(self.criterion, stratified, self.random_state)
        names = self._column_names(X.shape[1])
        groups = read_groups(self.feature_groups, names)
        categories = read_groups({name: each for name, each in self._categories.items() if len(each) > 1}, names)
        more, more_names = samples.privileged
        together = {**groups, **self._unadjusted(categories, names)}
        self._adjustment = self._adjustment_for(X, names, losses, together, more_names, sample_weight)
        self._signs = self._demanded_signs(names, losses, more_names)
        plain_X, plain_y, plain_names = X, y, names
        if self._adjustment is not None:
            losses, y = adjusted(losses, self._adjustment, X, y)
            X, names, together = beyond_covariates(self._adjustment, X, names, together)
            groups, categories = ({g: together[g] for g in each if g in together} for each in (groups, categories))
            refuse_explained(losses[0], X, y, costs, self._adjustment)
        whole = np.hstack([X, more]) if more_names else X
        table = scale_table(whole, names + more_names, len(names), self.standardize, sample_weight)
        units.refuse_columns(table.scale, table.names)
        centred = bool(self.standardize) and not sparse.issparse(X)
        about = {"n_samples": len(y), "n_features": table.n_public, "centred": centred, **target}
        about |= {"encoded": {name: list(each) for name, each in self._categories.items()}} if self._categories else {}
        about |= {} if self._encoding is None else self._encoding.facts()
        if row_groups is not None:
            column = {} if samples.groups_name is None else {"column": samples.groups_name}
            about["groups"] = {"count": len(np.unique(row_groups)), **column}
        about |= {} if self._adjustment is None else {"covariates": list(self._adjustment.names)}
        facts = partial(facts_of, task, given, self._own_parameters(), about)
        remarks = constant_remarks(table)
        remarks += dependence_remarks(plain_X, plain_y, plain_names) if row_groups is None else []
        self._asked = (costs, splitter, settings, row_groups, units)
        started = perf_counter()
        try:
            with self._open_checkpoint(
                *(plain_X, plain_y, sample_weight, row_groups), *([more] if more.size else [])
            ) as checkpoint:
                found = self._analysed(losses, table, y, [*groups.values(), *categories.values()], checkpoint)
        except Interrupted as stop:
            part = stop.partial
            if not isinstance(part, PartialAnalysis):  # no best model yet, so there is nothing to report
                raise KeyboardInterrupt from stop
            raise Interrupted(partial_result(part, table, facts(part.baseline, part.family.budgets))) from stop
        except DegenerateBaseline as reason:
            best = null_baseline(losses[0], table.Z, y, costs, settings.C, units)
            hints = (
                sign_hint(losses[0], table.Z, y, costs, self._signs),
                balance_hint(target.get("classes", {}), getattr(self, "class_weight", None)),
                losses[0].way_out,
            )
            classes = self.classes_.tolist() if hasattr(self, "classes_") else None
            remark = null_remark(best, reason, classes, " ".join(filter(None, hints)))
            if self.on_null == "raise":
                raise DegenerateBaseline(remark, reason.larger_C) from reason
            remarks.append(remark)
            self._store_null(best, table)
            result = null_result(facts(best, None), table, groups, remarks, perf_counter() - started, categories)
        else:
            remarks += found.warnings
            self._store(found, table)
            parts = parts or ("above", "below")  # the sides of a loss, for privileged columns
            known = facts(found.baseline, found.family.budgets)
            result = result_of(found, table, known, parts, groups, tuple(remarks), categories)
        self._certificates, self._column_result = result.certificates, result
        self.result_ = replace(fold_categories(result), session=self.explore)
        if self._encoding is not None:
            self._store_by_given_column(self._encoding)
        for remark in remarks:
            warnings.warn(remark, RelspanWarning, stacklevel=3)

    def _demanded_signs(
        self, names: Sequence[str], losses: Sequence[Loss], privileged: Sequence[str]
    ) -> dict[str, int]:
        """The signs that are demanded, +1 or -1 by the name of the column; what has none is refused."""
        encoding = self._encoding
        ordered = [] if encoding is None else [name for name, each in encoding.categories.items() if each.ordered]
        found = read_signs(self.signs, names, self._categories, ordered)
        several = bool(privileged) or not all(isinstance(loss, OneScoreLoss) for loss in losses)
        refuse_signs(found, names, read_covariates(self.covariates, names, self._categories), several)
        return {names[column]: sign for column, sign in found.items()}

    def _unadjusted(self, categories: Mapping[str, list[int]], names: Sequence[str]) -> dict[str, list[int]]:
        """The categories that are no covariates."""
        chosen = set(read_covariates(self.covariates, names, self._categories))
        return {name: members for name, members in categories.items() if not set(members) <= chosen}

    def _adjustment_for(
        self,
        X: Matrix,
        names: Sequence[str],
        losses: Sequence[Loss],
        groups: Mapping[str, Sequence[int]],
        privileged: Sequence[str],
        sample_weight: Floats | None,
    ) -> Adjustment | None:
        """The covariates that were asked for; what they cannot be combined with is refused."""
        chosen = read_covariates(self.covariates, names, self._categories)
        if not chosen:
            return None
        if privileged:
            raise ParameterError("covariates cannot be combined with privileged columns; leave out one of them")
        if sparse.issparse(X):
            raise DataError("covariates need a dense table, but X is sparse; X.toarray() is dense")
        if not all(isinstance(loss, OneScoreLoss) for loss in losses):
            raise ParameterError("covariates need a target with one score per sample; keep two of the classes")
        for group, members in groups.items():
            both = next((names[j] for j in members if j in chosen), None)
            if both is not None:
                raise ParameterError(
                    f"{both!r} is a covariate and a feature of the group {group!r}; it can be only one"
                )
        refuse_non_finite(X, names)
        return adjustment_for(X, chosen, names, sample_weight)

    def _analysed(
        self,
        losses: Sequence[Loss],
        table: ScaledTable,
        y: Floats,
        groups: Sequence[Sequence[int]],
        checkpoint: Checkpoint | None,
    ) -> Analysis:
        """The analysis of the columns that vary, with privileged columns where the table has some."""
        costs, splitter, settings, row_groups, units = self._asked
        place = {int(j): kept for kept, j in enumerate(table.varying_columns)}
        return run_analysis(
            with_signs(with_privileged(losses, table.privileged), table, self._signs),
            table.Z,
            y,
            costs,
            table.varying_names,
            settings,
            splitter,
            np.random.SeedSequence(self._entropy()),
            reporter(self.progress),
            checkpoint,
            [[place[j] for j in members if j in place] for members in groups],
            row_groups,
            units,
        )

    def _store(self, found: Analysis, table: ScaledTable) -> None:
        """Fitted attributes, by feature; with several weights per feature some have one more axis."""
        mu, d, public = found.baseline.norm, table.n_public, table.varies[: table.n_public]
        intervals, classes = np.zeros((len(table.names), 2)), np.zeros(len(table.names), dtype=np.int64)
        intervals[table.varies], classes[table.varies] = found.intervals / mu, found.classes
        own = found.problem.blocks.owner < int(public.sum())
        width = int((found.problem.blocks.owner == 0).sum())
        signed, weights = np.zeros((d, width, 2)), np.zeros((d, width))
        signed[public] = (np.column_stack([found.ranges.lo, found.ranges.hi])[own] / mu).reshape(-1, width, 2)
        weights[public] = found.baseline.weights[own].reshape(-1, width)
        self._analysis: Analysis | None = found
        self._store_arrays(table, intervals, classes, signed, weights, found.baseline)

    def _store_null(self, best: Baseline, table: ScaledTable) -> None:
        """The same where the best model is the null model."""
        d, width = table.n_public, int((best.loss_function.blocks(table.n_public).owner == 0).sum())
        intervals, classes = np.zeros((len(table.names), 2)), np.zeros(len(table.names), dtype=np.int64)
        self._analysis = None
        self._store_arrays(table, intervals, classes, np.zeros((d, width, 2)), np.zeros((d, width)), best)

    def _store_arrays(
        self, table: ScaledTable, intervals: Floats, classes: Ints, signed: Floats, weights: Floats, best: Baseline
    ) -> None:
        d, single = table.n_public, weights.shape[1] == 1
        units = best.units
        weights = weights / table.scale[:d, None] * units.target
        shift: Any = table.mean[:d] @ (weights[:, 0] if single else weights)
        free = len(best.offsets)
        support = self._selected(classes)
        adjustment = self._adjustment
        if adjustment is not None:
            free -= adjustment.n_directions
            weights, shift = adjustment.table_weights(weights[:, 0], units.norm(1.0) * best.offsets[free:], table.mean)
            intervals, signed = adjustment.whole(intervals, np.nan), adjustment.whole(signed, np.nan)
            classes, support = adjustment.whole(classes, NOT_JUDGED), adjustment.whole(support, True)
            weights, d = weights[:, None], len(weights)
        self.intervals_, self.relevance_, self.support_ = intervals[:d], classes[:d], support[:d]
        if len(table.names) > d:
            self.privileged_intervals_, self.privileged_relevance_ = intervals[d:], classes[d:]
        self.signed_intervals_ = signed[:, 0] if single else signed
        self._weights = weights[:, 0] if single else weights
        self._offsets = units.scores(best.offsets[:free])
        self._shift = shift
        self.C_, self._table = units.price(best.C), table

    def _store_by_given_column(self, encoding: FrameEncoding) -> None:
        """The fitted attributes by the columns of the frame: those of a category are the category's."""
        judged, owner = {feature.name: feature for feature in self.result_.features}, np.array(encoding.owners)
        sources: dict[int, str] = dict(zip(encoding.owners, encoding.columns, strict=True))
        found = [judged.get(name, judged.get(sources[place])) for place, name in enumerate(encoding.names)]
        self.intervals_ = np.array([[np.nan] * 2 if f is None else [f.min, f.max] for f in found])
        self.relevance_ = np.array(
            [NOT_JUDGED if f is None else CLASS_NAMES.index(f.relevance) for f in found], dtype=np.int64
        )
        self.support_ = self._selected(self.relevance_) | (self.relevance_ == NOT_JUDGED)
        signed = [self.signed_intervals_[owner == place] for place in range(len(found))]
        self.signed_intervals_ = np.array(
            [np.stack([ends[..., 0].min(axis=0), ends[..., 1].max(axis=0)], axis=-1) for ends in signed]
        )

    def rename(self, names: Any) -> Self:
        """Give the features other names, in the result and wherever they are shown.

        Parameters
        ----------
        names : mapping of str to str, sequence of str, or transformer
            New names by the old ones, or one per column in the order of the table. A fitted transformer is asked for
            its ``get_feature_names_out()``: in a pipeline, ``pipe[-1].rename(pipe[:-1])`` gives the features the names
            that they have after all steps before.

        Returns
        -------
        RelevanceEstimator
            This estimator.

        See Also
        --------
        RelevanceResult.rename : The same for a result alone.

        Examples
        --------
        >>> from relspan import RelevanceClassifier
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
        >>> clf = RelevanceClassifier(random_state=0).fit(data.X, data.y).rename({"x0": "age"})
        >>> clf.result_.names("strong")
        ['age']
        """
        check_is_fitted(self)
        public = self._table.names[: self._table.n_public]
        other = new_names(names, public, self._column_result.data.get("encoded", {}))
        titles = other_names(self._table.names, other)
        refuse_duplicates(titles)
        self._table = replace(self._table, names=titles)
        self._column_result = replace(self._column_result, data=self.result_.data).rename(other)
        self._certificates = self._column_result.certificates
        self.result_ = replace(fold_categories(self._column_result), session=self.explore)
        return self

    def explore(self) -> Explorer:
        """Open a session that asks questions about all equally good models.

        Returns
        -------
        Explorer
            Pins, substitutes, panels, and the predictions that all equally good models share.

        See Also
        --------
        relspan.explore.Explorer : The questions.

        Examples
        --------
        >>> from relspan import RelevanceClassifier
        >>> from relspan.simulate import simulate
        >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
        >>> explorer = RelevanceClassifier(random_state=0).fit(data.X, data.y).explore()
        >>> x2 = explorer.without("x1").result["x2"]
        >>> x2.relevance, x2.under_pins.outcome
        ('weak', 'needed')
        """
        check_is_fitted(self)
        table, found = self._table, self._analysis
        folded = any(group.category for group in self._column_result.groups)
        columns = replace(self._column_result, data=self.result_.data) if folded else self.result_
        reason = not_explorable(columns)
        if reason is not None or found is None:
            raise ParameterError(str(reason))
        classes = getattr(self, "classes_", None)
        costs, splitter, settings, row_groups, _ = self._asked
        settings = resolved(settings, found.baseline)
        return Explorer(
            FittedProblem(
                table.names,
                table.varies,
                table.mean,
                table.scale,
                found.baseline.loss_function,
                table.Z,
                found.problem.y,
                costs,
                splitter,
                settings,
                found,
                columns,
                None if classes is None else tuple(classes.tolist()),
                row_groups,
                self._adjustment,
            )
        )

    def _scores(self, X: Any) -> Floats:
        """x.w without the offsets, for new samples."""
        check_is_fitted(self)
        X = self._read(X)
        refuse_non_finite(X, self._column_names(X.shape[1]))
        return np.asarray(X @ self._weights - self._shift)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "result_" in state:  # a pickled result leaves behind what holds the table; the estimator has it
            self._column_result = replace(self._column_result, certificates=self._certificates)
            self.result_ = replace(self.result_, certificates=self._certificates, session=self.explore)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def not_explorable(result: RelevanceResult) -> str | None:
    """Why a result cannot be explored, as a sentence that names a way out; None where it can."""
    if result.is_null:
        return "A result in which no feature helps cannot be explored: there are no equally good models to compare."
    if result.privileged:
        return "A result with privileged columns cannot be explored; fit without them."
    if any(feature.has_several_weights for feature in result.features):
        return "A result with several weights per feature, one per class, cannot be explored; keep two of the classes."
    if not all(feature.solved for feature in result.features):
        return "Exploring needs the interval of every feature; fit with screen=False."
    return None


def constant_remarks(table: ScaledTable) -> list[str]:
    """What is to be known of columns that hold one value; nothing where all columns vary."""
    constant = [name for name, keep in zip(table.names, table.varies, strict=True) if not keep]
    remark = f"constant columns are irrelevant, with the interval [0, 0]: {checks.listed(constant)}"
    return [remark] if constant else []


def adjusted(losses: Sequence[Loss], by: Adjustment, X: Floats, y: Floats) -> tuple[Sequence[Loss], Floats]:
    """The losses beyond the covariates, and the targets, which carry the covariates."""
    wider = [Adjusted(cast(OneScoreLoss, loss), by.n_directions) for loss in losses]
    return cast(Sequence[Loss], wider), np.column_stack([y, by.directions(X)])


def beyond_covariates(
    by: Adjustment, X: Floats, names: Sequence[str], groups: Mapping[str, Sequence[int]]
) -> tuple[Floats, list[str], dict[str, list[int]]]:
    """What is left of the features, their names, and the groups by their places among them."""
    place = {int(j): number for number, j in enumerate(by.features)}
    return (
        by.residuals(X),
        [names[j] for j in by.features],
        {group: [place[j] for j in members] for group, members in groups.items()},
    )


def refuse_explained(loss: Loss, X: Floats, y: Floats, costs: Floats | None, by: Adjustment) -> None:
    """Refuse covariates that leave no loss to explain."""
    rows = loss.rows(X, y, costs)
    if null_loss(rows, loss.constraints(X, y)) <= NO_LOSS * rows.loss(
        np.zeros(rows.n_features), np.zeros(rows.n_offsets)
    ):
        raise DataError(
            f"the covariates {checks.listed(map(repr, by.names))} explain the target completely, so nothing is left "
            "for the features; leave out those that are made from the target"
        )


def with_signs(losses: Sequence[Loss], table: ScaledTable, signs: Mapping[str, int]) -> Sequence[Loss]:
    """The losses whose models have weights of the demanded signs; a constant column has no weight at all."""
    demanded = [(j, signs[name]) for j, name in enumerate(table.varying_names) if name in signs]
    if not demanded:
        return losses
    columns, values = zip(*demanded, strict=True)
    return cast(Sequence[Loss], [Signed(cast(OneScoreLoss, loss), columns, values) for loss in losses])


def with_privileged(losses: Sequence[Loss], privileged: tuple[bool, ...]) -> Sequence[Loss]:
    """The losses whose slack the privileged columns may explain, at every price; as they are, where there are none."""
    if not any(privileged):
        return losses
    return [Privileged(cast(TwoSidedLoss, loss), privileged, price) for loss in losses for price in CORRECTION_PRICES]
