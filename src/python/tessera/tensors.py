# SPDX-License-Identifier: Apache-2.0
"""Arrays to bytes of L1 and back."""

from __future__ import annotations

import math
import operator
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tessera import _core
from tessera._arguments import UINT64, given, is_index, is_within, refuse, wrong
from tessera._core import DataFormat
from tessera.errors import error_of

Bytes = Union[bytes, bytearray, memoryview, NDArray[np.uint8]]
Format = Union[DataFormat, str, int]
Shape = tuple[int, int]


# Codes of integers in a buffer's format.
_INTEGERS = frozenset("?bBchHiIlLqQnN")
_FLOATS = frozenset("efdgZ")
# As in tessera/tensor.hpp: bytes are counted in 63 bits, also by numpy, which counts them by the dimensions that are not 0.
_MOST_ELEMENTS = (1 << 59) - 1


def _refuse_large(shape: tuple[int, ...]) -> None:
    if math.prod(max(size, 1) for size in shape) > _MOST_ELEMENTS:
        raise error_of("tensor.shape", f"{' x '.join(map(str, shape))} is too large")


def _is_of_a_package(dtype: np.dtype[Any]) -> bool:
    """A number that another package adds to numpy, as ml_dtypes does: bfloat16."""
    return dtype.isbuiltin == 2 and np.can_cast(dtype, np.float64)


def array_of(where: str, name: str, array: ArrayLike) -> NDArray[Any]:
    """An array of numbers."""
    try:
        values = np.asarray(array)
    except ValueError:  # rows of different lengths
        wrong(where, name, "an array of numbers", array)
    if _is_of_a_package(values.dtype):
        values = values.astype(np.float64)
    if values.dtype.kind not in "fiub":
        wrong(where, name, "an array of numbers", array if values.ndim == 0 else values)
    return values


def matrix_of(where: str, name: str, array: ArrayLike) -> NDArray[Any]:
    """An array of numbers with two dimensions."""
    values = array_of(where, name, array)
    if values.ndim != 2:
        raise error_of("argument.value", f"{where}argument '{name}' takes an array of two dimensions, not of {values.ndim}")
    return values


def numbers(where: str, name: str, array: ArrayLike, format: Format) -> tuple[NDArray[np.float32], Optional[NDArray[Any]]]:
    """The matrix as float32, and as int64 where it has integers or the format is one of integers, else None."""
    values = matrix_of(where, name, array)
    _refuse_large(values.shape)
    with np.errstate(all="ignore"):  # above float32's range is infinity, whatever the caller has set
        floats = values.astype(np.float32, copy=False)
    if values.dtype.kind == "f":
        return floats, _whole_numbers(values) if _is_integer(format) else None
    if values.dtype.kind == "u":  # the limit is a uint64, because NumPy 2 refuses one that the array's own type does not hold
        values = np.minimum(values, np.uint64(np.iinfo(np.int64).max)).astype(np.int64)
    return floats, values


def _is_integer(format: Format) -> bool:
    integers = [known for known in DataFormat if "Int" in known.name]
    if isinstance(format, str):
        return format in [known.name for known in integers]
    return is_index(format) and operator.index(format) in [operator.index(known) for known in integers]


def _whole_numbers(array: NDArray[Any]) -> NDArray[np.int64]:
    """Floats to nearest, ties to even; NaN is 0. The limits are beyond those of all formats."""
    with np.errstate(all="ignore"):
        values = np.nan_to_num(np.asarray(array, np.float64), nan=0.0)
        return np.clip(np.rint(values), -(2.0**62), 2.0**62).astype(np.int64)


def bytes_of(where: str, data: Bytes) -> NDArray[np.uint8]:
    """Bytes as an array."""
    if isinstance(data, np.ndarray):
        if data.dtype != np.uint8:
            wrong(where, "data", "bytes or an array of uint8", data)
        return data
    try:
        return np.frombuffer(data, np.uint8) if memoryview(data).nbytes else np.empty(0, np.uint8)
    except (TypeError, ValueError, BufferError):
        wrong(where, "data", "bytes or an array of uint8", data)


def shape_of(where: str, shape: Shape) -> Shape:
    """Rows and columns."""
    try:
        rows, columns = shape
    except (TypeError, ValueError):
        wrong(where, "shape", "two sizes, (rows, columns)", shape)
    for at, size in enumerate((rows, columns)):
        if not is_within(size, UINT64):
            wrong(where, "shape", f"an int of 0 to {UINT64[-1]}", size, (f"value {at}",))
    rows, columns = operator.index(rows), operator.index(columns)
    _refuse_large((rows, columns))
    return rows, columns


def format_of(where: str, name: str, format: Format) -> Format:
    """A name or a code."""
    if not isinstance(format, str) and not is_index(format):
        wrong(where, name, "a DataFormat or its name", format)
    return format


