"""`python -m spanscope`: the commands."""

import sys

from spanscope._start import main

if __name__ == "__main__":
    sys.exit(main())
