# SPDX-License-Identifier: Apache-2.0
"""The other half of the command `tessera sweep`, which has read the options: `python3 -m tessera.sweeps '{"specification": …}'`.

The exit status is that of the command: 0; 1 a run failed, with `against` something changed, or
what is made of the rows could not be made; 2 it did not run; 130 interrupted.
"""

from __future__ import annotations

import json
import sys

from tessera.errors import Error
from tessera.sweeps import sweep
from tessera.sweeps.products import SweepResults
from tessera.sweeps.progress import Terminal
from tessera.sweeps.report import check_results
from tessera.sweeps.summary import summary


def _has_columns_of_report(results: SweepResults) -> bool:
    try:
        check_results(results)
    except Error as error:
        print(f"tessera: {error}", file=sys.stderr)
        return False
    return True


def main() -> int:
    """Runs the sweep of sys.argv[1]."""
    options = json.loads(sys.argv[1])
    quiet = options.pop("quiet", False)
    try:
        results = sweep(**options, progress=None if quiet else Terminal())
    except KeyboardInterrupt:
        print("tessera: interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    except Error as error:
        notes = getattr(error, "__notes__", [])  # it came after the runs
        print("\n".join([f"tessera: {error}", *notes]), file=sys.stderr)
        return 1 if notes else 2
    print(summary(results))
    if results.changes is not None:
        print(results.changes)
    failed = not results.counts().keys() <= {"good"} if results.changes is None else bool(results.changes)
    return 1 if failed or not _has_columns_of_report(results) else 0


if __name__ == "__main__":
    sys.exit(main())
