#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Machine instructions that kernels on RISC-V cores take, counted by valgrind's callgrind: of the kernels that `tessera bench --kernels`
measures, of tiles beyond the first ones, so that the program's start, and what a first tile costs, do not count.

    bench/kernel_instructions.py [--build BUILD] [--few N] [--many N] [REGEX]     # lines of `tessera bench --kernels` with this in their names
    bench/kernel_instructions.py --rooms [REGEX]     # the share of each folder of src/, for a few of them
    bench/kernel_instructions.py --cache [REGEX]     # misses of instruction caches, for a few of them

A line whose arrays are carried has more RISC-V instructions than the one of the same kernel whose arrays lie there, and the same of the
coprocessor: the difference is what a RISC-V instruction costs.
"""

import argparse
import collections
import json
import re
import subprocess
from pathlib import Path

from callgrind import profiled
from kernel_runs import ROOT, command, need_kernels

CARRIED = ", carried"
LEAST_SHARE = 1.0  # percent; of --rooms
CACHES = (32, 64)  # KiB; of --cache


def names(tessera):
    """Of all lines: those of no kernel are there, too, with an error."""
    listed = subprocess.run([tessera, "bench", "--kernels", "/nonexistent", "--json"], capture_output=True, text=True)
    return [line["name"] for line in json.loads(listed.stdout)["kernels"]]


def by_room(profile):
    """Machine instructions of each folder of src/. Inlined functions of libraries belong to their caller's folder."""
    files, costs = {}, collections.Counter()
    of_function = here = "libraries"
    is_call = False
    for line in profile.splitlines():
        if found := re.match(r"(c?f[lie])=\((\d+)\)(?: (.*))?", line):
            kind, number, path = found.groups()
            if path:
                own = re.match(rf"{re.escape(str(ROOT))}/src/(\w+)/", path)
                files[number] = own[1] if own else None
            if kind == "fl":
                of_function = files[number] or "libraries"
            if kind in ("fl", "fi", "fe"):
                here = files[number] or of_function
        elif line.startswith("calls="):
            is_call = True  # the next line is the callee's cost
        elif found := re.match(r"[+\-*\d]\S* (\d+)", line):
            costs[here] += 0 if is_call else int(found[1])
            is_call = False
    return costs


def misses(tessera, name, tiles, kib):
    """Of an instruction cache of so many KiB, in sets of 8 lines of 64 bytes."""
    profile, _ = profiled(command(tessera, name, tiles), options=["--cache-sim=yes", f"--I1={kib * 1024},8,64"])
    events, totals = (re.search(rf"^{what}: (.*)$", profile, re.MULTILINE)[1].split() for what in ("events", "totals"))
    return int(totals[events.index("I1mr")])


def counted(tessera, name, tiles):
    """Machine instructions by folder, instructions of the coprocessor and of RISC-V cores."""
    profile, printed = profiled(command(tessera, name, tiles))
    machine = by_room(profile)
    line = json.loads(printed)["kernels"][0]
    return machine, line["instructions"] * tiles, line["riscv"] * tiles


def per_tile(tessera, name, few, many):
    """The same of one tile."""
    less, more = counted(tessera, name, few), counted(tessera, name, many)
    machine = {room: (cost - less[0][room]) / (many - few) for room, cost in more[0].items()}
    return machine, *((a - b) / (many - few) for a, b in zip(more[1:], less[1:]))


def print_rooms(chosen, measure):
    costs = {name: measure(name)[0] for name in chosen}
    totals = {name: sum(rooms.values()) for name, rooms in costs.items()}
    shares = {room: [100 * costs[name].get(room, 0) / totals[name] for name in chosen] for room in set().union(*costs.values())}
    print("| folder of src/ | " + " | ".join(chosen) + " |")
    print("|---|" + "--:|" * len(chosen))
    for room, row in sorted(shares.items(), key=lambda each: -sum(each[1])):
        if max(row) >= LEAST_SHARE:
            print(f"| {room} | " + " | ".join(f"{share:.0f} %" for share in row) + " |")


def print_misses(chosen, of_tile):
    print("| kernel | " + " | ".join(f"{kib} KiB" for kib in CACHES) + " |")
    print("|---|" + "--:|" * len(CACHES))
    for name in chosen:
        print(f"| {name} | " + " | ".join(f"{of_tile(name, kib):.0f}" for kib in CACHES) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--few", type=int, default=64, help="tiles, a multiple of 64")
    parser.add_argument("--many", type=int, default=576, help="so many that the random cost of a start does not show")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--rooms", action="store_true", help="the share of each folder of src/")
    instead.add_argument("--cache", action="store_true", help="misses of instruction caches, in each tile")
    parser.add_argument("regex", nargs="?", help="default: each kernel and its main variants; with --rooms and --cache, a few")
    arguments = parser.parse_args()
    tessera = str(Path(arguments.build) / "tessera")
    need_kernels()
    every = "^[^,]*(, (instant, no findings|(carried, )?functional|carried))?$"
    if arguments.rooms or arguments.cache:
        every = "^(datacopy|matmul_lofi|matmul|gelu)" + ("(, functional)?$" if arguments.cache else "$")
    chosen = [name for name in names(tessera) if re.search(arguments.regex or every, name)]

    def measure(name):
        return per_tile(tessera, name, arguments.few, arguments.many)

    def missed(name, kib):
        less, more = (misses(tessera, name, tiles, kib) for tiles in (arguments.few, arguments.many))
        return (more - less) / (arguments.many - arguments.few)

    print(f"callgrind, AVX2: {arguments.many} tiles less {arguments.few}.\n")
    if arguments.rooms:
        return print_rooms(chosen, measure)
    if arguments.cache:
        return print_misses(chosen, missed)
    print("| kernel | coprocessor | RISC-V | machine instructions a tile | of the coprocessor's | of a RISC-V core's | more carried |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    lying = {}
    for name in chosen:
        rooms, instructions, riscv = measure(name)
        machine = sum(rooms.values())
        lying[name] = machine, riscv
        more = ""
        if CARRIED in name and name.replace(CARRIED, "") in lying:
            before = lying[name.replace(CARRIED, "")]
            more = f"{(machine - before[0]) / (riscv - before[1]):.0f}"
        print(f"| {name} | {instructions:.1f} | {riscv:.1f} | {machine:.0f} | {machine / instructions:.0f} | {machine / riscv:.0f} | {more} |",
              flush=True)


main()
