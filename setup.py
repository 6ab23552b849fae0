# SPDX-License-Identifier: Apache-2.0
"""Builds the Python package with the project's own CMake target.

Environment variable TESSERA_BUILD names a configured build tree to take the extension from; without it, build/pip is one.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path(__file__).resolve().parent
SCRATCH = SOURCE / "build" / "pip"
VERSION = re.search(r"VERSION (\d+\.\d+\.\d+)", (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        tree = os.environ.get("TESSERA_BUILD")
        if not tree:
            tree = SCRATCH / "cmake"
            subprocess.run(["cmake", "-S", SOURCE, "-B", tree, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                            "-DBUILD_TESTING=OFF", "-DBUILD_SHARED_LIBS=OFF", "-DTESSERA_PYTHON=ON", "-DTESSERA_BENCH=OFF",
                            "-DTESSERA_WARNINGS_AS_ERRORS=OFF",
                            f"-DPython_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", tree, "--target", "tessera_python"], check=True)
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(Path(tree) / "python" / "tessera" / target.name, target)


SCRATCH.mkdir(parents=True, exist_ok=True)
setup(
    version=VERSION,
    packages=["tessera"],
    package_dir={"tessera": "src/python/tessera"},
    package_data={"tessera": ["*.pyi", "py.typed"]},
    ext_modules=[Extension("tessera._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    options={"build": {"build_base": str(SCRATCH)}, "egg_info": {"egg_base": str(SCRATCH)}},
)
