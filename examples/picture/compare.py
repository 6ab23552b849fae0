#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what the packer compressed and what the unpacker made of it against numpy, and tells how small it is.

Writes out/expected.npy, the picture after ReLU and edge mask, first. With --bytes FILE: that file, made from expected.npy by
`tessera tile --compressed`, must have the bytes of L1. Exit status 1 when anything differs.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

OUT = Path(__file__).resolve().parent / "out"
ROWS, COLS = 342, 372
ROW_STARTS, GROUP = 48, 32 * 2 + 16  # bytes


def bfloat16(values):
    """Rounds float32 to the nearest bfloat16, ties to even, and gives float32 back. Not for infinities and NaN."""
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)


def of_tiles(values):
    """One value per tile as a picture of it."""
    return np.kron(values, np.ones((32, 32)))


picture = np.load(OUT / "picture.npy")
expected = np.zeros_like(picture)
expected[:ROWS, :COLS] = np.maximum(bfloat16(picture[:ROWS, :COLS]), 0)
np.save(OUT / "expected.npy", expected)
if len(sys.argv) == 1:
    sys.exit()

errors = []
for name in ("compressed", "back"):
    wrong = np.argwhere(np.load(OUT / f"{name}.npy").view(np.uint32) != expected.view(np.uint32))
    if len(wrong):
        errors.append(f"{name}.npy differs from numpy at {len(wrong)} places, first at {tuple(wrong[0])}")
words = np.load(OUT / "words.npy").astype(np.uint16)
made = np.fromfile(sys.argv[2], np.uint8)
if not np.array_equal(words.view(np.uint8).ravel(), made):
    errors.append("the packer's bytes are not those of tessera tile")

written = words[:, 16].astype(int)
sizes = ROW_STARTS + -(-written // 32) * GROUP
whole = 1024 * 2
tiles = (picture.shape[0] // 32, picture.shape[1] // 32)
zeros = (expected == 0).reshape(tiles[0], 32, tiles[1], 32).mean((1, 3)).ravel()

print(f"{'share of zeros':>18} {'tiles':>6} {'bytes of a tile':>16} {'of its size':>12}")
for low, high in ((0, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 1.01)):
    here = (zeros >= low) & (zeros < high)
    if here.any():
        text = f"{100 * low:.0f} % to {100 * min(high, 1):.0f} %"
        print(f"{text:>18} {here.sum():6} {sizes[here].mean():16.0f} {100 * sizes[here].mean() / whole:10.1f} %")
print(f"{'all, ' + f'{100 * zeros.mean():.1f} %':>18} {len(sizes):6} {sizes.mean():16.0f} "
      f"{100 * sizes.mean() / whole:10.1f} %")
print(f"compressed: {sizes.sum()} of {whole * len(sizes)} bytes, ratio {whole * len(sizes) / sizes.sum():.2f}")

shown = np.clip(np.load(OUT / "back.npy")[:ROWS, :COLS] * 2, 0, 1)
Image.fromarray(np.rint(shown * 255).astype(np.uint8)).save(OUT / "back.png")
share = np.clip(of_tiles((sizes / whole).reshape(tiles)), 0, 1)[:ROWS, :COLS]
Image.fromarray(np.rint(share * 255).astype(np.uint8)).save(OUT / "sizes.png")
print("pictures: examples/picture/out/picture.png, back.png, sizes.png (white: a tile as large as uncompressed)")

if not sizes.sum() < whole * len(sizes) * (1.3 - zeros.mean()):
    errors.append("the zeros have not been left out")
if errors:
    sys.exit("compare.py: " + "\ncompare.py: ".join(errors))
