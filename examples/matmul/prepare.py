#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the two matrices of matmul.toml: normally distributed, always the same."""

from pathlib import Path

import numpy as np

# Whole tiles of 32x32; matmul.toml has the same sizes.
ROWS, DEPTH, COLS = 128, 96, 64

OUT = Path(__file__).resolve().parent / "out"

OUT.mkdir(exist_ok=True)
random = np.random.default_rng(20)
np.save(OUT / "a.npy", random.normal(size=(ROWS, DEPTH)).astype(np.float32))
np.save(OUT / "b.npy", random.normal(size=(DEPTH, COLS)).astype(np.float32))
print(f"A {ROWS}x{DEPTH} times B {DEPTH}x{COLS}: "
      f"{ROWS // 32}x{DEPTH // 32} tiles times {DEPTH // 32}x{COLS // 32} tiles")
