# SPDX-License-Identifier: Apache-2.0
"""Tests of a kernel (examples/multiply, as if it were one's own): with a golden of numpy, and with Tessera's."""

import os
from pathlib import Path

import numpy as np

import tessera

KERNEL = Path(__file__).resolve().parents[1] / "multiply" / "multiply.tts"


def kernel(a, b):
    """The product of two tiles. PHASES in the environment leaves out phases of fidelity, as a mistake may."""
    text = KERNEL.read_text(encoding="utf-8").replace(".repeat 3", f".repeat {int(os.environ.get('PHASES', 4)) - 1}")
    core = tessera.Core("blackhole")
    core.write_l1(0x4000, tessera.tilize(a, "Bfp8_b"))
    core.write_l1(0x8000, tessera.tilize(b, "Bfp8_b"))
    core.run(tessera.assemble(text, "blackhole"))
    return core.dst_tile(0, "Float16_b")


def test_with_numpy():
    random = np.random.default_rng(1)
    a, b = random.normal(size=(2, 32, 32))
    result = kernel(a, b)
    golden = a * b
    # The tolerated error. Formats and phases lose something.
    assert np.corrcoef(result.ravel(), golden.ravel())[0, 1] > 0.99
    assert np.allclose(result, golden, rtol=0.1, atol=0.1)


def test_with_tessera():
    random = np.random.default_rng(1)
    a, b = random.normal(size=(2, 32, 32))
    result = kernel(a, b)
    golden = tessera.elwmul(a, b, format="Bfp8_b", fidelity="HiFi4", out="Float16_b")
    assert np.array_equal(result, golden)
