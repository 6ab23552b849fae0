# SPDX-License-Identifier: Apache-2.0
"""The command `tessera sweep`: its options are those of tessera.sweep(), and its exit status says how the sweep ended."""

import csv
import inspect
import os
import re
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

import tessera
from sweeps import MEASURE, folder, logged, sweep_of  # noqa: F401

CLI = Path(tessera.__file__).resolve().parents[2] / "tessera"


def surroundings(**variables):
    """Without what would lead Python to the package."""
    own = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "TESSERA_PYTHON")}
    return {**own, **variables}


def run(*arguments, cwd="/", **variables):
    return subprocess.run([CLI, "sweep", *map(str, arguments)], cwd=cwd, env=surroundings(**variables), capture_output=True,
                          text=True, check=False)


def refused(done, *parts):
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("tessera: ") and done.stderr.count("\n") == 1, done.stderr
    for part in parts:
        assert part in done.stderr
    return True


def test_the_options_are_the_arguments_of_the_function():
    done = run("--help")
    options = set(re.findall(r"^  (?:-\w,)?--([a-z-]+)", done.stdout, re.MULTILINE)) - {"help", "version"}
    arguments = set(inspect.signature(tessera.sweep).parameters) - {"specification", "progress"}
    assert done.returncode == 0 and done.stderr == "" and options == arguments | {"quiet"}


def test_wrong_options_are_refused(folder):
    spec = sweep_of(folder, "square", 4)
    assert refused(run(), "SWEEP is required", "[cli.usage]")
    assert refused(run(spec, "--jnuit", "a.xml"), "--jnuit", "[cli.usage]")
    assert refused(run(spec, "--junit", "a.xml"), "--against", "[cli.usage]")
    assert refused(run(spec, "-j", "4097"), "4097 is not between 0 and 4096", "[cli.usage]")
    assert refused(run(spec, "-j", "many"), "[cli.usage]")
    assert sorted(path.name for path in folder.iterdir()) == ["measure.py", "s.toml"]


def test_wrong_sweeps_are_refused(folder):
    assert refused(run(folder / "none.toml"), "none.toml: No such file or directory [sweep.open]")
    (folder / "empty.toml").write_text("")
    assert refused(run(folder / "empty.toml"), "[sweep.")
    assert refused(run(sweep_of(folder, "nothing", 4)), "measure.py", "nothing", "[sweep.")


@pytest.mark.parametrize("cwd", ["/", None])
def test_a_sweep(folder, cwd):
    spec = sweep_of(folder, "square", 4)
    done = run(spec.name if cwd is None else spec, "-j", "1", "--csv", folder / "rows.csv", cwd=cwd or folder)
    assert done.returncode == 0 and "5" in done.stdout and "5 of 5" in done.stderr, done.stderr
    assert (folder / "s.sqlite").exists()
    with open(folder / "rows.csv", newline="") as file:
        assert [(int(row["n"]), int(row["value"])) for row in csv.DictReader(file)] == [(n, n * n) for n in range(5)]


def test_results_may_be_elsewhere_and_progress_off(folder):
    done = run(sweep_of(folder, "square", 4), "--results", folder / "r.db", "--quiet")
    assert done.returncode == 0 and done.stderr == ""
    assert (folder / "r.db").exists() and not (folder / "s.sqlite").exists()


def test_a_failed_run_is_status_1(folder):
    done = run(sweep_of(folder, "fragile", 8), "--quiet")
    assert done.returncode == 1 and done.stderr == ""
    results = sqlite3.connect(folder / "s.sqlite")
    assert dict(results.execute("SELECT n, status FROM runs")) == {n: "error" if n == 7 else "good" for n in range(9)}
    results.close()


@pytest.mark.parametrize("html", [False, True])
def test_a_report_without_its_column_is_status_1_after_the_runs(folder, html):
    spec = sweep_of(folder, "square", 4)
    spec.write_text(spec.read_text() + '[report]\ncost = "foo"\n')
    done = run(spec, "--quiet", *(("--html", folder / "r.html") if html else ()))
    assert done.returncode == 1 and "[report] cost = 'foo'" in done.stderr, done.stderr
    assert sum(logged(folder).values()) == 5


def test_a_difference_is_status_1(folder):
    spec = sweep_of(folder, "square", 4)
    assert run(spec, "--results", folder / "old.sqlite").returncode == 0
    same = run(spec, "--against", folder / "old.sqlite")
    assert same.returncode == 0, same.stderr
    (folder / "measure.py").write_text(MEASURE.replace("return n * n\n", "return n * n + (n == 3)\n"))
    other = run(spec, "--against", folder / "old.sqlite", "--junit", folder / "gate.xml")
    assert other.returncode == 1, other.stderr
    assert '<failure' in (folder / "gate.xml").read_text()
    assert refused(run(spec, "--against", folder / "none.sqlite"), "none.sqlite")