def tilize(array: ArrayLike, format: Format, layout: str = "tiles", *, compressed: bool = False,
           row_datums: Optional[int] = None, digest_size: Optional[int] = None, shared_exponent: Optional[int] = None,
           rounding: str = "host") -> NDArray[np.uint8]:
    """A matrix as bytes of L1: uint8 of shape (n,).

    array   two dimensions; for 'tiles' both are multiples of 32. Integers and bool become integer formats exactly
    format  a DataFormat or its name
    layout  'tiles': tiles of 32x32 in row-major order, each four faces of 16x16; or 'rows'

    Each tile, or the matrix of 'rows', consists of header, starts of compressed rows, exponents, datums. By keyword:

    compressed       True: leaves out zeros, as packers do; each tile keeps the room of one without zeros
    row_datums       datums of a compressed row. Default: 16 in tiles, else a row of the matrix
    digest_size      0 to 255: adds a header of 1 + digest_size lines of 16 bytes
    shared_exponent  the exponent of all blocks of a block format, which then has none in L1
    rounding         'host': to nearest; 'device': a packer's conversion from FP32

    Values become float32 first, to nearest, and then have the rounding of tessera::to_bytes (include/tessera/tensor.hpp). So a
    float64, or an integer of more than 24 bits, is rounded twice for a format of floats. Integer formats take arrays of integers
    exactly, and round a float64 once. Raises InputError 'tensor.format', 'tensor.form', 'tensor.shape'.
    """
    where = "tilize(): "
    form = _core.TensorForm(layout, compressed, row_datums, digest_size, shared_exponent, rounding)
    floats, integers = numbers(where, "array", array, format_of(where, "format", format))
    return _core.tilize(floats, integers, format, form)


def untilize(data: Bytes, shape: Shape, format: Format, layout: str = "tiles", *, compressed: bool = False,
             row_datums: Optional[int] = None, digest_size: Optional[int] = None, shared_exponent: Optional[int] = None,
             rounding: str = "host") -> NDArray[Any]:
    """Bytes of L1 as a matrix of `shape` (rows, columns): float32, or int64 for integer formats.

    data is bytes, or an array of uint8. All else is as in tilize(). Raises InputError 'tensor.format', 'tensor.form'; 'tensor.shape'
    also if the number of bytes is not tensor_bytes(shape, format, layout, …); 'tensor.data' if compressed rows contradict each other.
    """
    where = "untilize(): "
    form = _core.TensorForm(layout, compressed, row_datums, digest_size, shared_exponent, rounding)
    return _core.untilize(bytes_of(where, data), shape_of(where, shape), format_of(where, "format", format), form)


def memory_bytes(where: str, memory: str, function: str, data: Union[Bytes, ArrayLike], format: Optional[Format],
                 layout: str, compressed: bool = False) -> Any:
    """The bytes that a function writes into a memory: `data` as it is, or the bytes of a matrix in a format."""
    if not isinstance(layout, str):
        wrong(where, "layout", "a str", layout)
    if format is not None:
        return tilize(matrix_of(where, "data", data), format_of(where, "format", format), layout,
                      compressed=compressed)
    for argument, is_default in (("layout", layout == "tiles"), ("compressed", compressed is False)):
        if not is_default:
            raise error_of("argument.value", f"{where}argument {argument!r} needs a format: bytes and integers are copied as they are")
    if isinstance(data, bytes):
        return data
    takes = "bytes or a contiguous array of integers; with a format, a matrix"
    try:
        code = memoryview(data).format.lstrip("@=<>!")  # type: ignore[arg-type]
    except (TypeError, ValueError, BufferError):
        if not isinstance(data, np.ndarray) or not _is_of_a_package(data.dtype):
            wrong(where, "data", takes, data)
        code = "f"
    if code[:1] in _FLOATS and not isinstance(data, np.generic):
        refuse(f"{where}{given(data)} has no format in {memory}: name a format, as in {function}(address, array, 'Float16_b'), "
               "or pass its bytes (array.tobytes())")
    if code not in _INTEGERS or isinstance(data, np.generic):
        wrong(where, "data", takes, data)
    return data


def tensor_bytes(shape: Shape, format: Format, layout: str = "tiles", *, compressed: bool = False,
                 row_datums: Optional[int] = None, digest_size: Optional[int] = None,
                 shared_exponent: Optional[int] = None, rounding: str = "host") -> int:
    """The most bytes of L1 that a matrix of `shape` (rows, columns) takes, with the arguments of tilize().

    Raises InputError: 'tensor.format' for a format that does not allow the form, 'tensor.form' for a form that contradicts itself,
    'tensor.shape' if the layout does not allow the shape.
    """
    where = "tensor_bytes(): "
    form = _core.TensorForm(layout, compressed, row_datums, digest_size, shared_exponent, rounding)
    return _core.tensor_bytes(shape_of(where, shape), format_of(where, "format", format), form)


def tensor_sizes(data: Bytes, shape: Shape, format: Format, layout: str = "tiles", *, compressed: bool = False,
                 row_datums: Optional[int] = None, digest_size: Optional[int] = None,
                 shared_exponent: Optional[int] = None, rounding: str = "host") -> list[int]:
    """The bytes that each tile, or the matrix of 'rows', uses of its room: less than the room if zeros are left out.

    All else is as in untilize().
    """
    where = "tensor_sizes(): "
    form = _core.TensorForm(layout, compressed, row_datums, digest_size, shared_exponent, rounding)
    return _core.tensor_sizes(bytes_of(where, data), shape_of(where, shape), format_of(where, "format", format), form)
