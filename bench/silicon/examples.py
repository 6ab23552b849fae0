#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the effect of measured costs: cycles of the examples and kernels with the vendor's costs and with measured
ones, and what bounds each run.

Usage: bench/silicon/examples.py [TESSERA [JOB.toml...]]      TESSERA: the program, by default build/tessera

Prints a Markdown table, of the examples unless jobs are named. The examples' inputs and the kernels have to be there: examples/*/run and
examples/kernels/run make them. bench/silicon/llk/build makes jobs of the vendor's kernels.
"""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
JOBS = ["add/add", "accumulate/accumulate", "matmul/matmul", "picture/picture", "weights/weights", "exp/plain", "exp/macro",
        "exp/plain-wormhole", "exp/macro-wormhole", "seeds/7.3-through-the-packer", "seeds/9.5-double-buffer",
        *(f"kernels/{kernel}/{chip}" for kernel in ("datacopy", "add", "mul", "reduce", "tilize", "untilize", "matmul", "gelu")
          for chip in ("blackhole", "wormhole"))]


def report(tessera, job, timing):
    """The run's report; None where the job cannot run."""
    ran = subprocess.run([tessera, "trace", job, "--report", "--json", "--timing", timing],
                         capture_output=True, text=True, cwd=ROOT, check=False)
    return json.loads(ran.stdout) if ran.returncode == 0 else None


def bound(reported):
    """The actor that takes most of the critical path, and its share in per cent."""
    takes = Counter()
    for step in reported["path"]:
        what = f"{step['text'].split(' ')[0].removeprefix('tt').upper()} in {step['who']}" if step["what"] == "unit" else \
            f"{step['who']} {step['text']}"
        takes[what] += step["end"] - step["begin"]
    what, cycles = takes.most_common(1)[0]
    return f"{what}, {100 * cycles // reported['cycles']} %"


def main():
    tessera = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "tessera"
    print("| run | documented | silicon | change | bound with documented costs | bound with measured costs |")
    print("|---|--:|--:|--:|---|---|")
    jobs = {Path(job).stem: Path(job).resolve() for job in sys.argv[2:]} or {job: ROOT / "examples" / f"{job}.toml" for job in JOBS}
    for name, job in jobs.items():
        before, after = (report(tessera, job, timing) for timing in ("documented", "silicon"))
        if not before or not after:
            print(f"| {name} | | | | does not run: are its inputs there? | |")
            continue
        change = 100 * (after["cycles"] / before["cycles"] - 1)
        print(f"| {name} | {before['cycles']} | {after['cycles']} | {change:+.0f} % | {bound(before)} | {bound(after)} |")


main()
