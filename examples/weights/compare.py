#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the weights that came back against the packer's rounding in numpy, and the network with them against the one
without, for each format. Prints the table and writes out/accuracy.png. Exit status 1 when a bit or a bound is wrong.

Usage: compare.py FORMAT...    reads out/FORMAT.npy (what came back), out/FORMAT.quantised.npy (bytes of L1) and
                               out/FORMAT.bin (the bytes of `tessera tile --rounding device`, where there are some)
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

OUT = Path(__file__).resolve().parent / "out"
CLASSES = 10


def bits_of(values):
    return np.ascontiguousarray(values, np.float32).view(np.uint32).astype(np.int64)


def values_of(bits):
    return bits.astype(np.uint32).view(np.float32)


def bfloat16(values):
    """Cut to the upper 16 bits; denormals are 0."""
    bits = bits_of(values)
    return values_of(np.where(bits & 0x7F800000, bits & 0xFFFF0000, 0))


def float16(bits):
    """FP32's bits to those of an FP16 without infinities: cut, too large ones saturate."""
    sign, exponent = bits >> 16 & 0x8000, (bits >> 23 & 0xFF) - 112
    inside = sign | np.clip(exponent, 0, 31) << 10 | bits >> 13 & 0x3FF
    return np.where(exponent < 0, sign, np.where(exponent > 31, sign | 0x7FFF, inside))


def from_float16(bits):
    exponent = bits >> 10 & 0x1F
    return values_of((bits & 0x8000) << 16 | np.where(exponent, exponent + 112, 0) << 23 | (bits & 0x3FF) << 13)


def e5m2(values):
    return from_float16(float16(bits_of(values)) & 0xFF00)


def e4m3(values):
    bits = bits_of(values)
    half = float16((bits & 0x80000000) | ((bits & 0x7FFFFFFF) + 0x1000 & ~0x1FFF))
    magnitude = half & 0x7FFF
    seven = np.minimum(magnitude - (8 << 10) >> 7, 0x7F)
    back = np.where(seven == 0x7F, 0x7F, 0) | (seven << 7) + np.where(seven & 0x78, 8 << 10, 0)
    return from_float16((half & 0x8000) | np.where(magnitude < 9 << 10, 0, back))


def block_float(values, bits):
    """Sixteen neighbours with the largest exponent of them: magnitudes of 7 bits, rounded with ties away from zero and cut
    to bits - 1."""
    blocks = bits_of(bfloat16(values)).reshape(-1, 16)
    exponent = blocks >> 23 & 0xFF
    shared = exponent.max(1, keepdims=True)
    distance = np.minimum(shared - exponent, 8)
    mantissa = np.where(exponent, 0x80 | blocks >> 16 & 0x7F, 0)
    magnitude = np.minimum(mantissa + (1 << distance) >> distance + 1, 127)
    magnitude = magnitude >> 8 - bits << 8 - bits
    signed = np.where(blocks >> 31 & 1, -magnitude, magnitude)
    return (signed * np.exp2(shared - 127.0 - 6)).astype(np.float32).reshape(values.shape)


def unit_of_block(values, below):
    largest = np.abs(values).reshape(-1, 16).max(1, keepdims=True)
    unit = np.exp2(np.floor(np.log2(np.maximum(largest, 2.0**-126))) - below)
    return np.broadcast_to(unit, (unit.size, 16)).reshape(values.shape)


def unit_of_float(values, below, least):
    """Of the last place; what is smaller than 2**least is lost whole."""
    magnitude = np.maximum(np.abs(values), 2.0**least)
    unit = np.exp2(np.floor(np.log2(magnitude)) - below)
    return np.where(np.abs(values) < 2.0**least, 2.0**least, unit)


# The packer's conversion of FP32 (docs/internals/numerics.md, 9), bits per weight, and the weight's or its block's last place.
FORMATS = {
    "Float16_b": (bfloat16, 16, lambda w: unit_of_float(w, 7, -126)),
    "Bfp8_b": (lambda w: block_float(w, 8), 8.5, lambda w: unit_of_block(w, 6)),
    "Bfp4_b": (lambda w: block_float(w, 4), 4.5, lambda w: unit_of_block(w, 2)),
    "Bfp2_b": (lambda w: block_float(w, 2), 2.5, lambda w: unit_of_block(w, 0)),
    "Lf8": (e5m2, 8, lambda w: unit_of_float(w, 2, -14)),
    "Fp8_e4m3": (e4m3, 8, lambda w: unit_of_float(w, 3, -6)),
}


