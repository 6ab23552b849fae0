#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Holds out/sum.npy against numpy's sum. Exit status 1 when rounding cannot explain the difference."""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

OUT = Path(__file__).resolve().parent / "out"


def bfloat16(values):
    """Rounds float32 to the nearest bfloat16, ties to even, and gives float32 back. Not for infinities and NaN."""
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)


def step(values):
    """The distance between neighbouring bfloat16 numbers around each value: eight significant bits."""
    return np.exp2(np.floor(np.log2(np.maximum(np.abs(values), 2.0**-126))) - 7)


picture = np.load(OUT / "picture.npy")
brighten = np.load(OUT / "brighten.npy")
result = np.load(OUT / "sum.npy")
expected = picture + brighten
if result.shape != expected.shape:
    sys.exit(f"compare.py: sum.npy has shape {result.shape}, the inputs have {expected.shape}")

difference = np.abs(result - expected)
largest = np.unravel_index(np.argmax(difference), difference.shape)
unit = step(expected)
steps = float((difference / unit).max())
same = np.count_nonzero(result == bfloat16(bfloat16(picture) + bfloat16(brighten)))

print(f"largest absolute difference from numpy's sum: {difference[largest]:.6f}, "
      f"where one bfloat16 step is {unit[largest]:.6f}")
print(f"largest difference in steps of the sum: {steps:.2f}")
print(f"equal to the sum of the two bfloat16 inputs, rounded to nearest even: {same} of {result.size}")

for name, values in (("picture", picture), ("sum", result)):
    Image.fromarray(np.rint(np.clip(values, 0, 1) * 255).astype(np.uint8)).save(OUT / f"{name}.png")
print("pictures: examples/add/out/picture.png, examples/add/out/sum.png")

# Rounding the inputs costs at most half a step each, storing the sum at most one.
if not steps <= 2:
    sys.exit("compare.py: that is more than rounding can explain")
