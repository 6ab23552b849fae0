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
from tessera.errors import error_of
from tessera.sweeps import store
from tessera.sweeps.arrays import check_random, random_array
from tessera.sweeps.summary import summary
from tessera.sweeps.targets.array_function import FUNCTIONS


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


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_over_arrays_give_their_own_results(folder, name):
    random = np.random.default_rng(3)
    a, b = random.normal(size=(32, 64)).astype(np.float32), random.normal(size=(64, 32) if name == "matmul" else (32, 64)).astype(np.float32)
    np.save(folder / "a.npy", a)
    np.save(folder / "b.npy", b)
    second = {"gapool": None, "gmpool": None, "convert": None}.get(name, "b.npy")
    exact = {"matmul": lambda a, b: a @ b, "elwadd": np.add, "elwsub": np.subtract, "elwmul": np.multiply,
             "gapool": lambda a: a.sum(0, keepdims=True), "gmpool": lambda a: a.max(0, keepdims=True), "convert": lambda a: a}[name]
    formats = ["Float16_b", "Bfp8_b", "Bfp4_b"]
    values = 'a = "a.npy"\n' + (f'b = "{second}"\n' if second else "")
    axis = "to" if name == "convert" else "format"
    spec = write(folder, f'function = "{name}"\n[values]\n{values}[axes]\n{axis} = {json.dumps(formats)}\n')
    arrays = [a, b] if second else [a]
    for row, format in zip(tessera.sweep(spec, workers=1).rows(), formats):
        result = getattr(tessera, name)(*arrays, format) if name == "convert" else getattr(tessera, name)(*arrays, format=format)
        difference = np.abs(np.asarray(result, np.float64) - exact(*(each.astype(np.float64) for each in arrays)))
        assert row["error_max"] == difference.max()
        assert row["error_rms"] == pytest.approx(np.sqrt((difference**2).mean()))


def test_seeds_of_data_change_random_arrays_and_nothing_else_does(folder):
    spec = write(folder, 'function = "matmul"\n[values]\na = { random = "normal", shape = [32, 32], scale = 2 }\n'
                         'b = { random = "uniform", shape = [32, 32], low = -1, high = 1, seed = 5 }\n'
                         '[axes]\nformat = ["Float16_b"]\ndata.seed = { from = 0, to = 9 }\n')
    first = [row["state"] for row in tessera.sweep(spec, results=folder / "1.sqlite").rows()]
    assert len(set(first)) == 10
    assert [row["state"] for row in tessera.sweep(spec, results=folder / "2.sqlite", workers=0).rows()] == first


def test_combinations_that_the_library_refuses_are_rows(folder):
    spec = {"function": "elwadd", "values": dict.fromkeys("ab", {"random": "integers", "shape": [32, 32], "low": 0, "high": 9}),
            "axes": {"format": ["Float16_b", "Int8"], "dst_bits": [16, 32]}}
    rows = tessera.sweep(spec, results=folder / "r.sqlite").rows()
    assert [(row["status"], row["code"]) for row in rows] == [("good", ""), ("good", ""), ("error", "arrays.dst"), ("good", "")]


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


@pytest.mark.parametrize("wrong, words", [
    ({"random": ["normal"]}, "no random numbers are ['normal']"),
    ({"random": "normal", "scale": -1}, "'scale' is a number from 0 on, not -1"),
    ({"random": "normal", "scale": True}, "'scale' is a finite number, not True"),
    ({"random": "normal", "mean": float("nan")}, "'mean' is a finite number, not nan"),
    ({"random": "normal", "mean": 10**5000}, "'mean' is a finite number, not an int of"),
    ({"random": "normal", "seed": True}, "'seed' is a whole number, not True"),
    ({"random": "uniform", "low": 2}, "'low' is 2, above 'high', which is 1"),
    ({"random": "uniform", "high": float("inf")}, "'high' is a finite number, not inf"),
    ({"random": "uniform", "low": 0, "high": 1e300}, "'high' is beyond float32, which ends at 3.4028235e+38: 1e+300"),
    ({"random": "uniform", "low": -(10**39)}, "'low' is beyond float32"),
    ({"random": "normal", "mean": 3.41e38}, "'mean' is beyond float32"),
    ({"random": "normal", "scale": 1e39}, "'scale' is beyond float32"),
    ({"random": "integers", "low": 3, "high": 2}, "'low' is 3, above 'high', which is 2"),
    ({"random": "integers", "high": 1e30}, f"is a whole number of {-2**63} to {2**63 - 1}, not 1e+30"),
    ({"random": "integers", "high": 2**63}, f"not {2**63}"),
    ({"random": "integers", "low": 0.5}, "is a whole number of")])
