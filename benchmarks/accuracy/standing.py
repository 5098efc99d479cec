"""Where relspan stands among the selectors of benchmarks.accuracy.selection, and where a peer wins.

Two methods are compared on the draws that both had, which are the first ones of each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

TIED = 0.005
Rows = dict[str, list[dict[str, Any]]]


def mean(units: list[dict[str, Any]], key: str, count: int) -> float:
    """A figure's mean over the first draws."""
    return float(np.mean([unit[key] for unit in units[:count]]))


def ahead(rows: Rows, peer: str, key: str) -> tuple[float, float, int]:
    """The peer's mean, relspan's on the same draws, and their number."""
    count = min(len(rows[peer]), len(rows["relspan"]))
    return mean(rows[peer], key, count), mean(rows["relspan"], key, count), count


def place(rows: Rows) -> list[str]:
    """F1: relspan's, and the peer that is furthest ahead of it (or least behind)."""
    peers = [method for method in rows if not method.startswith("relspan")]
    best = max(peers, key=lambda peer: float(np.subtract(*ahead(rows, peer, "f1")[:2])))
    theirs, same, count = ahead(rows, best, "f1")
    word = "first" if same > theirs else "tied" if same >= theirs - TIED else "NO"
    draws = len(rows["relspan"])
    return [f"{mean(rows['relspan'], 'f1', draws):.3f} ({draws})", best, f"{theirs:.3f}", f"{same:.3f} ({count})", word]


def three_way(rows: Rows, peer: str) -> list[str]:
    """The three-way accuracy of the peer, of relspan on the same draws, and whether relspan's is above."""
    if peer not in rows:
        return ["", "", ""]
    theirs, same, count = ahead(rows, peer, "three_way")
    word = "yes" if same > theirs else "equal" if same == theirs else "NO"
    return [f"{theirs:.3f}", f"{same:.3f} ({count})", word]


def stand(shown: dict[str, Rows]) -> None:
    """Two tables, and a line for every method that wins somewhere."""
    print(f"\nF1 of relspan and of the best peer, on the draws of both (in brackets); tied: at most {TIED} behind\n")
    print("| set | relspan | best peer | its F1 | relspan's on these draws | relspan first |\n" + "| --- " * 6 + "|")
    for name, rows in shown.items():
        print(f"| {name} | {' | '.join(place(rows))} |")
    for peer in ("fri", "fri, slacks .1"):
        if all(peer in rows for rows in shown.values()):
            print(f"\nThree-way accuracy of {peer} and of relspan on the same draws\n")
            print(f"| set | {peer} | relspan | above |\n" + "| --- " * 4 + "|")
            for name, rows in shown.items():
                print(f"| {name} | {' | '.join(three_way(rows, peer))} |")
    print()
    for line in winners(shown):
        print(line)


def winners(shown: dict[str, Rows]) -> list[str]:
    """Where a peer's F1 is above relspan's on the same draws."""
    lines = []
    for name, rows in shown.items():
        better = []
        for peer in rows:
            if not peer.startswith("relspan"):
                theirs, same, count = ahead(rows, peer, "f1")
                if theirs > same:
                    better.append(f"{peer} {theirs:.3f} against {same:.3f} ({count})")
        if better:
            lines.append(f"Peers with a higher F1 than relspan on {name}: {'; '.join(better)}.")
    return lines or ["No peer has a higher F1 than relspan on any of these sets."]
