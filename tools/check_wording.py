"""Check the wording of source and documentation: python tools/check_wording.py [FILE ...]

Two habits make sentences hard to read, and both are easy to find:

- "told", "tell" and "said" where something is reported, described, shown, stated or distinguished, in names as well;
- "a" where "per" is meant: "two programs a feature".

Without FILE, all Python files of the package and all pages are read, together with the scripts and styles of the
browser.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = {
    "src/relspan": ("*.py", "*.js", "*.html", "*.css"),
    "docs": ("*.md", "*.py"),
    "examples": ("*.py", "*.rst"),
    "benchmarks": ("*.py", "*.md"),
    "tools": ("*.py",),
    ".": ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"),
}
MADE = ("docs/_build", "docs/api", "docs/gallery", "docs/benchmarks", "benchmarks/results")
OWN = "tools/check_wording.py"  # it names what it looks for

TELLING = re.compile(r"(?<![A-Za-z])(told|tells?|telling|said)(?![A-Za-z])", re.IGNORECASE)
# Nouns only: what is also a verb ("names a class", "draws a set") would be found too often
COUNTED = (
    r"one|two|three|four|several|bars?|bits?|charts?|codes?|columns?|conditions?|copies|digits|entries|entry|features|"
    r"files?|hinges?|impostors?|intervals?|line|milliseconds?|ms|numbers?|offsets?|pairs?|panels?|pivots?|points?|"
    r"products?|programs?|prototypes?|replicates|rows?|samples?|seconds?|s|slacks?|types?|values?|vectors?|weights?|words?"
)
UNITS = (
    r"batch|block|category|class|column|command|component|condition|direction|draw|end|estimator|feature|file|fit|fold|"
    r"group|kind|learner|line|loss|method|member|minute|model|page|pair|panel|parameter|part|pin|pivot|probe|program|"
    r"prototype|question|round|row|sample|second|seed|set|side|stage|start|step|table|target|task|test|thousand|"
    r"threshold|value|variable|vector|weight"
)
A_FOR_PER = re.compile(rf"(?<![\w.])(?:{COUNTED})\s+a\s+(?:{UNITS})\b", re.IGNORECASE)

# Phrases that only look like it, each with its reason. Keep this list short.
ALLOWED = {
    "not *tell*": "CONTRIBUTING.md names the word to avoid",
    "_file.tell()": "a method of Python's files",
}


def complaints(text: str) -> Iterator[tuple[int, str]]:
    """Line numbers and the words found there."""
    for number, line in enumerate(text.splitlines(), 1):
        for pattern in (TELLING, A_FOR_PER):
            for match in pattern.finditer(line):
                if not any(phrase in line for phrase in ALLOWED):
                    yield number, match[0]


def files() -> Iterator[Path]:
    """Every file that is read."""
    for folder, patterns in PLACES.items():
        for pattern in patterns:
            for path in sorted((ROOT / folder).glob(pattern) if folder == "." else (ROOT / folder).rglob(pattern)):
                name = path.relative_to(ROOT).as_posix()
                if name != OWN and not name.startswith(MADE):
                    yield path


def found() -> dict[str, list[tuple[int, str]]]:
    """The complaints about every file that has any."""
    every = {path.relative_to(ROOT).as_posix(): list(complaints(path.read_text(encoding="utf-8"))) for path in files()}
    return {name: lines for name, lines in sorted(every.items()) if lines}


def main() -> None:
    given = [Path(word) for word in sys.argv[1:]]
    wrong = {str(path): list(complaints(path.read_text(encoding="utf-8"))) for path in given} if given else found()
    for name, lines in wrong.items():
        for number, words in lines:
            print(f"{name}:{number}: {words!r}: report, describe, show or state; 'per', not 'a'")
    sys.exit(any(wrong.values()))


if __name__ == "__main__":
    main()