def test_wrong_random_numbers_are_refused(wrong, words):
    code, message = code_of(check_random, "a", {"shape": [2, 2], **wrong})
    assert code == "sweep.array" and words in message


@pytest.mark.filterwarnings("error")
def test_random_floats_are_finite():
    most = float(np.finfo(np.float32).max)
    widest = {"random": "uniform", "shape": [1000], "low": -most, "high": most}
    check_random("a", widest)
    assert np.isfinite(random_array("a", widest, 0)).all()
    # About a third of all numbers are beyond one scale.
    code, message = code_of(random_array, "a", {"random": "normal", "shape": [1000], "scale": most}, 0)
    assert code == "sweep.array" and "a random number is beyond float32" in message


@pytest.mark.parametrize("bounds", [(-2**63, 2**63 - 1), (5, 5), (1.0, 3.0)])
def test_random_integers_may_have_any_bounds_of_64_bits(bounds):
    value = {"random": "integers", "shape": [100], "low": bounds[0], "high": bounds[1]}
    check_random("a", value)
    drawn = random_array("a", value, 0)
    assert drawn.dtype == np.int64 and bounds[0] <= drawn.min() <= drawn.max() <= bounds[1]


def test_sizes_may_be_numbers_of_numpy():
    value = {"random": "normal", "shape": (np.int64(2), np.uint8(3))}
    check_random("a", value)
    assert random_array("a", value, 0).shape == (2, 3)
    code, message = code_of(check_random, "a", {"random": "normal", "shape": [np.int64(2**40)] * 2})
    assert code == "sweep.array" and "shape [1099511627776, 1099511627776]" in message


def test_a_function_of_c_may_tell_no_arguments(folder):
    (row,) = tessera.sweep({"python": max, "axes": {"n": [1], "data.seed": [0]}}, results=folder / "r.sqlite", workers=0).rows()
    assert (row["status"], row["code"]) == ("error", "TypeError")


@pytest.mark.parametrize("argmax", [False, True])
def test_a_function_with_two_results_is_refused(folder, argmax):
    spec = {"function": "gmpool", "values": {"a": {"random": "normal", "shape": [32, 32]}}, "axes": {"argmax": [argmax]}}
    code, message = code_of(tessera.sweep, spec, results=folder / "r.sqlite")
    assert code == "sweep.argument" and "'argmax' gives two arrays, and a sweep has one result: use 'python'" in message


def test_arguments_of_a_function_are_checked_before_the_first_run(folder):
    spec = write(folder, 'python = "measure.py:square"\n[axes]\nm = [1, 2]\n')
    with pytest.raises(tessera.InputError, match=r"square\(\): .*'n'.*its arguments are \(n\)"):
        tessera.sweep(spec)
    (folder / "measure.py").write_text("import no_such_module\n")
    with pytest.raises(tessera.Error, match="ModuleNotFoundError"):
        tessera.sweep(sweep_of(folder))


def test_a_file_that_is_no_results_file_is_left_alone(folder):
    (folder / "s.sqlite").write_text("something else, longer than a header" * 100)
    assert code_of(tessera.sweep, sweep_of(folder))[0] == "sweep.results"
    assert (folder / "s.sqlite").read_text().startswith("something else")
    with sqlite3.connect(folder / "other.sqlite") as file:
        file.execute("CREATE TABLE runs (x)")
    with pytest.raises(tessera.InputError, match="is not a results file"):
        tessera.sweep(sweep_of(folder), results=folder / "other.sqlite")


