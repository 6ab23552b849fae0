#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the picture of picture.toml: a photograph, how much lighter than its middle grey each pixel is.

Its size is not made of whole tiles; beyond it stands 1, which the packer's edge masks must not let through.
"""

from pathlib import Path

import numpy as np
from PIL import Image

ROWS, COLS = 342, 372
TILED_ROWS, TILED_COLS = 352, 384

PHOTOGRAPH = "/usr/share/matplotlib/mpl-data/sample_data/grace_hopper.jpg"
OUT = Path(__file__).resolve().parent / "out"

OUT.mkdir(exist_ok=True)
image = Image.open(PHOTOGRAPH).convert("L")
left, top = (image.width - COLS) // 2, (image.height - ROWS) // 2
grey = np.asarray(image.crop((left, top, left + COLS, top + ROWS)), dtype=np.float32) / np.float32(255)
picture = np.ones((TILED_ROWS, TILED_COLS), np.float32)
picture[:ROWS, :COLS] = grey - np.median(grey)
np.save(OUT / "picture.npy", picture)
Image.fromarray(np.rint(grey * 255).astype(np.uint8)).save(OUT / "picture.png")
print(f"picture: {COLS} x {ROWS}, {TILED_ROWS // 32 * (TILED_COLS // 32)} tiles")
