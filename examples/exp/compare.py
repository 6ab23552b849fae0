#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the results of all four jobs against each other, bit for bit, and against numpy's exp; tells who did what when.

Reads out/NAME.npy, the reports out/NAME.json and the traces out/NAME.jsonl. Writes out/error.svg. Exit status 1 when bits
differ, when the error is larger than the method explains, when something was found, or when macros save no cycles.
"""

import json
import sys
from pathlib import Path

import numpy as np

OUT = Path(__file__).resolve().parent / "out"
JOBS = ("plain", "macro", "plain-wormhole", "macro-wormhole")
STEPS = ("load", "MAD", "round", "simple", "store")  # the sub-units, in the order of the work
SUB_UNIT = {"ttsfpload": "load", "ttsfploadmacro": "load", "ttsfpmad": "MAD", "ttsfp_stoch_rnd": "round",
            "ttsfpshft": "simple", "ttsfpstore": "store"}

# The chord between two powers of two is up to 6.15 % above the curve. 5.625 / 128 of an octave less, it is 3.0 % below at
# its ends and 3.0 % above in between; half a step of 1/128 comes on top, 0.4 % where the mantissa is 1.
LARGEST = 0.0343


def work(name):
    """Each step of the work on 32 datums, (cycle, sub-unit, which 32), from the trace."""
    events = [json.loads(line) for line in (OUT / f"{name}.jsonl").read_text().splitlines()]
    steps = []
    for event in (one for one in events if one["kind"] == "instruction"):
        what = event["instruction"].split("\t")[0]
        # Templates are recorded before the first load.
        if what in SUB_UNIT and (steps or SUB_UNIT[what] == "load"):
            steps.append((event["start"], SUB_UNIT[what], event["index"]))
    if name.startswith("macro"):  # all that a macro schedules has the macro's index
        first = min(index for _, _, index in steps)
        return [(cycle, step, index - first) for cycle, step, index in steps]
    order = {step: sorted(cycle for cycle, s, _ in steps if s == step) for step in STEPS}
    return [(cycle, step, order[step].index(cycle)) for cycle, step, _ in steps]


def table(name, rows):
    """Who works on which 32 datums in the first cycles."""
    first = min(cycle for cycle, _, _ in steps[name])
    print(f"\n{name}\n{'cycle':>7}" + "".join(f"{step:>8}" for step in STEPS))
    for cycle in range(first, first + rows):
        at = {step: str(which) for c, step, which in steps[name] if c == cycle}
        print(f"{cycle - first:7}" + "".join(f"{at.get(step, ''):>8}" for step in STEPS).rstrip())


def svg(x, percent):
    """A dot per datum."""
    left, top, width, height, high = 60, 40, 720, 300, 4
    at_x = lambda value: left + (value + 10) / 20 * width
    at_y = lambda value: top + (high - value) / (2 * high) * height
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 30}" height="{top + height + 50}" '
             'font-family="sans-serif" font-size="13">', '<rect width="100%" height="100%" fill="white"/>',
             f'<text x="{left}" y="22">Relative error of the vector unit\'s e^x in five instructions, %</text>']
    for value in range(-high, high + 1):
        lines.append(f'<line x1="{left}" y1="{at_y(value)}" x2="{left + width}" y2="{at_y(value)}" '
                     f'stroke="{"#888" if value == 0 else "#ddd"}"/>'
                     f'<text x="{left - 8}" y="{at_y(value) + 4}" text-anchor="end">{value}</text>')
    for value in range(-10, 11, 2):
        lines.append(f'<text x="{at_x(value)}" y="{top + height + 20}" text-anchor="middle">{value}</text>')
    lines.append(f'<text x="{left + width / 2}" y="{top + height + 40}" text-anchor="middle">x</text>')
    lines += [f'<circle cx="{at_x(a):.1f}" cy="{at_y(b):.1f}" r="1.6" fill="#0050a0"/>' for a, b in zip(x, percent)]
    return "\n".join(lines + ["</svg>\n"])


x = np.load(OUT / "x.npy")
results = {name: np.load(OUT / f"{name}.npy") for name in JOBS}
reports = {name: json.loads((OUT / f"{name}.json").read_text()) for name in JOBS}
steps = {name: work(name) for name in JOBS}

for name in JOBS:
    if any(finding["level"] != "info" for finding in reports[name]["findings"]):
        sys.exit(f"compare.py: something was found in {name}")
    same = np.count_nonzero(results[name].view(np.uint32) == results["plain"].view(np.uint32))
    if same != x.size:
        sys.exit(f"compare.py: {name} gives {x.size - same} other results than plain")
print(f"the same bits from {', '.join(JOBS)}")

error = results["plain"] / np.exp(x.astype(np.float64)) - 1
print(f"relative error from numpy's exp: {error.min():.2%} to {error.max():.2%}, {np.sqrt(np.mean(error**2)):.2%} rms")
(OUT / "error.svg").write_text(svg(x.ravel(), 100 * error.ravel()), encoding="utf-8")
print("plot: examples/exp/out/error.svg")

print(f"\n{'cycles':16}{'first to last load':>20}{'first load to last store':>26}{'whole job':>12}")
cycles = {}
for name in JOBS:
    begin, end = min(steps[name])[0], max(steps[name])[0] + 1
    cycles[name] = (reports[name]["window"]["cycles"], end - begin, reports[name]["cycles"])
    print(f"{name:16}{cycles[name][0]:20}{cycles[name][1]:26}{cycles[name][2]:12}")
table("plain", 13)
table("macro", 10)

if np.abs(error).max() > LARGEST:
    sys.exit("compare.py: that is more than the method explains")
for chip in ("", "-wormhole"):
    if any(fast >= slow for fast, slow in zip(cycles["macro" + chip], cycles["plain" + chip])):
        sys.exit("compare.py: the macros save nothing")
