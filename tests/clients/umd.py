# SPDX-License-Identifier: Apache-2.0
"""tt-umd opens a drop-in library: all tiles, cores' resets, a kernel. Usage: umd.py LIBRARY KERNEL.bin; a line for each check."""

import gc
import struct
import sys
from pathlib import Path

import tt_umd

QUESTION, ANSWER, READS = 0x10000, 0x10004, 1000


def check(name, good):
    print(f"{'ok' if good else 'FAILED'} {name}")


def all_tiles(device, soc):
    for kind in (tt_umd.CoreType.TENSIX, tt_umd.CoreType.DRAM, tt_umd.CoreType.ETH):
        cores = soc.get_cores(kind, tt_umd.CoordSystem.TRANSLATED)
        for size in (4, 256, 20_000):
            wrong = 0
            for i, core in enumerate(cores):
                data = bytes((i + j * 7) % 256 for j in range(size))
                device.noc_write(core.x, core.y, 0x20000, data)
                wrong += device.noc_read(core.x, core.y, 0x20000, size) != data
            check(f"{size} bytes to and from {len(cores)} tiles {kind.name}", not wrong)


def kernel(device, core, path):
    device.assert_risc_reset(core, tt_umd.RiscType.ALL)
    device.noc_write(core.x, core.y, 0, Path(path).read_bytes())
    device.noc_write(core.x, core.y, QUESTION, bytes(8))
    for times in range(3):
        device.deassert_risc_reset(core, tt_umd.RiscType.BRISC)
        for question in (21, 1000):
            device.noc_write(core.x, core.y, QUESTION, struct.pack("<I", question))
            for _ in range(READS):
                if device.noc_read32(core.x, core.y, QUESTION) == 0:
                    break
            check(f"start {times}: the kernel's answer to {question}", device.noc_read32(core.x, core.y, ANSWER) == 2 * question)
        device.assert_risc_reset(core, tt_umd.RiscType.BRISC)


def use_device(times):
    device = tt_umd.create_simulation_tt_device(sys.argv[1])
    soc = device.get_soc_descriptor()
    tensix = soc.get_cores(tt_umd.CoreType.TENSIX, tt_umd.CoordSystem.TRANSLATED)
    check(f"opening {times}: {device.get_arch()}", len(tensix) in (80, 140))
    if times == 0:
        all_tiles(device, soc)
    kernel(device, tensix[times], sys.argv[2])


def main():
    for times in range(3):
        use_device(times)
        gc.collect()  # the device ends with the last reference


main()
