# SPDX-License-Identifier: Apache-2.0
"""tessera.sweep(): runs, rows, and what happens when runs fail or the sweep is interrupted."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import tessera
from sweeps import ENVIRONMENT, MEASURE, code_of, command, folder, logged, sweep_of, write  # noqa: F401


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_each_combination_is_a_row(folder, workers):
    results = tessera.sweep(sweep_of(folder, "placed"), workers=workers)
    rows = list(results.rows())
    assert [row["n"] for row in rows] == list(range(100))
    assert [row["square"] for row in rows] == [n * n for n in range(100)]
    assert [row["number"] for row in rows] == list(range(100))
    assert all(row["configuration"] == {"n": row["n"]} and row["status"] == "good" for row in rows)
    assert all(row["version"] == tessera.__version__ for row in rows)
    assert results.counts() == {"good": 100} and results.total == len(results) == 100
    assert results.path == str(folder / "s.sqlite")
    assert len({row["process"] for row in rows}) <= max(workers, 1)
    assert (os.getpid() in {row["process"] for row in rows}) == (workers == 0)


def test_a_finished_sweep_is_a_look_up(folder):
    first = list(tessera.sweep(sweep_of(folder)).rows())
    assert list(tessera.sweep(sweep_of(folder)).rows()) == first
    assert logged(folder) == {str(n): 1 for n in range(100)}


def test_a_longer_axis_adds_rows_and_a_shorter_one_hides_them(folder):
    tessera.sweep(sweep_of(folder, last=9))
    longer = tessera.sweep(sweep_of(folder, last=19))
    assert [row["n"] for row in longer.rows()] == list(range(20))
    shorter = tessera.sweep(sweep_of(folder, last=4))
    assert [row["n"] for row in shorter.rows()] == list(range(5)) and shorter.total == 5
    assert logged(folder) == {str(n): 1 for n in range(20)}


def test_a_new_axis_makes_new_rows(folder):
    spec = {"python": lambda **values: sum(values.values()), "axes": {"a": [1, 2]}}
    tessera.sweep(spec, results=folder / "r.sqlite")
    results = tessera.sweep({**spec, "axes": {"a": [1, 2], "b": [10, 20]}}, results=folder / "r.sqlite")
    assert [(row["a"], row["b"], row["value"]) for row in results.rows()] == [(1, 10, 11), (1, 20, 21), (2, 10, 12), (2, 20, 22)]


def test_changed_inputs_are_run_again(folder):
    np.save(folder / "a.npy", np.full((32, 32), 1.5, np.float32))
    np.save(folder / "b.npy", np.full((32, 32), 2.0, np.float32))
    spec = write(folder, 'function = "elwadd"\n[values]\nb = "b.npy"\n[axes]\na = ["a.npy", "b.npy"]\nformat = ["Float16_b", "Bfp8_b"]\n')
    before = list(tessera.sweep(spec).rows())
    np.save(folder / "a.npy", np.full((32, 32), 3.5, np.float32))
    after = list(tessera.sweep(spec).rows())
    assert [a["key"] == b["key"] for a, b in zip(before, after)] == [False, False, True, True]
    assert [a["state"] == b["state"] for a, b in zip(before, after)] == [False, False, True, True]


def test_a_changed_function_is_run_again(folder):
    tessera.sweep(sweep_of(folder, last=3))
    (folder / "measure.py").write_text(MEASURE.replace("return n * n\n", "return n * n * n\n"))
    assert [row["value"] for row in tessera.sweep(sweep_of(folder, last=3)).rows()] == [0, 1, 8, 27]


def test_changed_inputs_of_equal_names_are_run_again(folder):
    """1 and True are equal to Python."""
    for name, value in (("a", 1.5), ("b", 2.0)):
        np.save(folder / f"{name}.npy", np.full((32, 32), value, np.float32))
    spec = write(folder, 'function = "convert"\n[values]\nto = "Float16_b"\n'
                         '[axes]\np = [{ name = 1, a = "a.npy" }, { name = true, a = "b.npy" }]\n')
    before = tessera.sweep(spec, workers=0).columns(["state"])["state"]
    np.save(folder / "b.npy", np.full((32, 32), 3.5, np.float32))
    after = tessera.sweep(spec, workers=0).columns(["state"])["state"]
    assert [a == b for a, b in zip(before, after)] == [True, False]


def test_a_file_that_is_missing_is_an_error_of_its_runs(folder):
    names = [f"{n}.npy" for n in range(70)]
    for name in names:
        np.save(folder / name, np.ones((32, 32), np.float32))
    (folder / names[66]).unlink()
    spec = write(folder, f'function = "convert"\n[values]\nto = "Float16_b"\n[axes]\na = {json.dumps(names)}\n')
    rows = list(tessera.sweep(spec, workers=0).rows())
    assert [row["a"] for row in rows if row["status"] != "good"] == [names[66]]
    assert rows[66]["code"] == "sweep.array"
    np.save(folder / names[66], np.ones((32, 32), np.float32))
    assert tessera.sweep(spec, workers=0).counts() == {"good": 70}


def test_settings_that_become_one_argument_are_refused(folder):
    code, message = code_of(tessera.sweep, {"python": lambda a_b: a_b, "axes": {"a.b": [1, 2], "a_b": [3, 4]}}, results=folder / "r.sqlite")
    assert code == "sweep.argument" and "'a.b' and 'a_b'" in message


@pytest.mark.parametrize("workers", [1, 2])
def test_failed_runs_are_rows(folder, workers):
    results = tessera.sweep(sweep_of(folder, "fragile", 199), workers=workers)
    rows = {row["n"]: row for row in results.rows()}
    assert len(rows) == 200
    assert results.counts() == {"good": 198, "error": 1, "lost": 1}
    assert (rows[7]["status"], rows[7]["code"]) == ("error", "ValueError")
    assert rows[7]["message"].startswith("seven (") and "measure.py:" in rows[7]["message"]
    assert (rows[11]["status"], rows[11]["message"]) == ("lost", "its process ended by SIGKILL")
    assert all(rows[n]["value"] == n * n for n in rows if n not in (7, 11))
    assert logged(folder) == {str(n): 1 for n in range(200)}


def test_only_a_lost_run_is_tried_again(folder):
    tessera.sweep(sweep_of(folder, "fragile", 20))
    tessera.sweep(sweep_of(folder, "fragile", 20))
    assert logged(folder) == {str(n): 2 if n == 11 else 1 for n in range(21)}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_sweep_goes_on_and_no_run_is_done_twice(folder, number):
    process = subprocess.Popen(command(specification=str(sweep_of(folder, "slow", 999))), env=ENVIRONMENT, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
    while sum(logged(folder).values()) < 100 and process.poll() is None:
        time.sleep(0.01)
    os.killpg(process.pid, number)
    _, errors = process.communicate()
    assert process.returncode == 128 + number, errors
    begun = sum(logged(folder).values())
    assert 100 <= begun < 1000
    with sqlite3.connect(folder / "s.sqlite") as file:
        assert file.execute("SELECT count(*) FROM runs").fetchone() == (begun,)
    results = tessera.sweep(sweep_of(folder, "slow", 999))
    assert [row["value"] for row in results.rows()] == [n * n for n in range(1000)]
    assert logged(folder) == {str(n): 1 for n in range(1000)}


def test_progress_is_told(folder):
    told = []
    tessera.sweep(sweep_of(folder, "fragile", 30), progress=lambda state: told.append((state.total, state.found + state.done, state.failed)))
    assert told[-1] == (31, 31, 2)
    tessera.sweep(sweep_of(folder, "fragile", 9), progress=lambda state: told.append((state.found, state.done, state.failed)))
    assert told[-1] == (10, 0, 1)  # the run that raised, not the lost one, is among the known ones
    tessera.sweep(sweep_of(folder, "fragile", 40), progress=lambda state: told.append((state.total, state.found, state.done)))
    assert told[-1] == (41, 30, 11)  # ten new ones and the lost one


@pytest.mark.parametrize("argument", ["specification", "results", "against"])
def test_an_empty_path_is_told(folder, argument):
    arguments = {"specification": sweep_of(folder), argument: ""}
    code, message = code_of(lambda: tessera.sweep(**arguments))
    assert code == "sweep.value" and f"the path of '{argument}' is empty" in message


@pytest.mark.parametrize("change, words", [
    ({"axes": {"forma": ["Float16_b"]}}, "no argument 'forma'; did you mean 'format'?"),
    ({"axes": {"format": ["Float61"]}}, "format = 'Float61'"),
    ({"axes": {"a": ["none.npy"]}}, "none.npy"),
    ({"function": "matmull"}, "did you mean 'matmul'?"),
    ({"values": {}}, "matmul() needs 'a'"),
    ({"values": {"a": {"random": "gauss", "shape": [2, 2]}}}, "no random numbers are 'gauss'"),
    ({"values": {"a": {"random": "normal", "shape": [2, 2], "low": 0}}}, "unknown key 'low'"),
    ({"values": {"a": {"random": "normal"}}}, "need a shape"),
    ({"values": {"a": {"random": "normal", "shape": [-1, 32]}}}, "whole numbers from 1 on, not -1"),
    ({"values": {"a": {"random": "normal", "shape": [2**40, 2**40]}}}, "268,435,456 at most"),
    ({"axes": {"p": [{"name": "x", "a": {"random": "normal", "shape": [32, 32], "scale": -1}}]}, "values": {}}, "'scale' is a number from 0 on, not -1"),
    ({"metrics": lambda: 1}, "'metrics': <lambda>() must take one argument"),
    ({"reference": lambda run, other: 1}, "'reference': <lambda>(run, other) must take one argument"),
    ({"report": {"cost": "foo"}}, "[report] cost = 'foo': no run can have such a number"),
    ({"report": {"error": "fidelity"}}, "[report] error = 'fidelity': no run can have such a number"),
    ({"reference": "none.npy"}, "'reference': there is no file 'none.npy'"),
    ({"reference": "no.py:f"}, "no.py: no such Python file"),
    ({"metrics": "measure.py:squar"}, "did you mean 'square'?"),
    ({"inputs": ["none-*"]}, "no file is 'none-*'"),
    ({"where": "fidelity == 'HiFi5'"}, "'where' refuses all")])
def test_wrong_sweeps_are_refused_before_the_first_run(folder, monkeypatch, change, words):
    monkeypatch.chdir(folder)
    values = dict.fromkeys("ab", {"random": "normal", "shape": [32, 32]})
    axes = change.pop("axes", {"fidelity": ["LoFi"]})
    if "a" in axes:
        del values["a"]
    code, message = code_of(tessera.sweep, {"function": "matmul", "values": values, "axes": axes, **change}, results="r.sqlite")
    assert code.startswith("sweep.") and words in message
    assert not (folder / "r.sqlite").exists()


READING = """
import os
HERE = os.path.dirname(__file__)

