#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the two inputs of add.toml: a photograph and a gradient that brightens towards the lower right."""

from pathlib import Path

import numpy as np
from PIL import Image

# Whole tiles of 32x32; add.toml has the same sizes.
ROWS = 480
COLS = 512

PHOTOGRAPH = "/usr/share/matplotlib/mpl-data/sample_data/grace_hopper.jpg"
OUT = Path(__file__).resolve().parent / "out"


def photograph():
    """The photograph's middle in grey, 0 to 1."""
    image = Image.open(PHOTOGRAPH).convert("L")
    scale = max(COLS / image.width, ROWS / image.height)
    if scale > 1:
        image = image.resize((round(image.width * scale), round(image.height * scale)), Image.LANCZOS)
    left, top = (image.width - COLS) // 2, (image.height - ROWS) // 2
    image = image.crop((left, top, left + COLS, top + ROWS))
    return np.asarray(image, dtype=np.float32) / np.float32(255)


def gradient():
    """0 at the upper left, 0.35 at the lower right."""
    rows = np.linspace(0, 1, ROWS, dtype=np.float32)[:, None]
    cols = np.linspace(0, 1, COLS, dtype=np.float32)[None, :]
    return (np.float32(0.35) * (rows + cols) / np.float32(2)).astype(np.float32)


OUT.mkdir(exist_ok=True)
picture = photograph()
np.save(OUT / "picture.npy", picture)
np.save(OUT / "brighten.npy", gradient())
Image.fromarray(np.rint(picture * 255).astype(np.uint8)).save(OUT / "picture.png")
print(f"picture: {COLS} x {ROWS}, {ROWS // 32 * (COLS // 32)} tiles")
