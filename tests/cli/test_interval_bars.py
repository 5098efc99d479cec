"""Bars are faithful to their interval, at any width."""

from __future__ import annotations

from io import StringIO

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from relspan.show.terminal.interval_bars import ASCII, UNICODE, Axis, cells, column_of

shares = st.floats(0, 1)
widths = st.integers(1, 80)


@given(shares, shares, widths)
def test_a_bar_ends_within_a_quarter_character_of_its_interval_or_is_half_a_character_long(one, other, width):
    low, high = sorted((one, other))
    bar = cells(low, high, width)
    assert len(bar) == width
    halves = [on for c in bar for on in {"━": (1, 1), "╸": (1, 0), "╺": (0, 1), " ": (0, 0)}[c]]
    drawn = [i for i, on in enumerate(halves) if on]
    if drawn:
        off = 0.25 if len(drawn) > 1 else 0.75
        assert abs(drawn[0] / 2 - low * width) <= off
        assert abs((drawn[-1] + 1) / 2 - high * width) <= off
        assert drawn == list(range(drawn[0], drawn[-1] + 1))
    assert bool(drawn) == (high > 0)


@given(shares, shares, widths)
def test_ascii_bars_cover_the_same_characters(one, other, width):
    low, high = sorted((one, other))
    plain, fine = cells(low, high, width, ASCII), cells(low, high, width, UNICODE)
    assert plain.isascii()
    assert [c == " " for c in plain] == [c == " " for c in fine]


@given(shares, widths)
def test_a_mark_falls_on_a_character(share, width):
    assert 0 <= column_of(share, width) < width


@given(shares, st.integers(12, 48))
def test_the_pointer_leaves_the_numbers_of_the_axis_whole(share, width):
    console = Console(width=width, file=StringIO(), legacy_windows=False)
    console.print(Axis(0.345, 0.345 * share))
    line = console.file.getvalue().rstrip("\n")
    assert "0.345" in line
    assert line.index("▾") == column_of(share, width)
    assert len(line) <= width
