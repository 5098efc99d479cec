"""A result as plain text: what `print(result)` shows."""

from __future__ import annotations

from relspan.result import CLASSES, RelevanceResult
from relspan.show.marks import LINED, bar


def table(result: RelevanceResult, width: int = 30, everything: bool = False) -> str:
    """One line per feature with its interval bar; irrelevant features are counted unless `everything` is shown."""
    order = sorted(result.features, key=lambda f: CLASSES.index(f.relevance))
    shown = [f for f in order if everything or f.relevance != "irrelevant"]
    end = max((f.max for f in result.features), default=0.0) or 1.0
    name_width = max([len(printable(f.name)) for f in shown] + [7])
    lines = [f"{'feature':<{name_width}}  {'class':<12} {'min':>6} {'max':>6}"]
    for f in shown:
        mark = f"{LINED.mark(f.relevance)} {f.relevance}"
        most = f"{f.max:.3f}" if f.solved else f"<={f.max:.3f}"
        drawn = bar(f.min / end, f.max / end, width, LINED)
        lines.append(f"{printable(f.name):<{name_width}}  {mark:<12} {f.min:6.3f} {most:>6}  {drawn}")
    hidden = len(result.features) - len(shown)
    if hidden:
        lines.append(f"and {hidden} irrelevant feature{'s' if hidden > 1 else ''}")
    if result.partial:
        lines.append(f"partial: interrupted before {len(result.unfinished)} more intervals, and before classes")
    return "\n".join(lines)


def printable(text: str) -> str:
    """The text without characters that would steer a terminal: they are written as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
