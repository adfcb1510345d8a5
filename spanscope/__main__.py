"""`python -m spanscope`: the commands."""

import sys

from spanscope.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
