"""Soak: many fits in one process, and the explorer's server under many clients; memory and open files must stay flat.

    python tools/soak.py --fits 1000 --minutes 60 --clients 20

Memory (MiB, resident) and open files are read from /proc, so this needs Linux. The first tenth of the run warms up, and
is not compared; the script fails if the memory that follows grows by more than a tenth and 20 MiB. Files are counted
before the fits and after them, and before the clients come and once they have left (how many are open while they ask
depends on how many are being answered): not one more may be open.
"""

from __future__ import annotations

import argparse
import http.client
import json
import logging
import os
import sys
import threading
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from relspan import RelevanceClassifier
from relspan.browser.actions import ACTIONS
from relspan.browser.browser_session import BrowserSession
from relspan.browser.security import TOKEN
from relspan.browser.server import RunningServer, prepare_server
from relspan.simulate import simulate

QUESTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("state", {}),
    ("pin", {"feature": "x0", "demand": "min"}),
    ("pin", {"feature": "x0", "demand": None}),
    ("alternatives", {"feature": "x1"}),
    ("pin", {"feature": "no such feature", "demand": "min"}),
    ("export", {"kind": "json"}),
)
ROOM = (0.1, 20.0)  # growth that is allowed: a share of memory, and MiB of it
LEAVING = 10.0  # seconds in which the server closes what clients have left


def resources() -> tuple[float, int]:
    """Resident memory in MiB, and the number of open files."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20, len(os.listdir("/proc/self/fd"))


def fits(count: int) -> list[tuple[float, int]]:
    """The resources after each of so many fits."""
    found = []
    for seed in range(count):
        data = simulate(60, strong=1, weak=2, irrelevant=3, random_state=seed % 20)
        RelevanceClassifier(C=1.0, n_probes=5, random_state=0, n_jobs=1).fit(data.X, data.y)
        found.append(resources())
    return found


def clients(server: RunningServer, count: int, seconds: float) -> tuple[list[tuple[float, int]], Counter[int]]:
    """The resources once a second while so many clients ask, and how often each status was answered."""
    end, statuses, lock = time.monotonic() + seconds, Counter[int](), threading.Lock()

    def asking(number: int) -> None:
        turn = number
        while time.monotonic() < end:
            action, payload = QUESTIONS[turn % len(QUESTIONS)]
            turn += 1
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            try:
                headers = {TOKEN: server.token, "Content-Type": "application/json"}
                connection.request("POST", f"/api/{action}", json.dumps(payload), headers)
                answer = connection.getresponse()
                answer.read()
                with lock:
                    statuses[answer.status] += 1
            finally:
                connection.close()

    threads = [threading.Thread(target=asking, args=(number,), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    found = []
    while time.monotonic() < end:
        time.sleep(1.0)
        found.append(resources())
    for thread in threads:
        thread.join(60.0)
    return found, statuses


def growth(found: list[tuple[float, int]], files_before: int) -> dict[str, float]:
    """Memory after the warm-up and at the end, by the median of a tenth of the run each, and files around it."""
    tenth = max(1, len(found) // 10)
    early, late = found[tenth : 2 * tenth] or found[:1], found[-tenth:]
    middle = [sorted(part)[len(part) // 2][0] for part in (early, late)]
    end = time.monotonic() + LEAVING
    while resources()[1] > files_before and time.monotonic() < end:
        time.sleep(0.1)
    files = {"files before": files_before, "most files": max(f for _, f in found), "files after": resources()[1]}
    return {"MiB before": middle[0], "MiB after": middle[1], **files}


def is_flat(figures: dict[str, float]) -> bool:
    """Whether memory has not grown beyond the room, and files not at all."""
    share, more = ROOM
    memory = figures["MiB after"] <= (1 + share) * figures["MiB before"] + more
    return memory and figures["files after"] <= figures["files before"]


def main() -> int:
    """Run both parts, and print their figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fits", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--clients", type=int, default=20)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.getLogger("relspan.browser").setLevel(logging.ERROR)  # refusals are part of the questions
    unknown = {action for action, _ in QUESTIONS} - set(ACTIONS)
    if unknown:
        parser.error(f"there is no action {', '.join(sorted(unknown))}")
    fits(1)  # what a first fit opens stays open
    files = resources()[1]
    figures: dict[str, Any] = {"fits": {"count": given.fits, **growth(fits(given.fits), files)}}
    data = simulate(120, strong=2, weak=2, irrelevant=3, random_state=0)
    session = BrowserSession().show(RelevanceClassifier(n_probes=10, random_state=0).fit(data.X, data.y).explore())
    server = prepare_server(session).start()
    try:
        clients(server, 1, 1.0)
        files = resources()[1]
        found, statuses = clients(server, given.clients, 60 * given.minutes)
        grown = growth(found, files)
    finally:
        server.stop()
    answers = {str(status): count for status, count in sorted(statuses.items())}
    asked = {"clients": given.clients, "minutes": given.minutes, "answers": answers}
    figures["server"] = {**asked, **grown}
    print(json.dumps(figures, indent=2))
    flat = is_flat(figures["fits"]) and is_flat(figures["server"])
    return 0 if flat and not any(status >= 500 for status in statuses) else 1


if __name__ == "__main__":
    sys.exit(main())
