#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Max pooling of a photograph that remembers where each maximum was, by GMPOOL, and its inverse.

Writes out/pooled.png and out/unpooled.png. Exit status 1 when a maximum or its place is not the window's.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

import tessera

SIZE = 256
DOWN, ACROSS = 2, 4  # a window: the eight rows of a column within which GMPOOL gives the index
PHOTOGRAPH = "/usr/share/matplotlib/mpl-data/sample_data/grace_hopper.jpg"
OUT = Path(__file__).resolve().parent / "out"


def photograph():
    """Its middle in grey, 0 to 1."""
    image = Image.open(PHOTOGRAPH).convert("L")
    left, top = (image.width - SIZE) // 2, (image.height - SIZE) // 2
    return np.asarray(image.crop((left, top, left + SIZE, top + SIZE)), np.float32) / 255


def save(picture, name):
    Image.fromarray(np.rint(np.clip(picture, 0, 1) * 255).astype(np.uint8)).save(OUT / name)


OUT.mkdir(exist_ok=True)
picture = photograph()
# A window per column.
windows = picture.reshape(SIZE // DOWN, DOWN, SIZE // ACROSS, ACROSS).transpose(1, 3, 0, 2).reshape(DOWN * ACROSS, -1)
values, places = tessera.gmpool(windows, argmax=True)

columns = np.arange(windows.shape[1])
held = tessera.untilize(tessera.tilize(windows, "Float16_b", "rows"), windows.shape, "Float16_b", "rows")
unpooled = np.zeros_like(windows)
unpooled[places, columns] = values
save(values.reshape(SIZE // DOWN, SIZE // ACROSS), "pooled.png")
save(unpooled.reshape(DOWN, ACROSS, SIZE // DOWN, SIZE // ACROSS).transpose(2, 0, 3, 1).reshape(SIZE, SIZE), "unpooled.png")

alone = np.count_nonzero(held == held.max(axis=0), axis=0) == 1
print(f"{windows.shape[1]} windows of {DOWN} x {ACROSS}; {np.count_nonzero(~alone)} have their maximum in several places, of which "
      f"numpy tells another one in {np.count_nonzero(places != held.argmax(axis=0))}")
print("pictures: examples/argmax/out/pooled.png, examples/argmax/out/unpooled.png")

if not np.array_equal(values[0], held.max(axis=0)):
    sys.exit("argmax.py: a maximum is not its window's")
if not np.array_equal(held[places, columns], values[0]):
    sys.exit("argmax.py: a maximum is not in its place")
if not np.array_equal(places[alone], held.argmax(axis=0)[alone]):
    sys.exit("argmax.py: a maximum that is there once is told to be elsewhere")
# Of several the last counts, rows 4 to 7 before 0 to 3.
order = np.array([4, 5, 6, 7, 0, 1, 2, 3])
if not np.array_equal(places, order[7 - held[order][::-1].argmax(axis=0)]):
    sys.exit("argmax.py: of equal ones another one counts")
