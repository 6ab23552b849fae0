# SPDX-License-Identifier: Apache-2.0
"""What the machine makes of whole arrays, without a core: goldens for tests of other programs.

The bits are those that a kernel on a Core leaves. Arrays are rounded to their format in L1 as tilize() does, go through the
unpackers' conversion, the matrix unit and the packers' conversions, and come back exactly: float32, or int64 for integer
formats. Work is in tiles of 32x32; any other shape is padded with zeros, as kernels pad it. Other threads of Python go on
meanwhile. Sources: the ISA documentation's pages of the instructions, and docs/internals/numerics.md.

Keyword arguments of all functions of the matrix unit:

format        of the arrays in L1, a DataFormat or its name: Float32, Tf32, Float16, Float16_b, Lf8, Fp8_e4m3 (Blackhole), a
              block float, Int8 or UInt8
b_format      of the second one, if it has another: with exponents of the same width in its source register (8 bits in
              Float32, Tf32 and formats with _b, else 5), or an integer like the first
src           what unpackers make of Float32 on the way to a source register: Tf32, Float16_b or Float16
fidelity      'LoFi', 'HiFi2', 'HiFi3' or 'HiFi4', or 1 to 4: how many phases of each product are added
dst_bits      of an element of Dst: 16 or 32; None: 32 for integers, which have no other, else 16, since kernels have 16 by
              default: tt-metal's fp32_dest_acc_en is false until a kernel asks for it. With fp32_dest_acc_en=True, give 32
out           format of the result in L1; None: Int32 for integers, else `format`
intermediate  between the packer's two conversions; None: the usual one (include/tessera/arrays.hpp)
arch          'blackhole' or 'wormhole'

They raise InputError before anything is computed: 'arrays.shape' for arrays without elements or that do not go together,
'arrays.size' beyond 2^28 elements of an array or result, 'arrays.format', 'arrays.dst', 'arrays.fidelity', 'argument.value' for
names that there are not and arrays that have not two dimensions; ArgumentError for arrays of no numbers. Ctrl-C ends them with
KeyboardInterrupt.
"""

from __future__ import annotations

import operator
from typing import Any, Literal, NoReturn, Optional, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tessera import _core
from tessera._arguments import wrong
from tessera._core import DataFormat
from tessera.errors import error_of
from tessera.tensors import Bytes, Format, Shape, bytes_of, format_of, numbers, shape_of

INTEGERS = (DataFormat.Int8, DataFormat.UInt8)
FIDELITIES = ("LoFi", "HiFi2", "HiFi3", "HiFi4")
Fidelity = Union[str, int]


def _refuse(message: str) -> NoReturn:
    raise error_of("argument.value", message)


def _index(where: str, name: str, value: int) -> int:
    try:
        index = operator.index(value)
    except TypeError:
        wrong(where, name, "an int", value)
    return min(index, (1 << 32) - 1) if index >= 0 else 0


def _phases(where: str, fidelity: Fidelity) -> int:
    if isinstance(fidelity, str):
        if fidelity not in FIDELITIES:
            _refuse(f"'{fidelity}' is no fidelity: {', '.join(FIDELITIES)}")
        return FIDELITIES.index(fidelity) + 1
    return _index(where, "fidelity", fidelity)


def _is_integer(format: Format) -> bool:
    return (DataFormat[format] if isinstance(format, str) else format) in INTEGERS


