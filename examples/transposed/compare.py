#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Holds out/c.npy against Tessera's function for the same product, bit for bit, and against numpy's."""

import sys
from pathlib import Path

import numpy as np

import tessera

OUT = Path(__file__).resolve().parent / "out"
phases = int(sys.argv[1])
a, b, c = (np.load(OUT / f"{name}.npy") for name in "abc")
golden = tessera.matmul(a, b.T, fidelity=phases, dst_bits=32)
same = np.count_nonzero(c.view(np.uint32) == golden.view(np.uint32))
away = np.abs(c - a.astype(np.float64) @ b.astype(np.float64).T).max()
print(f"{phases} phases: {same} of {c.size} elements as tessera.matmul(a, b.T); at most {away:.4f} from numpy's product")
if same != c.size:
    sys.exit("compare.py: that is another product")
if away > (2 if phases == 1 else 0.5):
    sys.exit("compare.py: that is further from the true product than a fidelity explains")
