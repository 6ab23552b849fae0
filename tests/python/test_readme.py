# SPDX-License-Identifier: Apache-2.0
"""The README's example, executed as it stands there, and the same with other formats."""

import contextlib
import io
import re

import numpy as np
import pytest

import tessera
from kernels import ROOT, multiply


def example():
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) == 1
    return blocks[0]


def execute(monkeypatch, text):
    monkeypatch.chdir(ROOT)
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, "README.md", "exec"), names)
    return names, printed.getvalue()


def test_the_example_gives_the_product(monkeypatch):
    names, printed = execute(monkeypatch, example())
    core, tile, run = names["core"], names["tile"], names["run"]
    assert np.array_equal(core.dst_tile(0, "Float16_b"), tile * 1.5)
    faces = tile.reshape(2, 16, 2, 16).transpose(0, 2, 1, 3).reshape(64, 16)
    assert np.array_equal(core.src_a[0], faces)
    assert np.all(core.src_b[0] == 1.5)
    assert run.findings == []
    assert str(run.cycles) in printed


def convertible(format):
    try:
        return tessera.tensor_bytes((32, 32), format) > 0
    except tessera.Error:
        return False


@pytest.mark.parametrize("format", filter(convertible, ["Float16_b", "Bfp8_b"]))
def test_the_kernel_multiplies(format):
    tile = np.arange(1024).reshape(32, 32) % 64
    core = tessera.Core("blackhole")
    core.write_l1(0x4000, tessera.tilize(tile, format))
    core.write_l1(0x8000, tessera.tilize(np.full((32, 32), 1.5), format))
    run = core.run(multiply(format))
    assert run.findings == []
    assert np.array_equal(core.dst_tile(0, "Float16_b"), tile * 1.5)
