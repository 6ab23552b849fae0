# SPDX-License-Identifier: Apache-2.0
"""A kernel without one of its waits runs through tt-umd, and its author sees a report. Usage: mistake.py LIBRARY KERNEL.elf CODE

KERNEL.elf is for T0, CODE is the finding that has to be told, once, with its cure and the line of the kernel's source. The report goes to
TESSERA_REPORT, and the kernel's folder is TESSERA_ELF: the library reads both. A line for each check.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

import tt_umd

from drop_in import segments

READS = 200


def run(library, kernel):
    device = tt_umd.create_simulation_tt_device(library)
    core = device.get_soc_descriptor().get_cores(tt_umd.CoreType.TENSIX, tt_umd.CoordSystem.TRANSLATED)[0]
    device.assert_risc_reset(core, tt_umd.RiscType.ALL)
    for address, data in segments(kernel)[1]:
        device.noc_write(core.x, core.y, address, data)
    device.deassert_risc_reset(core, tt_umd.RiscType.TRISC0)
    for _ in range(READS):
        device.noc_read32(core.x, core.y, 0)


def main():
    library, kernel, code = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.jsonl"
        os.environ["TESSERA_REPORT"] = str(report)
        os.environ["TESSERA_ELF"] = str(Path(kernel).parent)
        run(library, Path(kernel))
        lines = [json.loads(line) for line in report.read_text().splitlines()]
        told = [line for line in lines if line["code"] == code]
        kernels = Path(kernel).parent.name
        print(f"{'ok' if len(told) == 1 and told[0]['cure'] else 'FAILED'} {code} is told once of {kernels}")
        named = told and f"{kernels}/unpack.cpp:" in told[0].get("place", "")
        print(f"{'ok' if named else 'FAILED'} it names the line: {told and told[0].get('place')}")
        for line in told:
            print("\n".join(f"  {key}: {value}" for key, value in line.items()))
        os.environ["TESSERA_FINDINGS"] = "error"
        report.unlink()
        run(library, Path(kernel))
        silent = not report.exists() or code not in report.read_text()
        print(f"{'ok' if silent else 'FAILED'} it is not told where only errors are wanted")


main()
