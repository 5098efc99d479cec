"""Formulas as MathML, which browsers draw by themselves: no page needs a script from elsewhere, or a network.

Docutils reads the TeX. What it does not understand is a warning, which ends the build.
"""

from __future__ import annotations

from html import escape
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

log = logging.getLogger(__name__)


def formula(node: nodes.Element, as_block: bool) -> str:
    """The MathML of a node's TeX; the TeX itself where it is not understood."""
    try:
        return tex2mathml(node.astext(), as_block=as_block)
    except MathError as error:
        log.warning("a formula is not understood: %s", error, location=node)
        return escape(node.astext())


def visit_inline(writer: Any, node: nodes.Element) -> None:
    """A formula in a line."""
    writer.body.append(f'<span class="math">{formula(node, as_block=False)}</span>')
    raise nodes.SkipNode


def visit_block(writer: Any, node: nodes.Element) -> None:
    """A formula on a line of its own."""
    writer.body.append(writer.starttag(node, "div", CLASS="formula"))
    writer.body.append(formula(node, as_block=True) + "</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
