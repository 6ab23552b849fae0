# SPDX-License-Identifier: Apache-2.0
"""Bit-exact execution of instruction streams of Tenstorrent's Tensix coprocessor (Blackhole and Wormhole B0).

    core = tessera.Core("blackhole")
    core.write_l1(0x4000, tessera.tilize(array, "Float16_b"))
    run = core.run(tessera.assemble_file("kernel.tts", "blackhole"))
    core.src_a, core.dst_tile(0, "Float16_b"), run.cycles

Kernels for the RISC-V cores, compiled to ELF files, instead of a program:

    kernels = tessera.Kernels({"trisc1": tessera.load_kernel("math.elf")}, "blackhole", done=[(0x1FFB8, 1)])
    core.load(kernels)
    run = core.run(kernels)

Step by step, forwards and back:

    execution = core.start(program)
    while pause := execution.run_until(instruction="MVMUL"):
        print(pause, core.dst_tile(0, "Float16_b"))

A job, and how its run looks from outside:

    job = tessera.load_job("job.toml")
    print(tessera.trace_report(job))
    pathlib.Path("run.html").write_text(tessera.view(job))
    print(tessera.find_races(job, runs=100))

Kernels on many tiles that talk to each other and to DRAM:

    chip = tessera.Chip("blackhole", grid=(2, 1))
    chip.dram[0].write(0x1000, array, "Float16_b")
    chip.load(0, 0, sender)
    chip.load(1, 0, receiver)
    run = chip.run(threads=2)
    chip.tile(1, 0).l1[0x2000:0x2040], run.tiles[1].run.findings

Functions over whole arrays, without a core, bit for bit:

    tessera.matmul(a, b, format="Float16_b", fidelity="LoFi")
    tessera.elwadd(a, b), tessera.gmpool(a, argmax=True), tessera.convert(a, "Bfp8_b")

Many runs from one file, on all processors:

    results = tessera.sweep("formats.toml", html="formats.html")
"""

from tessera import _core
from tessera._arguments import cover

cover(_core)

from tessera._core import (Blocked, ChipJob, ChipJobOutput, ChipRun, DataFormat, Diagnosis, Execution, FaultDiagnosis, Finding, Job, JobOutput, KernelImage, Kernels, Op,
                           Packet, Passage, PathStep, Pause, Program, RaceOutcome, RaceReport, Run, Snapshot, ThreadReport, TileRun, TraceReport,
                           UnitReport, UnitUse, WaitUse, __version__ as __version__, assemble, assemble_file, disassemble, find_races,
                           load_chip_job, load_job, load_kernel, trace_lines, trace_perfetto, trace_report, view)
from tessera.arrays import (convert, elwadd, elwmul, elwsub, gapool, gmpool, matmul, mvmul, pack_tiles,
                            unpack_tiles)
from tessera.chip import Chip, Dram, DramChannel
from tessera.core import Core
from tessera.errors import ArgumentError, ChipFault, Error, Fault, FileError, InputError, PositionError, StateError
from tessera.state import Config, Section, State
from tessera.sweeps import sweep
from tessera.tensors import tensor_bytes, tensor_sizes, tilize, untilize

__all__ = ["ArgumentError", "Blocked", "Chip", "ChipFault", "ChipJob", "ChipJobOutput", "ChipRun", "Config", "Core", "DataFormat",
           "Diagnosis", "Dram", "DramChannel", "Error", "Execution", "Fault",
           "FaultDiagnosis", "FileError", "Finding", "InputError", "Job", "JobOutput", "KernelImage", "Kernels", "Op", "Packet", "Passage",
           "PathStep", "Pause", "PositionError", "Program", "RaceOutcome", "RaceReport", "Run", "Section", "Snapshot",
           "State", "StateError", "ThreadReport", "TileRun", "TraceReport", "UnitReport", "UnitUse", "WaitUse",
           "assemble", "assemble_file", "convert", "disassemble", "elwadd", "elwmul", "elwsub", "find_races",
           "gapool", "gmpool", "load_chip_job", "load_job", "load_kernel", "matmul", "mvmul", "pack_tiles", "sweep", "tensor_bytes",
           "tensor_sizes", "tilize", "trace_lines", "trace_perfetto", "trace_report", "unpack_tiles", "untilize",
           "view"]
