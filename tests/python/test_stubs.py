# SPDX-License-Identifier: Apache-2.0
"""What type checkers are told."""

import ast
import os
import subprocess
import sys

import tessera
from kernels import ROOT

STUBS = ROOT / "src/python/tessera/_core.pyi"


def test_the_stubs_are_what_the_extension_tells():
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    made = subprocess.run([sys.executable, ROOT / "scripts/python_stubs"], env=environment, check=True,
                          capture_output=True, text=True).stdout
    assert made == STUBS.read_text(), "scripts/python_stubs makes them"


def test_the_stubs_are_python_and_know_every_name():
    tree = ast.parse(STUBS.read_text())
    named = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert {name for name in vars(tessera._core) if not name.startswith("__")} <= named


def test_the_package_is_marked_as_typed():
    assert (ROOT / "src/python/tessera/py.typed").exists()
