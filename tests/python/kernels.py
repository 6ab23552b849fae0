# SPDX-License-Identifier: Apache-2.0
"""Programs of the examples."""

import re
from pathlib import Path

import tessera

ROOT = Path(__file__).resolve().parents[2]


def multiply(format):
    """examples/multiply for tiles of that format."""
    text = (ROOT / "examples/multiply/multiply.tts").read_text(encoding="utf-8")
    for symbol, value in (("FORMAT", format), ("FORMAT_BYTES", 1 if format.startswith("Bfp") else 2)):
        text, changed = re.subn(rf"(?m)^\.equ {symbol}, \w+", f".equ {symbol}, {value}", text)
        assert changed == 1
    return tessera.assemble(text, "blackhole", file="multiply.tts")
