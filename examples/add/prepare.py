#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the two inputs of add.toml: a photograph and a gradient that brightens towards the lower right."""

from pathlib import Path

import numpy as np

# Whole tiles of 32x32; add.toml has the same sizes.
ROWS = 480
COLS = 512

HERE = Path(__file__).resolve().parent
OUT = HERE / "out"


def photograph():
    """The photograph's middle in grey, 0 to 1."""
    return np.load(HERE / "photograph.npz")["grey"].astype(np.float32) / np.float32(255)


def gradient():
    """0 at the upper left, 0.35 at the lower right."""
    rows = np.linspace(0, 1, ROWS, dtype=np.float32)[:, None]
    cols = np.linspace(0, 1, COLS, dtype=np.float32)[None, :]
    return (np.float32(0.35) * (rows + cols) / np.float32(2)).astype(np.float32)


OUT.mkdir(exist_ok=True)
np.save(OUT / "picture.npy", photograph())
np.save(OUT / "brighten.npy", gradient())
print(f"picture: {COLS} x {ROWS}, {ROWS // 32 * (COLS // 32)} tiles")
