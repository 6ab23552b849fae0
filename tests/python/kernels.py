# SPDX-License-Identifier: Apache-2.0
"""Programs of the examples, and Python in a process of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import tessera

ROOT = Path(__file__).resolve().parents[2]


def in_its_own_process(program, *arguments):
    """Exit status, output and errors of a text of Python, which could end the process."""
    told = subprocess.run([sys.executable, "-c", program, *map(str, arguments)], capture_output=True, text=True,
                          env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)))
    return told.returncode, told.stdout, told.stderr


def multiply(format):
    """examples/multiply for tiles of that format."""
    text = (ROOT / "examples/multiply/multiply.tts").read_text(encoding="utf-8")
    for symbol, value in (("FORMAT", format), ("FORMAT_BYTES", 1 if format.startswith("Bfp") else 2)):
        text, changed = re.subn(rf"(?m)^\.equ {symbol}, \w+", f".equ {symbol}, {value}", text)
        assert changed == 1
    return tessera.assemble(text, "blackhole", file="multiply.tts")
