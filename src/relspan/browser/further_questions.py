"""Further questions: each states what it is called, what it needs, and how it is answered; the page lays out the rest.

A new question of the library becomes one entry here. An answer has `sentences`, and may have a table by columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from relspan.checks import one_of
from relspan.errors import ParameterError
from relspan.explore import Explorer
from relspan.progress import Progress
from relspan.result.answer_table import AnswerTable
from relspan.show.explorer_account import contrast_sentence, sum_sentence

MOST_ROWS_OF_A_TABLE = 200
SECONDS_FOR_DISCREPANCY = 20.0

Answer = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """A question about all equally good models under the pins: a title, an explanation, how many features it names."""

    key: str
    title: str
    about: str
    features: int
    answer: Callable[[Explorer, Sequence[str], Progress], Answer]
    labels_only: bool = False  # only where samples have labels

    def record(self) -> dict[str, Any]:
        """What the page shows of it before it is asked."""
        return {"key": self.key, "title": self.title, "about": self.about, "features": self.features}


def _table(found: AnswerTable, sentences: Sequence[str]) -> Answer:
    columns = found.columns()
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    return {"sentences": list(sentences), "columns": list(columns), "rows": rows[:MOST_ROWS_OF_A_TABLE]}


def _headline(found: AnswerTable) -> str:
    return f"{found.headline[:1].upper()}{found.headline[1:]}."


def _contrast(explorer: Explorer, names: Sequence[str], progress: Progress) -> Answer:
    first, second = names
    return {"sentences": [contrast_sentence(explorer.contrast(first, second), first, second)]}


def _sum(explorer: Explorer, names: Sequence[str], progress: Progress) -> Answer:
    first, second = names
    return {"sentences": [sum_sentence(explorer.combined([first, second]), first, second)]}


def _ranking(explorer: Explorer, names: Sequence[str], progress: Progress) -> Answer:
    found = explorer.ranking()
    return _table(found, [_headline(found)])


def _discrepancy(explorer: Explorer, names: Sequence[str], progress: Progress) -> Answer:
    found = explorer.discrepancy(time_limit=SECONDS_FOR_DISCREPANCY, progress=progress)
    return {"sentences": [_headline(found)]}


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
            labels_only=True,
        ),
    )
}


def question_records(explorer: Explorer, has_labels: bool) -> list[dict[str, Any]]:
    """The questions that can be asked of this explorer."""
    return [question.record() for question in QUESTIONS.values() if has_labels or not question.labels_only]


def ask_question(explorer: Explorer, key: Any, names: Sequence[str], progress: Progress) -> Answer:
    """The answer to a question."""
    question = QUESTIONS[one_of("question", key, list(QUESTIONS))]
    if len(names) != question.features or len(set(names)) != len(names):
        raise ParameterError(f"this question names {question.features} different features, not {len(set(names))}")
    return question.answer(explorer, names, progress)
