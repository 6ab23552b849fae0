#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tells how often a kernel's tiles take the same time in the same way: whether a run could be put together from a period that repeats.

    bench/tile_times.py [KERNEL ...]

A tile begins with an instruction that T2 issues once per tile. Two tiles are alike if the three threads issue the same words at the same
distances from the beginning, and each starts and ends as far from it. Prints a table for docs/internals/performance.md. Needs a build
(scripts/build) and compiled kernels (examples/kernels/build blackhole).
"""

import argparse
import collections
import json
import subprocess

from kernel_runs import ROOT, need_kernels

TILES = 256
RESULT = 0xB0000  # behind the tiles of both arrays


def instructions(kernel):
    """(issue, thread, word, start, end) of each, by issue."""
    settings = {"arguments.brisc.pages": TILES, "arguments.ncrisc.tiles": TILES, "arguments.brisc.result": RESULT}
    command = [ROOT / "build" / "tessera", "trace", ROOT / "examples" / "kernels" / kernel / "blackhole.toml"]
    for key, value in settings.items():
        command += ["--set", f"{key}={value}"]
    lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout.splitlines()
    found = (json.loads(line) for line in lines)
    return sorted((i["issue"], i["thread"], i["word"], i["start"], i["end"]) for i in found if i["kind"] == "instruction")


def tiles_of(all_instructions):
    """Each tile as its length, and its instructions at their distances."""
    often = collections.Counter((thread, word) for _, thread, word, _, _ in all_instructions)
    head = next(each for each, times in often.items() if each[0] == 2 and times == TILES)
    begins = [at for at, each in enumerate(all_instructions) if each[1:3] == head]
    for first, behind in zip(begins, begins[1:]):
        begin = all_instructions[first][0]
        yield (all_instructions[behind][0] - begin,
               tuple((issue - begin, thread, word, start - begin, end - begin)
                     for issue, thread, word, start, end in all_instructions[first:behind]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", default=["datacopy", "add", "mul", "gelu"])
    arguments = parser.parse_args()
    need_kernels()
    print(f"{TILES} tiles, everything on.\n")
    print("| kernel | cycles a tile | alike to the tile before | alike to any before |")
    print("|---|--:|--:|--:|")
    for kernel in arguments.kernels:
        tiles = list(tiles_of(instructions(kernel)))
        lengths = [length for length, _ in tiles]
        as_before = sum(one == other for one, other in zip(tiles, tiles[1:]))
        print(f"| {kernel} | {min(lengths)}–{max(lengths)} | {as_before} | {len(tiles) - len(set(tiles))} |")


if __name__ == "__main__":
    main()
