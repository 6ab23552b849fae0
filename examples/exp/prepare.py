#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the arguments: 1024 steps from -10 to 10, a tile of 32x32."""

from pathlib import Path

import numpy as np

OUT = Path(__file__).resolve().parent / "out"

OUT.mkdir(exist_ok=True)
np.save(OUT / "x.npy", np.linspace(-10, 10, 1024, dtype=np.float32).reshape(32, 32))