def test_one_sweep_at_a_time_writes_to_a_file(folder):
    def nested(n):
        return {"told": code_of(tessera.sweep, sweep_of(folder, last=3), results=folder / "r.sqlite")[0]}

    rows = tessera.sweep({"python": nested, "axes": {"n": [1]}}, results=folder / "r.sqlite", workers=0).rows()
    assert [row["told"] for row in rows] == ["sweep.busy"]


def test_measures_that_cannot_be_columns_are_failures_of_their_runs(folder):
    names = ["fine", "code", "Fine", "n", "also fine"]
    rows = list(tessera.sweep({"python": lambda n: {names[n]: 1}, "axes": {"n": range(5)}}, results=folder / "r.sqlite", workers=0).rows())
    assert [row["status"] for row in rows] == ["good", "error", "error", "error", "good"]
    assert {row["code"] for row in rows} == {"", "sweep.metric"}
    with pytest.raises(tessera.InputError, match="column 'status'"):
        tessera.sweep({"python": lambda **values: 1, "axes": {"Status": [1]}}, results=folder / "r.sqlite")


class Mute(Exception):
    """An exception without a text."""

    def __str__(self):
        raise RuntimeError


@pytest.mark.parametrize("given, code, words", [
    ({"value": 10**400}, "sweep.metric", "a whole number has 1022 bits at most"), ({"a\0b": 1}, "sweep.metric", "has a NUL character"),
    ({"\udce9": 1}, "sweep.metric", "cannot be encoded as UTF-8"), (ValueError("file caf\udce9"), "ValueError", "file caf\\udce9 ("),
    (Mute(), "Mute", "no text: its __str__() raises RuntimeError (")])
@pytest.mark.parametrize("workers", [0, 1])
def test_what_a_file_cannot_hold_fails_only_its_own_run(folder, given, code, words, workers):
    def run(n):
        if n != 1:
            return n
        if isinstance(given, Exception):
            raise given
        return given

    rows = list(tessera.sweep({"python": run, "axes": {"n": range(3)}}, results=folder / "r.sqlite", workers=workers).rows())
    assert [row["status"] for row in rows] == ["good", "error", "good"] and [rows[0]["value"], rows[2]["value"]] == [0, 2]
    assert rows[1]["code"] == code and words in rows[1]["message"]


def test_a_measure_of_bytes_that_are_no_text_has_escapes(folder):
    (row,) = tessera.sweep({"python": lambda n: {"path": "caf\udce9"}, "axes": {"n": [1]}}, results=folder / "r.sqlite", workers=0).rows()
    assert (row["status"], row["path"]) == ("good", "caf\\udce9")


