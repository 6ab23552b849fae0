#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Cuts the first layer out of the network that examples/weights has trained: 128 unseen digits, its weights, their product."""

from pathlib import Path

import numpy as np

TRAINED = Path(__file__).resolve().parent.parent / "weights/out"
OUT = Path(__file__).resolve().parent / "out"
DIGITS, HIDDEN = 128, 64

OUT.mkdir(exist_ok=True)
matrix = np.load(TRAINED / "weights.npy")
unseen = np.load(TRAINED / "unseen.npz")
pixels, weights = unseen["pixels"][:DIGITS], matrix[:HIDDEN]
np.save(OUT / "pixels.npy", pixels)
np.save(OUT / "weights.npy", weights)
np.save(OUT / "products.npy", pixels.astype(np.float64) @ weights.astype(np.float64))
np.savez(OUT / "rest.npz", b1=unseen["b1"], w2=matrix[HIDDEN:HIDDEN + 10].T, b2=unseen["b2"], labels=unseen["labels"][:DIGITS])
