# SPDX-License-Identifier: Apache-2.0
"""The other half of the command `tessera sweep`, which has read the options: `python3 -m tessera.sweeps '{"specification": …}'`.

The exit status is that of the command: 0; 1 a run failed, with `against` something changed, or
what is made of the rows could not be made; 2 it did not run; 130 interrupted, 143 by SIGTERM.
"""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from contextlib import suppress

from tessera.errors import Error
from tessera.sweeps import sweep
from tessera.sweeps.products import SweepResults
from tessera.sweeps.progress import Terminal
from tessera.sweeps.report import check_results
from tessera.sweeps.summary import summary


def _open_closed_streams() -> None:
    """Opens closed standard streams as /dev/null: else a file of the sweep would get such a descriptor."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)


def _tell(message: str) -> None:
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"tessera: {message}", file=sys.stderr, flush=True)


def _answer(text: str) -> bool:
    """Prints to standard output; False: it takes no more. If its reader has gone, the process ends as other commands do then: by SIGPIPE."""
    if sys.stdout is None:
        return False
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")
        print(text, flush=True)
        return True
    except BrokenPipeError:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.raise_signal(signal.SIGPIPE)
    except OSError:
        with suppress(OSError):  # else Python writes the rest at its end
            sys.stdout.close()
    return False


def _has_columns_of_report(results: SweepResults) -> bool:
    try:
        check_results(results)
    except Error as error:
        _tell(str(error))
        return False
    return True


def main() -> int:
    """Runs the sweep of sys.argv[1]."""
    _open_closed_streams()
    options = json.loads(sys.argv[1])
    quiet = options.pop("quiet", False)
    try:
        results = sweep(**options, progress=None if quiet else Terminal())
    except KeyboardInterrupt as interrupt:
        _tell("interrupted; the same command goes on from here")
        number: int = interrupt.args[0] if interrupt.args else signal.SIGINT
        return 128 + number
    except Error as error:
        notes = getattr(error, "__notes__", [])  # it came after runs
        _tell("\n".join([str(error), *notes]))
        return 1 if notes else 2
    answer = summary(results)
    if results.changes is not None:
        answer += f"\n{results.changes}"
    if not _answer(answer):
        _tell("could not write to standard output [cli.write]")
        return 1
    failed = not results.counts().keys() <= {"good"} if results.changes is None else bool(results.changes)
    return 1 if failed or not _has_columns_of_report(results) else 0


if __name__ == "__main__":
    sys.exit(main())
