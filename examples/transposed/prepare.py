#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the two matrices of transposed.toml: normally distributed, always the same."""

from pathlib import Path

import numpy as np

OUT = Path(__file__).resolve().parent / "out"

OUT.mkdir(exist_ok=True)
random = np.random.default_rng(21)
for name in "ab":
    np.save(OUT / f"{name}.npy", random.normal(size=(32, 32)).astype(np.float32))
