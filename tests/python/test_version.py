# SPDX-License-Identifier: Apache-2.0
"""One version: the project's, the headers', the module's and the command line's."""

import re
import subprocess
from pathlib import Path

import tessera
from kernels import ROOT


def of_project():
    return re.search(r"^project\(tessera\s+VERSION (\d+\.\d+\.\d+)$", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]


def of_headers(name):
    text = (ROOT / "include/tessera/version.hpp").read_text()
    return re.search(rf'^#define TESSERA_VERSION_{name} "?([\d.]+)"?', text, re.M)[1]


def test_the_headers_have_the_projects_version():
    assert of_headers("STRING") == of_project()
    assert ".".join(of_headers(part) for part in ("MAJOR", "MINOR", "PATCH")) == of_project()


def test_the_module_has_the_projects_version():
    assert tessera.__version__ == of_project()


def test_the_command_line_has_the_projects_version():
    printed = subprocess.run([Path(tessera.__file__).parents[2] / "tessera", "--version"], capture_output=True, text=True, check=True).stdout
    assert printed == f"tessera {of_project()}\n"
