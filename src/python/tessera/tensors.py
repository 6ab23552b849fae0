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


def _form(layout, compressed=False, row_datums=None, digest_size=None, shared_exponent=None, rounding="host"):
    """How a matrix stands in L1 beside its format: what tilize() says of these names."""
    return layout, compressed, row_datums, digest_size, shared_exponent, rounding


def _bytes(data):
    if not isinstance(data, np.ndarray):
        data = np.frombuffer(data, np.uint8)
    if data.dtype != np.uint8:
        raise TypeError(f"bytes are needed, not {data.dtype}")
    return data


def tilize(array, format, layout="tiles", **form):
    """A matrix as bytes of L1: uint8 of shape (n,).

    array   two dimensions; for 'tiles' both multiples of 32. Integers and bool go exactly to integer formats
    format  a DataFormat or its name
    layout  'tiles': tiles of 32x32 in row-major order, each four faces of 16x16; or 'rows'

    Each tile, or the matrix of 'rows', is in L1: header, starts of compressed rows, exponents, datums. By keyword:

    compressed       True: zeros are left out as packers do it; each tile keeps the room of one without zeros
    row_datums       datums of a compressed row; 16 in tiles, else a row of the matrix, if not given
    digest_size      0 to 255: with a header of 1 + digest_size lines of 16 bytes
    shared_exponent  the exponent of all blocks of a block format, which then have none in L1
    rounding         'host': to nearest; or 'device': as a packer converts FP32

    Rounding is that of tessera::to_bytes (include/tessera/tensor.hpp). Raises Error 'tensor.format', 'tensor.form',
    'tensor.shape'.
    """
    return _core.pack(*numbers(array), format, _form(layout, **form))


def untilize(data, shape, format, layout="tiles", **form):
    """The matrix of `shape` (rows, columns) that bytes of L1 hold: float32, or int64 for integer formats.

    data is bytes, or an array of uint8. Otherwise as tilize(). Raises Error 'tensor.format', 'tensor.form';
    'tensor.shape' also when the number of bytes is not tensor_bytes(shape, format, layout, **form); 'tensor.data' when
    compressed rows contradict themselves.
    """
    return _core.unpack(_bytes(data), shape, format, _form(layout, **form))


def tensor_bytes(shape, format, layout="tiles", **form):
    """Bytes of L1 that a matrix of `shape` (rows, columns) takes at most, in a format and as tilize() says.

    Raises Error: 'tensor.format' for a format without converter, 'tensor.form' for what contradicts itself,
    'tensor.shape' when the layout does not take the shape.
    """
    return _core.tensor_bytes(shape, format, _form(layout, **form))


def tensor_sizes(data, shape, format, layout="tiles", **form):
    """Bytes that each tile, or the matrix of 'rows', really takes: less than its room where zeros are left out.

    Otherwise as untilize().
    """
    return _core.tensor_sizes(_bytes(data), shape, format, _form(layout, **form))
