#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures operations on a results file of many rows: time, size of what is written, memory.

    bench/sweep_rows.py [ROWS]      # by default 1000000

The rows come from no runs: three axes (4 formats, 4 fidelities, seeds), ten measures with random numbers, a digest each. In the newer of two
files each hundredth row has other cycles. Each line is a process of its own, without its imports: the time that passes, processor time, and the
most memory that it had. The page is opened in Chromium if scripts/check_sweep_report has installed it, and filtered and sorted as by its
fields: the time until the picture is there.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(ROOT, "build/python"))

FORMATS = ["Float16_b", "Bfp8_b", "Bfp4_b", "Bfp2_b"]
FIDELITIES = ["LoFi", "HiFi2", "HiFi3", "HiFi4"]
MEASURES = ["error_max", "error_rms", "error_ulp"]
CYCLES = ["cycles", "instructions", "overlapped", "busy.matrix", "waited.T0", "waited.T1", "waited.T2"]
BLOCK = 5000


def table(rows):
    """The sweep as a mapping."""
    return {"name": "rows", "python": os.path.join(ROOT, "bench/sweep_rows.py:never"), "limit": rows,
            "axes": {"format": FORMATS, "fidelity": FIDELITIES, "seed": {"from": 1, "to": rows // 16}}}


def never(format, fidelity, seed):
    """Every row is there already."""
    raise AssertionError("a row is missing")


def store(folder, rows, name, shift):
    """Stores rows as a sweep does."""
    import numpy as np

    from tessera.sweeps.measures import Outcome
    from tessera.sweeps.plan import Plan
    from tessera.sweeps.specification import read_specification
    from tessera.sweeps.store import Store

    plan = Plan(read_specification(table(rows)))
    random = np.random.default_rng(1)
    store = Store(os.path.join(folder, name))
    store.begin(plan)
    block = []
    for run in plan:
        numbers = random.integers(500, 5000, len(CYCLES)).tolist()
        numbers[0] += shift * (run.number % 100 == 0)
        values = dict(zip([*MEASURES, *CYCLES], [*random.random(len(MEASURES)).tolist(), *numbers]))
        block.append((run, Outcome(state=f"{random.integers(2**63):016x}", measures=values, seconds=0.001)))
        if len(block) == BLOCK:
            store.add(block)
            block = []
    store.add(block)
    store.close()


def use(folder, rows, what):
    """One line, in its own process: seconds, and those of the processor."""
    import importlib

    import tessera
    from tessera.sweeps import comparison, junit
    from tessera.sweeps.products import WRITERS
    from tessera.sweeps.store import Results
    from tessera.sweeps.summary import summary

    new, old = os.path.join(folder, "new.sqlite"), os.path.join(folder, "old.sqlite")
    if what == "parquet":
        importlib.import_module("pyarrow.parquet")
    if what == "png":
        importlib.import_module("matplotlib.figure")
    begin, begin_of_processor = time.perf_counter(), time.process_time()
    if what in ("old", "new"):
        store(folder, rows, f"{what}.sqlite", what == "new")
    elif what == "again":
        assert len(tessera.sweep(table(rows), results=new)) == rows
    elif what == "summary":
        assert summary(Results.open(new))
    elif what == "against":
        assert len(str(comparison.compare(Results.open(new), Results.open(old)))) > 0
    elif what == "junit":
        with open(os.path.join(folder, "gate.xml"), "wb") as file:
            junit.write_junit(comparison.compare(Results.open(new), Results.open(old)), file)
    else:
        with open(os.path.join(folder, f"rows.{what}"), "wb") as file:
            WRITERS[what](Results.open(new), file)
    return time.perf_counter() - begin, time.process_time() - begin_of_processor


LINES = {  # what: (text, file that it makes)
    "old": ("rows stored, as a sweep does", "old.sqlite"), "new": ("the same, the newer file", "new.sqlite"),
    "again": ("the same sweep again: nothing to do", None), "summary": ("answer on the terminal", None),
    "html": ("`--html`", "rows.html"), "csv": ("`--csv`", "rows.csv"), "parquet": ("`--parquet`", "rows.parquet"), "png": ("`--png`", "rows.png"),
    "against": ("`--against`, each hundredth run changed", None), "junit": ("`--against` with `--junit`", "gate.xml")}


def measure(folder, rows, what):
    """Seconds, those of the processor, and the most memory in MB; None if a package is missing."""
    process = subprocess.Popen([sys.executable, "-B", __file__, str(rows), what, folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    output, errors = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status and "ModuleNotFoundError" in errors:
        return None
    if status:
        sys.exit(errors)
    return *map(float, output.split()), usage.ru_maxrss / 1024


def main(rows):
    print("| what | s | of the processor | MB written | MB of memory |\n|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory(prefix="tessera-rows-") as folder:
        for what, (text, file) in LINES.items():
            found = measure(folder, rows, what)
            size = f"{os.path.getsize(os.path.join(folder, file)) / 1e6:.0f}" if file and found else ""
            print(f"| {text} | {found[0]:.1f} | {found[1]:.1f} | {size} | {found[2]:.0f} |" if found else f"| {text} | its package is missing | | | |", flush=True)
        if os.path.exists(os.path.join(ROOT, "tests/browser/node_modules/playwright-core")):
            done = subprocess.run(["node", os.path.join(ROOT, "tests/browser/sweep_opening.mjs"), os.path.join(folder, "rows.html")], check=True,
                                  capture_output=True, text=True)
            for text, seconds in json.loads(done.stdout):
                print(f"| the page in Chromium: {text} | {seconds:.2f} | | | |")


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    if len(sys.argv) == 4:
        print(*use(sys.argv[3], count // 16 * 16, sys.argv[2]))
    else:
        main(count // 16 * 16)
