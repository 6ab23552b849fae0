#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the products of all fidelities against numpy's in float64, and their cycles against the documented floor. With --bars it only draws
both, a bar for each fidelity.

Reads out/c1.npy to out/c4.npy and the reports out/run1.json to out/run4.json. Exit status 1 when HiFi4 is further from
the true product than rounding explains, when a report does not add up, or when the matrix unit is idle too long.
"""

import json
import sys
from pathlib import Path

import numpy as np

OUT = Path(__file__).resolve().parent / "out"
NAMES = {1: "LoFi", 2: "HiFi2", 3: "HiFi3", 4: "HiFi4"}
MVMULS = 16  # per phase, for a 32x32 tile times a 32x32 tile; one per cycle is the documented limit


def bfloat16(values):
    """Rounds to the nearest bfloat16, ties to even, and gives float64 back. Not for infinities and NaN."""
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32).astype(np.float64)


def difference(result):
    """Largest absolute difference from numpy's product, and largest difference relative to the product's largest value."""
    absolute = np.abs(result - exact).max()
    return absolute, absolute / np.abs(exact).max()


def cycles_per_block(window):
    """Cycles from the first MVMUL to the last, per product of two blocks of 32x32."""
    return window["cycles"] / blocks


def draw_bars():
    """Prints a line for each fidelity: its error and its cycles, with a bar for each."""
    rows = []
    for phases, name in NAMES.items():
        absolute, _ = difference(np.load(OUT / f"c{phases}.npy").astype(np.float64))
        rows.append((name, absolute, cycles_per_block(json.loads((OUT / f"run{phases}.json").read_text())["window"])))
    width = 26
    most_error, most_cycles = (max(row[column] for row in rows) for column in (1, 2))
    print(f"\n    {'':8}{'largest error':{width + 9}}cycles per block of 32x32")
    for name, error, cycles in rows:
        error_bar, cycles_bar = "█" * max(1, round(width * error / most_error)), "█" * round(width * cycles / most_cycles)
        print(f"    {name:8}{error:6.3f} {error_bar:{width + 2}}{cycles:5.1f} {cycles_bar}")


a, b = (np.load(OUT / f"{name}.npy").astype(np.float64) for name in "ab")
exact = a @ b
best = bfloat16(bfloat16(a) @ bfloat16(b))
blocks = a.shape[0] // 32 * (a.shape[1] // 32) * (b.shape[1] // 32)
if sys.argv[1:] == ["--bars"]:
    draw_bars()
    sys.exit()

print(f"\n{'':8}{'largest difference from float64':>35}{'same as rounding':>20}{'cycles per block':>20}{'matrix unit':>15}")
print(f"{'':8}{'absolute':>16}{'of largest value':>19}{'the true product':>20}{'floor  reached':>20}{'busy':>15}")
absolute, relative = difference(best)
print(f"{'rounded':8}{absolute:16.4f}{relative:19.6f}{'100.0%':>20}")
named = {}
for phases, name in NAMES.items():
    result = np.load(OUT / f"c{phases}.npy").astype(np.float64)
    if result.shape != exact.shape:
        sys.exit(f"compare.py: c{phases}.npy has shape {result.shape}, and should have {exact.shape}")
    window = json.loads((OUT / f"run{phases}.json").read_text())["window"]
    absolute, relative = difference(result)
    floor = MVMULS * phases
    reached = cycles_per_block(window)
    busy = next(unit["busy"] for unit in window["units"] if unit["unit"] == "matrix") / window["cycles"]
    print(f"{name:8}{absolute:16.4f}{relative:19.6f}{np.mean(result == best):20.1%}{floor:11}{reached:9.2f}{busy:15.1%}")
    math = [use for use in window["threads"] if use["thread"] == 1]
    named[name] = {("waits for " if use["waiting"] else "issues to ") + use["what"]: use["cycles"]
                   for use in math if use["waiting"] or use["what"] != "matrix"}
    if window["count"] != blocks * floor or window["cycles"] - window["count"] != sum(named[name].values()):
        sys.exit(f"compare.py: the cycles of {name} do not add up")
    if phases == 4 and busy < 0.6:
        sys.exit("compare.py: the matrix unit is idle too long")

print(f"\nWhat the math thread does between the first MVMUL and the last, besides MVMULs (cycles of {blocks} blocks):\n")
for what in sorted({what for uses in named.values() for what in uses}):
    print(f"    {what:54}" + "".join(f"{uses.get(what, 0):8}" for uses in named.values()))
print(f"    {'sum: cycles over the floor':54}" + "".join(f"{sum(uses.values()):8}" for uses in named.values()))

# HiFi4 has all bits of a product. Half a step is lost by each rounding of the inputs and of the result; sums are exact to
# far more bits. A step is at most 1/128 of a value.
if np.abs(np.load(OUT / "c4.npy") - best).max() > np.abs(exact).max() / 128:
    sys.exit("compare.py: HiFi4 is further away than rounding can explain")
