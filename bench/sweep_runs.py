#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the cost of a run of a sweep beside the run itself: examples/deadlock/runs/job.toml with as many timing seeds, in one worker and in one for
each processor.

    bench/sweep_runs.py [RUNS]      # by default 10000

Processor time is that of all processes, from the call of tessera.sweep() until it returns. The run alone is Core.assign() and Core.run() in a
loop with the same seeds; the digest, Core.digest(). Memory is that of the sweep's process and of its largest worker, after a tenth of the runs and
at the end.
"""

import os
import resource
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(ROOT, "build/python"))

import tessera  # noqa: E402

JOB = os.path.join(ROOT, "examples/deadlock/runs/job.toml")


def memory(process):
    """Resident MB of a process."""
    with open(f"/proc/{process}/status") as file:
        return next((int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS")), 0.0)


def children():
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return file.read().split()


def processor():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def alone(runs):
    """Microseconds of a run, and of the digest of its end state."""
    job = tessera.load_job(JOB)
    core = tessera.Core(job)
    run = digest = 0.0
    for seed in range(1, runs + 1):
        begin = time.process_time()
        core.assign(job)
        core.run(job, seed=seed)
        end = time.process_time()
        core.digest()
        run += end - begin
        digest += time.process_time() - end
    return run / runs * 1e6, digest / runs * 1e6


def swept(runs, workers):
    """Seconds, processor time of a run in microseconds, and memory: of this process and of a worker, early and at last."""
    seen = []

    def watch(state):
        if children():
            seen.append((state.done, memory("self"), max(map(memory, children()))))

    with tempfile.TemporaryDirectory(prefix="tessera-runs-") as folder:
        begin, begin_of_processor = time.perf_counter(), processor()
        results = tessera.sweep({"job": JOB, "axes": {"seed": {"from": 1, "to": runs}}}, results=os.path.join(folder, "r.sqlite"), workers=workers,
                                progress=watch)
        seconds, used = time.perf_counter() - begin, processor() - begin_of_processor
        assert results.counts() == {"good": runs}
    early = next(each for each in seen if each[0] >= runs / 10)
    return seconds, used / runs * 1e6, early, seen[-1]


def main(runs):
    print("| workers | s | runs a second | processor time of a run, µs | of it the run alone | the digest | MB of the sweep | MB of a worker |\n"
          "|--:|--:|--:|--:|--:|--:|--:|--:|")
    run, digest = alone(runs)
    for workers in sorted({1, len(os.sched_getaffinity(0))}):
        seconds, used, early, last = swept(runs, workers)
        print(f"| {workers} | {seconds:.1f} | {runs / seconds:.0f} | {used:.0f} | {run:.0f} | {digest:.0f} | {early[1]:.0f} → {last[1]:.0f} | "
              f"{early[2]:.0f} → {last[2]:.0f} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
