"""The command line: one file per command, results on stdout, everything else on stderr."""

from relspan.cli.app import app, main

__all__ = ["app", "main"]