def accuracy(matrix, unseen):
    hidden = np.maximum(unseen["pixels"] @ matrix[:64] + unseen["b1"], 0)
    score = hidden @ matrix[64:64 + CLASSES].T + unseen["b2"]
    return float((score.argmax(1) == unseen["labels"]).mean())


def draw(rows, path):
    """Accuracy and error as bars, one line per format."""
    line, left, wide = 26, 90, 300
    image = Image.new("RGB", (left + 2 * wide + 130, line * (len(rows) + 1) + 10), "white")
    pen = ImageDraw.Draw(image)
    pen.text((left, 6), "digits recognised", fill="black")
    pen.text((left + wide + 70, 6), "error of a weight, rms (log, 0.0001 to 1)", fill="black")
    for i, (name, right, error) in enumerate(rows):
        top = line * (i + 1) + 4
        pen.text((6, top + 4), name, fill="black")
        pen.rectangle((left, top, left + wide * right, top + line - 8), fill=(70, 120, 180))
        pen.text((left + wide * right + 4, top + 4), f"{100 * right:.1f} %", fill="black")
        if error:
            length = wide * np.clip(np.log10(error) / 4 + 1, 0, 1)
            start = left + wide + 70
            pen.rectangle((start, top, start + length, top + line - 8), fill=(200, 110, 60))
            pen.text((start + length + 4, top + 4), f"{error:.4f}", fill="black")
    image.save(path)


weights = np.load(OUT / "weights.npy")
unseen = np.load(OUT / "unseen.npz")
used = np.s_[:64 + CLASSES]
exact = accuracy(weights, unseen)
errors, rows, table = [], [("Float32", exact, 0)], []
for name in sys.argv[1:]:
    model, bits, unit_of = FORMATS[name]
    back = np.load(OUT / f"{name}.npy")
    wrong = int(np.count_nonzero(bits_of(back) != bits_of(model(weights))))
    if wrong:
        errors.append(f"{name}: {wrong} weights differ from the packer's rounding in numpy")
    tile_bytes = OUT / f"{name}.bin"
    if tile_bytes.exists():
        made = np.fromfile(tile_bytes, np.uint8)
        written = np.load(OUT / f"{name}.quantised.npy").ravel()[:made.size]
        if not np.array_equal(made, written):
            errors.append(f"{name}: {np.count_nonzero(made != written)} bytes differ from those of tessera tile")
    off = np.abs(back.astype(np.float64) - weights)
    units = float((off / unit_of(weights)).max())
    if not units <= 1:
        errors.append(f"{name}: an error of {units} units is more than cutting explains")
    rms = float(np.sqrt((off[used]**2).mean()))
    right = accuracy(back, unseen)
    rows.append((name, right, rms))
    table.append(f"{name:10} {bits:8.1f} {off.max():12.6f} {rms:12.6f} {units:12.3f} {100 * right:12.1f} %")

print(f"{'':10} {'bits per':>8} {'largest':>12} {'error':>12} {'largest':>12} {'digits':>14}")
print(f"{'':10} {'weight':>8} {'error':>12} {'rms':>12} {'in units':>12} {'recognised':>14}")
print(f"{'Float32':10} {32:8.1f} {0:12.6f} {0:12.6f} {0:12.3f} {100 * exact:12.1f} %")
print("\n".join(table))
draw(rows, OUT / "accuracy.png")
print("plot: examples/weights/out/accuracy.png")

by_name = {name: (right, rms) for name, right, rms in rows}
if exact < 0.93:
    errors.append(f"the network recognises {100 * exact:.1f} % of the digits it has not seen: it has not learnt")
for name in ("Float16_b", "Bfp8_b"):
    if name in by_name and by_name[name][0] < exact - 0.01:
        errors.append(f"{name} loses {100 * (exact - by_name[name][0]):.1f} % of the digits")
for finer, coarser in (("Float16_b", "Bfp8_b"), ("Bfp8_b", "Bfp4_b"), ("Bfp4_b", "Bfp2_b"), ("Fp8_e4m3", "Lf8")):
    if finer in by_name and coarser in by_name and not by_name[finer][1] < by_name[coarser][1]:
        errors.append(f"{finer} is no closer to the weights than {coarser}")
if errors:
    sys.exit("compare.py: " + "\ncompare.py: ".join(errors))
