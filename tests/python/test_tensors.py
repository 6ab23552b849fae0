# SPDX-License-Identifier: Apache-2.0
"""Arrays to tiles and back."""

import numpy as np
import pytest

import tessera


def tiles(array):
    """The datums in the order of 32x32 tiles, each of four 16x16 faces."""
    rows, cols = array.shape
    return array.reshape(rows // 32, 2, 16, cols // 32, 2, 16).transpose(0, 3, 1, 4, 2, 5).ravel()


def random(shape):
    return np.random.default_rng(1).standard_normal(shape, dtype=np.float32)


def test_float32():
    array = random((64, 96))
    data = tessera.tilize(array, "Float32")
    assert data.dtype == np.uint8
    assert np.array_equal(data.view(np.float32), tiles(array))
    assert np.array_equal(tessera.untilize(data, array.shape, "Float32"), array)
    assert np.array_equal(tessera.untilize(data.tobytes(), array.shape, tessera.DataFormat.Float32), array)


def test_float16_b():
    array = random((32, 64))
    bits = array.view(np.uint32)
    expected = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    data = tessera.tilize(array, "Float16_b")
    assert np.array_equal(data.view(np.uint16), tiles(expected))
    back = tessera.untilize(data, array.shape, "Float16_b")
    assert back.dtype == np.float32
    assert np.array_equal(back.view(np.uint32), expected << 16)


def test_rows():
    array = random((3, 5))
    data = tessera.tilize(array, "Float32", layout="rows")
    assert data.tobytes() == array.tobytes()
    assert np.array_equal(tessera.untilize(data, (3, 5), "Float32", layout="rows"), array)


# The result's memory belongs to the array, and no other object writes to it.
def test_results_are_the_callers_own():
    array = random((64, 64))
    data = tessera.tilize(array, "Float32")
    back = tessera.untilize(data, array.shape, "Float32")
    for result in (data, back):
        kept = result.copy()
        again = tessera.untilize(tessera.tilize(-array, "Float32"), array.shape, "Float32")
        assert np.array_equal(result, kept) and np.array_equal(again, -array)
        result.ravel()[:] = 1
        part = result[1:]
        del result
        assert (part == 1).all()
    assert tessera.tilize(np.zeros((0, 0)), "Float32").shape == (0,)
    assert tessera.untilize(b"", (0, 32), "Float32").shape == (0, 32)


@pytest.mark.parametrize("dtype", [np.float64, np.float16, np.int8, np.uint64, np.int64, bool])
def test_types(dtype):
    array = (np.arange(1024).reshape(32, 32) % 2).astype(dtype)
    for view in (array, array.T):
        assert np.array_equal(tessera.tilize(view, "Float32").view(np.float32), tiles(view.astype(np.float32)))


def test_types_of_other_packages():
    """As bfloat16 of ml_dtypes. Numpy's own tests have such a type: fractions."""
    try:
        from numpy._core._rational_tests import rational
    except ImportError:
        from numpy.core._rational_tests import rational
    fractions = np.full((32, 32), rational(3, 4))
    assert np.array_equal(tessera.tilize(fractions, "Float16_b"), tessera.tilize(np.full((32, 32), 0.75), "Float16_b"))
    with pytest.raises(tessera.ArgumentError, match="name a format"):
        tessera.Core("blackhole").write_l1(0, fractions)
    with pytest.raises(tessera.ArgumentError, match="an array of numbers"):
        tessera.tilize(np.zeros((32, 32), "V2"), "Float16_b")


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64])
def test_unsigned_integers_are_exact(dtype):
    array = np.full((32, 32), np.iinfo(dtype).max, dtype)
    expected = min(int(np.iinfo(dtype).max), 2**31 - 1)
    assert (tessera.untilize(tessera.tilize(array, "Int32"), (32, 32), "Int32") == expected).all()
    assert (tessera.gapool(array[:1] & 1) == 1).all()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("setting", ["raise", "warn", "ignore"])
def test_values_beyond_float32_are_infinite(setting):
    array = np.full((32, 32), -1e300)
    with np.errstate(all=setting):
        assert np.isneginf(tessera.tilize(array, "Float32").view(np.float32)).all()
        assert np.isneginf(tessera.matmul(array, np.eye(32), format="Float32")).any()


def test_values_become_float32_first():
    """1 + 2**-8 + 2**-40 is above the tie between two values of Float16_b, and its float32 is the tie."""
    array = np.full((32, 32), 1 + 2**-8 + 2**-40)
    assert np.array_equal(tessera.tilize(array, "Float16_b"), tessera.tilize(array.astype(np.float32), "Float16_b"))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("format", ["Int32", tessera.DataFormat.Int32, int(tessera.DataFormat.Int32)])
def test_integer_formats_round_float64_once(format):
    """Whole numbers of float64 are exact up to 2**53, those of float32 up to 2**24."""
    array = np.array([[16777217, 2147483647, 0.5, 1.5, -2.5, np.nan, np.inf, -np.inf]])
    back = tessera.untilize(tessera.tilize(array, format, "rows"), array.shape, format, "rows")
    assert back.tolist() == [[16777217, 2147483647, 0, 2, -2, 0, 2**31 - 1, -(2**31)]]


