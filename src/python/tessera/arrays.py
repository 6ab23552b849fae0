# SPDX-License-Identifier: Apache-2.0
"""Functions over whole arrays, without a core: the bits that a kernel leaves, for tests of other programs.

Each function rounds its arrays to their format in L1, as tilize() does. The datums then pass the unpackers' conversion, the matrix
unit and the packers' conversions. The result is exact: float32, or int64 for integer formats. All functions work in tiles of
32x32; other shapes are padded with zeros, as kernels pad them. Other Python threads run meanwhile. Sources: the ISA
documentation's pages of the instructions, and docs/internals/numerics.md.

Keyword arguments of all functions of the matrix unit:

format        format of the arrays in L1, a DataFormat or its name: Float32, Tf32, Float16, Float16_b, Lf8, Fp8_e4m3
              (Blackhole), a block float, Int8 or UInt8
b_format      format of the second array, if it differs. Both have 8-bit exponents (Float32, Tf32 and formats with _b), both
              have 5-bit exponents (other floats), or both are integers
src           the unpackers convert Float32 to this: Tf32, Float16_b or Float16
fidelity      'LoFi', 'HiFi2', 'HiFi3' or 'HiFi4', or 1 to 4: the phases of each product that are added
dst_bits      bits of an element of Dst: 16 or 32. None: 32 for integers, which allow no other, and 16 for all else. 16 is the
              default of kernels; give 32 for a kernel with tt-metal's fp32_dest_acc_en=True
out           format of the result in L1. None: Int32 for integers, else `format`
intermediate  format between the packer's two conversions. None: the usual one (include/tessera/arrays.hpp)
arch          'blackhole' or 'wormhole'

All raise InputError before anything is computed: 'arrays.shape' if an array has no elements or the shapes do not fit together;
'arrays.size' for more than 2^28 elements of an array or result; 'arrays.format', 'arrays.dst', 'arrays.fidelity' for values out of
range; 'argument.value' for unknown names, and for arrays without two dimensions. ArgumentError: an array has no numbers. Ctrl-C
raises KeyboardInterrupt.
"""

from __future__ import annotations

import operator
from typing import Any, Literal, NoReturn, Optional, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tessera import _core
from tessera._arguments import given, wrong
from tessera._core import DataFormat
from tessera.errors import error_of
from tessera.tensors import Bytes, Format, Shape, array_of, bytes_of, format_of, numbers, shape_of

INTEGERS = (DataFormat.Int8, DataFormat.UInt8)
FIDELITIES = ("LoFi", "HiFi2", "HiFi3", "HiFi4")
Fidelity = Union[str, int]
_MOST_ELEMENTS = 1 << 28  # of an array (include/tessera/arrays.hpp)


def _refuse(message: str) -> NoReturn:
    raise error_of("argument.value", message)


def _index(where: str, name: str, value: int, code: str) -> int:
    try:
        index = operator.index(value)
    except TypeError:
        wrong(where, name, "an int", value)
    if not 0 <= index < 1 << 32:
        raise error_of(code, f"{where}argument '{name}' takes an int of 0 to {(1 << 32) - 1}, not {given(index)}")
    return index


def _sized(where: str, name: str, array: ArrayLike) -> NDArray[Any]:
    """The array, refused before anything copies it if it has too many elements."""
    values = array_of(where, name, array)
    if values.size > _MOST_ELEMENTS:
        raise error_of("arrays.size", f"{name} of {' x '.join(map(str, values.shape))} is more than {_MOST_ELEMENTS} elements")
    return values


def _matrix(where: str, name: str, array: ArrayLike, format: Format) -> tuple[NDArray[np.float32], Optional[NDArray[Any]]]:
    """numbers() of an array that is not too large."""
    return numbers(where, name, _sized(where, name, array), format)


def _pair(where: str, a_name: str, a: ArrayLike, b_name: str, b: ArrayLike, format: Format,
          b_format: Optional[Format]) -> tuple[NDArray[np.float32], Optional[NDArray[Any]], NDArray[np.float32], Optional[NDArray[Any]]]:
    """_matrix() of both; b has a's format if it has no own."""
    return (*_matrix(where, a_name, a, format), *_matrix(where, b_name, b, format if b_format is None else b_format))


