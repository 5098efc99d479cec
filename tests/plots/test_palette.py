"""The palette holds what it promises: readers who see no red or no green tell the colours apart.

Colour blindness is simulated with the matrices of Machado, Oliveira and Fernandes (2009, severity 1) on linear
RGB; distances are those of CIELAB, where about 2.3 is just seen.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from relspan.result import CLASSES
from relspan.show import palette

SIGHT = {
    "usual": np.eye(3),
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "no blue": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ.sum(axis=1)


def linear(colour: str) -> np.ndarray:
    value = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def lab(colour: str, sight: str = "usual") -> np.ndarray:
    x, y, z = TO_XYZ @ np.clip(SIGHT[sight] @ linear(colour), 0, 1) / WHITE
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return np.array([116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)])


def contrast(one: str, other: str) -> float:
    """The ratio of luminances of the web's accessibility guidelines."""
    bright, dark = sorted((float(TO_XYZ[1] @ linear(c)) for c in (one, other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def test_white_and_black_are_where_they_belong():
    assert lab("#ffffff")[0] == pytest.approx(100, abs=0.1)
    assert contrast("#ffffff", "#000000") == pytest.approx(21, abs=0.1)


@pytest.mark.parametrize("sight", list(SIGHT))
def test_classes_are_told_apart(sight):
    colours = [palette.CLASS_COLOURS[kind] for kind in ("strong", "weak", "irrelevant")]
    for one, other in combinations(colours, 2):
        assert np.linalg.norm(lab(one, sight) - lab(other, sight)) > 15


def test_strong_and_weak_differ_in_lightness():
    assert abs(lab(palette.CLASS_COLOURS["strong"])[0] - lab(palette.CLASS_COLOURS["weak"])[0]) > 20


def test_marks_and_texts_stand_out_on_paper():
    for kind in CLASSES:
        assert contrast(palette.CLASS_EDGES[kind], "#ffffff") > 4.5
    assert contrast(palette.INK, "#ffffff") > 7
    assert contrast(palette.QUIET, "#ffffff") > 4.5


def test_the_heat_gets_darker_all_the_way():
    from matplotlib.colors import to_hex

    heat = palette.heat()
    lightness = [lab(to_hex(heat(share)))[0] for share in np.linspace(0, 1, 40)]
    assert (np.diff(lightness) < 0).all()


def test_no_picture_has_a_colour_of_its_own():
    """Every hexadecimal colour of the package's pictures stands in the palette."""
    from importlib.resources import files

    for file in files("relspan.plots").iterdir():
        if file.name.endswith(".py") and file.name != "palette.py":
            assert '"#' not in file.read_text(encoding="utf-8"), file.name
