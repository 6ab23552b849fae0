# SPDX-License-Identifier: Apache-2.0
"""A program that uses all of the module, with types: test_stubs.py has type checkers read it, and executes it."""

from __future__ import annotations

import copy
import inspect
import pickle
import tempfile
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

import tessera
import tessera.arrays
from tessera import errors

ROOT = Path(__file__).resolve().parents[2]


def whole_arrays() -> None:
    a: NDArray[np.float32] = np.ones((33, 40), np.float32)
    product: NDArray[Any] = tessera.matmul(a, a.T, format="Bfp8_b", b_format="Float16_b", fidelity="LoFi", dst_bits=32)
    assert product.shape == (33, 33)
    total = tessera.elwadd(a, a) + tessera.elwsub(a, a, src="Float16_b", format="Float32") + tessera.elwmul(a, a, fidelity=2)
    assert total.shape == a.shape
    pooled: NDArray[Any] = tessera.gapool(a, np.ones((1, 33)))
    largest: NDArray[Any] = tessera.gmpool(a)
    values, rows = tessera.gmpool(a, argmax=True, arch="wormhole")
    best: Optional[NDArray[Any]] = values
    assert best is not None and pooled.shape == largest.shape and rows.dtype == np.int64
    patterns: NDArray[np.uint32] = tessera.mvmul(np.eye(8, 16), np.eye(16), phase=0, dst_bits=32)
    assert patterns.shape == (8, 16)
    data: NDArray[np.uint8] = tessera.pack_tiles(a, "Bfp8_b", dst="Float32", intermediate=None)
    assert tessera.unpack_tiles(data.tobytes(), (64, 64), tessera.DataFormat.Bfp8_b, src="Tf32").shape == (64, 64)
    assert tessera.convert(a, tessera.DataFormat.Float16_b, format="Float32").shape == a.shape
    assert tessera.arrays.FIDELITIES[0] == "LoFi"


def tensors() -> None:
    data = tessera.tilize(np.ones((32, 64)), "Bfp4_b", "tiles", compressed=True, row_datums=256, digest_size=0,
                          rounding="host")
    size: int = tessera.tensor_bytes((32, 64), "Bfp4_b", compressed=True, row_datums=256, digest_size=0)
    sizes: list[int] = tessera.tensor_sizes(data, (32, 64), "Bfp4_b", compressed=True, row_datums=256, digest_size=0)
    assert data.size == size and len(sizes) == 2
    assert tessera.untilize(tessera.tilize(np.ones((32, 32)), "Bfp4_b", shared_exponent=127), (32, 32), "Bfp4_b",
                            shared_exponent=127).shape == (32, 32)
    names: list[str] = [one.name for one in tessera.DataFormat]
    assert "Float16_b" in names and tessera.DataFormat.Float16_b.value == 5


def sweeps() -> None:
    with tempfile.TemporaryDirectory() as folder:
        results = tessera.sweep({"function": "elwadd", "values": {"a": np.ones((32, 32)), "b": np.ones((32, 32))},
                                 "axes": {"format": ["Float16_b", "Bfp8_b"]}},
                                results=Path(folder) / "s.sqlite", workers=0, progress=None)
        counts: dict[str, int] = results.counts()
        assert counts == {"good": 2} and len(list(results.rows())) == 2