def _phases(where: str, fidelity: Fidelity) -> int:
    if isinstance(fidelity, str):
        if fidelity not in FIDELITIES:
            _refuse(f"'{fidelity}' is not a fidelity: {', '.join(FIDELITIES)}")
        return FIDELITIES.index(fidelity) + 1
    return _index(where, "fidelity", fidelity, "arrays.fidelity")


def _is_matrix_integer(format: Format) -> bool:
    return (DataFormat[format] if isinstance(format, str) else format) in INTEGERS


def _options(where: str, format: Format, b_format: Optional[Format], src: Format, fidelity: Fidelity,
             dst_bits: Optional[int], out: Optional[Format], intermediate: Optional[Format], arch: str) -> _core.ArrayOptions:
    b_format = format if b_format is None else b_format
    bits = None if dst_bits is None else _index(where, "dst_bits", dst_bits, "arrays.dst")
    for name, one in (("format", format), ("b_format", b_format), ("src", src), ("out", out), ("intermediate", intermediate)):
        if one is not None:
            format_of(where, name, one)
    if not isinstance(arch, str):
        wrong(where, "arch", "a str", arch)
    return _core.ArrayOptions(arch, format, b_format, src, _phases(where, fidelity), bits, out, intermediate)


def _convert_options(where: str, to: Format, format: Format, dst: Format, intermediate: Optional[Format],
                     arch: str) -> _core.ConvertOptions:
    for name, one in (("to", to), ("format", format), ("dst", dst), ("intermediate", intermediate)):
        if one is not None or name != "intermediate":
            format_of(where, name, one)  # type: ignore[arg-type]
    if not isinstance(arch, str):
        wrong(where, "arch", "a str", arch)
    return _core.ConvertOptions(arch, format, dst, to, intermediate)


def matmul(a: ArrayLike, b: ArrayLike, *, format: Format = "Float16_b", b_format: Optional[Format] = None,
           src: Format = "Tf32", fidelity: Fidelity = "HiFi4", dst_bits: Optional[int] = None, out: Optional[Format] = None,
           intermediate: Optional[Format] = None, arch: str = "blackhole") -> NDArray[Any]:
    """a @ b as a kernel multiplies tiles: an array of shape (m, n).

    a  shape (m, k), goes to SrcB as `format`
    b  shape (k, n), goes to SrcA as `b_format`

    An element of Dst starts as zero and holds the whole sum. The order of additions: one tile of the sum after the other; in a
    tile, one phase after the other; in a phase, the left half of a's tile (16 columns), then the right half. Each addition is one
    MVMUL.

    Other keyword arguments and what is raised: help(tessera.arrays).
    """
    where = "matmul(): "
    options = _options(where, format, b_format, src, fidelity, dst_bits, out, intermediate, arch)
    return _core.matmul(*_pair(where, "a", a, "b", b, format, b_format), options)


def elwadd(a: ArrayLike, b: ArrayLike, *, format: Format = "Float16_b", b_format: Optional[Format] = None,
           src: Format = "Tf32", dst_bits: Optional[int] = None, out: Optional[Format] = None,
           intermediate: Optional[Format] = None, arch: str = "blackhole") -> NDArray[Any]:
    """a + b by ELWADD, without accumulation, in phase 0: an array of a's shape.

    a  shape (m, n), goes to SrcA as `format`
    b  shape (m, n), (1, n), (m, 1) or (1, 1), goes to SrcB as `b_format`; the instruction broadcasts a single row or column

    Keyword arguments and what is raised: help(tessera.arrays).
    """
    where = "elwadd(): "
    options = _options(where, format, b_format, src, 4, dst_bits, out, intermediate, arch)
    return _core.elwadd(*_pair(where, "a", a, "b", b, format, b_format), options)


def elwsub(a: ArrayLike, b: ArrayLike, *, format: Format = "Float16_b", b_format: Optional[Format] = None,
           src: Format = "Tf32", dst_bits: Optional[int] = None, out: Optional[Format] = None,
           intermediate: Optional[Format] = None, arch: str = "blackhole") -> NDArray[Any]:
    """a - b by ELWSUB: an array of a's shape. Arrays and broadcasts are those of elwadd().

    Keyword arguments and what is raised: help(tessera.arrays).
    """
    where = "elwsub(): "
    options = _options(where, format, b_format, src, 4, dst_bits, out, intermediate, arch)
    return _core.elwsub(*_pair(where, "a", a, "b", b, format, b_format), options)


