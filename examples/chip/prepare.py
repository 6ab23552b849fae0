#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the arrays that the grid multiplies, passes around and adds: always the same."""

from pathlib import Path

import numpy as np

OUT = Path(__file__).resolve().parent / "out"

OUT.mkdir(exist_ok=True)
random = np.random.default_rng(9)
for name in "ab":
    np.save(OUT / f"matmul-{name}.npy", random.normal(size=(256, 256)).astype(np.float32))
np.save(OUT / "ring-a.npy", random.normal(size=(16 * 32, 64)).astype(np.float32))
np.save(OUT / "all-reduce-a.npy", random.normal(size=(16 * 64, 512)).astype(np.float32))
