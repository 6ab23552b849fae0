# SPDX-License-Identifier: Apache-2.0
"""Files of a sweep: whole or not at all, never over an input; CSV and what missing packages say."""

import csv
import os
import sqlite3
import stat
import subprocess
import sys
import time

import numpy as np
import pytest

import tessera
from sweeps import ENVIRONMENT, code_of
from tessera.sweeps import packages
from tessera.sweeps.export import _kinds, exported
from tessera.sweeps.output import OutputFile, check_outputs, commit
from tessera.sweeps.store import FIXED, MOST_COLUMNS


def half(n, unit):
    if n == 3:
        raise RuntimeError("three, \"quoted\"\nand broken")
    return {"value": n / 2, "text": f"{n} {unit}", "whole": n * 2**40}


def specification(**more):
    return {"python": half, "axes": {"n": [1, 2, 3], "unit": ["m", "s,t"]}, **more}


def do(tmp_path, **options):
    return tessera.sweep(specification(), results=tmp_path / "r.sqlite", workers=0, **options)


# --- Output files


def test_a_file_appears_whole_and_keeps_permissions(tmp_path):
    path = tmp_path / "out"
    path.write_text("old")
    path.chmod(0o640)
    output = OutputFile(str(path))
    output.file.write(b"new")
    assert path.read_text() == "old"
    commit([output])
    assert path.read_bytes() == b"new" and stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["out"]


def test_a_discarded_file_leaves_nothing(tmp_path):
    output = OutputFile(str(tmp_path / "out"))
    output.file.write(b"new")
    output.discard()
    assert os.listdir(tmp_path) == []


