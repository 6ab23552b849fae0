#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How much sooner many cores are done in more threads: time that passes for `tessera check` over the golden cases, and for `tessera race` of
a job, in one thread and in as many as there are processors. Medians of five.

    bench/many_cases.py [BUILD]     # by default build; BUILD/golden are cases that ./test has unpacked
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build")
JOB = """arch = "blackhole"
[threads]
math = [\"\"\"
.repeat 2000
SETRWC BitMask=1
.end
\"\"\"]
"""


def seconds(arguments):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        done = subprocess.run([os.path.join(BUILD, "tessera"), *arguments], stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
        if done.returncode == 2:
            sys.exit("many_cases.py: tessera did not run")
    return statistics.median(times)


with tempfile.NamedTemporaryFile("w", suffix=".toml") as job:
    job.write(JOB)
    job.flush()
    print("| command | threads | s | times as fast |\n|---|--:|--:|--:|")
    for name, command in {
            "tessera check build/golden": ["check", os.path.join(BUILD, "golden")],
            "tessera race, 200 schedules": ["race", "--runs", "200", job.name]}.items():
        alone = None
        for threads in sorted({1, len(os.sched_getaffinity(0))}):
            took = seconds([*command, "-j", str(threads)])
            alone = alone or took
            print(f"| {name} | {threads} | {took:.2f} | {alone / took:.2f} |")
