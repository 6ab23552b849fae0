# SPDX-License-Identifier: Apache-2.0
"""The results file of tessera.sweep(): what it holds, who may write and read it."""

import sqlite3
import subprocess
import sys
import threading

import pytest

import tessera
from sweeps import ENVIRONMENT, code_of, command, folder, sweep_of, write  # noqa: F401
from tessera.errors import error_of
from tessera.sweeps import store


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


def test_a_name_may_have_any_characters(folder):
    name = 'quote " and; DROP TABLE runs --'
    results = tessera.sweep({"python": lambda **values: {"m'\"": 1}, "axes": {name: [1, 2]}}, results=folder / "r.sqlite")
    assert [(row[name], row["m'\""]) for row in results.rows()] == [(1, 1), (2, 1)]


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
