# SPDX-License-Identifier: Apache-2.0
"""Functions over arrays."""

import inspect
import sys
import threading

import kernels
import numpy as np
import pytest

import tessera
import tessera.arrays

FUNCTIONS = ("convert", "elwadd", "elwmul", "elwsub", "gapool", "gmpool", "matmul", "mvmul", "pack_tiles", "unpack_tiles")


def random(shape, seed=1):
    return np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)


def bfloat16(values):
    """To nearest, ties to even."""
    bits = np.asarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


def test_exact_products():
    a = np.arange(40 * 7).reshape(40, 7) % 5 - 2
    b = np.arange(7 * 9).reshape(7, 9) % 7 - 3
    for options in ({}, {"format": "Float16"}, {"format": tessera.DataFormat.Bfp8_b, "out": "Float32"},
                    {"format": "Int8"}, {"arch": "wormhole", "dst_bits": 32}):
        assert np.array_equal(tessera.matmul(a, b, **options), a @ b), options
        assert np.array_equal(tessera.elwadd(a, a[:1], **options), a + a[:1])
        assert np.array_equal(tessera.elwsub(a, a[:, :1], **options), a - a[:, :1])
        assert np.array_equal(tessera.elwmul(a, a[:1, :1], **options), a * a[0, 0])
        assert np.array_equal(tessera.gapool(a, **options), a.sum(axis=0, keepdims=True))
        assert np.array_equal(tessera.gmpool(a, **{**options, "dst_bits": None}), a.max(axis=0, keepdims=True))


@pytest.mark.parametrize("format", ["Float16_b", "Bfp8_b"])
def test_elwmul_is_a_kernels(format):
    a, b = random((32, 32), 1), random((32, 32), 2)
    core = tessera.Core("blackhole")
    core.write_l1(0x4000, tessera.tilize(a, format))
    core.write_l1(0x8000, tessera.tilize(b, format))
    core.run(kernels.multiply(format))
    product = tessera.elwmul(a, b, format=format, out="Float16_b")
    assert np.array_equal(product.view(np.uint32), core.dst_tile(0, "Float16_b").view(np.uint32))


def test_fidelities():
    a, b = random((64, 64), 1), random((64, 64), 2)
    errors = [np.abs(tessera.matmul(a, b, fidelity=name, dst_bits=32, out="Float32")
                     - bfloat16(a).astype(np.float64) @ bfloat16(b)).max() for name in tessera.arrays.FIDELITIES]
    assert errors[0] > 2 * errors[1] > 2 * errors[2] > 0
    for phases, name in enumerate(tessera.arrays.FIDELITIES, 1):
        assert np.array_equal(tessera.matmul(a, b, fidelity=phases), tessera.matmul(a, b, fidelity=name))


def test_results_have_the_types_of_their_formats():
    a = random((3, 4))
    assert tessera.matmul(a, a.T).dtype == np.float32
    assert tessera.matmul(a, a.T, format="Int8").dtype == np.int64
    values, rows = tessera.gmpool(a, argmax=True)
    assert values.shape == (1, 4) and rows.shape == (4,)
    assert np.array_equal(rows, a.argmax(axis=0))
    assert np.array_equal(values[0], bfloat16(a.max(axis=0)))
    values, rows = tessera.gmpool(a, argmax=True, format="Tf32")
    assert values is None and np.array_equal(rows, a.argmax(axis=0))


def test_mvmul():
    b, a = np.eye(8, 16), np.arange(256).reshape(16, 16)
    # The phases of a product add up to it.
    dst = np.full((8, 16), 2.0, np.float32).view(np.uint32)
    for phase in range(4):
        dst = tessera.mvmul(b, a, dst, phase=phase, dst_bits=32)
    assert np.array_equal(dst.view(np.float32), a[:8] + 2)
    integers = tessera.mvmul(-np.eye(8, 16), np.eye(16), np.full((8, 16), 5), phase=3, format="Int8")
    assert np.array_equal(integers, np.where(np.eye(8, 16), 4, 5))


