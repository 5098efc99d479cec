"""The one set of parameter checks: a refusal names the parameter, the value it has, and what would work."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from relspan import checks
from relspan.errors import ParameterError


@pytest.mark.parametrize("value", [2, 2.5, np.float32(2), np.int64(3)])
def test_numbers_of_any_kind_are_numbers(value: Any) -> None:
    assert checks.number("x", value, above=1, at_most=3) == float(value)


@pytest.mark.parametrize("value", [1, 3.5, True, "2", None, np.nan, np.inf, [2]])
def test_what_is_no_number_within_the_limits_is_refused_by_name(value: Any) -> None:
    with pytest.raises(ParameterError, match=r"^x must be a number above 1 and at most 3, not ") as refused:
        checks.number("x", value, above=1, at_most=3, hint="such as 2")
    assert repr(value) in str(refused.value)
    assert str(refused.value).endswith("; such as 2")


@pytest.mark.parametrize("digits", [400, 9999])
def test_whole_numbers_beyond_all_floats_are_refused_by_name(digits: int) -> None:
    value = 10**digits
    with pytest.raises(ParameterError, match=r"^x must be a number, not a whole number of [0-9]+ binary digits"):
        checks.number("x", value)
    with pytest.raises(ParameterError, match=r"^x must be a whole number of at least 1, not a whole number of [0-9]+"):
        checks.whole("x", value, at_least=1)


@pytest.mark.parametrize("value", [2.0, True, "2", None, 0, 5, np.float64(3)])
def test_what_is_no_whole_number_within_the_limits_is_refused_by_name(value: Any) -> None:
    assert checks.whole("k", np.int32(3), at_least=1, at_most=4) == 3
    with pytest.raises(ParameterError, match=r"^k must be a whole number of at least 1 and at most 4, not "):
        checks.whole("k", value, at_least=1, at_most=4)


def test_a_choice_is_one_of_a_list_and_a_slip_is_recognised() -> None:
    assert checks.one_of("penalty", "l1", ("l1", "l2")) == "l1"
    with pytest.raises(ParameterError, match=r"penalty must be one of l1, l2, not 'L1'; did you mean 'l1'\?"):
        checks.one_of("penalty", "L1", ("l1", "l2"))
    with pytest.raises(ParameterError, match="penalty"):
        checks.one_of("penalty", ["l1"], ("l1", "l2"))


@pytest.mark.parametrize("value", [1, 0, "yes", None])
def test_only_true_and_false_are_flags(value: Any) -> None:
    assert checks.flag("screen", np.True_) is True
    with pytest.raises(ParameterError, match="screen must be True or False"):
        checks.flag("screen", value)


@pytest.mark.parametrize(
    ("wrong", "near"),
    [("AGE", ["age"]), ("agee", ["age"]), ("heigth", ["height"]), ("colour", []), (7, [])],
)
def test_near_names_are_found_whatever_their_case(wrong: Any, near: list[str]) -> None:
    assert checks.near_names(wrong, ["age", "height", "weight"])[:1] == near


def test_where_no_name_is_near_the_known_ones_are_listed() -> None:
    assert checks.did_you_mean_or_all("zzz", "abcde") == "; there are 'a', 'b', 'c' and 2 more"
    assert checks.did_you_mean_or_all("A", "abcde") == "; did you mean 'a'?"
    assert checks.did_you_mean("zzz", "abcde") == ""


def test_a_list_names_three_and_counts_the_rest() -> None:
    assert checks.listed(["a", "b", "c"]) == "a, b, c"
    assert checks.listed(iter("abcde")) == "a, b, c and 2 more"
    assert checks.quoted("ab") == "'a', 'b'"
