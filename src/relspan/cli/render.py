"""A result as a person at a terminal reads it: a table with interval bars, and what the numbers mean.

Everything shown is in the result; nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from relspan.cli.bars import Axis, Bar, Glyphs, glyphs
from relspan.cli.progress import STAGES
from relspan.explore.view import read_pin_record
from relspan.result import FeatureRelevance, RelevanceResult

ORDER = ("strong", "weak", "irrelevant", "undecided")
STYLES = {"strong": "bold cyan", "weak": "yellow", "irrelevant": "dim", "undecided": ""}
SCORES = {"classification": "weighted F1"}
NAMED = 6  # folded features that are still called by name


def show(result: RelevanceResult, console: Console, everything: bool = False) -> None:
    """Print the table, what is folded, and what it all means."""
    known = glyphs(console.options)
    ordered = by_relevance(result.features)
    pinned = {pin["feature"] for pin in result.parameters.get("pins", ())}
    shown = [f for f in ordered if everything or f.relevance != "irrelevant" or f.name in pinned]
    console.print()
    if shown:
        console.print(feature_table(result, shown, known, console.width))
    if len(shown) < len(ordered):
        console.print(Text(fold([f for f in ordered if f not in shown]), "dim"))
    console.print()
    console.print(counts(result, known))
    console.print()
    console.print(meaning(result, known))


def by_relevance(features: Sequence[FeatureRelevance]) -> list[FeatureRelevance]:
    """Strong before weak before irrelevant, and in each class by what they can reach."""
    return sorted(features, key=lambda f: (ORDER.index(f.relevance), -f.max))


def feature_table(result: RelevanceResult, shown: Sequence[FeatureRelevance], known: Glyphs, width: int) -> Table:
    """One row a feature: name, class, least and largest relevance, sign, bar."""
    threshold = result.thresholds.get("relevant")  # a partial result has none
    top = max([threshold or 0.0, *(f.max for f in result.features)]) or 1.0
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), pad_edge=False, header_style="")
    table.add_column("feature", overflow="fold", min_width=8, max_width=max(20, width // 3))
    table.add_column("class", no_wrap=True)
    table.add_column("min", justify="right", no_wrap=True)
    table.add_column("max", justify="right", no_wrap=True)
    table.add_column("sign", justify="center", no_wrap=True)
    table.add_column(Axis(top, threshold))
    for f in shown:
        style = STYLES[f.relevance]
        table.add_row(
            Text(printable(f.name)),
            Text(f"{known.mark(f.relevance)} {f.relevance}", style),
            f"{f.min:.3f}" if f.min else "0",
            ("" if f.solved else "<=") + (f"{f.max:.3f}" if f.max else "0"),
            known.uncertain if f.direction == "±" else f.direction,
            Bar(f.min / top, f.max / top, None if threshold is None else threshold / top, style),
        )
    return table


def fold(folded: Sequence[FeatureRelevance]) -> str:
    """The features that have no row."""
    names = ", ".join(printable(f.name) for f in folded[:NAMED])
    more = f" and {len(folded) - NAMED} more" if len(folded) > NAMED else ""
    return f"folded, {len(folded)} irrelevant: {names}{more} (--all unfolds)"


def counts(result: RelevanceResult, known: Glyphs) -> Text:
    """How many features there are of each class."""
    if result.partial:
        undecided = f"{len(result.features)} undecided, {len(result.unfinished)} without an interval"
        return Text(f"{known.undecided} partial, the run was interrupted: {undecided}")
    kinds = ORDER[:3]
    parts = [Text(f"{known.mark(kind)} {len(result.names(kind))} {kind}", STYLES[kind], end="") for kind in kinds]
    return Text("   ").join(parts)


def meaning(result: RelevanceResult, known: Glyphs) -> Table:
    """What the words and marks of the table mean here, one line each: a word and its explanation."""
    baseline, target = result.baseline, result.data.get("target")
    classes = {printable(name): count for name, count in result.data.get("classes", {}).items()}
    origin = "as given"
    if baseline.get("score") is not None:
        origin = f"cross-validated {SCORES.get(result.task, 'score')} {baseline['score']:.3f}"
    stages = ", ".join(f"{word} {result.seconds[key]:.1f}" for key, word in STAGES.items() if key in result.seconds)
    told = [f"{result.data['n_samples']} rows", f"{result.data['n_features']} features"]
    told += [f"target {printable(target)}"] if target else []
    lines = {
        "strong": "no equally good model does without it",
        "weak": "it can matter, and others can take its place",
        "min, max": "least and largest |weight| in all equally good models, as a share of the best model's norm",
        "sign": f"of the weight in all equally good models; {known.uncertain} where they differ",
        known.pointer: "" if result.partial else chance(result),
        "equally good": equally_good(result),
        "pins": pins(result),
        "best model": f"C = {baseline['C']:.4g}, {origin}",
        "proof": f"largest certified gap of an end {result.largest_gap:.0e}",
        "data": ", ".join(told) + (f" ({_classes(classes)})" if classes else ""),
        "time": f"{result.seconds['total']:.1f} s ({stages})",
    }
    if result.partial:
        for word in ("strong", "weak", known.pointer):
            del lines[word]
    if not lines["pins"]:
        del lines["pins"]
    if classes:
        which = (f"{printable(target)} = " if target else "") + list(classes)[-1]
        lines["sign"] = f"+ speaks for {which}; {known.uncertain} differs among equally good models"
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column()
    for word, explanation in lines.items():
        grid.add_row(Text(word, STYLES.get(word, "")), Text(explanation))
    return grid


def equally_good(result: RelevanceResult) -> str:
    """The budgets in one sentence."""
    given, best = result.parameters, result.baseline
    more = f"at most {_percent(given['delta_norm'])} more"
    limits = result.budgets["limits"]
    if result.budgets["kind"] == "combined":
        return f"{more} norm + C loss than the best model (up to {limits[0][2]:.4g})"
    limit = {"norm" if norm_price else "loss": value for norm_price, _, value in limits}
    norm = f"{more} norm than the best model ({best['l1_norm']:.4g} to {limit['norm']:.4g})"
    loss = f"({best['loss']:.4g} to {limit['loss']:.4g}"
    if result.budgets["kind"] == "relative":
        return f"{norm}, at most {_percent(given['delta_loss'])} more loss {loss})"
    share = f"at most {_percent(given['delta_loss'])} of the loss it explains given up"
    return f"{norm}, {share} {loss}; without features {best['null_loss']:.4g})"


def pins(result: RelevanceResult) -> str:
    """What was demanded of the models; nothing without pins."""
    said = ", ".join(printable(str(read_pin_record(pin))) for pin in result.parameters.get("pins", ()))
    return said and f"{said}; thresholds, best model and time are those without pins"


def printable(name: str) -> str:
    """A name without characters that would steer the terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)


def _classes(classes: dict[str, int]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in classes.items())


def chance(result: RelevanceResult) -> str:
    """The threshold, and where it comes from."""
    probes = f"{len(result.probes['hi'])} permuted columns"
    return f"{result.thresholds['relevant']:.3f}, as far as chance reaches by {probes}"


def _percent(share: float) -> str:
    return f"{100 * share:.4g} %"
