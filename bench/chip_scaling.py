#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the cost of a grid of tiles: the product of examples/chip/matmul on 1, 2 x 2, 4 x 4 and 8 x 8 tiles, each of which computes 64 x 64
elements of sums of 256, with one and two threads of the host. And one tile that works while all others of the chip poll a word.

Each run is a process of its own; runs with one and two threads take turns. Times are medians of Chip.run() alone, by the wall. Memory is
the process's peak, less that of a process that has loaded the same modules. Each result is held bit for bit against tessera.matmul, and L1 of
all tiles, cycles and packets of both numbers of threads against each other.

    PYTHONPATH=build/python bench/chip_scaling.py [RUNS]     # by default 5; `examples/chip/build ARCH matmul mistakes` must have run
"""

import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np

import tessera

CHIP = Path(__file__).resolve().parent.parent / "examples/chip"
SIZES = (1, 2, 4, 8)
TILES = {"blackhole": (14, 10), "wormhole": (8, 10)}


def product(arch, size, threads):
    """One run of size x size tiles."""
    random = np.random.default_rng(size)
    a, b = (random.normal(size=shape).astype(np.float32) for shape in ((64 * size, 256), (256, 64 * size)))
    with tempfile.TemporaryDirectory() as folder:
        for name, array in (("a", a), ("b", b)):
            np.save(f"{folder}/{name}.npy", array)
        job = tessera.load_chip_job(CHIP / f"matmul/{arch}.toml", keys={
            "chip.grid": f"[{size}, {size}]", "dram.0.npy": f"{folder}/a.npy", "dram.1.npy": f"{folder}/b.npy",
            "output.0.shape": f"[{64 * size}, {64 * size}]"})
        chip = tessera.Chip(job)
    begin = time.perf_counter()
    run = chip.run(threads=threads)
    seconds = time.perf_counter() - begin
    result = chip.read_outputs(job)[0]
    same = np.array_equal(result, tessera.matmul(a, b, arch=arch, format="Float16_b", fidelity="HiFi4", dst_bits=32))
    seen = hashlib.sha256()
    for tile in run.tiles:
        seen.update(chip.tile(tile.column, tile.row).l1.tobytes())
    return seconds, run, bool(run.good and same), seen.hexdigest()


def busy_tile(arch, others):
    """One tile multiplies alone; `others`: all others of the chip wait for a flag that never comes."""
    columns, rows = TILES[arch] if others else (1, 1)
    matmul, waiting = ((CHIP / f"out/{arch}/{kernel}").as_posix() for kernel in ("matmul", "mistakes"))
    depth = 256
    sizes = f"columns = 1\nrows = 1\nxs = \"xs\"\nys = \"ys\"\nheight = 2\nwidth = 2\ndepth = {depth}\n"
    cores = "\n".join(f'{core} = "{matmul}/{core}.elf"' for core in ("brisc", "trisc0", "trisc1", "trisc2", "ncrisc"))
    text = f'''arch = "{arch}"
[chip]
grid = [{columns}, {rows}]
[[tile]]
columns = 0
rows = 0
done = [{{ addr = 0x16000, value = 1 }}]
in_reset = ["trisc0", "trisc1", "trisc2", "ncrisc"]
[tile.cores]
{cores}
[tile.arguments.brisc]
{sizes}b = ["dram 1", 0]
result = ["dram 2", 0]
[tile.arguments.ncrisc]
{sizes}a = ["dram 0", 0]
'''
    for where in (f"columns = [1, {columns - 1}]\nrows = 0", f"rows = [1, {rows - 1}]") if others else ():
        text += f'''[[tile]]
{where}
done = [{{ addr = 0x16330, value = 0 }}]
[tile.cores]
brisc = "{waiting}/brisc.elf"
[tile.arguments.brisc]
column = 1
'''
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text)
        file.flush()
        chip = tessera.Chip(tessera.load_chip_job(file.name))
    for channel in range(2):
        chip.dram[channel].write(0, np.ones((64, 32 * depth), np.float32), "Float16_b")
    begin = time.perf_counter()
    run = chip.run()
    seconds = time.perf_counter() - begin
    return seconds, run, run.good and len(run.tiles) >= columns * rows, ""


def child(arguments):
    """One run, as JSON."""
    kind, arch, *numbers = arguments
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds, run, good, seen = (product if kind == "product" else busy_tile)(arch, *map(int, numbers))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"seconds": seconds, "cycles": run.cycles, "packets": run.packets, "good": good, "seen": seen,
                      "mib": (peak - before) / 1024}))


def measure(*arguments):
    done = subprocess.run([sys.executable, __file__, "--run", *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{arguments}: {done.stderr}")
    one = json.loads(done.stdout)
    if not one["good"]:
        sys.exit(f"{arguments}: the result is wrong, or something was found")
    return one


def main(runs):
    print("| chip | tiles | cycles | packets | ms | ms a tile | two threads: times as fast | MiB | MiB a tile |\n"
          "|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for arch in TILES:
        for size in SIZES:
            pairs = [[measure("product", arch, size, threads) for threads in (1, 2)] for _ in range(runs)]
            facts = {(one["cycles"], one["packets"], one["seen"]) for pair in pairs for one in pair}
            if len(facts) != 1:
                sys.exit(f"{arch}, {size} x {size}: runs differ: {facts}")
            one, tiles = pairs[0][0], size * size
            ms = 1000 * median(pair[0]["seconds"] for pair in pairs)
            faster = median(pair[0]["seconds"] / pair[1]["seconds"] for pair in pairs)
            mib = median(pair[0]["mib"] for pair in pairs)
            print(f"| {arch} | {tiles} | {one['cycles']} | {one['packets']} | {ms:.1f} | {ms / tiles:.2f} | {faster:.2f} | "
                  f"{mib:.0f} | {mib / tiles:.1f} |", flush=True)
    print("\n| chip | tiles that poll beside the one that works | ms without them | times as long with them |\n|---|--:|--:|--:|")
    for arch, (columns, rows) in TILES.items():
        pairs = [[measure("busy", arch, others) for others in (0, 1)] for _ in range(runs)]
        ms = 1000 * median(pair[0]["seconds"] for pair in pairs)
        print(f"| {arch} | {columns * rows - 1} | {ms:.1f} | {median(pair[1]['seconds'] / pair[0]['seconds'] for pair in pairs):.2f} |",
              flush=True)


if len(sys.argv) > 1 and sys.argv[1] == "--run":
    child(sys.argv[2:])
else:
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