def state(core: tessera.Core) -> None:
    core.write_l1(0x4000, b"abc")
    job = tessera.load_job(ROOT / "examples/seeds/5.2-tilize.toml")
    core.write_outputs(job, run=None)
    outputs: list[NDArray[Any]] = core.read_outputs(job, run=None)
    inputs: list[str] = job.inputs
    described: list[tessera.JobOutput] = job.outputs
    named: list[tuple[str, int, int, int, int, Optional[tessera.DataFormat], Optional[int]]] = [
        (one.path, one.address, one.rows, one.cols, one.size, one.format, one.host_step) for one in described]
    digest: str = core.digest()
    assert len(outputs) == len(named) and inputs and digest
    core.write_l1(0x4000, np.arange(4, dtype=np.uint32))
    core.write_l1(0x4000, np.ones((32, 32)), "Float16_b")
    core.write_l1(0x8000, np.ones((1, 16)), format=tessera.DataFormat.Float32, layout="rows")
    core.mark_written("src_a", 0, 16)
    l1: NDArray[np.uint8] = core.l1
    banks: list[NDArray[np.float32]] = [core.src_a, core.src_b, core.lregs]
    dst: NDArray[np.uint16] = core.dst
    words: NDArray[np.uint32] = core.dst_words()
    tile: NDArray[np.float32] = core.dst_tile(0, "Float16_b")
    assert l1.size and dst.size and words.size and tile.size and all(bank.size for bank in banks)
    section: tessera.Section = core.state["semaphore_value"]
    assert 0 in section and list(section) == [0] * len(section)
    section[2] = 3
    assert section[2] == 3 and section.shape and section.bits and section.dimensions is not None and section.labels is not None
    config: tessera.Config = core.config
    config["THCON_SEC0_REG2_Out_data_format", 1] = tessera.DataFormat.Float16_b
    field: int = config["THCON_SEC0_REG2_Out_data_format", 1]
    assert field == 5 and "nothing" not in config and len(config) == len(list(config))
    everything: tessera.State = core.state
    assert everything.get("gpr") and everything.get("nosuch") is None
    assert "gpr" in everything and core.gpr.name == "gpr" and core.rwc[0, "dst"] == 0 and core.adc.name == "adc"
    other = tessera.Core(core)
    other.assign(core)
    other.reset(reset="vendor-sim")
    arch: str = copy.deepcopy(other).arch
    running: bool = other.running
    assert arch == core.arch and not running


def programs() -> None:
    program: tessera.Program = tessera.assemble(".thread math\nSETRWC BitMask=15\n", "blackhole", file="a.tts", thread=1)
    ops: list[list[tessera.Op]] = program.threads
    op = ops[1][0]
    kind: tessera.Op.Kind = op.kind
    assert kind == tessera.Op.Kind.__members__["ins"] == tessera.Op.Kind.ins and kind.name == "ins" and int(kind) == kind.value
    assert (op.index, op.line) == (0, 2) and program.files[1] == "a.tts"
    assert tessera.disassemble(op.value, program.arch, named=True) and program.place(1, 0) == "a.tts:2"
    assert tessera.assemble_file(ROOT / "examples/multiply/multiply.tts", "blackhole").threads


def report(run: tessera.Run) -> None:
    counts: list[int] = run.instructions
    uses: list[tessera.UnitUse] = run.units
    waits: list[tessera.WaitUse] = run.waits
    blocked: list[tessera.Blocked] = run.blocked
    findings: list[tessera.Finding] = run.findings
    fault: Optional[tessera.FaultDiagnosis] = run.fault
    assert len(counts) == 3 and run.cycles and run.by_reference == 0 and run.overlapped is not None
    assert all(use.unit and use.instructions and use.busy for use in uses)
    assert all(wait.reason and wait.cycles and wait.thread >= 0 for wait in waits)
    assert all(one.who and one.since is not None and one.waits_for is not None and one.holder is not None and not one.finished
               and one.last_touched is not None and one.instruction is not None and one.place is not None for one in blocked)
    diagnoses: list[tessera.Diagnosis] = [*findings, *([fault] if fault else [])]
    for diagnosis in diagnoses:
        values: dict[str, int] = diagnosis.values
        assert diagnosis.describe() and diagnosis.code and diagnosis.message and values is not None
        assert (diagnosis.thread, diagnosis.index, diagnosis.position, diagnosis.cycle, diagnosis.pc) is not None
        assert diagnosis.instruction + diagnosis.place + diagnosis.core + diagnosis.function is not None
        frames: list[tuple[str, str]] = diagnosis.frames
        assert frames is not None
        assert diagnosis.hardware + diagnosis.cure + diagnosis.source is not None
    assert all(finding.level and finding.count for finding in findings)
    if fault is not None:
        registers: dict[str, int] = fault.registers
        assert not run.good and run.describe_blocked() is not None and registers is not None


def runs() -> None:
    core = tessera.Core("blackhole", reset="silicon")
    core.state["bank_owner"]["src_a", 0] = 1
    program = tessera.assemble(".thread math\nMOVA2D instr_mod=2\n", "blackhole")
    run = core.run(program, seed=1, timing="documented", max_cycles=1000, levels={"hazard.dst": "warning"}, reference=False,
                   recorded=True)
    report(run)
    try:
        core.run(tessera.assemble(".ttinsn 0xFF000000\n", "blackhole"))
    except tessera.Fault as fault:
        report(fault.run)
        place: tuple[int, int, str, Optional[tessera.FaultDiagnosis]] = fault.thread, fault.index, fault.code, fault.run.fault
        error: tessera.Error = fault
        assert place and error.message and fault.values is not None and fault.registers is not None


