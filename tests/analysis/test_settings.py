"""The settings of an analysis: each describes itself, and a wrong value is refused by name."""

from __future__ import annotations

from dataclasses import fields

import pytest

from relspan.analysis.settings import Settings
from relspan.engines import ENGINES
from relspan.errors import ParameterError
from relspan.family import BUDGET_KINDS


@pytest.mark.parametrize("field", fields(Settings), ids=lambda field: field.name)
def test_every_setting_has_a_help_text_of_whole_sentences(field) -> None:
    text = field.metadata["help"]
    assert text[0].isupper()
    assert text.endswith(".")
    assert len(text.split()) > 5


@pytest.mark.parametrize(("name", "choices"), [("engine", ["auto", *ENGINES]), ("loss_budget", BUDGET_KINDS)])
def test_help_texts_name_every_choice(name: str, choices: list[str]) -> None:
    (text,) = (field.metadata["help"] for field in fields(Settings) if field.name == name)
    assert [choice for choice in choices if f"'{choice}'" not in text] == []


def test_the_defaults_are_allowed() -> None:
    assert Settings() == Settings(**Settings().as_dict())


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("penalty", "L1", "did you mean 'l1'"),
        ("control", "familywide", "did you mean 'familywise'"),
        ("n_jobs", 0, "-1"),
    ],
)
def test_a_slip_is_answered_with_what_would_work(name: str, value: object, hint: str) -> None:
    with pytest.raises(ParameterError, match=f"{name}.*{hint}"):
        Settings(**{name: value})
