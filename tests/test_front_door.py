"""What `import relspan` offers: every public name can be had, and nothing is loaded before it is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import relspan


@pytest.mark.parametrize("name", relspan.__all__)
def test_every_public_name_can_be_had(name: str) -> None:
    assert getattr(relspan, name).__name__ == name


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'RelevanceClasifier'"):
        _ = relspan.RelevanceClasifier  # type: ignore[attr-defined]


def test_the_import_alone_loads_no_learner() -> None:
    code = "import sys, relspan; print('sklearn' in sys.modules, 'highspy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
