#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a small network on handwritten digits and writes its weights as one matrix of six tiles, out/weights.npy.

The network has 64 inputs (8 x 8 pixels), 64 hidden units with ReLU, and 10 outputs. Rows 0 to 63 of the matrix are the first
layer; rows 64 to 73 the second, transposed; the rest is 0. Biases, and the digits that the network has not seen, are
written as they are.
"""

import gzip
from pathlib import Path

import numpy as np

DIGITS = "/usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz"
OUT = Path(__file__).resolve().parent / "out"

HIDDEN, CLASSES, TRAINED = 64, 10, 1200
EPOCHS, BATCH, RATE = 60, 50, 0.003


def digits():
    """Pixels from 0 to 1, and which digit it is, in an order drawn once."""
    with gzip.open(DIGITS, "rt") as file:
        table = np.loadtxt(file, delimiter=",", dtype=np.float32)
    table = table[np.random.default_rng(1).permutation(len(table))]
    return table[:, :-1] / np.float32(16), table[:, -1].astype(int)


def train(pixels, labels):
    """Minimises the cross entropy with Adam."""
    random = np.random.default_rng(2)
    weights = [random.standard_normal((64, HIDDEN)) / 8, np.zeros(HIDDEN),
               random.standard_normal((HIDDEN, CLASSES)) / 8, np.zeros(CLASSES)]
    mean = [np.zeros_like(w) for w in weights]
    square = [np.zeros_like(w) for w in weights]
    wanted = np.eye(CLASSES)[labels]
    step = 0
    for _ in range(EPOCHS):
        for batch in np.array_split(random.permutation(len(pixels)), len(pixels) // BATCH):
            w1, b1, w2, b2 = weights
            x = pixels[batch]
            hidden = np.maximum(x @ w1 + b1, 0)
            score = hidden @ w2 + b2
            likely = np.exp(score - score.max(1, keepdims=True))
            likely /= likely.sum(1, keepdims=True)
            error = (likely - wanted[batch]) / len(batch)
            back = (error @ w2.T) * (hidden > 0)
            step += 1
            for i, slope in enumerate((x.T @ back, back.sum(0), hidden.T @ error, error.sum(0))):
                mean[i] += 0.1 * (slope - mean[i])
                square[i] += 0.001 * (slope * slope - square[i])
                weights[i] -= RATE * (mean[i] / (1 - 0.9**step)) / (np.sqrt(square[i] / (1 - 0.999**step)) + 1e-8)
    return weights


OUT.mkdir(exist_ok=True)
pixels, labels = digits()
w1, b1, w2, b2 = train(pixels[:TRAINED], labels[:TRAINED])
matrix = np.zeros((96, 64), np.float32)
matrix[:64] = w1
matrix[64:64 + CLASSES] = w2.T
np.save(OUT / "weights.npy", matrix)
np.savez(OUT / "unseen.npz", b1=b1.astype(np.float32), b2=b2.astype(np.float32), pixels=pixels[TRAINED:],
         labels=labels[TRAINED:])
print(f"trained on {TRAINED} digits; {len(labels) - TRAINED} are left to test")