def read(n):
    if n == 5 and not os.path.exists(os.path.join(HERE, "changed")):
        for name, text in (("changed", ""), ("data", "22")):
            with open(os.path.join(HERE, name), "w") as file:
                file.write(text)
    with open(os.path.join(HERE, "data")) as file:
        return int(file.read())
"""


@pytest.mark.parametrize("workers", [0, 1])
def test_a_file_that_changes_while_runs_read_it_leaves_no_row(folder, workers):
    (folder / "measure.py").write_text(READING)
    (folder / "data").write_text("1")
    spec = write(folder, 'python = "measure.py:read"\ninputs = ["data"]\n[axes]\nn = { from = 0, to = 9 }\n')
    done = subprocess.run(command(specification=str(spec), workers=workers, quiet=True), env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert f"{folder / 'data'} changed while the sweep ran; the same call does the runs that read it again [sweep.changed]" in done.stderr
    assert [row["value"] for row in tessera.sweep(spec, workers=workers).rows()] == [22] * 10
    (folder / "data").write_text("1")
    assert [row["value"] for row in tessera.sweep(spec, workers=workers).rows()] == [1] * 10


TOUCHING = """
import os
HERE = os.path.dirname(__file__)

def touch(n):
    if n == 5:
        os.utime(os.path.join(HERE, "data"), (n, n))
        with open(__file__, "a") as file:
            file.write("# another version\\n")
    return n
