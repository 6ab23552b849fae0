# SPDX-License-Identifier: Apache-2.0
"""The chip, with its tiles and its DRAM as objects."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, Iterator
from typing import Any, Optional, Union

from numpy import uint8
from numpy.typing import ArrayLike, NDArray

from tessera import _core
from tessera._arguments import is_index, refuse, wrong
from tessera.core import Core
from tessera.errors import PositionError
from tessera.tensors import Bytes, Format, Shape, format_of, memory_bytes, shape_of, tensor_bytes, untilize

Lines = Union[int, Iterable[int]]


class Chip(_core.Chip):
    """A grid of Tensix tiles, joined by two NoCs with DRAM.

    arch         'blackhole' or 'wormhole'; or a ChipJob, for a chip with its memory and kernels in place. All else is for a name
    grid         (columns, rows): the tiles that exist, as the upper left part of those that work; None: all
    harvested    columns (Blackhole) or rows (Wormhole) of tiles that are switched off, in coordinates of NoC 0
    translation  True: NIUs translate coordinates, as after the chip's own firmware
    reset        the contents of memory before anything has run, as in Core

    Columns and rows count the tiles of the grid from the upper left, without gaps. A tile costs nothing before something uses it.

    Raises InputError 'chip.grid' and 'chip.harvested' for what the chip does not have.
    """

    @property
    def dram(self) -> Dram:
        """Channels of DRAM: chip.dram[0].write(0x1000, b'abc')."""
        return Dram(self)

    def tile(self, column: int, row: int) -> Core:
        """A tile as a Core: its memories and state, not a copy. It keeps the chip alive.

        The tile runs with the chip, so run(), start(), load(), assign() and reset() of this Core are refused. Core(tile) is a copy that
        runs alone. Raises InputError 'chip.tile' outside of the grid; StateError 'run.busy' for a chip that is running.
        """
        where = "Chip.tile(): "
        return Core(self._tile(_number(where, "column", column), _number(where, "row", row)))

    def load(self, column: Lines, row: Lines, kernels: _core.Kernels) -> None:
        """Loads Kernels into a tile, or into all tiles of some columns and rows: chip.load(range(4), 0, kernels).

        column   of the grid; or several, such as a range
        row      the same
        kernels  for the RISC-V cores of each of these tiles, which run them in run()

        Raises the errors of Core.load(), and InputError 'chip.tile'; no tile is loaded then.
        """
        if not isinstance(kernels, _core.Kernels):
            wrong("Chip.load(): ", "kernels", "a Kernels", kernels)
        self._load(_numbers("column", column), _numbers("row", row), kernels)


class Dram:
    """The channels of a chip's DRAM, in a sequence: 8 on Blackhole, 6 on Wormhole."""

    def __init__(self, chip: Chip) -> None:
        if not isinstance(chip, Chip):
            wrong("Dram(): ", "chip", "a Chip", chip)
        self._chip = chip

    def __len__(self) -> int:
        return self._chip._dram_channels()

    def __getitem__(self, channel: int) -> DramChannel:
        if not is_index(channel):
            wrong("Chip.dram: ", "channel", "an int", channel)
        number, channels = operator.index(channel), len(self)
        if not -channels <= number < channels:
            raise PositionError("argument.position", f"there is no channel {number} of DRAM: this chip has 0 to {channels - 1}")
        return DramChannel(self._chip, number % channels)

    def __iter__(self) -> Iterator[DramChannel]:
        return (DramChannel(self._chip, channel) for channel in range(len(self)))

    def __repr__(self) -> str:
        return f"<tessera.Dram: {len(self)} channels>"


class DramChannel:
    """A channel of DRAM: Chip.dram[0]. Bytes that nothing has written are 0."""

    def __init__(self, chip: Chip, number: int) -> None:
        if not isinstance(chip, Chip):
            wrong("DramChannel(): ", "chip", "a Chip", chip)
        self._chip, self._number = chip, number

    @property
    def number(self) -> int:
        """From 0."""
        return self._number

    @property
    def size(self) -> int:
        """In bytes: 4 GiB on Blackhole, 2 GiB on Wormhole."""
        return self._chip._dram_bytes()

    @property
    def place(self) -> tuple[int, int]:
        """(x, y) in the NoC, where tt-metal's kernels reach the channel."""
        return self._chip._dram_place(self._number)

    def write(self, address: int, data: Union[Bytes, ArrayLike], format: Optional[Format] = None, layout: str = "tiles") -> None:
        """Writes data into the channel.

        address  of the first byte
        data     bytes or a contiguous array of integers, copied as they are; with a format, a matrix
        format   a DataFormat or its name. The matrix becomes the bytes of tilize()
        layout   with a format: 'tiles' or 'rows', as in tilize()

        An array of floats needs a format. Raises InputError 'dram.range' and the errors of tilize(); nothing is written then.
        """
        self._chip._write_dram(self._number, _number("DramChannel.write(): ", "address", address),
                               memory_bytes("DramChannel.write(): ", "DRAM", "write", data, format, layout))

    def read(self, address: int, size: int) -> NDArray[uint8]:
        """`size` bytes from `address` on, as a copy: uint8 of shape (size,). Raises InputError 'dram.range'."""
        where = "DramChannel.read(): "
        return self._chip._read_dram(self._number, _number(where, "address", address), _number(where, "size", size))

    def read_array(self, address: int, shape: Shape, format: Format, layout: str = "tiles") -> NDArray[Any]:
        """A matrix from `address` on, as untilize() gives it: float32, or int64 for integer formats.

        shape   (rows, columns)
        format  a DataFormat or its name, as it lies there
        layout  'tiles' or 'rows', as in tilize()

        Raises InputError 'dram.range' and the errors of untilize().
        """
        where = "DramChannel.read_array(): "
        shape, format = shape_of(where, shape), format_of(where, "format", format)
        return untilize(self.read(address, tensor_bytes(shape, format, layout)), shape, format, layout)

    def __repr__(self) -> str:
        return f"<tessera.DramChannel {self._number}>"


# The largest arguments of the extension, beyond everything that a chip has.
_LARGEST = {"column": (1 << 32) - 1, "row": (1 << 32) - 1, "address": (1 << 64) - 1, "size": (1 << 64) - 1}


_MOST_LINES = 1024
"""Columns or rows of one call, beyond those of any grid."""


def _number(where: str, name: str, value: Any) -> int:
    if not is_index(value) or operator.index(value) < 0:
        wrong(where, name, "an int of 0 and above", value)
    return min(operator.index(value), _LARGEST[name])


def _numbers(name: str, lines: Lines) -> list[int]:
    where = "Chip.load(): "
    if is_index(lines):
        return [_number(where, name, lines)]
    try:
        each = None if isinstance(lines, (str, bytes)) else iter(lines)  # type: ignore[arg-type]
    except TypeError:
        each = None
    if each is None:
        wrong(where, name, "an int, or several, such as a range", lines)
    found = [_number(where, name, one) for one in itertools.islice(each, _MOST_LINES + 1)]
    if len(found) > _MOST_LINES:  # an iterator may have no end
        refuse(f"{where}argument '{name}' takes {_MOST_LINES} numbers at most")
    return found
