"""The score card as an answer: its points in words, its totals and risks, and as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any

import numpy as np
from scipy.special import expit

from relspan.arrays import Floats
from relspan.checks import float_array, quoted
from relspan.errors import DataError, ParameterError
from relspan.explore.card_risks import CutOff
from relspan.explore.member_models import Model
from relspan.result.answer_table import AnswerTable, counted
from relspan.result.record import plain, write_record
from relspan.tolerances import PROVEN_LOSS


@dataclass(frozen=True, repr=False)
class ScoreCard(AnswerTable):
    """A model with whole points: points for every unit of a feature, a total, and the risk that goes with it.

    Parameters
    ----------
    features : tuple of str
        The features of the card, those with the most points first.
    points : tuple of int
        The points for one unit of each feature.
    units : tuple of float
        How much of each feature is one unit, in the units of the table.
    references : tuple of float
        The value of each feature that has no points: units are counted from here.
    factor, offset : float
        The score of a row is ``factor * total + offset``; it is positive where the model predicts the second class.
    risk_slope, risk_height : float
        The risk of a row is ``1 / (1 + exp(-(risk_slope * total + risk_height)))``, calibrated on held-out rows.
    cut_offs : tuple of CutOff
        Totals from which on a row may be called positive, with held-out sensitivity and specificity.
    auc : float
        The share of pairs of held-out rows, one of each class, that the totals put in the right order.
    loss : float
        The loss of the card on the rows of the table.
    bound : float
        No card within the same limits has less loss than this: the proven lower bound.
    largest_loss : float
        The loss up to which a model is equally good.
    gap_share : float
        The difference between `loss` and `bound`, as a share of the loss that the best model explains.
    positive : object
        The class that the points speak for.
    model : Model
        The card as a model of the table as it was given.
    two_valued : tuple of str
        The features that have only two values: their unit is the difference of these, and the reference the lower one.
    seconds : float
        How long the search has taken so far.

    See Also
    --------
    Explorer.score_card : The best card.
    Explorer.score_cards : Several equally good ones.

    Examples
    --------
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=2, weak=0, irrelevant=1, random_state=0)
    >>> card = RelevanceClassifier(random_state=0).fit(data.X, data.y).explore().score_card(largest=3, features=2)
    >>> card.features
    ('x0', 'x1')
    """

    features: tuple[str, ...]
    points: tuple[int, ...]
    units: tuple[float, ...]
    references: tuple[float, ...]
    factor: float
    offset: float
    risk_slope: float
    risk_height: float
    cut_offs: tuple[CutOff, ...]
    auc: float
    loss: float
    bound: float
    largest_loss: float
    gap_share: float
    positive: Any
    model: Model
    two_valued: tuple[str, ...]
    seconds: float

    @property
    def proven(self) -> bool:
        """Whether it is proven that no card within the same limits has less loss.

        Returns
        -------
        bool
            True where `loss` equals `bound` up to rounding.
        """
        return self.loss - self.bound <= PROVEN_LOSS * self.largest_loss

    def total(self, X: Any) -> Floats:
        """The total of every row.

        Parameters
        ----------
        X : data frame or mapping of str to array
            The features of the card by name, in the units of the table.

        Returns
        -------
        ndarray of shape (n_samples,)
            Points.
        """
        if not isinstance(X, Mapping) and not hasattr(X, "columns"):
            raise ParameterError(f"X must be a data frame or a mapping of names to columns, not {type(X).__name__}")
        missing = [name for name in self.features if name not in getattr(X, "columns", X)]
        if missing:
            raise DataError(f"the rows lack {quoted(missing)}, which the card needs")
        parts = [
            points * (float_array(name, X[name], "numbers") - reference) / unit
            for name, points, unit, reference in zip(
                self.features, self.points, self.units, self.references, strict=True
            )
        ]
        return np.asarray(np.sum(parts, axis=0))

    def risk(self, totals: Any) -> Floats:
        """The calibrated probability of the second class.

        Parameters
        ----------
        totals : array-like of float
            Totals in points, as `total` gives them.

        Returns
        -------
        ndarray
            One probability per total.
        """
        return np.asarray(expit(self.risk_slope * float_array("totals", totals, "numbers") + self.risk_height))

    def columns(self) -> dict[str, list[Any]]:
        """One row per feature of the card, by column.

        Returns
        -------
        dict of str to list
            The name, the points, the unit that they are for, and the reference from which units are counted.
        """
        return {
            "name": list(self.features),
            "points": list(self.points),
            "unit": list(self.units),
            "reference": list(self.references),
        }

    def record(self) -> dict[str, Any]:
        """The card as JSON has it.

        Returns
        -------
        dict
            All fields, with the weights of the model, and whether the card is proven.
        """
        fields = {name: plain(value) for name, value in asdict(self).items() if name != "model"}
        return {**fields, "weights": dict(self.model.weights), "norm": self.model.norm, "proven": self.proven}

    def to_json(self, indent: int | None = 2) -> str:
        """The card as a text in JSON.

        Parameters
        ----------
        indent : int or None, default=2
            Spaces of indentation; None writes one line.

        Returns
        -------
        str
            The record of `record`.
        """
        return write_record(self.record(), indent)

    @property
    def proof(self) -> str:
        """What is proven, in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        if self.proven:
            return "proven: no card within these limits has less loss"
        return (
            f"not proven: a card within these limits may have less loss, by at most {self.gap_share:.1%} of what the "
            "best model explains"
        )

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        return f"{counted(len(self.features), 'feature')}, held-out AUC {self.auc:.3f}, {self.proof}"

    def lines(self) -> list[tuple[str, str]]:
        """Every line of the card in words: a feature's points, and for what.

        Returns
        -------
        list of pair of str
            "+2", and "per 10 of age above 60"; for a column of two values "if smoker = 1".
        """
        return [
            (f"{points:+d}", _per_unit(name, unit, reference, name in self.two_valued))
            for name, points, unit, reference in zip(
                self.features, self.points, self.units, self.references, strict=True
            )
        ]

    def __str__(self) -> str:
        rows = self.lines()
        width = max([len(text) for _, text in rows] + [len("cut-off: call positive from this total on")])
        lines = [f"points for {self.positive}, added up:"]
        lines += [f"  {text:<{width}}  {points:>4}" for points, text in rows]
        lines += ["", f"  {'total from':>10}  {'risk':>6}  {'sensitivity':>11}  {'specificity':>11}"]
        lines += [
            f"  {cut.total:>10g}  {cut.risk:>6.1%}  {cut.sensitivity:>11.1%}  {cut.specificity:>11.1%}"
            for cut in self.cut_offs
        ]
        return "\n".join([*lines, "", self.held_out_sentence, f"{self.proof[0].upper()}{self.proof[1:]}."])

    @property
    def held_out_sentence(self) -> str:
        """What the figures of the card rest on.

        Returns
        -------
        str
            Two sentences.
        """
        return f"Held-out AUC {self.auc:.3f}. Risks, sensitivities and specificities are those of held-out rows."

    def _repr_html_(self) -> str:
        return str(import_module("relspan.show.html.card_page").card_html(self))


