#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Loads that meet a store which has just been made, and need more than its bytes: the processor cannot pass on what it has not yet
written, and waits. Machine instructions do not show that. Found with valgrind's lackey, in each tile of one of the kernels that
`tessera bench --kernels` measures, beyond the first ones.

    bench/store_forwarding.py [--build BUILD] [--few N] [--many N] [--lines N] NAME    # NAME: of a line of `tessera bench --kernels`

The remedy is a value without gaps that fits a register, one written where it is used, or a function inlined.
"""

import argparse
import collections
import re
import subprocess
import sys
from pathlib import Path

from kernel_runs import ROOT, command, need_kernels

RECENT = 60  # instructions that a store waits in its queue, about
PROGRAM_AT = 0x108000  # where valgrind places a program


def trace(tessera, name, tiles):
    """Lines of lackey: instructions, loads, stores."""
    words = ["valgrind", "--tool=lackey", "--trace-mem=yes", *command(tessera, name, tiles)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, bufsize=1 << 20)
    yield from process.stderr
    if process.wait():
        sys.exit(f"{' '.join(words)}: status {process.returncode}")


def split_loads(lines):
    """How often each pair of a store's and a load's instruction met so."""
    pairs = collections.Counter()
    stores = collections.deque()
    instruction, number = 0, 0
    for line in lines:
        kind = line[:2]
        if kind == "I ":
            instruction = line[3:line.index(",")]
            number += 1
            while stores and stores[0][3] + RECENT < number:
                stores.popleft()
            continue
        if kind not in (" L", " S", " M"):
            continue
        address, size = line[3:].split(",")
        first = int(address, 16)
        end = first + int(size)
        if kind != " S":
            for begin, until, by, _ in reversed(stores):
                if begin < end and first < until:
                    if first < begin or end > until:
                        pairs[by, instruction] += 1
                    break
        if kind != " L":
            stores.append((first, end, instruction, number))
    return pairs


class Code:
    """The program's machine instructions and their places."""

    def __init__(self, tessera):
        self.tessera = tessera
        listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", tessera], capture_output=True, text=True, check=True).stdout
        self.texts = {int(found[1], 16): found[2] for found in re.finditer(r"^ +([0-9a-f]+):\t(.*)$", listing, re.MULTILINE)}

    def text(self, address):
        return self.texts.get(int(address, 16) - PROGRAM_AT, "")

    def place(self, address):
        words = ["addr2line", "-Cfspe", self.tessera, hex(int(address, 16) - PROGRAM_AT)]
        text = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
        return re.sub(r"tessera::|\(.*\)", "", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--few", type=int, default=64, help="tiles, a multiple of 64")
    parser.add_argument("--many", type=int, default=128, help="tiles")
    parser.add_argument("--lines", type=int, default=20, help="how many pairs to print")
    parser.add_argument("name")
    arguments = parser.parse_args()
    tessera = str(Path(arguments.build) / "tessera")
    need_kernels()
    less, more = (split_loads(trace(tessera, arguments.name, tiles)) for tiles in (arguments.few, arguments.many))
    code = Code(tessera)
    # valgrind shows bit tests of registers as accesses to memory. Libraries have no text here.
    tiles = arguments.many - arguments.few
    rows = {pair: (count - less[pair]) / tiles for pair, count in more.items() if (text := code.text(pair[1])) and not text.startswith("bt")}
    print(f"lackey, AVX2: {arguments.many} tiles less {arguments.few}. {sum(rows.values()):.0f} such loads a tile.\n")
    print("| a tile | load | behind the store |")
    print("|--:|---|---|")
    for (store, load), count in sorted(rows.items(), key=lambda row: -row[1])[:arguments.lines]:
        print(f"| {count:.1f} | {code.place(load)} | {code.place(store)} |")


main()
