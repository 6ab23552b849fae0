# SPDX-License-Identifier: Apache-2.0
"""Processes of a sweep: how many there are, and that none is left or waits for ever."""

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time

import tessera
from sweeps import ENVIRONMENT, folder, logged, sweep_of  # noqa: F401


def of_limited_processes(folder, last):
    """Of a sweep with 60 processes that may open 40 files."""
    program = f"""
import resource, tessera
resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
try:
    print(tessera.sweep({str(sweep_of(folder, last=last))!r}, workers=60).counts())
except tessera.Error as error:
    print(error)
"""
    return subprocess.run([sys.executable, "-c", program], env=ENVIRONMENT, capture_output=True, text=True, check=True, timeout=60).stdout


def test_more_processes_than_the_system_has_are_told(folder):
    told = of_limited_processes(folder, 99)
    assert re.fullmatch(r"only \d+ of 60 processes could be started: Too many open files; give -j \(workers=\) a smaller number "
                        r"\[sweep\.workers\]\n", told), told
    assert not logged(folder)


def test_no_more_processes_than_runs_are_started(folder):
    assert of_limited_processes(folder, 1) == "{'good': 2}\n"


def test_a_process_that_is_forked_meanwhile_does_not_keep_the_sweep(folder):
    """It has copies of all ends of pipes."""
    forked = []

    def fork(state):
        if not forked:
            forked.append(multiprocessing.get_context("fork").Process(target=time.sleep, args=(30,), daemon=True))
            forked[0].start()

    begin = time.monotonic()
    assert tessera.sweep(sweep_of(folder, "slow"), workers=2, progress=fork).counts() == {"good": 100}
    assert time.monotonic() - begin < 15
    forked[0].kill()
    forked[0].join()


def test_a_run_that_dies_and_leaves_a_process_is_lost(folder):
    def run(n):
        if n == 1:
            child = os.fork()
            if child == 0:
                time.sleep(20)
                os._exit(0)
            (folder / "child").write_text(str(child))
            os.kill(os.getpid(), signal.SIGKILL)
        return n

    begin = time.monotonic()
    rows = list(tessera.sweep({"python": run, "axes": {"n": range(3)}}, results=folder / "r.sqlite", workers=1).rows())
    assert time.monotonic() - begin < 15
    os.kill(int((folder / "child").read_text()), signal.SIGKILL)
    assert [row["status"] for row in rows] == ["good", "lost", "good"]


ORPHANS = """
import multiprocessing, os, sys, time, tessera

def slow(n):
    with open("log", "a") as file:
        file.write(f"{os.getpid()}\\n")
    time.sleep(0.01)
    return n

def fork(state):
    if not multiprocessing.active_children()[2:]:
        multiprocessing.get_context("fork").Process(target=time.sleep, args=(20,), daemon=True).start()
        print("forked", flush=True)

tessera.sweep({"python": slow, "axes": {"n": range(100_000)}}, results="r.sqlite", workers=2, progress=fork)
"""


def lives(process):
    """Whether a process is there, and not only its exit status."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_no_worker_outlives_its_parent(folder):
    parent = subprocess.Popen([sys.executable, "-c", ORPHANS], env=ENVIRONMENT, cwd=folder, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL, start_new_session=True)
    assert parent.stdout.readline() == "forked\n"
    while len(logged(folder)) < 2:
        time.sleep(0.01)
    parent.kill()
    parent.wait()
    workers = list(logged(folder))
    until = time.monotonic() + 10
    while any(map(lives, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    left = list(filter(lives, workers))
    os.killpg(parent.pid, signal.SIGKILL)
    assert not left


def test_a_sweep_in_a_run_needs_no_processes(folder):
    def nested(n, workers):
        return {"sum": sum(tessera.sweep({"python": lambda m: m, "axes": {"m": [n, 1]}}, results=folder / f"{n}.sqlite",
                                         workers=workers or None).columns(["value"])["value"])}

    rows = list(tessera.sweep({"python": nested, "axes": {"n": [5], "workers": [0, 2]}}, results=folder / "r.sqlite", workers=1).rows())
    assert rows[0]["sum"] == 6
    assert rows[1]["code"] == "sweep.workers" and "give workers=0" in rows[1]["message"]
