#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Machine instructions that kernels on RISC-V cores take, counted by valgrind's callgrind: of the kernels that `tessera bench --kernels`
measures, of tiles beyond the first ones, so that the program's start, and what a first tile costs, do not count.

    bench/kernel_instructions.py [--build BUILD] [--few N] [--many N] [REGEX]     # lines of `tessera bench --kernels` with this in their names

A line whose arrays are carried has more RISC-V instructions than the one of the same kernel whose arrays lie there, and the same of the
coprocessor: the difference is what a RISC-V instruction costs. valgrind has no AVX-512, so that units work with AVX2.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNELS = ROOT / "examples" / "kernels" / "out" / "blackhole"
CARRIED = ", carried"


def names(tessera):
    """Of all lines: those of no kernel are there, too, with an error."""
    listed = subprocess.run([tessera, "bench", "--kernels", "/nonexistent", "--json"], capture_output=True, text=True)
    return [line["name"] for line in json.loads(listed.stdout)["kernels"]]


def counted(tessera, name, tiles):
    """Machine instructions, instructions of the coprocessor and of RISC-V cores."""
    command = [tessera, "bench", "--kernels", str(KERNELS), "--filter", f"^{re.escape(name)}$", "--tiles", str(tiles), "--repetitions", "1",
               "--json"]
    with tempfile.NamedTemporaryFile() as out:
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", *command], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"kernel_instructions.py: {name}: status {done.returncode}\n{done.stdout}{done.stderr}")
        machine = int(re.search(r"^(?:totals|summary): (\d+)", Path(out.name).read_text(), re.MULTILINE)[1])
    line = json.loads(done.stdout)["kernels"][0]
    return machine, line["instructions"] * tiles, line["riscv"] * tiles


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--few", type=int, default=64, help="tiles, a multiple of 64")
    parser.add_argument("--many", type=int, default=192)
    parser.add_argument("regex", nargs="?", default="^[^,]*(, (instant, no findings|(carried, )?functional|carried))?$")
    arguments = parser.parse_args()
    tessera = str(Path(arguments.build) / "tessera")
    if not KERNELS.is_dir():
        sys.exit("kernel_instructions.py: no kernels: examples/kernels/build blackhole compiles them")
    tiles = arguments.many - arguments.few
    print(f"callgrind, AVX2: {arguments.many} tiles less {arguments.few}.\n")
    print("| kernel | coprocessor | RISC-V | machine instructions a tile | of the coprocessor's | of a RISC-V core's | more carried |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    lying = {}
    for name in names(tessera):
        if not re.search(arguments.regex, name):
            continue
        machine, instructions, riscv = ((more - less) / tiles for more, less in
                                        zip(counted(tessera, name, arguments.many), counted(tessera, name, arguments.few)))
        lying[name] = machine, riscv
        more = ""
        if CARRIED in name and name.replace(CARRIED, "") in lying:
            before = lying[name.replace(CARRIED, "")]
            more = f"{(machine - before[0]) / (riscv - before[1]):.0f}"
        print(f"| {name} | {instructions:.1f} | {riscv:.1f} | {machine:.0f} | {machine / instructions:.0f} | {machine / riscv:.0f} | {more} |",
              flush=True)


main()
