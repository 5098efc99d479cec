"""Feature relevance intervals over all equally good linear models."""

__version__ = "0.1.0.dev0"
