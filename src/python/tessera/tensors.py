# SPDX-License-Identifier: Apache-2.0
"""Arrays to bytes of L1 and back."""

from enum import IntEnum

import numpy as np

from tessera import _core

DataFormat = IntEnum("DataFormat", _core.format_codes(), module=__name__)
DataFormat.__doc__ = "What a datum's bits mean, with the code that hardware's format fields have. Functions take names too."


def numbers(array):
    """The array, and the same as int64 where it has integers, else None."""
    array = np.asarray(array)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"an array of numbers is needed, not of {array.dtype}")
    if array.dtype.kind == "f":
        return array, None
    return array, np.minimum(array, np.iinfo(np.int64).max).astype(np.int64) if array.dtype.kind == "u" else array


def tilize(array, format, layout="tiles"):
    """A matrix as bytes of L1: uint8 of shape (n,).

    array   two dimensions; for 'tiles' both multiples of 32. Integers and bool go exactly to integer formats
    format  a DataFormat or its name
    layout  'tiles': tiles of 32x32 in row-major order, each four faces of 16x16; or 'rows'

    Rounding is that of tessera::to_bytes (include/tessera/tensor.hpp). Raises Error 'tensor.format', 'tensor.shape'.
    """
    return _core.pack(*numbers(array), format, layout)


def untilize(data, shape, format, layout="tiles"):
    """The matrix of `shape` (rows, columns) that bytes of L1 hold: float32, or int64 for integer formats.

    data is bytes, or an array of uint8. Otherwise as tilize(). Raises Error 'tensor.format'; 'tensor.shape' also when the
    number of bytes is not tensor_bytes(shape, format, layout).
    """
    if not isinstance(data, np.ndarray):
        data = np.frombuffer(data, np.uint8)
    if data.dtype != np.uint8:
        raise TypeError(f"bytes are needed, not {data.dtype}")
    return _core.unpack(data, shape, format, layout)
