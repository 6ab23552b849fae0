# SPDX-License-Identifier: Apache-2.0
"""Runs of one line of `tessera bench --kernels`, for the scripts that look at its machine instructions."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNELS = ROOT / "examples" / "kernels" / "out" / "blackhole"


def need_kernels():
    if not KERNELS.is_dir():
        sys.exit(f"{Path(sys.argv[0]).name}: no kernels: examples/kernels/build blackhole compiles them")


def command(tessera, name, tiles):
    return [tessera, "bench", "--kernels", str(KERNELS), "--filter", f"^{re.escape(name)}$", "--tiles", str(tiles), "--repetitions", "1",
            "--json"]