"""


@pytest.mark.parametrize("workers", [0, 1])
def test_a_touched_file_and_that_of_the_function_do_not_end_the_sweep(folder, workers):
    (folder / "measure.py").write_text(TOUCHING)
    (folder / "data").write_text("1")
    spec = write(folder, 'python = "measure.py:touch"\ninputs = ["data"]\n[axes]\nn = { from = 0, to = 9 }\n')
    done = subprocess.run(command(specification=str(spec), workers=workers, quiet=True), env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (folder / "data").stat().st_mtime == 5 and "another version" in (folder / "measure.py").read_text()
    with sqlite3.connect(folder / "s.sqlite") as file:
        assert file.execute("SELECT value FROM runs ORDER BY number").fetchall() == [(n,) for n in range(10)]


@pytest.mark.parametrize("workers", [0, 1])
def test_a_function_that_leaves_python_fails_only_its_own_run(folder, workers):
    rows = list(tessera.sweep({"python": lambda n: sys.exit("enough") if n == 1 else n, "axes": {"n": range(3)}},
                              results=folder / "r.sqlite", workers=workers).rows())
    assert [row["status"] for row in rows] == ["good", "error", "good"]
    assert rows[1]["code"] == "SystemExit" and rows[1]["message"].startswith("enough (")


class Own(BaseException):
    """An exception that is no Exception."""


@pytest.mark.parametrize("workers", [0, 1])
def test_an_exception_of_any_kind_fails_only_its_own_run(folder, workers):
    def run(n):
        if n == 1:
            raise Own("enough")
        return n

    rows = list(tessera.sweep({"python": run, "axes": {"n": range(3)}}, results=folder / "r.sqlite", workers=workers).rows())
    assert [row["status"] for row in rows] == ["good", "error", "good"]
    assert rows[1]["code"] == "Own" and rows[1]["message"].startswith("enough (")


@pytest.mark.parametrize("workers", [0, 2])
def test_settings_that_pickle_refuses_come_to_workers(folder, workers):
    def run(lock, n):
        with lock:
            return n

    found = tessera.sweep({"python": run, "values": {"lock": threading.Lock()}, "axes": {"n": [1, 2]}},
                          results=folder / "r.sqlite", workers=workers)
    assert found.columns(["status", "value"]) == {"status": ["good", "good"], "value": [1, 2]}


def test_a_function_may_change_the_folder_without_workers(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(folder)

    def run(n):
        os.chdir(tmp_path)
        return n

    found = tessera.sweep({"python": run, "axes": {"n": [1, 2]}}, results="here.sqlite", csv="here.csv", workers=0)
    assert found.columns(["value"]) == {"value": [1, 2]}
    assert os.path.isfile(folder / "here.csv")