def test_a_full_disk_leaves_the_old_file(tmp_path):
    # Every output fails if one does. A limit on the size of files stands for the full disk.
    program = f"""
import resource, signal
from tessera.errors import Error
from tessera.sweeps.output import OutputFile, commit
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
files = [OutputFile({str(tmp_path / 'a')!r}), OutputFile({str(tmp_path / 'b')!r})]
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
files[0].file.write(b"x" * 10)
files[1].file.write(b"x" * 5000)
try:
    commit(files)
except Error as error:
    print(error.code)
for file in files:
    file.discard()
"""
    (tmp_path / "a").write_text("old")
    done = subprocess.run([sys.executable, "-c", program], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert done.stdout == "sweep.write\n"
    assert os.listdir(tmp_path) == ["a"] and (tmp_path / "a").read_text() == "old"


def test_paths_that_cannot_be_written(tmp_path):
    target = tmp_path / "target"
    target.write_text("")
    (tmp_path / "link").symlink_to(target)
    (tmp_path / "dangling").symlink_to(tmp_path / "none")
    for path, why in (("", "empty"), (tmp_path, "a directory"), (tmp_path / "link", "symbolic link"), (tmp_path / "dangling", "symbolic link"),
                      (tmp_path / "none/out", "no folder"), (tmp_path / "target/out", "Not a directory"), ("/dev/fd/999", "Bad file descriptor")):
        code, message = code_of(check_outputs, [str(path)], [])
        assert code == "sweep.write" and why in message


def test_no_file_is_called_dash(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert code_of(do, tmp_path, csv="-") == ("sweep.write", "cannot write '-': standard output is /dev/stdout, and a file of that name ./-")
    assert code_of(tessera.sweep, specification(), results="-")[0] == "sweep.write"
    assert os.listdir(tmp_path) == []


def test_inputs_and_other_outputs_are_not_overwritten(tmp_path):
    target = tmp_path / "target"
    target.write_text("")
    os.link(target, tmp_path / "hard")
    assert code_of(check_outputs, [str(tmp_path / "hard")], [str(target)])[0] == "output.input"
    assert code_of(check_outputs, [str(tmp_path / "new"), str(tmp_path / "." / "new")], [])[0] == "output.twice"
    assert code_of(check_outputs, [str(target), str(tmp_path / "hard")], [])[0] == "output.twice"
    check_outputs(["/dev/null", "/dev/null", str(tmp_path / "new")], [str(target)])
    assert not (tmp_path / "new").exists()


def test_a_fifo_receives_the_bytes(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    output = OutputFile(str(fifo))
    output.file.write(b"all of it")
    output.commit()
    assert os.read(reader, 100) == b"all of it" and stat.S_ISFIFO(fifo.stat().st_mode)
    os.close(reader)


# --- Of a sweep


def test_csv_has_every_row(tmp_path):
    results = do(tmp_path, csv=tmp_path / "out.csv")
    with open(tmp_path / "out.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    expected = [(n, unit) for n in (1, 2, 3) for unit in ("m", "s,t")]
    for row, (n, unit) in zip(rows, expected):
        assert (row["n"], row["unit"]) == (str(n), unit)
        if n == 3:
            assert (row["status"], row["code"], row["value"], row["whole"]) == ("error", "RuntimeError", "", "")
            assert row["message"].startswith("three, \"quoted\"\nand broken")
        else:
            assert (row["status"], float(row["value"]), row["text"], row["whole"]) == ("good", n / 2, f"{n} {unit}", str(n * 2**40))
    assert [float(row["seconds"]) for row in rows] == [row["seconds"] for row in results.rows()]


@pytest.mark.parametrize("which", ["specification", "results", "input", "against"])
def test_no_output_over_a_file_of_the_sweep(tmp_path, which):
    (tmp_path / "sweep.toml").write_text('python = "measure.py:run"\naxes = { n = [1, 2] }\n')
    (tmp_path / "measure.py").write_text("def run(n):\n    return n\n")
    tessera.sweep(tmp_path / "sweep.toml", results=tmp_path / "old.sqlite", workers=0)
    path = tmp_path / {"specification": "sweep.toml", "results": "sweep.sqlite", "input": "measure.py", "against": "old.sqlite"}[which]
    before = path.read_bytes() if path.exists() else None
    code, _ = code_of(tessera.sweep, tmp_path / "sweep.toml", csv=path, against=tmp_path / "old.sqlite", workers=0)
    assert code == "output.input"
    assert (path.read_bytes() if path.exists() else None) == before
    assert not (tmp_path / "sweep.sqlite").exists()  # nothing has run


def test_outputs_that_cannot_be_written_are_refused_before_the_first_run(tmp_path):
    assert code_of(do, tmp_path, csv=tmp_path)[0] == "sweep.write"
    assert not (tmp_path / "r.sqlite").exists()


def test_a_missing_package_is_an_error_with_its_cure(tmp_path, monkeypatch):
    for package, option, cure in (("pyarrow", "parquet", "pip install pyarrow"), ("matplotlib", "png", "python3-matplotlib"),
                                  ("matplotlib", "svg", "python3-matplotlib")):
        monkeypatch.setitem(sys.modules, package, None)
        code, message = code_of(do, tmp_path, **{option: tmp_path / "out"})
        assert code == "sweep.package" and f"'{option}'" in message and cure in message
    assert not (tmp_path / "r.sqlite").exists()


def test_a_package_that_does_not_fit_says_why(tmp_path, monkeypatch):
    (tmp_path / "pyarrow.py").write_text("raise ImportError('needs another numpy')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "pyarrow", raising=False)
    code, message = code_of(packages.require, "pyarrow", "'parquet'")
    assert code == "sweep.package" and "cannot be imported (needs another numpy)" in message


def test_the_file_is_free_after_a_sweep(tmp_path):
    do(tmp_path)
    results = do(tmp_path)
    assert len(results) == 6
    with pytest.raises(sqlite3.OperationalError):
        results.connection.execute("DELETE FROM runs")


@pytest.mark.parametrize("kind", ["python", "function"])
def test_a_folder_may_have_a_name_that_is_not_utf_8(tmp_path, kind):
    folder = os.path.join(tmp_path, os.fsdecode(b"caf\xe9 %3f#"))
    os.mkdir(folder)
    with open(os.path.join(folder, "measure.py"), "w") as file:
        file.write("def f(n):\n    return n\n")
    np.save(os.path.join(folder, "a.npy"), np.ones((32, 32), np.float32))
    with open(os.path.join(folder, "s.toml"), "w") as file:
        file.write('python = "measure.py:f"\n[axes]\nn = [1, 2]\n' if kind == "python" else
                   'function = "convert"\n[values]\na = "a.npy"\n[axes]\nto = ["Float16_b", "Bfp8_b"]\n')
    paths = {name: os.path.join(folder, f"r.{name}") for name in ("csv", "html", "junit")}
    spec = os.path.join(folder, "s.toml")
    tessera.sweep(spec, results=os.path.join(folder, "old.sqlite"), workers=1)
    found = tessera.sweep(spec, workers=1, against=os.path.join(folder, "old.sqlite"), **paths)
    assert found.counts() == {"good": 2} and not found.changes
    assert all(map(os.path.isfile, paths.values()))


def test_a_file_of_the_most_columns_can_be_all_that_a_sweep_gives(tmp_path):
    def wide(n):
        names = MOST_COLUMNS - len(FIXED) - 1
        return {f"m{place}": place + time.monotonic() for place in range(names + (n == 2))}

    spec = {"python": wide, "axes": {"n": [1, 2]}}
    tessera.sweep(spec, results=tmp_path / "old.sqlite", workers=0)
    found = tessera.sweep(spec, results=tmp_path / "r.sqlite", workers=0, against=tmp_path / "old.sqlite",
                          **{name: tmp_path / f"r.{name}" for name in ("csv", "html", "junit", "svg")})
    assert len(found.columns_of_rows) == MOST_COLUMNS and found.changes.changed == 1
    assert set(_kinds(found, exported(found))) == {"text", "integer", "real"}
    assert [row["status"] for row in found.rows()] == ["good", "error"]
    assert "would have 661 columns; 660 is the most" in list(found.rows())[1]["message"]
