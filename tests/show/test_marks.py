"""Bars are faithful to their interval, at any width and on every surface."""

from __future__ import annotations

from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from relspan.show.marks import ASCII, LINED, UNICODE, bar, span
from relspan.show.terminal.interval_bars import Axis, column_of

shares = st.floats(0, 1)
widths = st.integers(1, 80)


@given(shares, shares, widths)
@pytest.mark.slow
def test_a_bar_ends_within_a_quarter_character_of_its_interval_or_is_half_a_character_long(one, other, width):
    low, high = sorted((one, other))
    drawn_bar = bar(low, high, width)
    assert len(drawn_bar) == width
    halves = [on for c in drawn_bar for on in {"━": (1, 1), "╸": (1, 0), "╺": (0, 1), " ": (0, 0)}[c]]
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
    plain, fine = bar(low, high, width, ASCII), bar(low, high, width, UNICODE)
    assert plain.isascii()
    assert [c == " " for c in plain] == [c == " " for c in fine]


@given(shares, widths)
def test_a_mark_falls_on_a_character(share, width):
    assert 0 <= column_of(share, width) < width


@given(shares, st.integers(12, 48))
def test_the_pointer_leaves_the_numbers_of_the_axis_whole(share, width):
    console = Console(width=width, file=StringIO(), legacy_windows=False)
    top, threshold = 0.345, 0.345 * share
    console.print(Axis(top, threshold))
    line = console.file.getvalue().rstrip("\n")
    assert "0.345" in line
    assert line.index("▾") == column_of(threshold / top, width)
    assert len(line) <= width


@pytest.mark.parametrize(
    ("low", "high", "drawn"),
    [
        (0, 1, "━━━━━━━━━━"),
        (0, 0, "──────────"),
        (1, 1, "─────────╼"),
        (0, 1e-9, "╾─────────"),
        (0.5, 0.5, "─────╾────"),
        (0.25, 0.75, "──╼━━━━╾──"),
        (0.99, 1.0, "─────────╼"),
        (0.0, 1.0 + 1e-12, "━━━━━━━━━━"),  # a rounding error beyond the edge
    ],
)
def test_bars_on_a_line(low, high, drawn):
    assert bar(low, high, 10, LINED) == drawn


@given(shares, shares, st.integers(10, 700), st.integers(1, 9))
def test_a_span_lies_on_the_scale_and_is_seen(one, other, steps, shortest):
    low, high = sorted((one, other))
    start, stop = span(low, high, steps, shortest)
    assert 0 <= start <= stop <= steps
    assert (stop - start >= shortest) == (high > 0 or stop - start >= shortest)
    assert high > 0 or start == stop == 0
