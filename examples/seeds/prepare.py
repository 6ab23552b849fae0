#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the jobs' data: datums that tell their place in the file by their bits."""
from pathlib import Path
from struct import pack

here = Path(__file__).parent
(here / "a.bin").write_bytes(b"".join(pack("<H", 0x3F80 + i) for i in range(4096)))  # BF16, 1.0 and up
(here / "b.bin").write_bytes(b"".join(pack("<H", 0x3F00 + i * 7 % 4096) for i in range(4096)))  # BF16, 0.5 and up
(here / "f.bin").write_bytes(b"".join(pack("<I", 0x3F800000 + i * 0x2001) for i in range(2048)))  # FP32
