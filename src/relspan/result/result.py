"""RelevanceResult: what an analysis found, in the reader's units, frozen. Every surface reads it; none computes.

Relevances and weights are shares of the baseline's L1 norm.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from importlib.metadata import version
from typing import Any

import numpy as np

from relspan.engines.certificates import CertifiedMaxima, certify
from relspan.errors import DataError, ParameterError
from relspan.family import Family, unit_directions

SCHEMA_VERSION = 1
AT_ONCE = 256  # features whose proofs are evaluated together
FRAMES = (None, "pandas", "polars", "dict")
_MARKS = {"strong": "●", "weak": "◐", "irrelevant": "·", "undecided": "?"}


@dataclass(frozen=True)
class FeatureRelevance:
    """One feature: the interval of its relevance, the signed interval of its weight, its class, the certified gaps.

    A feature with several weights (one a class, say) has `parts`, the signed interval of each; its relevance is their
    total size, and lo and hi repeat that interval.

    The class is "strong", "weak", "irrelevant", or "undecided" in a partial result. A feature that is not `solved` was
    proven irrelevant without a program: its ends are bounds, the truth lies inside. With a `cancelled`
    one no score moves more than chance, and others can cancel its weight, which has a higher threshold for that.
    """

    name: str
    min: float
    max: float
    lo: float
    hi: float
    relevance: str
    gap_lo: float = 0.0
    gap_hi: float = 0.0
    solved: bool = True
    parts: Mapping[str, tuple[float, float]] | None = None
    cancelled: bool = False

    @property
    def direction(self) -> str:
        """The sign of the effect in every equally good model: "+", "-", or "±" where it is not certain."""
        if self.parts is not None:
            return "±"
        return "+" if self.lo > 0 else "-" if self.hi < 0 else "±"


@dataclass(frozen=True)
class GroupRelevance:
    """A group of features: the interval of its total relevance, attained at both ends, and its class.

    The gaps tell how far beyond its ends the truth may lie: 0 but for rounding, unless a large group's maximum was
    bracketed.
    """

    name: str
    members: tuple[str, ...]
    min: float
    max: float
    relevance: str
    gap_lo: float = 0.0
    gap_hi: float = 0.0


@dataclass(frozen=True, eq=False)
class Certificates:
    """The proofs behind the intervals, in the solver's units; see `relspan.engines.certificates`.

    Row 2j holds the end +w_j, row 2j + 1 the end -w_j: `models` (w, b) attain `values`, and the multipliers of the
    hinge rows give `bounds`. `family` is the set they speak of. Where not `solved`, bounds are what is reported.
    """

    family: Family
    extremes: CertifiedMaxima
    columns: tuple[str, ...]
    solved: tuple[bool, ...] | None = None

    def verify(self) -> float:
        """Evaluate every proof again, without a solver: the largest fault, as a share of the norm budget.

        A fault is a gap between what is reported and the dual bound, a reported value that its model does not attain,
        or how far a model lies outside the family. What is sound is of the size of rounding.
        """
        size = float(self.family.largest_norm)
        solved = np.repeat(np.ones(len(self.columns), dtype=bool) if self.solved is None else self.solved, 2)
        faults = [np.zeros(1)]
        for first in range(0, len(self.columns), AT_ONCE):
            chosen = range(first, min(first + AT_ONCE, len(self.columns)))
            directions = unit_directions(chosen, self.family)
            ends = slice(2 * chosen.start, 2 * chosen.stop)
            said = self.extremes.where(ends)
            models = said.models_of(slice(None))
            again = certify(self.family, directions, models, said.hinge_multipliers, said.constraint_multipliers)
            faults += [
                np.abs(again.bounds - np.where(solved[ends], said.values, said.bounds)) / size,
                np.abs(again.values - said.values) / size,
                self.family.violations(models),
            ]
        return float(np.max(np.concatenate(faults)))


@dataclass(frozen=True)
class RelevanceResult:
    """Intervals and classes of all features, with everything that led to them.

    `privileged` are the features that were known while learning only, `groups` the groups that were asked about, and
    `details` holds what only some tasks have to tell, such as the decisions of the extremal models of a reject option.
    `session` makes an explorer of the data behind it, where they are there; see `explore`.

    `thresholds` draws the classes: a feature is relevant where its greatest relevance exceeds "relevant" or, if that
    key is there, its least exceeds "needed"; of the relevant ones those whose least exceeds "strong" are strong. In the
    place of "relevant" stands "cancelled" for features that are.

    Of an analysis that was interrupted the result is `partial`: `features` are those whose intervals were proven by
    then, as good as in a whole result; the class of each is "undecided", for `thresholds` and `probes` are empty; the
    features without an interval are named in `unfinished`, and there are no certificates.
    """

    task: str
    features: tuple[FeatureRelevance, ...]
    baseline: Mapping[str, Any]
    budgets: Mapping[str, Any]
    probes: Mapping[str, Any]
    thresholds: Mapping[str, float]
    parameters: Mapping[str, Any]
    data: Mapping[str, Any]
    warnings: tuple[str, ...] = ()
    privileged: tuple[FeatureRelevance, ...] = ()
    groups: tuple[GroupRelevance, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    engine: Mapping[str, str] = field(default_factory=dict)  # the name of the one that solved, and why it was taken
    seconds: Mapping[str, float] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    partial: bool = False
    unfinished: tuple[str, ...] = ()
    certificates: Certificates | None = field(default=None, compare=False, repr=False)
    session: Callable[[], Any] | None = field(default=None, compare=False, repr=False)

    def explore(self, browser: bool = True) -> Any:
        """Open the explorer on this result's data in the browser; what comes back can be stopped with `stop()`.

        Needs the extra ``web``. A result that was read from a file has no data: there is the command
        ``relspan explore``.
        """
        if self.session is None:
            raise ParameterError(
                "this result has no data to explore; fit again, or run: relspan explore TABLE --target COLUMN"
            )
        return self.session().show(browser)

    def __getitem__(self, name: str) -> FeatureRelevance:
        for feature in self.features:
            if feature.name == name:
                return feature
        raise KeyError(f"no feature {name!r}")

    def names(self, relevance: str) -> list[str]:
        """The features of one class; one that a pin has left out belongs to none."""
        if relevance not in _MARKS:
            raise ParameterError(f"a feature is {', '.join(_MARKS)}, not {relevance!r}")
        left_out = set(self.left_out)
        return [f.name for f in self.features if f.relevance == relevance and f.name not in left_out]

    @property
    def left_out(self) -> list[str]:
        """The features that pins forbid: no equally good model was asked whether they could matter."""
        return [pin["feature"] for pin in self.parameters.get("pins", ()) if pin["asked"] == "without"]

    @property
    def largest_gap(self) -> float:
        """The largest certified gap of any end point, as a share of the baseline's norm."""
        return max((max(f.gap_lo, f.gap_hi) for f in self.features), default=0.0)

    def to_json(self, indent: int | None = 2) -> str:
        """The whole result as JSON (without the certificates' models and multipliers, with their gaps)."""
        return json.dumps(self._as_dict(), indent=indent, allow_nan=False)

    def _as_dict(self) -> dict[str, Any]:
        plain = {
            "partial": self.partial,
            "task": self.task,
            "data": self.data,
            "parameters": self.parameters,
            "baseline": self.baseline,
            "budgets": self.budgets,
            "features": [_told(f) for f in self.features],
            "unfinished": list(self.unfinished),
            "probes": self.probes,
            "thresholds": self.thresholds,
            "warnings": list(self.warnings),
            "engine": self.engine,
            "seconds": self.seconds,
            "versions": self.versions,
        }
        asked = {  # told where there is something to tell
            "privileged": [_told(f) for f in self.privileged],
            "groups": [asdict(group) for group in self.groups],
            "details": self.details,
        }
        plain |= {key: value for key, value in asked.items() if value}
        return {"schema_version": SCHEMA_VERSION, **{key: _plain(value) for key, value in plain.items()}}

    @classmethod
    def from_json(cls, text: str) -> RelevanceResult:
        """The result that `to_json` wrote."""
        try:
            read = json.loads(text)
            version_read = read["schema_version"]
            if version_read == SCHEMA_VERSION:
                rest = {key: read[key] for key in cls.__dataclass_fields__ if key in read}
                rest["features"] = tuple(map(_feature, read["features"]))
                rest["privileged"] = tuple(map(_feature, read.get("privileged", [])))
                rest["groups"] = tuple(
                    GroupRelevance(**{**g, "members": tuple(g["members"])}) for g in read.get("groups", [])
                )
                rest["warnings"] = tuple(read["warnings"])
                rest["unfinished"] = tuple(read.get("unfinished", ()))
                return cls(**rest)
        except (ValueError, KeyError, TypeError, AttributeError) as reason:
            raise DataError(f"this is not the JSON of a relspan result ({reason!r})") from reason
        raise DataError(f"this result has schema_version {version_read!r}, not {SCHEMA_VERSION}")

    def columns(self) -> dict[str, list[Any]]:
        """The table of features, column by column."""
        records = [{**asdict(f), "direction": f.direction} for f in self.features]
        order = ("name", "relevance", "min", "max", "lo", "hi", "direction", "gap_lo", "gap_hi", "solved")
        return {key: [record[key] for record in records] for key in order}

    def to_frame(self, kind: str | None = None) -> Any:
        """The table as a pandas or polars frame, whichever is installed; else a plain dict of columns.

        `kind` asks for "pandas", "polars" or "dict".
        """
        if kind not in FRAMES:
            raise ParameterError(f"kind must be one of pandas, polars, dict, or None, not {kind!r}")
        columns = self.columns()
        if kind == "dict":
            return columns
        for library in [kind] if kind else ["pandas", "polars"]:
            try:
                return import_module(library).DataFrame(columns)
            except ModuleNotFoundError:
                if kind:
                    raise
        return columns

    def to_text(self, width: int = 30, everything: bool = False) -> str:
        """A plain-text table with interval bars; irrelevant features are counted unless `everything` is asked for."""
        order = sorted(self.features, key=lambda f: tuple(_MARKS).index(f.relevance))
        shown = [f for f in order if everything or f.relevance != "irrelevant"]
        top = max((f.max for f in self.features), default=0.0) or 1.0
        name_width = max([len(f.name) for f in shown] + [7])
        lines = [f"{'feature':<{name_width}}  {'class':<12} {'min':>6} {'max':>6}"]
        for f in shown:
            bar = interval_bar(f.min / top, f.max / top, width)
            mark = f"{_MARKS[f.relevance]} {f.relevance}"
            most = f"{f.max:.3f}" if f.solved else f"<={f.max:.3f}"
            lines.append(f"{f.name:<{name_width}}  {mark:<12} {f.min:6.3f} {most:>6}  {bar}")
        hidden = len(self.features) - len(shown)
        if hidden:
            lines.append(f"and {hidden} irrelevant feature{'s' if hidden > 1 else ''}")
        if self.partial:
            lines.append(f"partial: interrupted before {len(self.unfinished)} more intervals, and before classes")
        return "\n".join(lines)

    def plot(self, **options: Any) -> Any:
        """The interval chart, an IntervalDisplay; needs matplotlib. Options are those of its `from_result`."""
        return _surface("plots.intervals").IntervalDisplay.from_result(self, **options)

    def to_html(self, title: str | None = None, groups: Any = None, panels: Sequence[Any] = ()) -> str:
        """A report in one HTML file that needs no network; see `relspan.show.html.page.page` for what can be added."""
        return str(_surface("report.page").page(self, title, groups, panels))

    def _repr_html_(self) -> str:
        return str(_surface("report.snippet").snippet(self))

    def __str__(self) -> str:
        return self.to_text()


