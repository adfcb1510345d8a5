"""Where the command starts: from its first moment on ctrl+c ends it with 130, without a word."""

import os
import signal

INTERRUPTED = 130


def _leave(_number: int, _frame: object) -> None:
    os._exit(INTERRUPTED)


def _take(before: object, after: "signal._HANDLER") -> None:
    """Let another handler take interrupts; whoever has set one of their own keeps it."""
    if signal.getsignal(signal.SIGINT) is before:
        signal.signal(signal.SIGINT, after)


_take(signal.default_int_handler, _leave)


def main() -> int:
    """Run the process's own command line and return the exit code."""
    from spanscope.cli.main import main as run

    try:
        return run(ready=lambda: _take(_leave, signal.default_int_handler))
    finally:
        _take(signal.default_int_handler, _leave)
