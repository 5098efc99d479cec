"""``python -m relspan``, and the command ``relspan``: Ctrl-C while modules are still being loaded is no traceback."""

from __future__ import annotations

import signal
import sys


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


def main() -> None:
    """Load the command line, and run it."""
    signal.signal(signal.SIGTERM, _stop)  # like Ctrl-C, so that worker processes do not outlive the command
    try:
        try:
            from relspan.cli import main as run
        except KeyboardInterrupt:
            sys.stderr.write("relspan: interrupted\n")
            sys.exit(130)
        run()
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # everything is written: only worker processes are waited for
        # Ctrl-C within an exec, such as that by which a dataclass is made, would end Python by the signal, whatever the
        # exit code, unless another exec follows.
        exec("")


if __name__ == "__main__":
    main()