@pytest.mark.parametrize("workers", [0, 1])
def test_a_full_disk_ends_the_sweep_and_the_same_call_goes_on(folder, workers):
    # A limit on the size of files stands for the full disk.
    spec = write(folder, 'python = "measure.py:long"\n[axes]\nn = { from = 0, to = 499 }\n')
    (folder / "measure.py").write_text("def long(n):\n    return {'text': 'x' * 1000, 'value': n}\n")
    program = f"""
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
from tessera.sweeps.__main__ import main
sys.exit(main())
"""
    done = subprocess.run([sys.executable, "-c", program, *command(specification=str(spec), workers=workers, quiet=True)[3:]],
                          env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.startswith(f"tessera: cannot write '{folder / 's.sqlite'}': "), done.stderr
    assert "[sweep.write]" in done.stderr and "Traceback" not in done.stderr
    assert [row["value"] for row in tessera.sweep(spec, workers=workers).rows()] == list(range(500))


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


def test_a_run_that_meets_its_limit_again_keeps_no_measure(folder):
    late = folder / "late"

    def measure(n):
        if late.exists():
            raise error_of("limit.time", "it takes too long")
        return {"size": n}

    spec = {"python": measure, "axes": {"n": [7]}}
    path = folder / "r.sqlite"
    assert [row["size"] for row in tessera.sweep(spec, results=path, workers=0).rows()] == [7]
    with sqlite3.connect(path) as file:
        file.execute("UPDATE runs SET status = 'fault', code = 'limit.time'")
    late.touch()
    (row,) = tessera.sweep(spec, results=path, workers=0).rows()
    assert (row["status"], row["code"], row["size"]) == ("error", "limit.time", None)


def test_sweeps_that_share_a_file_have_their_own_measures(folder):
    one = {"name": "one", "python": lambda x: {"cycles": x, "late": 1 if x == 3 else None}, "axes": {"x": [1, 2, 3]}}
    two = {"name": "two", "python": lambda size: {"x": size, "width": 5}, "axes": {"size": [1, 2]}}
    path = folder / "r.sqlite"
    for _ in range(2):
        assert tessera.sweep(one, results=path, workers=0).measures == ["cycles", "late"]
        assert tessera.sweep(two, results=path, workers=0).measures == ["x", "width"]


def test_the_results_file_is_no_input(folder):
    spec = write(folder, 'python = "measure.py:placed"\ninputs = ["*"]\n[axes]\nn = [1, 2]\n')
    first = [row["seconds"] for row in tessera.sweep(spec, workers=0).rows()]
    assert [row["seconds"] for row in tessera.sweep(spec, workers=0).rows()] == first  # a look-up: not even the time is another


def test_the_results_file_may_be_no_file_that_is_read(folder):
    (folder / "empty").write_text("")
    spec = write(folder, 'python = "measure.py:placed"\ninputs = ["empty"]\n[axes]\nn = [1, 2]\n')
    assert code_of(tessera.sweep, spec, results=folder / "empty")[0] == "output.input"
    assert (folder / "empty").read_text() == ""


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


def test_a_name_may_have_any_characters(folder):
    name = 'quote " and; DROP TABLE runs --'
    results = tessera.sweep({"python": lambda **values: {"m'\"": 1}, "axes": {name: [1, 2]}}, results=folder / "r.sqlite")
    assert [(row[name], row["m'\""]) for row in results.rows()] == [(1, 1), (2, 1)]


def test_the_summary_has_rows_front_failures_and_what_seeds_change(folder):
    def run(seed, size):
        if size == 3:
            raise ValueError("three")
        return {"cycles": size, "error_rms": 4 - size, "result": np.array([seed * (size == 2)])}

    text = summary(tessera.sweep({"python": run, "axes": {"seed": [1, 2], "size": [1, 2, 3]}}, results=folder / "r.sqlite", workers=0))
    lines = text.splitlines()
    assert lines[0].endswith("6 runs, 4 good, 2 error; rows in " + str(folder / "r.sqlite"))
    assert lines[1].split() == ["seed", "size", "cycles", "error_rms", "status"]
    assert [line.split() for line in lines[2:5]] == [["1", "1", "1", "3", "good"], ["1", "2", "2", "2", "good"], ["1", "3", "ValueError"]]
    front = lines.index("no other run has both fewer cycles and less error_rms:")
    assert [line.split() for line in lines[front + 2:front + 4]] == [["1", "1", "1", "3"], ["1", "2", "2", "2"]]
    assert "seed: the end state depends on it, in 1 of 3 configurations of the other axes" in lines
    failure = next(place for place, line in enumerate(lines) if line.startswith("error, 2 times: three ("))
    assert lines[failure + 1] == "  first with seed = 1, size = 3"


def test_a_run_that_was_refused_has_no_end_state(folder):
    def run(seed):
        if seed == 1:
            raise ValueError("no")
        return {"result": np.array([0])}

    results = tessera.sweep({"python": run, "axes": {"seed": [1, 2]}}, results=folder / "r.sqlite", workers=0)
    assert "depend" not in summary(results)


def of_seed(seed, size):
    """Size 0 ends its process, size 1 gives the same for each seed, size 2 does not."""
    if size == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"result": np.array([seed * (size == 2)])}


@pytest.mark.parametrize("seeds, sizes, told", [
    ([1, 2], [0], None), ([1], [1], None), ([1, 2], [1], "seed: the end state does not depend on it"),
    ([1, 2], [0, 1], "seed: the end state does not depend on it, in 1 of 2 configurations of the other axes"),
    ([1, 2], [0, 1, 2], "seed: the end state depends on it, in 1 of 3 configurations of the other axes")])