class ScoreCards(AnswerTable, tuple[ScoreCard, ...]):
    """Several equally good score cards, the one with the least loss first.

    Parameters
    ----------
    iterable : iterable of ScoreCard, default=()
        The cards.

    See Also
    --------
    Explorer.score_cards : Find them.
    ScoreCard : One of them.

    Examples
    --------
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=2, weak=0, irrelevant=1, random_state=0)
    >>> cards = RelevanceClassifier(random_state=0).fit(data.X, data.y).explore().score_cards(3, largest=3, features=2)
    >>> [card.features for card in cards][0]
    ('x0', 'x1')
    """

    __slots__ = ()

    def columns(self) -> dict[str, list[Any]]:
        """One row per card, by column.

        Returns
        -------
        dict of str to list
            The points as one text, with semicolons between features, their number, the loss and the proven bound.
        """
        texts = [[f"{p:+d} {n}" for n, p in zip(card.features, card.points, strict=True)] for card in self]
        return {
            "card": ["; ".join(text) for text in texts],
            "size": [len(card.features) for card in self],
            "loss": [card.loss for card in self],
            "bound": [card.bound for card in self],
            "proven": [card.proven for card in self],
        }

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        return f"{counted(len(self), 'equally good card')}"


def _per_unit(name: str, unit: float, reference: float, two_valued: bool) -> str:
    if two_valued:
        return f"if {name} is {reference + unit:g}, not {reference:g}"
    return f"for every {unit:g} of {name} above {reference:g}"
