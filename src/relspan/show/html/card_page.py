"""A score card in a notebook cell or a page of its own: points, cut-offs and risks, without script and style sheet."""

from __future__ import annotations

from relspan.explore import ScoreCard
from relspan.show.html.elements import Markup, element
from relspan.show.html.notebook_table import NUMBER_CELL, TEXT_CELL

TABLE = "border-collapse:collapse;font-size:inherit;margin:0 0 8px"


def card_html(card: ScoreCard) -> Markup:
    """The card as a piece of HTML."""
    points = [_row(("Points", TEXT_CELL), ("", NUMBER_CELL), tag="th")]
    points += [_row((text, TEXT_CELL), (number, NUMBER_CELL)) for number, text in card.lines()]
    heads = ("Total from", "Risk", "Sensitivity", "Specificity")
    cuts = [_row(*((head, NUMBER_CELL) for head in heads), tag="th")]
    cuts += [
        _row(
            *(
                (text, NUMBER_CELL)
                for text in (f"{cut.total:g}", *map(percent, (cut.risk, cut.sensitivity, cut.specificity)))
            )
        )
        for cut in card.cut_offs
    ]
    return element(
        "div",
        element("p", element("strong", f"Score card: points for {card.positive}, added up"), style="margin:0 0 6px"),
        element("table", element("tbody", points), style=TABLE),
        element("table", element("tbody", cuts), style=TABLE),
        element("p", card.held_out_sentence),
        element("p", f"{card.proof[0].upper()}{card.proof[1:]}."),
        class_="relspan-answer",
        style="font-size:13px;line-height:1.4",
    )


def percent(share: float) -> str:
    """A share as it is read."""
    return f"{share:.1%}"


def _row(*cells: tuple[str, str], tag: str = "td") -> Markup:
    return element("tr", (element(tag, text, style=style) for text, style in cells))