def test_what_seeds_change_is_told_of_end_states_alone(folder, seeds, sizes, told):
    results = tessera.sweep({"python": of_seed, "axes": {"seed": seeds, "size": sizes}}, results=folder / "r.sqlite", workers=1)
    assert [line for line in summary(results).splitlines() if line.startswith("seed: ")] == ([told] if told else [])


def test_the_summary_shows_no_characters_that_a_terminal_obeys(folder):
    axes = {"text": ["\x1b[31mred", "two\nlines", "nul\0", "\u00e4"]}
    text = summary(tessera.sweep({"python": lambda text: {"m": 1}, "axes": axes}, results=folder / "r.sqlite", workers=0))
    assert all(line.isprintable() for line in text.splitlines())
    for shown in ("\\x1b[31mred", "two\\nlines", "nul\\x00", "\u00e4"):
        assert shown in text


def test_the_summary_of_many_rows_has_ranges(folder):
    text = summary(tessera.sweep(sweep_of(folder), workers=1))
    assert text.splitlines()[1].split() == ["measure", "least", "mean", "most"]
    assert text.splitlines()[2].split() == ["value", "0", "3283.5", "9801"]  # 328350 / 100


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


def test_a_column_that_does_not_exist_is_refused(folder):
    results = tessera.sweep({"python": lambda n: n, "axes": {"n": [1, 2]}}, results=folder / "r.sqlite", workers=0)
    assert results.columns(["value"]) == {"value": [1, 2]}
    code, message = code_of(results.columns, ["value", "vlaue"])
    assert code == "sweep.results" and "did you mean 'value'" in message


def test_no_columns_are_no_values(folder):
    assert tessera.sweep(sweep_of(folder, last=3), workers=0).columns([]) == {}


def test_closed_results_say_so(folder):
    results = tessera.sweep(sweep_of(folder, last=3), workers=0)
    rows = results.rows()
    results.close()
    results.close()
    for call in (lambda: next(rows), lambda: results.columns(["n"]), lambda: len(results), results.counts, lambda: repr(results)):
        code, message = code_of(call)
        assert code == "sweep.results" and "s.sqlite are closed" in message


def test_another_thread_may_read_results(folder):
    results = tessera.sweep(sweep_of(folder, last=3), workers=0)
    told = []
    thread = threading.Thread(target=lambda: told.extend(row["n"] for row in results.rows()))
    thread.start()
    thread.join()
    assert told == [0, 1, 2, 3]


def test_a_reader_does_not_keep_the_next_sweep_from_its_file(folder, monkeypatch):
    monkeypatch.setattr(store, "ROWS_AT_ONCE", 2)
    seen = []
    for row in tessera.sweep(sweep_of(folder, last=5), workers=0).rows():
        seen.append(row["n"])
        if len(seen) == 3:
            assert tessera.sweep(sweep_of(folder, last=9), workers=0).counts() == {"good": 10}
    assert seen == list(range(10))


def test_numbers_without_bounds_and_arrays_of_objects_have_digests_of_their_values(folder):
    def states(function):
        found = tessera.sweep({"python": function, "axes": {"n": [40, 50]}}, results=folder / "r.sqlite", workers=0)
        digests = found.columns(["state"])["state"]
        os.remove(folder / "r.sqlite")
        return digests

    assert states(lambda n: 3 ** n * 2 ** 64) == states(lambda n: 2 ** 64 * int(str(3 ** n)))
    assert states(lambda n: 3 ** n * 2 ** 64) != states(lambda n: 3 ** n * 2 ** 64 + 1)
    assert states(lambda n: {"result": np.array([n, "a"], object)}) == states(lambda n: {"result": np.array([int(str(n)), "ab"[:1]], object)})


def test_a_single_number_is_compared(folder):
    found = tessera.sweep({"python": lambda n: {"result": 3.0}, "reference": lambda n: 2.0, "axes": {"n": [1]}},
                          results=folder / "r.sqlite", workers=0)
    assert found.columns(["error_max"]) == {"error_max": [1.0]}
