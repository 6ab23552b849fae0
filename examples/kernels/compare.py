#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Holds results in out/ against numpy's. Arguments: files, as out/add-threads-blackhole.npy. Exit status 1 when one of them
is further away than its format and method explain."""

import math
import sys
from pathlib import Path

import numpy as np

OUT = Path(__file__).resolve().parent / "out"


def load(name):
    return np.load(OUT / f"{name}.npy").astype(np.float64)


def bfloat16(values):
    """Rounds to the nearest bfloat16, ties to even, and gives float64 back. Not for infinities and NaN."""
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32).astype(np.float64)


def step(values):
    """The distance between neighbouring bfloat16 numbers around each value: eight significant bits."""
    return np.exp2(np.floor(np.log2(np.maximum(np.abs(values), 2.0**-126))) - 7)


def gelu(x):
    return np.array([v * math.erfc(-v / math.sqrt(2)) / 2 for v in x.ravel()]).reshape(x.shape)


def cut(values, bits):
    """What is left of bfloat16 numbers whose mantissas lose the bits behind the first so many."""
    return (values.astype(np.float32).view(np.uint32) >> (23 - bits) << (23 - bits)).view(np.float32).astype(np.float64)


def first_row_of_tiles(sums):
    rows = np.zeros((32, len(sums)))
    rows[0] = sums
    return rows


# numpy's result from the inputs as bfloat16, and the tolerance.
EXPECTED = {
    "datacopy": lambda: (bfloat16(load("datacopy-a")), 0),
    # Dst is bfloat16: a sum is truncated or rounded to it.
    "add": lambda: (a := bfloat16(load("add-a")) + bfloat16(load("add-b")), step(a)),
    # Dst is FP32, and a product of two bfloat16 numbers fits: only the packer's rounding is left.
    "mul": lambda: (a := bfloat16(load("mul-a")) * bfloat16(load("mul-b")), step(a) / 2),
    "reduce": lambda: (a := first_row_of_tiles(bfloat16(load("reduce-b")).sum(0)), step(a) / 2 + 2.0**-6),
    "tilize": lambda: (bfloat16(load("tilize-a")), 0),
    # Dst is FP32: the error is the packer's rounding, and the truncation where 16 products are added.
    "matmul": lambda: (a := bfloat16(load("matmul-a")) @ bfloat16(load("matmul-b")), step(a) / 2 + 2.0**-6),
    # The same for the bits of one phase: the first six of SrcB's mantissas, and four of SrcA's.
    "matmul_lofi": lambda: (a := cut(bfloat16(load("matmul-a")), 6) @ cut(bfloat16(load("matmul-b")), 4), step(a) / 2 + 2.0**-6),
    "untilize": lambda: (bfloat16(load("untilize-a")), 0),
    # The polynomial is up to 0.0013 away (gelu/math.tts); the packer rounds.
    "gelu": lambda: (a := gelu(bfloat16(load("gelu-a"))), 0.00131 + step(np.abs(a) + 0.00131) / 2),
}

def tell_gelu(result, expected):
    """The largest error of gelu in pieces of the axis, and what of it is the rounding of the best result to bfloat16."""
    x = bfloat16(load("gelu-a"))
    print(f"\n{'x':>14}{'largest error':>18}{'of it bfloat16':>18}")
    for low in range(-8, 8, 2):
        here = (low <= x) & (x < low + 2)
        error = np.abs(result - expected)[here].max()
        rounding = np.abs(bfloat16(expected) - expected)[here].max()
        print(f"{f'{low} to {low + 2}':>14}{error:18.6f}{rounding:18.6f}")
    print()


for path in map(Path, sys.argv[1:]):
    expected, bound = EXPECTED[path.name.split("-")[0]]()
    result = np.load(path).astype(np.float64)
    if result.shape != expected.shape:
        sys.exit(f"compare.py: {path.name} has shape {result.shape}, and should have {expected.shape}")
    difference = np.abs(result - expected)
    same = np.mean(result == bfloat16(expected))
    print(f"{path.stem:29} largest difference from numpy {difference.max():.6f}, the nearest bfloat16 {same:6.1%}")
    if not (difference <= bound).all():
        sys.exit(f"compare.py: {path.name}: that is more than format and method explain")
    if path.name == "gelu-threads-blackhole.npy":
        tell_gelu(result, expected)