def elwmul(a: ArrayLike, b: ArrayLike, *, format: Format = "Float16_b", b_format: Optional[Format] = None,
           src: Format = "Tf32", fidelity: Fidelity = "HiFi4", dst_bits: Optional[int] = None, out: Optional[Format] = None,
           intermediate: Optional[Format] = None, arch: str = "blackhole") -> NDArray[Any]:
    """a * b by ELWMUL, one per phase, onto zeros in Dst: an array of a's shape. Arrays and broadcasts are those of elwadd().

    Keyword arguments and what is raised: help(tessera.arrays).
    """
    where = "elwmul(): "
    options = _options(where, format, b_format, src, fidelity, dst_bits, out, intermediate, arch)
    return _core.elwmul(*_pair(where, "a", a, "b", b, format, b_format), options)


def gapool(a: ArrayLike, weights: Optional[ArrayLike] = None, *, format: Format = "Float16_b",
           b_format: Optional[Format] = None, src: Format = "Tf32", fidelity: Fidelity = "HiFi4",
           dst_bits: Optional[int] = None, out: Optional[Format] = None, intermediate: Optional[Format] = None,
           arch: str = "blackhole") -> NDArray[Any]:
    """weights @ a by GAPOOL onto zeros in Dst: an array of shape (1 to 4, n).

    a        shape (m, n), goes to SrcA as `format`
    weights  shape (1 to 4, m), goes to SrcB as `b_format`; None: a row of ones, which gives the sums of a's columns;
             numpy.full((1, m), 1 / m) gives their means

    Blocks of 16 rows of a are added one after the other, each in all phases.

    Other keyword arguments and what is raised: help(tessera.arrays).
    """
    where = "gapool(): "
    options = _options(where, format, b_format, src, fidelity, dst_bits, out, intermediate, arch)
    if weights is None:
        rows = _sized(where, "a", a)
        weights = np.ones((1, rows.shape[0] if rows.ndim and rows.size else 0), np.int64)
    return _core.gapool(*_pair(where, "a", a, "weights", weights, format, b_format), options)


@overload
def gmpool(a: ArrayLike, *, argmax: Literal[False] = False, format: Format = ..., src: Format = ...,
           dst_bits: Optional[int] = ..., out: Optional[Format] = ..., intermediate: Optional[Format] = ...,
           arch: str = ...) -> NDArray[Any]: ...


@overload
def gmpool(a: ArrayLike, *, argmax: Literal[True], format: Format = ..., src: Format = ..., dst_bits: Optional[int] = ...,
           out: Optional[Format] = ..., intermediate: Optional[Format] = ...,
           arch: str = ...) -> tuple[Optional[NDArray[Any]], NDArray[np.int64]]: ...


def gmpool(a: ArrayLike, *, argmax: bool = False, format: Format = "Float16_b", src: Format = "Tf32",
           dst_bits: Optional[int] = None, out: Optional[Format] = None, intermediate: Optional[Format] = None,
           arch: str = "blackhole") -> Union[NDArray[Any], tuple[Optional[NDArray[Any]], NDArray[np.int64]]]:
    """The maximum of each column by GMPOOL: an array of shape (1, n). With argmax also its row: int64 of shape (n,).

    a  shape (m, n), goes to SrcA as `format`; SrcB holds 1.0

    Formats of 5-bit exponents need dst_bits=16. With argmax the instruction takes 8 rows at a time, Dst has 32 bits (the default
    then), and m is at most 128. For Tf32 (Float32 with src='Tf32') and integers the instruction gives only the row, of 8: values
    is None and m is at most 8. Among equal values in 8 rows the last in the order 4 to 7, 0 to 3 wins; among groups of 8, the
    last group, or if they are 0, the first.

    Other keyword arguments and what is raised: help(tessera.arrays).
    """
    where = "gmpool(): "
    if not isinstance(argmax, (bool, np.bool_)):
        wrong(where, "argmax", "a bool", argmax)
    options = _options(where, format, None, src, 4, dst_bits, out, intermediate, arch)
    values, rows = _core.gmpool(*_matrix(where, "a", a, format), bool(argmax), options)
    return (values, np.array(rows, np.int64)) if argmax else values


