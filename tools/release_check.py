"""Is this ready to be released? Build wheel and sdist, install the wheel into empty environments, run the tests there.

    python tools/release_check.py [--with lowest newest] [--tests tests/cli ...] [--keep]

In the environment `lowest` every dependency of the package and of its extras (but torch) has the lowest version that
pyproject.toml allows, in `newest` the newest that pip finds. Needs nothing but Python and pip; works in build/release,
which is removed first.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build" / "release"
EXTRAS = ("plot", "parquet", "web", "notebook", "dask")  # torch is too large to be part of this
TOOLS = ("pytest", "hypothesis", "pandas", "polars", "mypy", "ruff", "pytest-xdist")


def say(message: str) -> None:
    """Report what happens."""
    print(f"release-check: {message}", flush=True)


def call(*words: str | Path) -> None:
    """Run a command from the repository's root; a failure ends the check."""
    done = subprocess.run([str(word) for word in words], cwd=ROOT, check=False)
    if done.returncode:
        raise SystemExit(f"release-check: failed: {' '.join(map(str, words))}")


def environment(name: str) -> Path:
    """The Python of a new, empty environment."""
    call(sys.executable, "-m", "venv", "--clear", WORK / name)
    return WORK / name / "bin" / "python"


def build() -> tuple[Path, Path]:
    """Wheel and sdist, the wheel from the sdist, as an index would get them."""
    python = environment("build")
    call(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "build")
    call(python, "-m", "build", "--outdir", WORK / "dist", ROOT)
    (wheel,) = (WORK / "dist").glob("*.whl")
    (sdist,) = (WORK / "dist").glob("*.tar.gz")
    return wheel, sdist


def check_contents(wheel: Path, sdist: Path) -> None:
    """The typing marker and the licence are in, every module is, and nothing but the package is."""
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
    sources = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    (info,) = {name.split("/")[0] for name in names if name.split("/")[0].endswith(".dist-info")}
    problems = [f"the wheel lacks {name}" for name in sorted(sources - names)]
    problems += [f"the wheel has {n}" for n in sorted(names - sources) if not n.startswith(f"{info}/")]
    if "relspan/py.typed" not in names:
        problems.append("the wheel lacks relspan/py.typed")
    if not any(name.startswith(info) and name.endswith("LICENSE") for name in names):
        problems.append("the wheel lacks the licence")
    with tarfile.open(sdist) as file:
        inside = {name.split("/", 1)[1] for name in file.getnames() if "/" in name}
    problems += [
        f"the sdist lacks {name}" for name in ("LICENSE", "README.md", "tests/conftest.py") if name not in inside
    ]
    if problems:
        raise SystemExit("release-check: " + "; ".join(problems))
    say(f"{wheel.name} and {sdist.name} hold what they should: {len(names)} and {len(inside)} files")


def lowest(project: dict[str, object]) -> list[str]:
    """name==bound for every dependency with a lower bound, of the package, its extras and its tests."""
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(line for extra in EXTRAS for line in extras[extra])]
    wanted += [line for line in extras["test"] if line.split(">=")[0] in TOOLS[2:4]]
    pins = {}
    for line in wanted:
        match = re.fullmatch(r"([A-Za-z0-9_.-]+)>=([0-9.]+)", line)
        if match is None:
            raise SystemExit(f"release-check: {line!r} has no plain lower bound")
        pins[match[1]] = match[2]
    return [f"{name}=={bound}" for name, bound in pins.items()]


def check_environment(kind: str, wheel: Path, project: dict[str, object], tests: list[str]) -> None:
    """Install the wheel with the lowest or the newest dependencies, and run the tests of the repository on it."""
    python = environment(kind)
    pins = WORK / f"{kind}.txt"
    pins.write_text("\n".join(lowest(project) if kind == "lowest" else []) + "\n")
    say(f"{kind}: installing")
    wanted = f"{wheel}[{','.join(EXTRAS)}]"
    call(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", pins, wanted, *TOOLS)
    call(python, "-m", "pip", "check")
    say(f"{kind}: the command line")
    call(python, "-m", "relspan", "demo", "--quiet", "--output", WORK / f"{kind}.json")
    say(f"{kind}: the tests")
    # Old versions are allowed to warn of what newer ones have settled
    mild = ("DeprecationWarning", "FutureWarning", "pytest.PytestDeprecationWarning") if kind == "lowest" else ()
    more = [word for warning in mild for word in ("-W", f"default::{warning}")]
    call(python, "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", *more, *tests)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--with", dest="kinds", nargs="*", choices=["lowest", "newest"], default=["lowest", "newest"])
    parser.add_argument("--tests", nargs="*", default=["tests"])
    parser.add_argument("--keep", action="store_true", help="keep the environments")
    options = parser.parse_args()
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wheel, sdist = build()
    check_contents(wheel, sdist)
    for kind in options.kinds:
        check_environment(kind, wheel, project, options.tests)
        if not options.keep:
            shutil.rmtree(WORK / kind)
    say("fine")


if __name__ == "__main__":
    main()
