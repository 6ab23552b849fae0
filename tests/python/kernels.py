# SPDX-License-Identifier: Apache-2.0
"""Programs of the examples."""

import re
from pathlib import Path

import tessera

ROOT = Path(__file__).resolve().parents[2]


def multiply(format):
    """examples/multiply for tiles of that format."""
    text = (ROOT / "examples/multiply/multiply.tts").read_text(encoding="utf-8")
    text, changed = re.subn(r"(?m)^\.equ FORMAT, \w+", f".equ FORMAT, {format}", text)
    assert changed == 1
    return tessera.assemble(text, "blackhole", file="multiply.tts")