def begun(folder, spec):
    """A sweep that has done some of its runs."""
    process = subprocess.Popen([CLI, "sweep", spec, "-j", "2", "--quiet"], cwd="/", env=surroundings(), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while sum(logged(folder).values()) < 10 and process.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.01)
    return process


def test_ctrl_c_is_status_130_and_the_same_command_goes_on(folder):
    spec = sweep_of(folder, "slow", 999)
    process = begun(folder, spec)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted" in err, out + err
    assert 10 <= len(logged(folder)) < 1000
    assert run(spec, "--quiet").returncode == 0
    assert logged(folder) == {str(n): 1 for n in range(1000)}


def test_sigterm_is_status_143(folder):
    process = begun(folder, sweep_of(folder, "slow", 999))
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 143 and "interrupted" in err


def answered(folder, redirections, **variables):
    """A sweep of five runs by a shell that changes its streams."""
    spec = sweep_of(folder, "square", 4)
    done = subprocess.run(["bash", "-c", f'exec "$@" {redirections}', "bash", CLI, "sweep", spec], cwd="/", env=surroundings(**variables),
                          capture_output=True, text=True, check=False)
    assert len(logged(folder)) == 5
    return done


@pytest.mark.parametrize("redirections", [">/dev/full", ">&-"])
def test_an_answer_that_cannot_be_written_is_status_1(folder, redirections):
    done = answered(folder, redirections)
    assert done.returncode == 1 and done.stderr.endswith("\ntessera: could not write to standard output [cli.write]\n"), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("redirections", ["2>/dev/full", "2>&-", "2>&- <&-"])
def test_nobody_needs_to_see_the_progress(folder, redirections):
    done = answered(folder, redirections)
    assert (done.returncode, done.stderr) == (0, "") and "5 runs, 5 good" in done.stdout


def test_a_reader_that_has_gone_is_no_error(folder):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([CLI, "sweep", sweep_of(folder, "square", 4), "--quiet"], stdout=write, stderr=subprocess.PIPE, env=surroundings(),
                          text=True, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, "")


def test_an_answer_in_ascii(folder):
    spec = sweep_of(folder, "square", 4)
    assert run(spec, "--results", folder / "old.sqlite").returncode == 0
    (folder / "measure.py").write_text(MEASURE.replace("return n * n\n", "return n * n + (n == 3)\n"))
    done = run(spec, "--against", folder / "old.sqlite", PYTHONIOENCODING="ascii")
    assert done.returncode == 1 and "value 9 ? 10" in done.stdout, done.stderr


def test_a_file_that_leaves_python_is_told(folder):
    (folder / "measure.py").write_text("import sys\nsys.exit(0)\n")
    assert refused(run(sweep_of(folder, "square", 4)), "cannot be imported: SystemExit: 0", "[sweep.function]")


def test_modules_in_the_current_folder_are_not_taken_for_others(folder):
    for name in ("json", "random", "tessera", "sqlite3"):
        (folder / f"{name}.py").write_text("raise SystemExit(77)\n")
    assert run(sweep_of(folder, "square", 4), cwd=folder).returncode == 0


def test_no_python_is_told():
    assert refused(run("s.toml", TESSERA_PYTHON="/no/python"), "cannot start '/no/python'", "TESSERA_PYTHON", "[cli.python]")


def test_a_python_without_the_package_is_told(folder):
    # -I: as a Python that has nothing on its path.
    (folder / "python").write_text('#!/bin/sh\nexec /usr/bin/python3 -I "$@"\n')
    (folder / "python").chmod(0o755)
    assert refused(run(sweep_of(folder, "square", 4), TESSERA_PYTHON=str(folder / "python")), "No module named 'tessera'", "TESSERA_PYTHON",
                   "[cli.python]")


def test_the_users_own_path_of_modules_stays(folder):
    (folder / "own").mkdir()
    (folder / "own/helper_of_mine.py").write_text("def f(n):\n    return 7 * n\n")
    (folder / "measure.py").write_text("from helper_of_mine import f\ndef seven(n):\n    return f(n)\n")
    spec = sweep_of(folder, "seven", 1)
    assert run(spec, PYTHONPATH=str(folder / "own")).returncode == 0
    assert run(spec).returncode != 0