def mvmul(b: ArrayLike, a: ArrayLike, dst: Optional[ArrayLike] = None, *, phase: int = 0, format: Format = "Float16_b",
          b_format: Optional[Format] = None, src: Format = "Tf32", dst_bits: Optional[int] = None,
          arch: str = "blackhole") -> NDArray[np.uint32]:
    """One MVMUL in one fidelity phase, dst + b @ a: patterns of Dst, uint32 of shape (8, 16).

    b      shape (8, 16), goes to SrcB as `b_format`
    a      shape (16, 16), goes to SrcA as `format`
    dst    patterns of Dst, integers of shape (8, 16); None: zeros. With 32 bits FP32, or INT32 as sign and magnitude; with
           16 bits BF16, or FP16 for formats of 5-bit exponents
    phase  0 to 3

    Other keyword arguments and what is raised: help(tessera.arrays).
    """
    where = "mvmul(): "
    options = _options(where, format, b_format, src, 4, dst_bits, None, None, arch)
    patterns = None
    if dst is not None:
        patterns = array_of(where, "dst", dst)
        if patterns.dtype.kind not in "iu":
            wrong(where, "dst", "patterns of Dst, which are integers", patterns)
        if patterns.shape != (8, 16):
            _refuse(f"patterns of Dst have shape (8, 16), not {patterns.shape}")
        most = 0xFFFFFFFF if dst_bits == 32 or _is_matrix_integer(format) else 0xFFFF
        if patterns.min() < 0 or patterns.max() > most:
            _refuse(f"patterns of Dst are 0 to 0x{most:X}")
    at = _index(where, "phase", phase, "arrays.fidelity")
    return _core.mvmul(*_matrix(where, "b", b, format if b_format is None else b_format), *_matrix(where, "a", a, format), patterns, at,
                       options)


def convert(a: ArrayLike, to: Format, *, format: Format = "Float32", dst: Format = "Float32",
            intermediate: Optional[Format] = None, arch: str = "blackhole") -> NDArray[Any]:
    """The values of an array after it was unpacked to Dst and packed to another format, in a's shape.

    a       shape (m, n)
    to      format in L1 afterwards, a DataFormat or its name
    format  format in L1 before: as in help(tessera.arrays), but of integers only Int32
    dst     the unpackers convert Float32 to this in Dst: Float32 (32 bits), Float16_b or Float16 (16 bits)

    Unpackers truncate. The packers' early conversion rounds to nearest with ties away from zero, if it rounds; the late one
    truncates (docs/internals/numerics.md, 9). tilize() and untilize() round as the host does.

    Other keyword arguments and what is raised: help(tessera.arrays).
    """
    where = "convert(): "
    return _core.convert(*_matrix(where, "a", a, format), _convert_options(where, to, format, dst, intermediate, arch))


def pack_tiles(a: ArrayLike, to: Format, *, format: Format = "Float32", dst: Format = "Float32",
               intermediate: Optional[Format] = None, arch: str = "blackhole") -> NDArray[np.uint8]:
    """The bytes of convert() that a packer leaves in L1: uint8 of shape (n,).

    The bytes are whole tiles in the order of tilize(), padded with zeros. Int32 is sign and magnitude, as in hardware. All else
    is as in convert().
    """
    where = "pack_tiles(): "
    return _core.pack_tiles(*_matrix(where, "a", a, format), _convert_options(where, to, format, dst, intermediate, arch))


def unpack_tiles(data: Bytes, shape: Shape, format: Format, *, src: Format = "Tf32",
                 arch: str = "blackhole") -> NDArray[Any]:
    """The values of tiles in L1 after the unpackers' conversion to a source register: float32, or int64 for integers.

    data   bytes, or an array of uint8, as from tilize() or pack_tiles()
    shape  (rows, columns), multiples of 32

    Raises Error 'tensor.shape' if data has not the size of that shape and format. All else: help(tessera.arrays).
    """
    where = "unpack_tiles(): "
    for name, one in (("format", format), ("src", src)):
        format_of(where, name, one)
    if not isinstance(arch, str):
        wrong(where, "arch", "a str", arch)
    return _core.unpack_tiles(bytes_of(where, data), shape_of(where, shape), format, src, arch)
