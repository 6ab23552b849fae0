# SPDX-License-Identifier: Apache-2.0
"""What type checkers are told."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import tessera
import typed_program
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


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """What mypy knows of numpy, which takes half a minute to find out."""
    return tmp_path_factory.mktemp("mypy")


def checked(tmp_path, cache, *arguments):
    """What mypy says of the package as it stands in the sources."""
    mypy = shutil.which("mypy")
    assert mypy, "scripts/setup installs it"
    package = tmp_path / "site/tessera"
    shutil.copytree(STUBS.parent, package, dirs_exist_ok=True)
    environment = dict(os.environ, MYPYPATH=str(package.parent))
    return subprocess.run([mypy, "--strict", "--cache-dir", str(cache), "--python-executable", "/usr/bin/python3",
                           *arguments], env=environment, capture_output=True, text=True, cwd=tmp_path)


def test_strict_type_checks_of_a_program_that_uses_everything(tmp_path, cache):
    (tmp_path / "site").mkdir()
    shutil.copy(typed_program.__file__, tmp_path / "site")
    result = checked(tmp_path, cache, "-p", "tessera", "-m", "typed_program")
    assert result.returncode == 0, result.stdout + result.stderr


def test_wrong_types_are_found(tmp_path, cache):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("""import tessera
core = tessera.Core("blackhole", rest="silicon")
core.run("NOP")
tessera.assemble(5, "blackhole")
cycles: str = core.run(tessera.assemble("NOP", "blackhole")).cycles
tessera.load_job("job.toml").arhc
tessera.DataFormat.Float17
""")
    result = checked(tmp_path, cache, str(wrong))
    assert [line.split(":")[1] for line in result.stdout.splitlines() if ": error:" in line] == ["2", "3", "4", "5", "6", "7"]


def test_the_program_runs():
    typed_program.main()


def test_it_uses_everything():
    text = Path(typed_program.__file__).read_text()
    members = {name for one in tessera.__all__ for name in vars(getattr(tessera, one))
               if isinstance(getattr(tessera, one), type) and not name.startswith("_")}
    members -= set(tessera.DataFormat.__members__) | {"FIELDS", "with_traceback", "Kind", "name"}
    missing = sorted(name for name in members | set(tessera.__all__) if not re.search(rf"\b{name}\b", text))
    assert not missing


def test_the_package_is_marked_as_typed():
    assert (ROOT / "src/python/tessera/py.typed").exists()
