"""``python -m relspan``."""

from relspan.cli import main

if __name__ == "__main__":
    main()