def steps() -> None:
    job = tessera.load_job(ROOT / "examples/seeds/5.2-tilize.toml")
    core = tessera.Core(job)
    execution: tessera.Execution = core.start(job, seed=None, remember=8)
    pause: tessera.Pause = execution.step(2, thread=0)
    assert pause and pause.why == "instruction" and (pause.thread, pause.index, pause.position) and pause.instruction
    assert pause.place and pause.cycle >= 0
    explanation: Optional[str] = execution.explanation
    snapshot: tessera.Snapshot = execution.snapshot()
    written: list[Union[str, tuple[str, int], tuple[str, int, int]]] = ["gpr", ("src_a", 16, 2), ("l1", 0)]
    pause = execution.run_until(written=written, instruction="UNPACR", thread=0, index=None, place="", cycle=100_000,
                                finding="")
    changed: list[tuple[str, int, int]] = pause.written
    finding: Optional[tessera.Finding] = pause.finding
    waiting: list[tessera.Blocked] = execution.waiting
    assert explanation and changed is not None and finding is None and waiting is not None
    execution.step_cycles(3)
    execution.write_l1(0x80000, b"1234")
    data: bytes = execution.read_l1(0x80000, 4)
    assert data == b"1234" and not execution.run.host_reads
    execution.run_until(word=(0x80000, 0x34333231))
    execution.back()
    execution.restore(snapshot)
    assert snapshot.cycle == execution.cycle and snapshot.instructions == execution.instructions
    assert not execution.finish() and execution.ended and execution.run.good
    assert tessera.Core("blackhole").start(snapshot).finish() is not None


def kernels(path: Path) -> None:
    try:
        image: tessera.KernelImage = tessera.load_kernel(path)
    except tessera.FileError as error:
        assert isinstance(error, OSError) and error.code == "elf.open"
        return
    image.set_words("tiles", [1])
    address: Optional[int] = image.find_symbol("tiles")
    each = tessera.Kernels({"trisc1": image}, "blackhole", done=[(0x1FFB8, 1)], in_reset=["brisc"],
                           host=[{"at": 100, "write": (0x4000, b"1234")}])
    functions: list[tuple[str, str]] = image.frames(0)
    core = tessera.Core("blackhole")
    core.load(each)
    execution = core.start(each)
    execution.reset("trisc1")
    execution.start("trisc1")
    assert functions is not None
    assert image.file and image.entry and image.place(0) + image.function(0) is not None and each.arch and address


def jobs() -> None:
    job = tessera.load_job(ROOT / "examples/seeds/7.3-through-the-packer.toml", {"TRISC_CFG": 0x400})
    program: Optional[tessera.Program] = job.program
    none: Optional[tessera.Kernels] = job.kernels
    assert job.file and job.arch and program and none is None
    lines: str = tessera.trace_lines(job, writes=True)
    assert lines and tessera.trace_perfetto(job) and tessera.view(job)
    traced: tessera.TraceReport = tessera.trace_report(job)
    unit: tessera.UnitReport = traced.units[0]
    shares: tuple[int, int] = (unit.measured, unit.assumed)
    assert sum(shares) <= unit.documented
    thread: tessera.ThreadReport = traced.threads[0]
    step: tessera.PathStep = traced.path[0]
    passage: tessera.Passage = traced.passages[0]
    stages: tuple[Optional[tuple[int, int]], Optional[tuple[int, int]], tuple[int, int], Optional[int]] = (
        passage.unpack, passage.math, passage.pack, passage.address)
    waits: list[tuple[str, int, int]] = thread.waits
    assert unit.unit and unit.instruction and unit.busy + unit.waiting + unit.idle == traced.cycles and stages
    assert unit.first <= unit.last and unit.documented and unit.instructions and waits is not None
    assert thread.thread + thread.issuing + thread.idle >= 0 and step.begin == 0 and step.end and step.who and step.text
    assert step.what and traced.describe()
    races: tessera.RaceReport = tessera.find_races(job, runs=2, seed=1)
    outcome: tessera.RaceOutcome = races.outcomes[0]
    compared: str = races.compared
    assert compared and races.same and races.schedules == 3 and races.describe() and races.findings == [] and outcome.without_delays
    assert outcome.seeds and outcome.end + outcome.output == outcome.output and outcome.count == 0
    again: tessera.Job = pickle.loads(pickle.dumps(job))
    assert again == job