def interval_bar(low: float, high: float, width: int) -> str:
    """A bar of `width` characters from low to high, both in [0, 1]; never empty where high > 0."""
    start, stop = min(int(np.floor(low * width)), width - 1), min(int(np.ceil(high * width)), width)
    stop = max(stop, start + 1) if high > 0 else start
    return "─" * start + "━" * (stop - start) + "─" * (width - stop)


def current_versions() -> dict[str, str]:
    """Versions of what computed a result."""
    packages = ("relspan", "numpy", "scipy", "scikit-learn", "highspy")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


def _surface(name: str) -> Any:
    """A module that shows results. It lies above this one, which must not know it: it is looked up when asked for."""
    return import_module(f"relspan.{name}")


def _told(feature: FeatureRelevance) -> dict[str, Any]:
    """A feature as JSON has it; most have no parts and are not cancelled."""
    return {key: value for key, value in asdict(feature).items() if value or key not in ("parts", "cancelled")}


def _feature(told: dict[str, Any]) -> FeatureRelevance:
    parts = told.get("parts")
    return FeatureRelevance(**{**told, "parts": parts and {name: (lo, hi) for name, (lo, hi) in parts.items()}})


def _plain(value: Any) -> Any:
    """NumPy and tuples as JSON has them."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return [_plain(item) for item in value.tolist()]
    if isinstance(value, np.generic):
        return value.item()
    return value