def test_conversions():
    a = random((40, 33))
    assert np.array_equal(tessera.convert(a, "Float32"), a)
    truncated = (a.view(np.uint32) & 0xFFFF0000).view(np.float32)
    assert np.array_equal(tessera.convert(a, "Float32", dst="Float16_b"), truncated)
    away = ((a.view(np.uint32) + 0x8000) & 0xFFFF0000).astype(np.uint32).view(np.float32)
    assert np.array_equal(tessera.convert(a, "Float16_b"), away)
    data = tessera.pack_tiles(a, "Bfp8_b")
    assert data.shape == (tessera.tensor_bytes((64, 64), "Bfp8_b"),)
    values = tessera.convert(a, "Bfp8_b")
    assert np.array_equal(tessera.untilize(data, (64, 64), "Bfp8_b")[:40, :33], values)
    assert np.array_equal(tessera.unpack_tiles(data, (64, 64), "Bfp8_b")[:40, :33], values)
    assert np.array_equal(tessera.convert([[300, -5]], "Int8", format="Int32"), [[127, -5]])


@pytest.mark.parametrize("code, call", [
    ("arrays.shape", lambda: tessera.matmul(np.zeros((2, 3)), np.zeros((2, 3)))),
    ("arrays.shape", lambda: tessera.elwadd(np.zeros((2, 3)), np.zeros((3, 3)))),
    ("arrays.shape", lambda: tessera.gmpool(np.zeros((0, 3)))),
    ("arrays.shape", lambda: tessera.mvmul(np.zeros((4, 16)), np.zeros((16, 16)))),
    ("arrays.size", lambda: tessera.convert(np.broadcast_to(np.float32(1), (1 << 20, 1 << 20)), "Float32")),  # 4 TiB as a copy
    ("arrays.size", lambda: tessera.gapool(np.broadcast_to(np.float32(1), (1 << 40, 1)))),
    ("arrays.size", lambda: tessera.matmul(np.zeros((1 << 20, 1)), np.zeros((1, 1 << 20)))),
    ("arrays.format", lambda: tessera.matmul(np.zeros((2, 2)), np.zeros((2, 2)), format="Int32")),
    ("arrays.format", lambda: tessera.matmul(np.zeros((2, 2)), np.zeros((2, 2)), b_format="Float16")),
    ("arrays.format", lambda: tessera.convert(np.zeros((2, 2)), "Fp8_e4m3", arch="wormhole")),
    ("arrays.fidelity", lambda: tessera.matmul(np.zeros((2, 2)), np.zeros((2, 2)), fidelity=-1)),
    ("arrays.fidelity", lambda: tessera.mvmul(np.zeros((8, 16)), np.zeros((16, 16)), phase=4)),
    ("arrays.dst", lambda: tessera.matmul(np.zeros((2, 2)), np.zeros((2, 2)), dst_bits=8)),
    ("tensor.shape", lambda: tessera.unpack_tiles(bytes(7), (32, 32), "Float16_b")),
])
def test_errors(code, call):
    with pytest.raises(tessera.Error) as refused:
        call()
    assert refused.value.code == code


def test_what_python_refuses():
    square = np.zeros((2, 2))
    for call in (lambda: tessera.matmul(square, square, fidelity="HiFi5"),
                 lambda: tessera.matmul(square, square, format="Float64"),
                 lambda: tessera.matmul(square, square, arch="grayskull"),
                 lambda: tessera.matmul(square, np.zeros(2)), lambda: tessera.gapool(np.zeros(4)),
                 lambda: tessera.mvmul(np.zeros((8, 16)), np.zeros((16, 16)), np.zeros((8, 8), int)),
                 lambda: tessera.mvmul(np.zeros((8, 16)), np.zeros((16, 16)), np.full((8, 16), 1 << 16))):
        with pytest.raises(ValueError):
            call()
    for call in (lambda: tessera.matmul(square, [["a", "b"]]), lambda: tessera.matmul(square, square, fidelity=2.0),
                 lambda: tessera.mvmul(np.zeros((8, 16)), np.zeros((16, 16)), np.zeros((8, 16))),
                 lambda: tessera.unpack_tiles(np.zeros(2048), (32, 32), "Float16_b")):
        with pytest.raises(TypeError):
            call()


def test_other_threads_go_on():
    a = random((256, 256))
    go, ran = threading.Lock(), []

    def other():
        with go:
            ran.append(True)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # no other thread gets the interpreter unless the call releases it
    try:
        go.acquire()
        thread = threading.Thread(target=other)
        thread.start()
        go.release()
        for _ in range(1000):
            tessera.matmul(a, a)
            if ran:
                break
        assert ran
    finally:
        sys.setswitchinterval(interval)
        thread.join()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstrings_tell_every_argument(name):
    function = getattr(tessera, name)
    text = inspect.getdoc(function) + inspect.getdoc(tessera.arrays)
    for argument in inspect.signature(function).parameters:
        assert argument in text, argument
    assert "shape" in inspect.getdoc(function)
