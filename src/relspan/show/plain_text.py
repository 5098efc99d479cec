"""A result as plain text: what `print(result)` shows."""

from __future__ import annotations

from relspan.result import CLASSES, FeatureRelevance, RelevanceResult
from relspan.show.account import nothing_called, pin_texts, table_test
from relspan.show.marks import LINED, bar, evidence_text, has_a_row, has_evidence
from relspan.terminal_text import printable


def table(result: RelevanceResult, width: int = 30, everything: bool = False) -> str:
    """One line per feature with its interval bar; irrelevant features are counted unless `everything` is shown.

    The first line states where no feature is called relevant. Under pins a line names them, and a column has what they
    do in place of evidence and route. The weights of a feature that has one per class follow it.
    """
    order = sorted(result.features, key=lambda f: CLASSES.index(f.relevance))
    shown = [f for f in order if everything or has_a_row(f)]
    end = max((f.max for f in result.features), default=0.0) or 1.0
    rows = [row for f in shown for row in _rows(f)]
    names = _aligned(["feature", *(name for name, _, _, _ in rows)])
    marks = _aligned([f"{'class':<12}", *(mark for _, mark, _, _ in rows)])
    effects = _aligned(["under pins  " if result.is_pinned else "", *(effect for _, _, effect, _ in rows)])
    shows_grounds = has_evidence(result) and not result.is_pinned
    grounds = _aligned(
        ["evidence route  ", *(_grounds(f) for *_, f in rows)] if shows_grounds else [""] * (1 + len(rows))
    )
    lines = [table_test(result).sentence] if nothing_called(result) else []
    lines += [f"Under these pins: {printable(', '.join(pin_texts(result)))}"] if result.is_pinned else []
    lines.append(f"{names[0]}  {marks[0]} {'min':>6} {'max':>6}  {grounds[0]}{effects[0]}".rstrip())
    for name, mark, effect, ground, (*_, f) in zip(names[1:], marks[1:], effects[1:], grounds[1:], rows, strict=True):
        most = f"{f.max:.3f}" if f.solved else f"<={f.max:.3f}"
        drawn = bar(f.min / end, f.max / end, width, LINED)
        lines.append(f"{name}  {mark} {f.min:6.3f} {most:>6}  {ground}{effect}{drawn}")
    hidden = len(result.features) - len(shown)
    if hidden:
        lines.append(f"and {hidden} irrelevant feature{'s' if hidden > 1 else ''}")
    norm_made = [printable(f.name) for f in result.features if f.norm_made]
    if norm_made:
        lines.append(f"needed only because of the norm budget: {', '.join(norm_made)}")
    if result.partial:
        lines.append(f"partial: interrupted before {len(result.unfinished)} more intervals, and before classes")
    return "\n".join(lines)


def _rows(feature: FeatureRelevance) -> list[tuple[str, str, str, FeatureRelevance]]:
    """Name, class, effect of pins and interval of a feature, and of each of its weights if it has several."""
    effect = "" if feature.under_pins is None else f"{feature.under_pins.words}  "
    first = printable(feature.name), f"{LINED.mark(feature.relevance)} {feature.relevance}", effect, feature
    return [first, *((f"  {printable(weight.name)}", "", "", weight) for weight in feature.by_class)]


def _grounds(feature: FeatureRelevance) -> str:
    """Evidence and route of a feature; nothing where it has none."""
    return "" if feature.evidence is None else f"{evidence_text(feature):>8} {feature.route}  "


def _aligned(words: list[str]) -> list[str]:
    """The words, all as wide as the widest."""
    widest = max(map(len, words))
    return [f"{word:<{widest}}" for word in words]
