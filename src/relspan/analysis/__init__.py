"""From a family to intervals, thresholds and classes."""
