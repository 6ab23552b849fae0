# SPDX-License-Identifier: Apache-2.0
"""A chip behind the functions of a drop-in library, for scripts that drive one without tt-umd; and segments of ELF files."""

import ctypes
import struct
from dataclasses import dataclass

BAR0 = 0x1_0000_0000
SOFT_RESET, ALL_IN_RESET, B_RUNS = 0xFFB121B0, 0x47800, 0x47000


@dataclass(frozen=True)
class Window:
    """Where a chip's first TLB window lies in BAR 0, and its entry (CHIP_FACTS 2)."""

    at: int
    bits: int
    entry: int
    x_bit: int
    entry_bytes: int

    def address_of(self, place, address):
        """The entry that points the window there, and the host's address in it."""
        entry = address >> self.bits | place[0] << self.x_bit | place[1] << self.x_bit + 6
        return entry.to_bytes(self.entry_bytes, "little"), BAR0 + self.at + address % (1 << self.bits)


BLACKHOLE = Window(at=0, bits=21, entry=0x1FC0_0000, x_bit=43, entry_bytes=12)
# The first of the 16 MiB windows.
WORMHOLE = Window(at=0xB00_0000, bits=24, entry=0x1FC0_0000 + 8 * 166, x_bit=12, entry_bytes=8)


class Device:
    """A chip behind the library at `path`, through one window."""

    def __init__(self, path, window):
        self.library = ctypes.CDLL(str(path))
        self.cycles = 0
        self._window = window
        for name in ("libttsim_pci_mem_rd_bytes", "libttsim_pci_mem_wr_bytes"):
            getattr(self.library, name).argtypes = [ctypes.c_uint64, ctypes.c_char_p, ctypes.c_uint32]
        self.library.libttsim_init()

    def clock(self, cycles=1):
        self.cycles += cycles
        self.library.libttsim_clock(cycles)

    def _point(self, place, address):
        entry, at = self._window.address_of(place, address)
        self.library.libttsim_pci_mem_wr_bytes(BAR0 + self._window.entry, entry, len(entry))
        return at

    def write(self, place, address, data):
        """`data`: bytes, or a word."""
        if isinstance(data, int):
            data = data.to_bytes(4, "little")
        self.library.libttsim_pci_mem_wr_bytes(self._point(place, address), data, len(data))

    def read(self, place, address, size):
        data = ctypes.create_string_buffer(size)
        self.library.libttsim_pci_mem_rd_bytes(self._point(place, address), data, size)
        return data.raw

    def word(self, place, address):
        return int.from_bytes(self.read(place, address, 4), "little")

    def close(self):
        self.library.libttsim_exit()


def segments(path):
    """PT_LOAD of an ELF32 file: (entry, [(physical address, bytes)])."""
    elf = path.read_bytes()
    entry, table = struct.unpack_from("<II", elf, 24)
    size, count = struct.unpack_from("<HH", elf, 42)
    found = []
    for i in range(count):
        kind, offset, _, address, file_bytes, memory_bytes = struct.unpack_from("<6I", elf, table + i * size)
        if kind == 1 and memory_bytes:
            found.append((address, elf[offset : offset + file_bytes].ljust(memory_bytes, b"\0")))
    return entry, found
