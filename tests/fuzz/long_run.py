"""A long run over random problems: each is tried, and every fault is written down so that it can be made again."""

from __future__ import annotations

import json
import time
import traceback
from collections import Counter
from pathlib import Path

import numpy as np
from laws import checked
from recipes import Recipe, random_recipe

SLOW = 60.0  # seconds beyond which a problem is reported as slow: small problems take far less


def tried(recipe: Recipe, folder: Path | None, more: int) -> str:
    """Check one problem; a fault is written to the folder. Returns how it ended."""
    begun = time.perf_counter()
    try:
        ending = checked(recipe, more)
    except Exception as fault:
        text = f"{type(fault).__name__}: {fault}"
        trace = traceback.format_exc()
    else:
        if time.perf_counter() - begun < SLOW:
            return ending
        text, trace = f"slow: {time.perf_counter() - begun:.0f} seconds", ""
    if folder is not None:
        case = {"fault": text, "recipe": json.loads(recipe.to_json()), "traceback": trace.splitlines()}
        (folder / f"case-{recipe.seed}.json").write_text(json.dumps(case, indent=2) + "\n")
    print(f"seed {recipe.seed}: {text}", flush=True)
    return f"FAULT {text.split(':')[0]}"


def worked(number: int, seed: int, seconds: float, most: int, folder: Path, more: int) -> Counter[str]:
    """What one process finds in its time."""
    rng, found, end = np.random.default_rng([seed, number]), Counter[str](), time.monotonic() + seconds
    while time.monotonic() < end and sum(found.values()) < most:
        found[tried(random_recipe(rng), folder, more)] += 1
    return found
