"""How quick is the explorer in a real browser? Dragging on breast cancer, scrolling and filtering 1000 features.

    python benchmarks/speed/browser.py [--seconds 6] [--session wide.json.gz] [--against OTHER/src [--repeat 5]]

Prints, measured in the page itself:
  - updates per second while a handle is dragged (an update: the pointer moved, the server answered with the intervals
    of all lines in sight, and they were drawn), as a distribution over windows of one second, and the time from one
    update to the next;
  - what one update costs, in CPU milliseconds: of the page's main thread, as Chromium counts them, of the threads that
    answer, and of the thread that solves meanwhile;
  - how long the exact answer takes after the hand lets go;
  - how soon lines in sight, and all lines, are exact after a pin among 1000 features;
  - long tasks (over 50 ms on the page's main thread) while a list of 1000 features scrolls and is filtered, and the
    time between frames.
With a saved session, such as that of a table of 6,000 genes, only the last but one of these is measured, on its table.
Beside seconds of the clock stand CPU seconds of the server, so that other work on the machine counts less.
With another checkout, only dragging is measured: by turns in processes of their own, since the speed of a machine
drifts; the table has medians over the turns. Needs chromium and playwright.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "browser"))
from chromium_driver import Sight, browsing, chromium

from benchmarks.speed.other_source import OWN_SOURCE, answer_of
from relspan import RelevanceClassifier
from relspan.browser.browser_session import BrowserSession
from relspan.browser.server import RunningServer, prepare_server
from relspan.explore import Explorer
from relspan.simulate import simulate
from relspan.tables import NamedMatrix
from relspan.tables.examples import breast_cancer

WATCH = """() => { window.tasks = []; window.frames_ = [];
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((e) => e.duration)))
        .observe({entryTypes: ["longtask"]});
    const tick = (t) => { window.frames_.push(t); requestAnimationFrame(tick); }; requestAnimationFrame(tick); }"""


def quantiles(values: np.ndarray, unit: str) -> str:
    marks = np.percentile(values, [5, 25, 50, 75, 95])
    return "  ".join(f"{p}%: {v:.1f}" for p, v in zip((5, 25, 50, 75, 95), marks, strict=True)) + f" {unit}"


PAGE_COSTS = {  # what Chromium counts in seconds, by what is printed in milliseconds per update
    "page thread": "TaskDuration",
    "scripts": "ScriptDuration",
    "styles": "RecalcStyleDuration",
    "layout": "LayoutDuration",
}
SOLVER_THREAD = "relspan-live"


def thread_seconds() -> tuple[float, float]:
    """CPU seconds of the threads that answer, and of the thread that solves; this one moves the pointer."""
    answering = solving = 0.0
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and thread.ident is not None:
            spent = time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
            if thread.name == SOLVER_THREAD:
                solving += spent
            else:
                answering += spent
    return answering, solving


class Costs:
    """What the page and the server have spent since this object was made."""

    def __init__(self, sight: Sight) -> None:
        self.counters = sight.page.context.new_cdp_session(sight.page)
        self.counters.send("Performance.enable", {"timeDomain": "threadTicks"})  # CPU time, on a busy machine too
        self.begin = self._now()

    def _now(self) -> dict[str, float]:
        counted = {one["name"]: one["value"] for one in self.counters.send("Performance.getMetrics")["metrics"]}
        answering, solving = thread_seconds()
        return {**{what: counted[key] for what, key in PAGE_COSTS.items()}, "server": answering, "solver": solving}

    def per(self, count: int) -> dict[str, float]:
        """Milliseconds per update."""
        return {what: (value - self.begin[what]) * 1000 / count for what, value in self._now().items()}


def dragging(sight: Sight, name: str, seconds: float) -> dict[str, float]:
    """Move a handle to and fro for some seconds; the page notes when it drew which update. What one update costs."""
    box = sight.row(name).locator(".handle-max").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page, moves = sight.page, 0
    page.mouse.move(x, y)
    page.mouse.down()
    costs, begun = Costs(sight), time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds:
        page.mouse.move(x - 130 + 130 * np.cos(spent * 1.5), y)
        moves += 1
    spent_per_update = costs.per(page.evaluate("relspan.updates"))
    page.mouse.up()
    let_go = time.perf_counter()
    sight.until("relspan.state.view.pins.length === 1 && relspan.state.view.pending === 0", 60)
    exact = time.perf_counter() - let_go
    stamps = np.array(page.evaluate("relspan.stamps")) / 1000
    windows = np.array([((stamps >= t) & (stamps < t + 1)).sum() for t in np.arange(stamps[0], stamps[-1] - 1, 0.1)])
    print(f"dragging {name!r}: {moves / seconds:.0f} pointer moves and {len(stamps) / seconds:.1f} updates a second")
    print(f"  updates in a second   {quantiles(windows, 'updates')}, least {windows.min()}")
    print(f"  between two updates   {quantiles(np.diff(stamps) * 1000, 'ms')}")
    asked = "performance.getEntriesByType('resource').filter((e) => e.name.endsWith('/drag')).map((e) => e.duration)"
    answers = np.array(page.evaluate(asked))
    print(f"  a question to the server {quantiles(answers, 'ms')}")
    print("  per update: " + ", ".join(f"{what} {spent:.2f} ms" for what, spent in spent_per_update.items()))
    print(f"  exact after letting go {exact * 1000:.0f} ms")
    return {
        "updates per second": len(stamps) / seconds,
        "ms between updates": float(np.median(np.diff(stamps))) * 1000,
        "ms per question": float(np.median(answers)),
        **{f"{what}, ms per update": spent for what, spent in spent_per_update.items()},
    }


def scrolling(sight: Sight) -> None:
    """Scroll through all lines, then type a search letter by letter."""
    page = sight.page
    page.evaluate(WATCH)
    box = page.locator(".scroller").bounding_box()
    page.mouse.move(box["x"] + 50, box["y"] + 100)
    for act, do in (
        ("scrolling", lambda: [page.mouse.wheel(0, 300) or page.wait_for_timeout(8) for _ in range(120)]),
        ("filtering", lambda: [page.type(".search", letter) for letter in "irrelevant99"]),
        ("sorting", lambda: [page.select_option(".sort select", key) for key in ("name", "max", "moved", "table")]),
    ):
        page.evaluate("window.tasks.length = 0; window.frames_.length = 0;")
        do()
        page.wait_for_timeout(200)
        tasks, frames = page.evaluate("window.tasks"), np.diff(page.evaluate("window.frames_"))
        longest = f", the longest {max(tasks):.0f} ms" if tasks else ""
        print(f"{act} 1000 features: {len(tasks)} long tasks{longest}; frames {quantiles(frames, 'ms')}")


def pinning(sight: Sight, limit: float = 200.0) -> None:
    """Pin a feature by keyboard: when are the lines in sight exact, when all, or how many by the limit?"""
    page = sight.page
    count = page.evaluate("relspan.state.result.features.length")
    row = page.locator(".row:visible").first
    row.locator(".handle-min").focus()
    page.keyboard.press("Shift+ArrowRight")
    begun, spent = time.perf_counter(), time.process_time()
    page.keyboard.press("Enter")
    sight.until("relspan.state.view.pins.length === 1")
    first = time.process_time() - spent
    sight.until("[...document.querySelectorAll('.row:not([hidden])')].every((row) => row.matches('.is-exact'))", 200)
    seen, used = time.perf_counter() - begun, time.process_time() - spent
    print(f"a pin among {count} features: first answer after {first:.2f} CPU s")
    print(f"  lines in sight exact after {seen:.1f} s, {used:.2f} CPU s")
    while time.perf_counter() - begun < limit and page.evaluate("relspan.state.view.pending"):
        page.wait_for_timeout(200)
    left = page.evaluate("relspan.state.view.pending")
    took = f"{time.perf_counter() - begun:.0f} s, {time.process_time() - spent:.0f} CPU s"
    print(f"  all lines exact after {took}" if not left else f"  {count - left} lines exact after {took}")


def dragging_on_breast_cancer(seconds: float) -> dict[str, float]:
    cancer = breast_cancer()
    with browsing() as opened:
        running = served(RelevanceClassifier(random_state=0).fit(cancer.named, cancer.y))
        sight = opened(running.address)
        sight.page.wait_for_selector(".row")
        found = dragging(sight, "worst area", seconds)
        running.stop()
    return found


def compared(other: str, seconds: float, repeat: int) -> None:
    """Dragging with this checkout and with another one, by turns."""
    sides = {"relspan": OWN_SOURCE, "other": Path(other)}
    runs: dict[str, list[dict[str, float]]] = {side: [] for side in sides}
    for _ in range(repeat):
        for side, source in sides.items():
            arguments = ["--only", "dragging", "--seconds", str(seconds)]
            runs[side].append(answer_of(source, "benchmarks.speed.browser", *arguments))
    print("| dragging | relspan | other | ratio |\n| --- | --- | --- | --- |")
    for what in runs["relspan"][0]:
        own, others = (float(np.median([run[what] for run in runs[side]])) for side in sides)
        print(f"| {what} | {own:.2f} | {others:.2f} | {own / others:.2f} |")


def served(fitted: RelevanceClassifier) -> RunningServer:
    return prepare_server(BrowserSession().show(fitted.explore())).start()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--session")
    parser.add_argument("--against", metavar="SRC", help="source folder of another checkout, dragged by turns")
    parser.add_argument("--repeat", type=int, default=5, help="turns per checkout")
    parser.add_argument("--only", choices=["dragging"], help="measure this alone, and print it as JSON")
    given = parser.parse_args()
    if chromium() is None:
        sys.exit("no chromium: apt-get install chromium")
    if given.session:
        session(given.session)
        return
    if given.against:
        compared(given.against, given.seconds, given.repeat)
        return
    figures = dragging_on_breast_cancer(given.seconds)
    if given.only:
        print(json.dumps(figures))
        return
    data = simulate(60, strong=3, weak=4, irrelevant=993, random_state=0)
    wide = RelevanceClassifier(C=0.05, n_probes=8, delta_norm=0.02, delta_loss=0.01, random_state=0)
    with browsing() as opened:
        running = served(wide.fit(NamedMatrix(data.X, data.names), data.y))
        sight = opened(running.address)
        sight.page.wait_for_selector(".row")
        sight.settled()
        scrolling(sight)
        sight.page.fill(".search", "weak")
        sight.page.wait_for_timeout(200)
        pinning(sight)
        running.stop()


def session(file: str) -> None:
    """A pin in a saved session."""
    with browsing() as opened:
        running = prepare_server(BrowserSession().show(Explorer.load(file))).start()
        sight = opened(running.address)
        sight.page.wait_for_selector(".row", timeout=60_000)
        sight.settled(200)
        pinning(sight, 60.0)
        running.stop()


if __name__ == "__main__":
    main()