def _options(where: str, format: Format, b_format: Optional[Format], src: Format, fidelity: Fidelity,
             dst_bits: Optional[int], out: Optional[Format], intermediate: Optional[Format], arch: str) -> _core.ArrayOptions:
    b_format = format if b_format is None else b_format
    bits = None if dst_bits is None else _index(where, "dst_bits", dst_bits)
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

    The order of additions to an element of Dst, which starts as zero and holds the whole sum: tiles of the sum one after
    the other; in a tile all phases, one after the other; in a phase the left half of a's tile (16 columns) and then the
    right one. Each addition is an MVMUL.

    Other keyword arguments and what is raised: help(tessera.arrays).
    """
    where = "matmul(): "
    options = _options(where, format, b_format, src, fidelity, dst_bits, out, intermediate, arch)
    return _core.matmul(*numbers(where, "a", a), *numbers(where, "b", b), options)


def elwadd(a: ArrayLike, b: ArrayLike, *, format: Format = "Float16_b", b_format: Optional[Format] = None,
           src: Format = "Tf32", dst_bits: Optional[int] = None, out: Optional[Format] = None,
           intermediate: Optional[Format] = None, arch: str = "blackhole") -> NDArray[Any]:
    """a + b by ELWADD, without accumulation, in phase 0: an array of a's shape.

    a  shape (m, n), goes to SrcA as `format`
    b  shape (m, n), (1, n), (m, 1) or (1, 1), goes to SrcB as `b_format`; what it has once is broadcast by the instruction

    Keyword arguments and what is raised: help(tessera.arrays).
    """
    where = "elwadd(): "
    options = _options(where, format, b_format, src, 4, dst_bits, out, intermediate, arch)
    return _core.elwadd(*numbers(where, "a", a), *numbers(where, "b", b), options)


def elwsub(a: ArrayLike, b: ArrayLike, *, format: Format = "Float16_b", b_format: Optional[Format] = None,
           src: Format = "Tf32", dst_bits: Optional[int] = None, out: Optional[Format] = None,
           intermediate: Optional[Format] = None, arch: str = "blackhole") -> NDArray[Any]:
    """a - b by ELWSUB: an array of a's shape. All that elwadd() says holds for it.

    Keyword arguments and what is raised: help(tessera.arrays).
    """
    where = "elwsub(): "
    options = _options(where, format, b_format, src, 4, dst_bits, out, intermediate, arch)
    return _core.elwsub(*numbers(where, "a", a), *numbers(where, "b", b), options)


def elwmul(a: ArrayLike, b: ArrayLike, *, format: Format = "Float16_b", b_format: Optional[Format] = None,
           src: Format = "Tf32", fidelity: Fidelity = "HiFi4", dst_bits: Optional[int] = None, out: Optional[Format] = None,
           intermediate: Optional[Format] = None, arch: str = "blackhole") -> NDArray[Any]:
    """a * b by ELWMUL, one per phase, onto zeros in Dst: an array of a's shape. Arrays and broadcasts as elwadd() has them.

    Keyword arguments and what is raised: help(tessera.arrays).
    """
    where = "elwmul(): "
    options = _options(where, format, b_format, src, fidelity, dst_bits, out, intermediate, arch)
    return _core.elwmul(*numbers(where, "a", a), *numbers(where, "b", b), options)


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
        rows = numbers(where, "a", a)[0].shape
        weights = np.ones((1, rows[0] if rows else 0), np.int64)
    return _core.gapool(*numbers(where, "a", a), *numbers(where, "weights", weights), options)


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
    """The largest of each column by GMPOOL: an array of shape (1, n); with argmax that, and its row: int64 of shape (n,).

    a  shape (m, n), goes to SrcA as `format`; SrcB holds 1.0

    Formats of 5-bit exponents need dst_bits=16. With argmax the instruction looks at 8 rows at a time, Dst has 32 bits
    (the default then), and m is at most 128. For Tf32 (Float32 with src='Tf32') and integers the machine tells the row
    only, of 8: the values are None then. Of equal ones in 8 rows the last in the order 4 to 7, 0 to 3 counts, and of those
    in different eights the last.

    Other keyword arguments and what is raised: help(tessera.arrays).
    """
    where = "gmpool(): "
    if not isinstance(argmax, (bool, np.bool_)):
        wrong(where, "argmax", "a bool", argmax)
    options = _options(where, format, None, src, 4, dst_bits, out, intermediate, arch)
    values, rows = _core.gmpool(*numbers(where, "a", a), bool(argmax), options)
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
        patterns, _ = numbers(where, "dst", dst)
        if patterns.dtype.kind not in "iu":
            wrong(where, "dst", "patterns of Dst, which are integers", patterns)
        if patterns.shape != (8, 16):
            _refuse(f"patterns of Dst have shape (8, 16), not {patterns.shape}")
        most = 0xFFFFFFFF if dst_bits == 32 or _is_integer(format) else 0xFFFF
        if patterns.min() < 0 or patterns.max() > most:
            _refuse(f"patterns of Dst are 0 to 0x{most:X}")
    at = _index(where, "phase", phase)
    if phase < 0:
        at = 4  # none
    return _core.mvmul(*numbers(where, "b", b), *numbers(where, "a", a), patterns, at, options)


def convert(a: ArrayLike, to: Format, *, format: Format = "Float32", dst: Format = "Float32",
            intermediate: Optional[Format] = None, arch: str = "blackhole") -> NDArray[Any]:
    """What becomes of an array unpacked to Dst and packed to another format: the values, in a's shape.

    a       shape (m, n)
    to      format in L1 afterwards, a DataFormat or its name
    format  in L1 before: as in help(tessera.arrays), but of integers Int32 only
    dst     what unpackers make of Float32 in Dst: Float32 (32 bits), Float16_b or Float16 (16 bits)

    Unpackers truncate; packers round to nearest with ties away from zero where their early conversion rounds, and
    truncate in the late one (docs/internals/numerics.md, 9). tilize() and untilize() have the host's rounding instead.

    Other keyword arguments and what is raised: help(tessera.arrays).
    """
    where = "convert(): "
    return _core.convert(*numbers(where, "a", a), _convert_options(where, to, format, dst, intermediate, arch))


def pack_tiles(a: ArrayLike, to: Format, *, format: Format = "Float32", dst: Format = "Float32",
               intermediate: Optional[Format] = None, arch: str = "blackhole") -> NDArray[np.uint8]:
    """The bytes of convert(): what a packer leaves in L1, uint8 of shape (n,).

    Tiles as tilize() lays them out, padded with zeros to whole ones; Int32 is sign and magnitude, as hardware has it. All
    else as convert().
    """
    where = "pack_tiles(): "
    return _core.pack_tiles(*numbers(where, "a", a), _convert_options(where, to, format, dst, intermediate, arch))


def unpack_tiles(data: Bytes, shape: Shape, format: Format, *, src: Format = "Tf32",
                 arch: str = "blackhole") -> NDArray[Any]:
    """The values that unpackers make of tiles in L1 on the way to a source register: float32, or int64 for integers.

    data   bytes, or an array of uint8, as tilize() and pack_tiles() give them
    shape  (rows, columns), multiples of 32

    Raises Error 'tensor.shape' when data is not as long as shape and format want it. All else: help(tessera.arrays).
    """
    where = "unpack_tiles(): "
    for name, one in (("format", format), ("src", src)):
        format_of(where, name, one)
    if not isinstance(arch, str):
        wrong(where, "arch", "a str", arch)
    return _core.unpack_tiles(bytes_of(where, data), shape_of(where, shape), format, src, arch)
