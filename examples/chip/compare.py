#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Holds products in out/ against numpy's, and bit for bit against tessera.matmul. Arguments: chips. Exit status 1 when one of them is
further away than format and method explain, or has another bit."""

import sys
from pathlib import Path

import numpy as np
import tessera

OUT = Path(__file__).resolve().parent / "out"


def bfloat16(values):
    """Rounds to the nearest bfloat16, ties to even, and gives float64 back. Not for infinities and NaN."""
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32).astype(np.float64)


def step(values):
    """The distance between neighbouring bfloat16 numbers around each value: eight significant bits."""
    return np.exp2(np.floor(np.log2(np.maximum(np.abs(values), 2.0**-126))) - 7)


a, b = (np.load(OUT / f"matmul-{name}.npy") for name in "ab")
exact = bfloat16(a) @ bfloat16(b)
for arch in sys.argv[1:]:
    product = np.load(OUT / f"matmul-{arch}.npy")
    difference = np.abs(product - exact)
    print(f"{arch:9}  largest difference from numpy {difference.max():.6f}, the nearest bfloat16 {np.mean(product == bfloat16(exact)):6.1%}")
    # Dst is FP32: the error is the packer's rounding, and the truncation where 16 products are added.
    if not (difference <= step(exact) / 2 + 2.0**-5).all():
        sys.exit(f"compare.py: {arch}: that is more than format and method explain")
    of_one_tile = tessera.matmul(a, b, arch=arch, format="Float16_b", fidelity="HiFi4", dst_bits=32)
    if not np.array_equal(product, of_one_tile):
        sys.exit(f"compare.py: {arch}: {np.count_nonzero(product != of_one_tile)} elements differ from tessera.matmul")
print("the grid and tessera.matmul: the same bits")
