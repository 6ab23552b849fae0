# SPDX-License-Identifier: Apache-2.0
"""Sweeps that cannot be done: each is an Error, and nothing has run."""

import os
import subprocess

import pytest

import tessera
from sweeps import ENVIRONMENT, code_of, command, folder, logged, sweep_of, write  # noqa: F401
from tessera.sweeps.files import read_bytes
from tessera.sweeps.specification import read_specification
from tessera.sweeps.targets import Digests


def refused(specification, **options):
    """Code and message of the error of a sweep."""
    return code_of(tessera.sweep, specification, workers=0, **options)


def test_a_sweep_file_is_a_regular_file_of_bounded_size(tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    for path in ("/dev/zero", tmp_path / "pipe.toml", tmp_path):
        assert code_of(read_specification, path) == ("sweep.open", "it is not a regular file")
    large = tmp_path / "large.toml"
    large.touch()
    os.truncate(large, (64 << 20) + 1)  # without blocks of its own
    assert code_of(read_specification, large) == ("sweep.open", "it has 67108865 bytes, and at most 67108864 are read")


def test_a_file_that_says_no_size_is_read_up_to_the_bound():
    assert b"Name" in read_bytes("/proc/self/status", 64 << 20)
    with pytest.raises(OSError, match="it has more than 10 bytes, and at most 10 are read"):
        read_bytes("/proc/self/status", 10)


def test_arrays_are_regular_files(tmp_path):
    pipe = tmp_path / "pipe.npy"
    os.mkfifo(pipe)
    assert refused({"function": "convert", "values": {"to": "Bfp8_b"}, "axes": {"a": [str(pipe)]}}, results=tmp_path / "r.sqlite") == (
        "sweep.array", f"with a = '{pipe}': 'a': {pipe}: it is not a regular file")
    with pytest.raises(OSError, match="it is not a regular file"):
        Digests().of(str(pipe))  # most values of a long axis are not checked before


@pytest.mark.parametrize("kind", ["job", "function"])
def test_a_target_has_a_name(folder, kind):
    assert refused(write(folder, f'{kind} = ""\n[axes]\nformat = ["Float16"]\n')) == ("sweep.value", f"{folder}/s.toml: '{kind}' is empty")
    for values, shown in (("''", "''"), ("5", "5"), ("true", "True"), ("{ name = 'x', format = 'Float16' }", "'x'")):
        assert refused(write(folder, f"[axes]\n{kind} = ['one', {values}]\n")) == (
            "sweep.axis", f"{folder}/s.toml: axis '{kind}': value 2, {shown}, names no {kind}")


@pytest.mark.parametrize("other, where", [({"values": {"function": "elwadd"}}, "[values]"),
                                          ({"axes": {"a": [{"name": "x", "function": "elwadd"}]}}, "axis 'a'")])
def test_a_target_is_given_once(tmp_path, other, where):
    assert refused({"function": "matmul", "axes": {"b": [1]}, **other}, results=tmp_path / "r.sqlite") == (
        "sweep.key", f"'function' is given twice: as a key and in {where}")


@pytest.fixture
def no_folder(tmp_path, monkeypatch):
    """The current folder has been deleted."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)  # which goes back at the end
    gone.rmdir()


def test_a_folder_that_was_deleted(folder, no_folder):
    told = ("sweep.open", "the current folder cannot be used: No such file or directory")
    assert refused("s.toml") == told
    assert refused({"function": "matmul", "axes": {"a": [1]}}, results=folder / "r.sqlite") == told
    spec = sweep_of(folder, last=3)
    assert refused(spec, csv="rows.csv") == refused(spec, results="r.sqlite") == told
    assert not logged(folder)
    for workers in (0, 1):
        assert tessera.sweep(spec, results=folder / f"{workers}.sqlite", workers=workers).counts() == {"good": 4}


def test_the_command_in_a_folder_that_was_deleted(no_folder):
    done = subprocess.run(command(specification="s.toml"), env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr == (
        "tessera: the current folder cannot be used: No such file or directory [sweep.open]\n")


@pytest.mark.parametrize("path, takes", [(5, False), (OSError("no path"), False), (b"/none.toml", True)])
def test_a_path_of_the_callers(path, takes):
    class Own(os.PathLike):
        def __fspath__(self):
            if isinstance(path, Exception):
                raise path
            return path

    assert refused(Own())[0] == ("sweep.open" if takes else "argument.type")
