# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C while something takes long: KeyboardInterrupt, soon, and everything can be used as before."""

import os
import pickle
import signal
import struct
import threading
import time
from decimal import Decimal

import numpy as np
import pytest

import tessera
from kernels import in_its_own_process
from test_kernels import elf

# A core that counts in L1 for as long as it may: addi x1, x1, 1; sw x1, 1024(x0); j -8
COUNTS = struct.pack("<3I", 0x00108093, 0x40102023, 0xFF9FF06F)
# Far above what a loaded computer needs to end a call, far below what any of these calls takes.
BOUND = 10.0


@pytest.fixture
def job(tmp_path):
    (tmp_path / "counts.elf").write_bytes(elf(COUNTS))
    file = tmp_path / "job.toml"
    file.write_text('arch = "blackhole"\nmax_cycles = 100_000_000_000\n[cores]\ntrisc1 = "counts.elf"\n')
    return tessera.load_job(file)


@pytest.fixture
def default_handler():
    # A job in the background is started with the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def seconds_to_stop(call, delay=0.3):
    """From Ctrl-C until the call has raised KeyboardInterrupt."""
    sent = []

    def send():
        time.sleep(delay)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
        return time.monotonic() - sent[0]
    finally:
        thread.join()


def large(rows, columns):
    return np.ones((rows, columns), np.float32)


CALLS = {
    "run": lambda job: tessera.Core(job).run(job),
    "run, reference": lambda job: tessera.Core(job).run(job, reference=True),
    "finish": lambda job: tessera.Core(job).start(job).finish(),
    "step": lambda job: tessera.Core(job).start(job).step(1 << 60),
    "step_cycles": lambda job: tessera.Core(job).start(job).step_cycles(1 << 60),
    "find_races": lambda job: tessera.find_races(job, runs=100_000),
    "view": tessera.view,
    "trace_lines": tessera.trace_lines,
    "trace_lines, writes": lambda job: tessera.trace_lines(job, writes=True),
    "trace_perfetto": tessera.trace_perfetto,
    "trace_report": tessera.trace_report,
    "matmul": lambda job: tessera.matmul(large(8192, 8192), large(8192, 8192)),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_ends(name, job, default_handler):
    seconds = seconds_to_stop(lambda: CALLS[name](job))
    print(f"{name}: {seconds:.3f} s")
    assert seconds < BOUND
    core = tessera.Core("blackhole")
    assert not core.running and core.run(tessera.assemble("NOP\n", "blackhole")).good


def test_many_short_schedules_end_too(default_handler):
    job = tessera.load_job(os.path.join(os.path.dirname(__file__), "../../examples/seeds/5.2-tilize.toml"))
    assert seconds_to_stop(lambda: tessera.find_races(job, runs=100_000)) < BOUND


DAEMON = """
import sys
import threading
import time
import numpy as np
import tessera

job, ones = tessera.load_job(sys.argv[2]), np.ones((256, 256), np.float32)

def chip():
    chip = tessera.Chip("blackhole", grid=(1, 1))
    chip.load(0, 0, job.kernels)
    chip.run(max_cycles=10**15, on_packet=print)

def for_ever(call):
    while True:
        call()

calls = {
    "run": lambda: tessera.Core(job).run(job),
    "finish": lambda: tessera.Core(job).start(job).finish(),
    "chip": chip,
    "find_races": lambda: tessera.find_races(job, runs=10**5),
    "matmul": lambda: for_ever(lambda: tessera.matmul(ones, ones)),
    "tilize": lambda: for_ever(lambda: tessera.tilize(ones, "Bfp8_b")),
}
for _ in range(3):
    threading.Thread(target=calls[sys.argv[1]], daemon=True).start()
time.sleep(0.2)
"""


@pytest.mark.parametrize("name", ["run", "finish", "chip", "find_races", "matmul", "tilize"])
def test_the_interpreter_ends_while_daemon_threads_are_in_a_call(name, job):
    for _ in range(5):
        begun = time.monotonic()
        assert in_its_own_process(DAEMON, name, job.file) == (0, "", "")
        assert time.monotonic() - begun < BOUND


def test_a_handler_can_wait_for_a_daemon_thread():
    program = """
import atexit, threading, time
over = threading.Event()
atexit.register(lambda: (over.set(), thread.join(), print("joined")))  # runs after the hook of tessera
import tessera
core, program = tessera.Core("blackhole"), tessera.assemble("NOP", "blackhole")
def work():
    while not over.is_set():
        core.run(program)
thread = threading.Thread(target=work, daemon=True)
thread.start()
time.sleep(0.1)
"""
    assert in_its_own_process(program) == (0, "joined\n", "")


def test_functions_can_be_called_while_the_interpreter_ends():
    program = """
import atexit
atexit.register(lambda: print(core.run(program).good))  # runs after the hook of tessera
import tessera
core, program = tessera.Core("blackhole"), tessera.assemble("NOP", "blackhole")
"""
    assert in_its_own_process(program) == (0, "True\n", "")


class Enough(Exception):
    pass


def raised_by_a_handler(error, call):
    """What a call raises whose signal handler raises an error after a while."""
    def handler(number, frame):
        raise error

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(type(error)) as raised:
            call()
    finally:
        signal.signal(signal.SIGALRM, before)
    return raised.value


@pytest.mark.parametrize("error", [Enough(), TypeError("of the handler")])
def test_other_exceptions_of_handlers_end_a_call(job, error):
    assert raised_by_a_handler(error, lambda: tessera.matmul(large(8192, 8192), large(8192, 8192))) is error
    assert raised_by_a_handler(error, tessera.Core(job).start(job).finish) is error
    assert raised_by_a_handler(error, lambda: tessera.Core(job).run(job, reference=np.True_, timeout=Decimal(99))) is error


def ended_by_a_signal(job):
    execution = tessera.Core(job).start(job)
    raised_by_a_handler(Enough(), execution.finish)
    return execution


def ended_by_a_limit(job):
    execution = tessera.Core(job).start(job, timeout=0.05)
    assert not execution.finish()
    return execution


@pytest.mark.parametrize("ended", [ended_by_a_signal, ended_by_a_limit])
def test_where_a_signal_or_limit_ends_a_run_is_not_pickled(job, ended):
    execution = ended(job)
    with pytest.raises(tessera.InputError, match="a limit of this computer ended its run") as refused:
        pickle.dumps(execution.snapshot())
    assert refused.value.code == "run.snapshot"


def test_a_run_that_a_signal_ended_can_go_back_to_a_snapshot(job):
    execution = tessera.Core(job).start(job)
    execution.step_cycles(1000)
    before = execution.snapshot()
    raised_by_a_handler(Enough(), execution.finish)
    execution.restore(before)
    assert pickle.loads(pickle.dumps(execution.snapshot())) == before


def test_a_handler_that_raises_nothing_does_not_disturb(job):
    calls = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: calls.append(number))
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    try:
        a = np.random.default_rng(1).standard_normal((512, 512), dtype=np.float32)
        first = tessera.matmul(a, a)
        while not calls:
            assert np.array_equal(tessera.matmul(a, a), first)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
