#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the two matrices of accumulate.toml: normally distributed, always the same."""

from pathlib import Path

import numpy as np

SIDE, DEPTH = 32, 256  # accumulate.toml has the same sizes

OUT = Path(__file__).resolve().parent / "out"

OUT.mkdir(exist_ok=True)
random = np.random.default_rng(7)
np.save(OUT / "a.npy", random.normal(size=(SIDE, DEPTH)).astype(np.float32))
np.save(OUT / "b.npy", random.normal(size=(DEPTH, SIDE)).astype(np.float32))
print(f"A {SIDE}x{DEPTH} times B {DEPTH}x{SIDE}: {DEPTH // 32} products of tiles")
