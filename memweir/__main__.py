"""How does `python -m memweir` start? As the `memweir` command does."""

import sys

from memweir.cli import main

if __name__ == "__main__":
    sys.exit(main())
