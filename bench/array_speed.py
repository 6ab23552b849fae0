#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How fast tessera.matmul is beside the same arithmetic in numpy, and that both have the same bits.

The numpy side is docs/internals/numerics.md, 1 to 3, for BF16, over all elements of the result at once: each MVMUL is a dozen
operations on arrays of rows x 8 x columns. It begins with operands in their registers and ends with Dst, so it does
neither formats nor packing; Tessera's time includes both. Each time is the processor's, of all threads, the best of five
runs (of the emulation: of one) after one that does not count. Prints ratios, since times differ between computers.

    PYTHONPATH=build/python bench/array_speed.py [SIZE]     # rows, columns and depth; a multiple of 32, by default 128
"""

import sys
import time

import numpy as np

import tessera
from tessera.arrays import FIDELITIES


def operands(array):
    """Sign, exponent and mantissa of 11 bits of BF16 values; 0 for zero."""
    bits = array.view(np.uint32)
    exponent = (bits >> 23 & 0xFF).astype(np.int32)
    mantissa = np.where(exponent == 0, 0, (bits >> 13 & 0x3F8 | 0x400).astype(np.int32))
    return np.where(bits >> 31, -1, 1).astype(np.int32), exponent, mantissa


def aligned(mantissa, distance):
    """To nearest; of a tie up: for negative numbers towards zero."""
    distance = np.minimum(distance, 31).astype(np.int64)
    return (mantissa + ((1 << distance) >> 1)) >> distance


def cut(mantissa):
    """The 11 bits that 16-bit Dst lets through."""
    return (mantissa + 4096) & ~8191


def accumulate(terms, dst, wide):
    """Two groups onto Dst's patterns (FP32, or BF16 above 16 zeros)."""
    exponent = (dst >> 23 & 0xFF).astype(np.int64)
    magnitude = np.where(exponent == 0, 0, dst & 0x7FFFFF | 0x800000).astype(np.int64)
    largest = np.maximum(np.maximum(terms[0][0], terms[1][0]), exponent)
    # Dst's old value rounds on its magnitude, terms on their value.
    old = aligned(magnitude, largest - exponent)
    parts = [aligned(mantissa, largest - e) for e, mantissa in terms]
    if not wide:
        old, parts = cut(old), [cut(part) for part in parts]
    total = np.where(dst >> 31, -old, old) + sum(parts)
    size = np.abs(total)
    zeros = 32 - np.frexp(size.astype(np.float64))[1]  # leading ones are exact in a double
    shift = zeros - 8
    result = largest - shift
    if not wide:
        shift -= 16
    right, left = np.maximum(-shift, 0), np.maximum(shift, 0)
    size = ((size + ((1 << right) >> 1)) >> right) << left
    if not wide:
        size <<= 16
    result += size >> 24 & 1
    # A carry leaves a fraction of zeros.
    bits = np.where(total < 0, 0x80000000, 0) | result << 23 | size & 0x7FFFFF
    bits = np.where(result >= 255, np.where(total < 0, 0xFF800000, 0x7F800000), bits)
    return np.where((result <= 0) | (total == 0) | (largest <= 0), 0, bits).astype(np.uint32)


def group_sum(a, b, phase):
    """Eight products with one exponent: a is rows x 8, b 8 x columns."""
    slices_a = (a[2] & 15) << 3 if phase & 2 else a[2] >> 4
    slices_b = b[2] >> 1 & 31 if phase & 1 else b[2] >> 6
    adjust = -127 - (5 if phase & 1 else 0) - (7 if phase & 2 else 0)
    zero = (a[1][:, :, None] == 0) | (b[1][None] == 0)
    exponent = np.where(zero, 0, a[1][:, :, None] + b[1][None] + adjust)
    product = np.where(zero, 0, slices_a[:, :, None] * slices_b[None])
    largest = exponent.max(axis=1)
    distance = np.minimum(largest[:, None] - exponent, 30)
    rounded = (2 * product.astype(np.int64) + (1 << distance.astype(np.int64))) >> (distance + 1)
    total = (rounded * (a[0][:, :, None] * b[0][None])).sum(axis=1) << 13
    return np.where(largest <= 0, 0, largest).astype(np.int64), np.where(largest <= 0, 0, total)


def matmul(a, b, phases, wide):
    """Patterns of Dst: FP32, or BF16 above 16 zeros."""
    left, right = operands(a), operands(b)
    dst = np.zeros((a.shape[0], b.shape[1]), np.uint32)
    for tile in range(0, a.shape[1], 32):
        for phase in range(phases):
            for half in (tile, tile + 16):
                groups = [group_sum([x[:, k:k + 8] for x in left], [x[k:k + 8] for x in right], phase)
                          for k in (half, half + 8)]
                dst = accumulate(groups, dst, wide)
    return dst


def best(function, repetitions=5):
    function()
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        result = function()
        times.append(time.process_time() - start)
    return min(times), result


size = int(sys.argv[1]) if len(sys.argv) > 1 else 128
if size <= 0 or size % 32:
    sys.exit("array_speed.py: a positive multiple of 32 is needed")
random = np.random.default_rng(1)
a, b = (random.normal(size=(size, size)).astype(np.float32).view(np.uint32) & 0xFFFF0000 for _ in range(2))
a, b = a.astype(np.uint32).view(np.float32), b.astype(np.uint32).view(np.float32)

print(f"{size} x {size} x {size}, BF16; processor time, best of 5")
print(f"{'':8}{'Dst':>5}{'numpy / Tessera':>18}")
for bits in (16, 32):
    for phases, name in enumerate(FIDELITIES, 1):
        ours, result = best(lambda: tessera.matmul(a, b, fidelity=phases, dst_bits=bits, out="Float32"))
        theirs, patterns = best(lambda: matmul(a, b, phases, bits == 32), 1)
        if not np.array_equal(result.view(np.uint32), patterns):
            sys.exit(f"array_speed.py: {name} with {bits} bits: other bits")
        print(f"{name:8}{bits:5}{theirs / ours:18.1f}")
