#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the cost of a call from Python: medians of 21 repetitions of a tenth of a second, processor time, without the loop's own.

    PYTHONPATH=build/python bench/python_call.py
"""

import statistics
import time

import tessera

REPETITIONS, SECONDS = 21, 0.1

core = tessera.Core("blackhole")
nothing = tessera.assemble("NOP\n", "blackhole")
data = bytes(16)
kept, again, seen = tessera.Core("blackhole"), tessera.Core("blackhole"), tessera.Core("blackhole")
view = seen.l1
CALLS = {
    "core.arch": lambda: core.arch,
    "core.write_l1(0x4000, 16 bytes)": lambda: core.write_l1(0x4000, data),
    "core.l1, a view of all of it": lambda: core.l1,
    "tessera.disassemble(word)": lambda: tessera.disassemble(0x02000000, "blackhole"),
    "core.assign(other)": lambda: again.assign(kept),
    "core.assign(other), while there is a view of all of its L1": lambda: seen.assign(kept),
    "core.run(a program of one NOP, recorded=False)": lambda: core.run(nothing, recorded=False),
    "core.run(a program of one NOP), answered by an earlier run": lambda: core.run(nothing),
}


def ns_of(call, count):
    start = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - start) / count * 1e9


def repetitions(call):
    count = 1
    while ns_of(call, count) * count < SECONDS * 1e9:
        count *= 2
    return sorted(ns_of(call, count) for _ in range(REPETITIONS))


loop = statistics.median(repetitions(lambda: None))
print("| call | ns | spread |\n|---|--:|--:|")
for name, call in CALLS.items():
    times = repetitions(call)
    median = statistics.median(times)
    print(f"| `{name}` | {median - loop:.0f} | {(times[-1] - times[0]) / median:.0%} |")
