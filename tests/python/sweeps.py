# SPDX-License-Identifier: Apache-2.0
"""Sweeps of functions that log their runs, as files; errors; the sweep as a process."""

import collections
import json
import os
import sys

import pytest

import tessera

MEASURE = """
import os, time
LOG = os.path.join(os.path.dirname(__file__), "log")

def log(n):
    with open(LOG, "a") as file:
        file.write(f"{n}\\n")

def square(n):
    log(n)
    return n * n

def placed(n):
    return {"square": n * n, "process": os.getpid()}

def slow(n):
    log(n)
    time.sleep(0.002)
    return n * n

def fragile(n):
    log(n)
    if n == 7:
        raise ValueError("seven")
    if n == 11:
        os.kill(os.getpid(), 9)
    return n * n
"""
ENVIRONMENT = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))


@pytest.fixture
def folder(tmp_path):
    """A folder with measure.py."""
    (tmp_path / "measure.py").write_text(MEASURE)
    return tmp_path


def write(folder, text, name="s.toml"):
    """A sweep file."""
    (folder / name).write_text(text)
    return folder / name


def sweep_of(folder, function="square", last=99):
    """A sweep file: a function of measure.py for n from 0 on."""
    return write(folder, f'python = "measure.py:{function}"\n[axes]\nn = {{ from = 0, to = {last} }}\n')


def logged(folder):
    """How often each run has begun, by n as text."""
    return collections.Counter((folder / "log").read_text().split()) if (folder / "log").exists() else collections.Counter()


def command(**options):
    """The command that is a call of tessera.sweep()."""
    return [sys.executable, "-m", "tessera.sweeps", json.dumps(options)]


def code_of(call, *arguments, **options):
    """Code and message of the error that a call ends with."""
    with pytest.raises(tessera.Error) as error:
        call(*arguments, **options)
    return error.value.code, error.value.message
