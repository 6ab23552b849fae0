# SPDX-License-Identifier: Apache-2.0
"""Sweeps on a Dask cluster: the same rows as on this machine, whatever happens to workers."""

import json
import os
import signal
import subprocess
import sys
import time
import warnings

import distributed
import numpy as np
import pytest

import tessera
from sweeps import ENVIRONMENT, code_of, command
from tessera.sweeps import cluster
from tessera.sweeps.packing import pack
from tessera.sweeps.plan import Plan
from tessera.sweeps.specification import read_specification

PACKAGE = os.path.dirname(tessera.__file__)
PATIENCE = 60
GATE = 40

# `log` is a folder for all machines: one line for each run that begins, and a gate at which later runs wait.
MEASURE = f"""
import os, signal, time
import numpy as np
import tessera

HERE = os.path.dirname(os.path.abspath(__file__))

def begin(n, log):
    with open(os.path.join(log, "log"), "a") as file:
        file.write(f"{{n}} {{HERE}}\\n")

def gated(n, log):
    begin(n, log)
    while n >= {GATE} and not os.path.exists(os.path.join(log, "open")):
        time.sleep(0.005)
    table = np.load(os.path.join(HERE, "data", "table.npy"))
    sum = tessera.elwadd(np.roll(table, n), table, format="Float16_b")
    return {{"sum": float(np.sum(sum)), "result": np.asarray(sum, np.float32)}}

def deadly(n, log):
    begin(n, log)
    if n == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    if n == 7:
        os.kill(os.getppid(), signal.SIGKILL)
    return n
"""


def wait_for(condition):
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.02)


