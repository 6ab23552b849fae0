#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the sums of accumulate.toml against numpy.

The packer's sums in L1 must be, bit for bit, those that numpy finds when it adds the same addends one after the other in
the format of L1; and all sums must be near A x B in float64. Exit status 1 when one is not.
"""

import sys
from pathlib import Path

import numpy as np

OUT = Path(__file__).resolve().parent / "out"
PRODUCTS = 8


def bfloat16(values):
    """Rounds float64 to the nearest bfloat16, ties to even; not for infinities, NaN and denormals."""
    mantissa, exponent = np.frexp(values)
    return np.ldexp(np.rint(np.ldexp(mantissa, 8)), exponent - 8)


ROUND = {
    "Float32": lambda sums: sums.astype(np.float32).astype(np.float64),
    "Float16_b": bfloat16,
    "Float16": lambda sums: sums.astype(np.float32).astype(np.float16).astype(np.float64),
}
LAST_PLACE = {"Float32": 23, "Float16_b": 7, "Float16": 10}

a, b = np.load(OUT / "a.npy"), np.load(OUT / "b.npy")
exact = bfloat16(a.astype(np.float64)) @ bfloat16(b.astype(np.float64))
errors, rms = [], {}
print(f"{'':10} {'added in':>9} {'added in':>9} {'largest':>10} {'error':>10} {'same as adding':>16}")
print(f"{'':10} {'Dst':>9} {'L1':>9} {'error':>10} {'rms':>10} {'in numpy':>16}")
for name, rounded in ROUND.items():
    for products in (8, 4, 2, 1):
        sums = PRODUCTS // products
        addends = np.load(OUT / f"{name}.{products}.0.npy").reshape(PRODUCTS, 32, 32)[:sums].astype(np.float64)
        got = np.load(OUT / f"{name}.{products}.1.npy")[:32].astype(np.float64)
        expected = addends[0]
        for addend in addends[1:]:
            expected = rounded(expected + addend)
        same = np.count_nonzero(got == expected)
        off = np.abs(got - exact)
        rms[name, products] = np.sqrt((off**2).mean())
        print(f"{name:10} {products:9} {sums:9} {off.max():10.2e} {rms[name, products]:10.2e} "
              f"{same:8} of {got.size}")
        if same != got.size:
            errors.append(f"{name}, {products} in Dst: {got.size - same} sums are not numpy's")
        # Each sum in L1 is rounded by half a last place of its largest; cutting to Float16 costs each addend a whole one.
        # Dst's error is below the last of 10 bits of the largest addend.
        largest = np.abs(addends.cumsum(0)).max(0) + np.abs(addends).max(0)
        bound = 2 * sums * largest * 2.0 ** -LAST_PLACE[name] + PRODUCTS * np.abs(a).max() * np.abs(b).max() * 2.0**-10
        if not (off <= bound).all():
            errors.append(f"{name}, {products} in Dst: a sum is off by {(off / bound).max():.1f} times what rounding explains")

for name in ("Float16_b", "Float16"):
    if not rms[name, 1] > rms[name, 8]:
        errors.append(f"{name}: eight sums in L1 are no further from the true one than one")
if not rms["Float32", 1] < 0.1 * rms["Float16_b", 1]:
    errors.append("Float32 in L1 is no better than Float16_b")
if errors:
    sys.exit("compare.py: " + "\ncompare.py: ".join(errors))
