#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the arrays that the kernels get: always the same."""

from pathlib import Path

import numpy as np

OUT = Path(__file__).resolve().parent / "out"


def save(name, array):
    np.save(OUT / f"{name}.npy", array.astype(np.float32))


OUT.mkdir(exist_ok=True)
random = np.random.default_rng(9)
save("add-a", random.normal(size=(64, 128)))
save("add-b", random.normal(size=(64, 128)))
save("matmul-a", random.normal(size=(64, 96)))
save("matmul-b", random.normal(size=(96, 64)))
save("untilize-a", random.normal(size=(64, 128)))
save("gelu-a", np.linspace(-8, 8, 64 * 128).reshape(64, 128))