def chips() -> None:
    chip = tessera.Chip("wormhole", grid=(2, 1), harvested=[], translation=False, reset="silicon")
    size: tuple[int, int] = chip.columns, chip.rows
    places: list[tuple[int, int]] = [chip.place(0, 0), chip.coordinates(1, 0)]
    tile: tessera.Core = chip.tile(1, 0)
    dram: tessera.Dram = chip.dram
    channel: tessera.DramChannel = dram[0]
    channel.write(0, b"abcd")
    channel.write(0x1000, np.ones((32, 32)), "Float16_b", layout="tiles")
    data: NDArray[np.uint8] = channel.read(0, channel.size and 4)
    array: NDArray[Any] = channel.read_array(0x1000, (32, 32), tessera.DataFormat.Float16_b)
    assert data.size == 4 and array.all() and len(dram) == len([one.number for one in dram]) and channel.place and size and places
    kernels = tessera.Kernels({}, "wormhole", done=[(0x100, 0)])
    chip.load(range(2), 0, kernels)
    packets: list[tessera.Packet] = []
    run: tessera.ChipRun = chip.run(threads=2, seed=1, timing="documented", max_cycles=1000, levels={}, on_packet=packets.append)
    tiles: list[tessera.TileRun] = run.tiles
    fault: Optional[tessera.FaultDiagnosis] = run.fault
    assert run.good and fault is None and run.cycles >= 0 and run.packets == len(packets) == 0
    assert [(one.column, one.row, one.place, one.run.good) for one in tiles] and tile.arch == chip.arch and not chip.running
    for packet in packets:
        way: tuple[tuple[int, int], tuple[int, int], tuple[int, int]] = packet.source, packet.target, packet.asked_by
        assert way and packet.noc + packet.sent + packet.arrived + packet.address + packet.bytes + packet.pc + packet.request
        assert packet.kind + packet.core
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "job.toml"
        file.write_text('arch = "blackhole"\n[chip]\ngrid = [1, 1]\n[[output]]\nchannel = 0\naddr = 0\nsize = 4\nfile = "o.bin"\n')
        job: tessera.ChipJob = tessera.load_chip_job(file, keys={"chip.translation": "true"})
        output: tessera.ChipJobOutput = job.outputs[0]
        named: tuple[Optional[int], Optional[tuple[int, int]], Optional[tessera.DataFormat]] = output.channel, output.tile, output.format
        assert named and output.address + output.rows + output.cols + output.size == 4 and output.path and job.arch and job.file
        assert job.inputs and job.run(threads=1, write=False).good
        of_job = tessera.Chip(job)
        outputs: list[NDArray[Any]] = of_job.read_outputs(job)
        of_job.write_outputs(job)
        assert outputs
    try:
        tessera.Chip("blackhole", grid=(1, 1)).run(timing="silicon")
    except tessera.ChipFault as error:
        of_chip: tessera.ChipRun = error.run
        waits: str = of_chip.describe_waits() + of_chip.describe_blocked()
        cut: list[bool] = [of_chip.cut_short, *(tile.run.cut_short for tile in of_chip.tiles)]
        assert of_chip.fault and waits is not None and not any(cut)


def refusals() -> None:
    classes: list[type[tessera.Error]] = [tessera.InputError, tessera.ArgumentError, tessera.FileError, tessera.StateError,
                                          tessera.PositionError, tessera.Fault]
    assert all(issubclass(one, tessera.Error) for one in classes) and errors.Error is tessera.Error
    try:
        tessera.Core("grayskull")
    except ValueError as error:
        assert isinstance(error, tessera.InputError) and error.code == "argument.value"
        where: tuple[str, str, int, int] = error.message, error.file, error.line, error.column
        assert where[0]
    assert inspect.signature(tessera.assemble).parameters and tessera.__version__


def main() -> None:
    whole_arrays()
    tensors()
    state(tessera.Core("blackhole"))
    programs()
    runs()
    steps()
    kernels(ROOT / "no.elf")
    jobs()
    chips()
    sweeps()
    refusals()


if __name__ == "__main__":
    main()
