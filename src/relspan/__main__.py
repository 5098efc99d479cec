"""``python -m relspan``, and the command ``relspan``: Ctrl-C while modules are still being loaded is no traceback."""

from __future__ import annotations

import sys


def main() -> None:
    """Load the command line, and run it."""
    try:
        from relspan.cli import main as run
    except KeyboardInterrupt:
        sys.stderr.write("relspan: interrupted\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
