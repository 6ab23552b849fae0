#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the arrays that the grid multiplies: always the same."""

from pathlib import Path

import numpy as np

OUT = Path(__file__).resolve().parent / "out"

OUT.mkdir(exist_ok=True)
random = np.random.default_rng(9)
for name in "ab":
    np.save(OUT / f"matmul-{name}.npy", random.normal(size=(256, 256)).astype(np.float32))
