"""Further questions: each states what it is called, what it needs, and how it is answered; the page lays out the rest.

A new question of the library becomes one entry here. An answer has `sentences`, and may have a table by columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from relspan.browser.purchase_lines import read_kits, read_limits, read_together
from relspan.browser.request_values import read_costs, read_typed_whole
from relspan.checks import listed, one_of
from relspan.errors import ParameterError
from relspan.explore import Explorer
from relspan.progress import Progress
from relspan.result.answer_table import AnswerTable
from relspan.show.explorer_account import contrast_sentence, sum_sentence

MOST_ROWS_OF_A_TABLE = 200
SECONDS_FOR_DISCREPANCY = 20.0

SECONDS_FOR_PURCHASES, SECONDS_FOR_A_CARD = 20.0, 20.0
Answer = dict[str, Any]


@dataclass(frozen=True)
class Field:
    """Something that a person types beside the features of a question."""

    key: str
    label: str
    usual: str = ""
    example: str = ""
    lines: bool = False  # whether it may have several lines


@dataclass(frozen=True)
class Question:
    """A question about all equally good models under the pins: a title, an explanation, how many features it names."""

    key: str
    title: str
    about: str
    features: int
    answer: Callable[[Explorer, Sequence[str], Mapping[str, Any], Progress], Answer]
    labels: int = 0  # how many labels the target must have, at least
    most_labels: int | None = None
    fields: tuple[Field, ...] = ()

    def record(self) -> dict[str, Any]:
        """What the page shows of it before it is asked."""
        record = {"key": self.key, "title": self.title, "about": self.about, "features": self.features}
        return {**record, "fields": [asdict(field) for field in self.fields]}


def _table(found: AnswerTable, sentences: Sequence[str]) -> Answer:
    columns = found.columns()
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    return {"sentences": list(sentences), "columns": list(columns), "rows": rows[:MOST_ROWS_OF_A_TABLE]}


def _headline(found: AnswerTable) -> str:
    return f"{found.headline[:1].upper()}{found.headline[1:]}."


def _contrast(explorer: Explorer, names: Sequence[str], typed: Mapping[str, Any], progress: Progress) -> Answer:
    first, second = names
    return {"sentences": [contrast_sentence(explorer.contrast(first, second), first, second)]}


def _sum(explorer: Explorer, names: Sequence[str], typed: Mapping[str, Any], progress: Progress) -> Answer:
    first, second = names
    return {"sentences": [sum_sentence(explorer.combined([first, second]), first, second)]}


def _ranking(explorer: Explorer, names: Sequence[str], typed: Mapping[str, Any], progress: Progress) -> Answer:
    found = explorer.ranking()
    return _table(found, [_headline(found)])


def _discrepancy(explorer: Explorer, names: Sequence[str], typed: Mapping[str, Any], progress: Progress) -> Answer:
    found = explorer.discrepancy(time_limit=SECONDS_FOR_DISCREPANCY, progress=progress)
    return {"sentences": [_headline(found)]}


def _purchases(explorer: Explorer, names: Sequence[str], typed: Mapping[str, Any], progress: Progress) -> Answer:
    """Features cost what was entered for them, else 1; those of a kit nothing more than the kit."""
    kits, entered = read_kits(typed["kits"]), read_costs(typed["costs"])
    in_kits = {name for _, held in kits.values() for name in held}
    alone = {name: 1.0 for name in explorer.feature_names if name not in in_kits}
    found = explorer.cheapest_panel(
        {**alone, **entered},
        kits=kits or None,
        at_most=read_limits(typed["limits"]),
        together=read_together(typed["together"]),
        time_limit=SECONDS_FOR_PURCHASES,
        progress=progress,
    )
    unpriced = [name for name in found.features if name in alone and name not in entered]
    sentences = [_headline(found)]
    if unpriced:
        sentences.append(f"No cost was entered for {listed(unpriced, 4)}; in this price, each of them counts as 1.")
    return {"sentences": sentences}


def _card(explorer: Explorer, names: Sequence[str], typed: Mapping[str, Any], progress: Progress) -> Answer:
    found = explorer.score_card(
        features=read_typed_whole(typed["size"], "the number of features"),
        largest=read_typed_whole(typed["points"], "the largest number of points"),
        time_limit=SECONDS_FOR_A_CARD,
        progress=progress,
    )
    cuts = [f"{cut.total:g} ({cut.risk:.0%})" for cut in found.cut_offs]
    return {
        "sentences": [
            f"Points for {found.positive!r}, added up; see the table.",
            f"Totals with the risk from each of them on: {listed(cuts, 12)}.",
            found.held_out_sentence,
            f"{found.proof[0].upper()}{found.proof[1:]}.",
        ],
        "columns": ["points", "for"],
        "rows": [list(line) for line in found.lines()],
    }


QUESTIONS = {
    question.key: question
    for question in (
        Question(
            "contrast",
            "Which of two weights is larger?",
            "The difference of two weights over all equally good models. The features are on one scale.",
            2,
            _contrast,
        ),
        Question(
            "sum",
            "What do two features do together?",
            "The sum of two weights. Substitutes can exchange weight without changing their sum.",
            2,
            _sum,
        ),
        Question(
            "ranking",
            "Which features rank above which others?",
            "All pairs of features whose weights have the same order of size in every equally good model.",
            0,
            _ranking,
        ),
        Question(
            "discrepancy",
            "How many labels can one model change?",
            "The largest share of labels that one equally good model gives otherwise than the best model.",
            0,
            _discrepancy,
            labels=2,
        ),
        Question(
            "purchases",
            "What is cheapest if features come in kits?",
            "The cheapest panel, where a kit is paid once for all its features. Costs of single features are those of "
            "the tab Panels. A name with a comma in it stands in quotation marks.",
            0,
            _purchases,
            fields=(
                Field("kits", "Kits, one per line", example="blood = 30: CRP, IL6", lines=True),
                Field("limits", "At most so many of these, one group per line", example="1 = CRP, IL6", lines=True),
                Field("together", "Bought together or not at all, one group per line", example="CRP, IL6", lines=True),
            ),
        ),
        Question(
            "card",
            "Is there a score card that is as good?",
            "Whole points per unit of a few features, to be added up by hand. The card is itself one of the equally "
            "good models.",
            0,
            _card,
            labels=2,
            most_labels=2,
            fields=(Field("size", "Features at most", "8"), Field("points", "Points at most", "5")),
        ),
    )
}


def question_records(n_labels: int) -> list[dict[str, Any]]:
    """The questions that can be asked where the target has so many labels; a number has none."""
    asked = (q for q in QUESTIONS.values() if q.labels <= n_labels <= (q.most_labels or n_labels))
    return [question.record() for question in asked]


def ask_question(
    explorer: Explorer, key: Any, names: Sequence[str], typed: Mapping[str, Any], progress: Progress
) -> Answer:
    """The answer to a question; `typed` has the texts of its fields, and the costs of single features."""
    question = QUESTIONS[one_of("question", key, list(QUESTIONS))]
    if len(names) != question.features or len(set(names)) != len(names):
        raise ParameterError(f"this question names {question.features} different features, not {len(set(names))}")
    texts = {field.key: typed.get(field.key, field.usual) for field in question.fields}
    if not all(isinstance(text, str) for text in texts.values()):
        raise ParameterError("the fields of a question must be texts")
    return question.answer(explorer, names, {"costs": {}, **typed, **texts}, progress)
