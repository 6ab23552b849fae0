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
save("datacopy-a", random.normal(size=(64, 128)))
save("mul-a", random.normal(size=(64, 128)))
save("mul-b", random.normal(size=(64, 128)))
ones = np.zeros((32, 64))
ones[0, :16] = ones[0, 32:48] = 1
save("reduce-a", ones)
save("reduce-b", random.normal(size=(64, 128)))
save("tilize-a", random.normal(size=(64, 128)))
save("untilize-a", random.normal(size=(64, 128)))
save("gelu-a", np.linspace(-8, 8, 64 * 128).reshape(64, 128))