def test_arrays_round_float64_once_too():
    array = np.array([[16777217.0, 2147483647.0]])
    assert tessera.arrays.convert(array, "Int32", format="Int32", dst="Int32").tolist() == [[16777217, 2147483647]]


@pytest.mark.parametrize("layout", ["tiles", "rows"])
@pytest.mark.parametrize("format, dtype", [("Int8", np.int64), ("Int32", np.int64), ("Float16_b", np.float32), ("Bfp8_b", np.float32)])
def test_an_empty_array_has_the_type_of_its_format(format, dtype, layout):
    empty = tessera.untilize(b"", (0, 32), format, layout)
    assert empty.shape == (0, 32) and empty.dtype == dtype


@pytest.mark.parametrize("format", list(tessera.DataFormat))
def test_every_format_that_has_a_converter(format):
    array = np.arange(1024).reshape(32, 32) % 2
    try:
        size = tessera.tensor_bytes((32, 32), format)
    except tessera.Error as error:
        assert error.code == "tensor.format"
        return
    if format.name == "Int32":
        array = array + 2**24  # odd ones are no float32
    data = tessera.tilize(array, format)
    assert data.shape == (size,)
    assert np.array_equal(tessera.untilize(data, (32, 32), format.name), array)


def test_compressed_tiles_keep_their_room():
    array = np.where(np.arange(64 * 32).reshape(64, 32) % 9, 0, 1.5).astype(np.float32)
    form = dict(compressed=True, row_datums=256, digest_size=0)
    data = tessera.tilize(array, "Bfp8_b", **form)
    assert data.size == tessera.tensor_bytes(array.shape, "Bfp8_b", **form)
    sizes = tessera.tensor_sizes(data, array.shape, "Bfp8_b", **form)
    # A header, row starts, exponents; 32 datums with their counters for each of the written ones.
    written = [int(data.view(np.uint16)[tile * data.size // 4 + 8 + 4]) for tile in range(2)]
    assert sizes == [16 + 16 + 64 + -(-n // 32) * 48 for n in written]
    assert all(2 * n > np.count_nonzero(half) for n, half in zip(written, (array[:32], array[32:])))
    assert np.array_equal(tessera.untilize(data, array.shape, "Bfp8_b", **form), array)
    data[16 + 8] += 1
    with pytest.raises(tessera.Error) as refused:
        tessera.untilize(data, array.shape, "Bfp8_b", **form)
    assert refused.value.code == "tensor.data"


def test_rounding_and_shared_exponents():
    array = np.zeros((32, 32))
    array[0, :2] = 1, 2**-7
    assert tessera.untilize(tessera.tilize(array, "Bfp8_b"), (32, 32), "Bfp8_b")[0, 1] == 0  # a tie, to even
    data = tessera.tilize(array, "Bfp8_b", rounding="device")
    assert tessera.untilize(data, (32, 32), "Bfp8_b")[0, 1] == 2**-6  # a tie, away from zero
    data = tessera.tilize(array, "Bfp4_b", shared_exponent=127)
    assert data.size == 512
    assert tessera.untilize(data, (32, 32), "Bfp4_b", shared_exponent=127)[0, 0] == 1


def test_what_is_refused():
    for shape in ((31, 32), (32, 48)):
        with pytest.raises(tessera.Error) as refused:
            tessera.tilize(np.zeros(shape), "Float32")
        assert refused.value.code == "tensor.shape"
    with pytest.raises(tessera.Error) as refused:
        tessera.untilize(bytes(100), (32, 32), "Float32")
    assert refused.value.code == "tensor.shape"
    for array in (np.zeros(32), np.zeros((1, 32, 32)), np.float32(1)):
        with pytest.raises(ValueError):
            tessera.tilize(array, "Float32")
    for array in (np.zeros((32, 32), complex), [["a"]], np.zeros((32, 32), object)):
        with pytest.raises(TypeError):
            tessera.tilize(array, "Float32")
    with pytest.raises(TypeError):
        tessera.untilize(np.zeros(1024, np.float32), (32, 32), "Float32")
    for format in ("Float64", 12, 13):
        with pytest.raises(ValueError):
            tessera.tilize(np.zeros((32, 32)), format)
    with pytest.raises(ValueError, match="tiles, rows"):
        tessera.tilize(np.zeros((32, 32)), "Float32", layout="columns")
    with pytest.raises(ValueError, match="host, device"):
        tessera.tilize(np.zeros((32, 32)), "Float32", rounding="up")
    with pytest.raises(ValueError, match="256"):
        tessera.tilize(np.zeros((32, 32)), "Float32", digest_size=256)
    with pytest.raises(TypeError):
        tessera.tilize(np.zeros((32, 32)), "Float32", compression=True)
    for form in (dict(row_datums=16), dict(shared_exponent=1)):
        with pytest.raises(tessera.Error) as refused:
            tessera.tilize(np.zeros((32, 32)), "Float32", **form)
        assert refused.value.code == "tensor.form"


def test_formats_have_hardwares_codes():
    assert tessera.DataFormat.Float32 == 0 and tessera.DataFormat.Float16_b == 5 and tessera.DataFormat.Bfp2_b == 15
