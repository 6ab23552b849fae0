#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Holds results in out/ against numpy's, and bit for bit against functions of tessera. Runs each job again from
Python. Arguments: kernels with their chips, as in "matmul-blackhole". Exit status 1 when one of them is further away than format and
method explain, or has another bit."""

import os
import sys
from pathlib import Path

import numpy as np
import tessera

OUT = Path(__file__).resolve().parent / "out"
TILES = 16  # of the grid


def bfloat16(values):
    """Rounds to the nearest bfloat16, ties to even, and gives float64 back. Not for infinities and NaN."""
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32).astype(np.float64)


def step(values):
    """The distance between neighbouring bfloat16 numbers around each value: eight significant bits."""
    return np.exp2(np.floor(np.log2(np.maximum(np.abs(values), 2.0**-126))) - 7)


def matmul(arch):
    """The product, the exact one, how far it may be away, and that of one tile."""
    a, b = (np.load(OUT / f"matmul-{name}.npy") for name in "ab")
    exact = bfloat16(a) @ bfloat16(b)
    # Dst is FP32: the error is the packer's rounding, and the truncation where 16 products are added.
    most = step(exact) / 2 + 2.0**-5
    return exact, most, tessera.matmul(a, b, arch=arch, format="Float16_b", fidelity="HiFi4", dst_bits=32)


def ring(arch):
    """Each tile has everything, as it was."""
    everything = np.tile(bfloat16(np.load(OUT / "ring-a.npy")), (TILES, 1))
    return everything, 0, everything


def all_reduce(arch):
    """Each tile has the sum. Part p, the 32 columns from 32 p on, is added from tile p on around the ring."""
    arrays = bfloat16(np.load(OUT / "all-reduce-a.npy")).reshape(TILES, -1, 32 * TILES)
    most, sums = np.zeros(arrays[0].shape), np.zeros(arrays[0].shape)
    for part in range(TILES):
        columns = slice(32 * part, 32 * part + 32)
        total = arrays[part][:, columns]
        for tile in range(part + 1, part + TILES):
            total = tessera.elwadd(total, arrays[tile % TILES][:, columns], arch=arch)
            most[:, columns] += step(total)  # of what Dst and the packer keep
        sums[:, columns] = total
    return tuple(np.tile(one, (TILES, 1)) for one in (arrays.sum(axis=0), most, sums))


REFERENCES = {"matmul": (matmul, "tessera.matmul"), "ring": (ring, "the array"), "all-reduce": (all_reduce, "tessera.elwadd in the ring's order")}
for name in sys.argv[1:]:
    kernel, arch = name.rsplit("-", 1)
    result = np.load(OUT / f"{name}.npy")
    reference, of_what = REFERENCES[kernel]
    exact, most, same = reference(arch)
    difference = np.abs(result - exact)
    print(f"{kernel:10}  {arch:9}  largest difference from numpy {difference.max():.6f}, the nearest bfloat16 "
          f"{np.mean(result == bfloat16(exact)):6.1%}; {of_what}: ", end="")
    if not (difference <= most).all():
        sys.exit(f"\ncompare.py: {name}: the difference is more than format and method explain")
    if not np.array_equal(result, same):
        sys.exit(f"\ncompare.py: {name}: {np.count_nonzero(result != same)} elements are other ones")
    print("the same bits")
    job = tessera.load_chip_job(OUT.parent / kernel / f"{arch}.toml")
    chip = tessera.Chip(job)
    if not chip.run(threads=os.cpu_count() or 1).good or not np.array_equal(chip.read_outputs(job)[0], result):
        sys.exit(f"compare.py: {name}: Chip.run() has another result")
print("from Python: the same bits")
