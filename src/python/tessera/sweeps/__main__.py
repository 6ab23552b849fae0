# SPDX-License-Identifier: Apache-2.0
"""The other half of the command `tessera sweep`, which has read the options: `python3 -m tessera.sweeps '{"specification": …}'`.

The exit status is that of the command: 0; 1 a run failed, or with `against` something changed; 2 it did not run; 130 interrupted.
"""

from __future__ import annotations

import json
import sys

from tessera.errors import Error
from tessera.sweeps import sweep
from tessera.sweeps.progress import Terminal
from tessera.sweeps.summary import summary


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
        print(f"tessera: {error}", file=sys.stderr)
        return 2
    print(summary(results))
    if results.changes is not None:
        print(results.changes)
        return 1 if results.changes else 0
    return 0 if results.counts().keys() <= {"good"} else 1


if __name__ == "__main__":
    sys.exit(main())