class Machines:
    """A scheduler and workers: processes of their own, each worker with a folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.workers = {}
        self.scheduler = self.start("scheduler", "--port", "0", "--scheduler-file", str(folder / "scheduler.json"))
        wait_for(lambda: (folder / "scheduler.json").exists() and (folder / "scheduler.json").read_text().endswith("}"))
        self.address = json.loads((folder / "scheduler.json").read_text())["address"]

    def start(self, kind, *options, package=PACKAGE):
        environment = dict(os.environ, PYTHONPATH=os.path.dirname(package))
        with open(self.folder / "output", "a") as output:
            return subprocess.Popen([sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard", *options], cwd=self.folder,
                                    env=environment, stdout=output, stderr=output)

    def add(self, name, package=PACKAGE):
        self.workers[name] = self.start("worker", self.address, "--no-nanny", "--nthreads", "1", "--name", name, "--local-directory",
                                        str(self.folder / name), package=package)

    def present(self):
        with distributed.Client(self.address, set_as_default=False) as client:
            return {worker["name"] for worker in client.scheduler_info()["workers"].values()}

    def end(self, name):
        self.workers.pop(name).kill()

    def close(self):
        for process in [*self.workers.values(), self.scheduler]:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    made = Machines(tmp_path_factory.mktemp("machines"))
    for name in ("w0", "w1", "w2", "w3"):
        made.add(name)
    wait_for(lambda: made.present() == {"w0", "w1", "w2", "w3"})
    yield made
    made.close()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "log").mkdir()
    (tmp_path / "measure.py").write_text(MEASURE)
    np.save(tmp_path / "data" / "table.npy", np.random.default_rng(1).normal(size=(32, 32)).astype(np.float32))
    return tmp_path


def sweep_file(folder, function="gated", last=199):
    (folder / "s.toml").write_text(f'python = "measure.py:{function}"\ninputs = ["data/*"]\n[values]\nlog = "{folder / "log"}"\n'
                                   f"[axes]\nn = {{ from = 0, to = {last} }}\n")
    return folder / "s.toml"


def logged(folder):
    """The runs that have begun: number, folder."""
    path = folder / "log" / "log"
    return [(int(line.split()[0]), line.split()[1]) for line in path.read_text().splitlines()] if path.exists() else []


def open_gate(folder):
    (folder / "log" / "open").touch()


def rows(results):
    return [{name: value for name, value in row.items() if name != "seconds"} for row in results.rows()]


def at_gate(folder, name):
    return any(n >= GATE and f"/{name}/" in where for n, where in logged(folder))


def other_version(folder):
    """The package as a worker with another version has it."""
    package = folder / "other" / "tessera"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(f'__version__ = "0.0.7"\n__path__ = [{PACKAGE!r}]\n')
    return str(package)


def test_rows_are_those_of_this_machine_with_a_worker_killed_and_one_added(machines, folder):
    added = []

    def watch(progress):
        if not added and all(at_gate(folder, name) for name in ("w0", "w1", "w2", "w3")):
            machines.end("w3")
            machines.add("w4")
            added.append("w4")
        if added and at_gate(folder, "w4"):
            open_gate(folder)

    spec = sweep_file(folder)
    there = tessera.sweep(spec, results=folder / "there.sqlite", dask=machines.address, progress=watch)
    begun = logged(folder)
    assert there.counts() == {"good": 200}
    assert {n for n, _ in begun} == set(range(200))
    assert {os.path.relpath(where, machines.folder).split("/")[0] for _, where in begun} == {"w0", "w1", "w2", "w3", "w4"}
    assert all(where.startswith(str(machines.folder)) for _, where in begun)  # each worker read its own copy of the inputs
    assert len({where for _, where in begun}) == 5
    assert rows(there) == rows(tessera.sweep(spec, results=folder / "here.sqlite", workers=2))
    assert len({row["state"] for row in rows(there)}) > 100
    wait_for(lambda: not any(os.path.exists(where) for _, where in begun))


def test_a_client_and_a_finished_sweep(machines, folder):
    open_gate(folder)
    with distributed.Client(machines.address, set_as_default=False) as client:
        first = rows(tessera.sweep(sweep_file(folder, last=9), dask=client))
        assert rows(tessera.sweep(sweep_file(folder, last=9), dask=client)) == first
        assert client.status == "running"
    assert sorted(n for n, _ in logged(folder)) == list(range(10))


def test_files_that_change_before_they_are_packed_are_told(folder):
    plan = Plan(read_specification(sweep_file(folder)))
    np.save(folder / "data" / "table.npy", np.zeros((2, 2)))
    code, message = code_of(pack, plan)
    assert code == "sweep.changed" and "table.npy changed while the sweep began" in message


def test_functions_travel(machines, folder):
    factor = 3
    results = tessera.sweep({"python": lambda n: factor * n, "axes": {"n": range(20)}}, results=folder / "r.sqlite", dask=machines.address)
    assert [row["value"] for row in results.rows()] == [3 * n for n in range(20)]


def test_a_worker_of_another_version_is_refused(machines, folder):
    spec = sweep_file(folder)
    package = other_version(folder)
    told = []

    def watch(progress):
        if at_gate(folder, "w0") and "late" not in machines.workers:
            machines.add("late", package)
        if told:
            open_gate(folder)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", RuntimeWarning)
        warnings.showwarning = lambda message, *_: told.append(str(message))
        results = tessera.sweep(spec, dask=machines.address, progress=watch)
    assert len(told) == 1 and f"has tessera 0.0.7, and not {tessera.__version__}: it gets no runs" in told[0]
    assert results.counts() == {"good": 200}
    assert not any("/late/" in where for _, where in logged(folder))
    code, message = code_of(tessera.sweep, spec, results=folder / "new.sqlite", dask=machines.address)
    assert code == "sweep.cluster" and "has tessera 0.0.7" in message
    assert not (folder / "new.sqlite").exists()
    machines.end("late")
    wait_for(lambda: "late" not in machines.present())


def test_a_run_that_ends_its_process_or_its_worker_is_one_lost_row(folder):
    results = tessera.sweep(sweep_file(folder, "deadly", 30), dask="local")
    found = {row["n"]: row for row in results.rows()}
    assert results.counts() == {"good": 29, "lost": 2}
    assert (found[5]["status"], found[5]["message"]) == ("lost", "its process ended by SIGKILL")
    assert (found[7]["status"], found[7]["message"]) == ("lost", "3 workers were lost with it")
    assert all(found[n]["value"] == n for n in found if n not in (5, 7))
    begun = [n for n, _ in logged(folder)]
    assert begun.count(5) >= 1 and begun.count(7) == cluster.MOST_LOSSES


@pytest.mark.parametrize("lost, words", [("scheduler", "connection to the Dask scheduler is lost"), ("worker", "all workers of the Dask cluster are gone")])
def test_a_lost_cluster_is_an_error_and_the_next_call_goes_on(folder, tmp_path_factory, monkeypatch, lost, words):
    if lost == "worker":
        monkeypatch.setattr(cluster, "WORKERLESS_SECONDS", 5)
    made = Machines(tmp_path_factory.mktemp("lost"))

    def watch(progress):
        if not made.workers and not logged(folder):
            made.add("w")
        if made.workers and at_gate(folder, "w"):
            made.scheduler.kill() if lost == "scheduler" else made.end("w")

    try:
        with pytest.raises(tessera.Error, match=f"{words}.*the same call goes on") as error, pytest.warns(RuntimeWarning, match="has no worker"):
            tessera.sweep(sweep_file(folder, last=60), dask=made.address, progress=watch)
        assert error.value.code == "sweep.cluster"
    finally:
        made.close()
    open_gate(folder)
    stored = {row["n"] for row in tessera.sweeps.store.Results.open(str(folder / "s.sqlite")).rows()}
    assert stored
    before = len(logged(folder))
    assert tessera.sweep(sweep_file(folder, last=60), workers=1).counts() == {"good": 61}
    assert sorted(n for n, _ in logged(folder)[before:]) == sorted(set(range(61)) - stored)


def test_an_interrupt_stores_what_has_come(machines, folder):
    process = subprocess.Popen(command(specification=str(sweep_file(folder)), dask=machines.address), env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: len({where for n, where in logged(folder) if n >= GATE}) >= 3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, errors
    stored = {row["n"] for row in tessera.sweeps.store.Results.open(str(folder / "s.sqlite")).rows()}
    assert stored and stored <= set(range(GATE))
    before = len(logged(folder))
    open_gate(folder)
    assert tessera.sweep(sweep_file(folder), dask=machines.address).counts() == {"good": 200}
    assert sorted(n for n, _ in logged(folder)[before:]) == sorted(set(range(200)) - stored)


@pytest.mark.parametrize("address, why", [("nowhere", "missing port number"), ("foo://a:1", "unknown address scheme")])
def test_a_wrong_address_is_one_message_and_a_quick_end(folder, address, why):
    begin = time.monotonic()
    done = subprocess.run(command(specification=str(sweep_file(folder)), dask=address, quiet=True), env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 2 and why in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert time.monotonic() - begin < 2 * cluster.CONNECT_SECONDS


def test_no_scheduler_and_no_package(folder, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.2)
    code, message = code_of(tessera.sweep, sweep_file(folder), dask="tcp://127.0.0.1:1")
    assert code == "sweep.cluster" and "tcp://127.0.0.1:1 does not answer" in message
    code, message = code_of(tessera.sweep, sweep_file(folder), dask=3)
    assert code == "sweep.value" and "dask= is the address of a scheduler" in message
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, message = code_of(tessera.sweep, sweep_file(folder), dask="local")
    assert code == "sweep.package" and "needs the Python package distributed" in message
    assert not logged(folder) and not (folder / "s.sqlite").exists()
