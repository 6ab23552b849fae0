# SPDX-License-Identifier: Apache-2.0
"""Runs: what they report, how they end."""

import os
import signal
import threading
import typing

import numpy as np
import pytest

import tessera
from kernels import ROOT, multiply

READS_SRC_A = ".thread math\nMOVA2D instr_mod=2\n"


def assemble(text, **options):
    return tessera.assemble(text, "blackhole", **options)


def long_program():
    return assemble(".repeat 3000000\nNOP\n.end\n")


def test_run():
    run = tessera.Core("blackhole").run(assemble(".repeat 3\nNOP\n.end\n.thread math\nSEMINIT max_value=1 sem_sel=1\n"))
    assert run.good and run.fault is None and run.blocked == []
    assert run.instructions == [3, 1, 0]
    assert run.cycles > 0
    assert {use.unit: use.instructions for use in run.units}["sync"] == 1


def test_use_and_waits():
    core = tessera.Core("blackhole", reset="vendor-sim")
    core.state["bank_owner"]["src_a", 0] = 1
    run = core.run(assemble(".thread math\n.repeat 4\nMOVA2D instr_mod=2\n.end\nSTALLWAIT stall_res=1<<1 wait_res=1<<4\n"
                            "SEMPOST sem_sel=2\n"))
    use = {use.unit: use for use in run.units}["matrix"]
    assert use.instructions == 4 and 4 <= use.busy <= run.cycles
    assert all(wait.thread == 1 and wait.reason and wait.cycles > 0 for wait in run.waits)
    assert sum(wait.cycles for wait in run.waits) > 0


def test_finding():
    core = tessera.Core("blackhole")
    core.state["bank_owner"]["src_a", 0] = 1
    core.src_a[0, 0, :] = 3
    run = core.run(assemble(READS_SRC_A, file="move.tts"))
    [finding] = run.findings
    assert isinstance(finding, tessera.Finding) and isinstance(finding, tessera.Diagnosis)
    assert (finding.code, finding.level, finding.count) == ("state.read-before-write", "info", 1)
    assert (finding.thread, finding.index, finding.position, finding.place) == (1, 0, -1, "move.tts:2")
    assert finding.instruction.startswith("MOVA2D")
    assert finding.values == {"first": 0}
    assert finding.cycle <= run.cycles
    assert finding.message and finding.cure and finding.source and finding.hardware
    assert finding.code in str(finding) and finding.cure in finding.describe()
    assert np.all(core.dst[0] == 0x4040)


def test_what_is_marked_counts_as_written():
    core = tessera.Core("blackhole")
    core.state["bank_owner"]["src_a", 0] = 1
    core.mark_written("src_a", 0, 8 * 16)
    assert core.run(assemble(READS_SRC_A)).findings == []


def test_what_cannot_be_marked_is_refused():
    core = tessera.Core("blackhole")
    with pytest.raises(tessera.InputError, match="takes 'l1', 'src_a', 'src_b' or 'dst', not 'gpr'"):
        core.mark_written("gpr", 0, 1)
    for first, count in ((0, 16385), (16384, 1), (2**64 - 1, 2)):
        with pytest.raises(tessera.PositionError, match="dst has 16384 elements"):
            core.mark_written("dst", first, count)
    core.mark_written("dst", 16383, 1)
    core.mark_written("dst", 16384, 0)


@pytest.mark.parametrize("timing", ["silicon", "documented", "functional"])
def test_the_second_implementation_has_no_other_timing(timing):
    core, program = tessera.Core("blackhole"), assemble("NOP\n")
    for call in (core.run, core.start):
        with pytest.raises(tessera.InputError, match=f"'reference' executes an instruction at once: it has no {timing} timing"):
            call(program, reference=True, timing=timing)
        call(program, reference=True, timing="instant")


def test_hazards_without_an_ordering():
    job = tessera.load_job(ROOT / "examples/mistakes/packed_not_awaited/right.toml")

    def codes(*disregard):
        run = tessera.Core(job).run(job, disregard=disregard)
        return {finding.code for finding in run.findings}

    assert "hazard.l1" not in codes() | codes("mutex") | codes("semaphore:T2", "semaphore:T0:7")
    assert "hazard.l1" in codes("semaphore") & codes("mutex", "semaphore:T0")
    for text, why in (("semafore", r"no ordering is called 'semafore' \(did you mean semaphore\?\)"), ("bank:T1:2", "WHICH is 0 to 1 for bank")):
        with pytest.raises(tessera.InputError, match=f"'disregard': '{text}': {why}"):
            codes(text)


def test_levels():
    core = tessera.Core("blackhole")
    core.state["bank_owner"]["src_a", 0] = 1
    program = assemble(READS_SRC_A)
    assert tessera.Core(core).run(program, levels={"state.read-before-write": "off"}).findings == []
    run = tessera.Core(core).run(program, levels={"state.read-before-write": "error"})
    assert not run.good and run.findings[0].level == "error"
    with pytest.raises(ValueError, match="'nothing' is not a code of a fault or finding"):
        core.run(program, levels={"nothing": "off"})
    with pytest.raises(ValueError, match="'deadlock' is a fault: it ends the run, and has no level"):
        core.run(program, levels={"deadlock": "off"})
    with pytest.raises(ValueError, match="off, info, warning, error"):
        core.run(program, levels={"hazard.dst": "loud"})


def test_fault():
    core = tessera.Core("blackhole")
    program = assemble(".gpr 3 = 7\n.repeat 50\nNOP\n.end\n.ttinsn 0xFF000000\n", file="wrong.tts")
    with pytest.raises(tessera.Fault) as raised:
        core.run(program)
    fault = raised.value
    assert (fault.code, fault.thread, fault.index, fault.place) == ("unknown-opcode", 0, 51, "wrong.tts:5")
    assert fault.values == {"opcode": 0xFF}
    assert fault.message and fault.cure and fault.source and fault.message in str(fault)
    assert fault.run.fault.code == fault.code and not fault.run.good
    assert fault.cycle <= fault.run.cycles
    assert core.gpr[0, 3] == 7


def test_deadlock():
    core = tessera.Core("blackhole")
    hang = ROOT / "examples/deadlock/hangs"
    text = "".join(f".thread {name}\n{(hang / f'{name}.tts').read_text(encoding='utf-8')}" for name in ("unpack", "math"))
    with pytest.raises(tessera.Fault) as raised:
        core.run(assemble(text))
    assert raised.value.code == "deadlock"
    waiting = [one for one in raised.value.run.blocked if not one.finished]
    assert [one.who for one in waiting] == ["unpacker 0"]
    assert waiting[0].waits_for and waiting[0].holder and waiting[0].waits_for in str(raised.value)


def test_limits_and_timing():
    core = tessera.Core("blackhole")
    with pytest.raises(tessera.Fault) as raised:
        core.run(assemble(".repeat 1000\nNOP\n.end\n"), max_cycles=10)
    assert raised.value.code == "no-progress" and raised.value.run.cycles == 10
    with pytest.raises(ValueError, match="documented, silicon, silicon-slow, instant"):
        core.run(assemble("NOP\n"), timing="fast")
    with pytest.raises(TypeError):
        core.run(assemble("NOP\n"), seed=-1)
    slow, instant = (tessera.Core("blackhole", reset="vendor-sim").run(assemble("SEMPOST sem_sel=2\n" * 9), timing=timing)
                     for timing in ("documented", "instant"))
    assert instant.instructions == slow.instructions == [9, 0, 0]


def test_seeds():
    program = multiply("Float16_b")

    def run(seed):
        core = tessera.Core("blackhole", reset="vendor-sim")
        core.write_l1(0x4000, tessera.tilize(np.ones((32, 32)), "Float16_b"))
        core.write_l1(0x8000, tessera.tilize(np.full((32, 32), 3.0), "Float16_b"))
        run = core.run(program, seed=seed)
        return run.cycles, core.dst.tobytes()

    assert run(7) == run(7)
    assert len({run(seed)[0] for seed in range(8)}) > 1
    assert len({run(seed)[1] for seed in range(8)}) == 1


def test_programs_that_are_refused():
    with pytest.raises(tessera.Error) as refused:
        tessera.Core("wormhole").run(assemble("NOP\n"))
    assert refused.value.code == "run.arch"
    with pytest.raises(TypeError):
        tessera.Core("wormhole").run("NOP")


def test_other_threads_go_on():
    core = tessera.Core("blackhole")
    program = long_program()
    runs = []
    thread = threading.Thread(target=lambda: runs.append(core.run(program)))
    thread.start()
    seen = refused = False
    while thread.is_alive():
        if core.running:
            seen = True
            try:
                core.l1
            except tessera.Error as error:
                refused = error.code == "run.busy"
                break
    thread.join()
    assert seen and refused
    assert runs[0].instructions == [3000000, 0, 0]
    assert not core.running and core.l1.size


def test_interrupt():
    core = tessera.Core("blackhole")
    program = long_program()

    def interrupt():
        while not core.running:
            pass
        os.kill(os.getpid(), signal.SIGINT)

    # A job in the background is started with the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        thread = threading.Thread(target=interrupt)
        with pytest.raises(KeyboardInterrupt):
            thread.start()
            core.run(program)
        thread.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert not core.running
    assert core.run(assemble("NOP\n")).good


def test_functional():
    program = assemble(".repeat 3\nNOP\n.end\n.thread math\nSEMINIT max_value=1 sem_sel=1\n")
    timed, functional = tessera.Core("blackhole"), tessera.Core("blackhole")
    run = functional.run(program, timing="functional")
    assert run.good and run.cycles is None and run.overlapped is None and run.waits == [] and "no clock" in repr(run)
    assert run.instructions == timed.run(program).instructions
    assert np.array_equal(functional.dst, timed.dst)
    with pytest.raises(tessera.Fault) as raised:
        functional.run(assemble("SEMWAIT stall_res=511 sem_sel=8 wait_sem_cond=1\nSETRWC\n"), timing="functional")
    assert raised.value.code == "deadlock" and raised.value.cycle is None
    assert typing.get_type_hints(tessera.Fault)["cycle"] == typing.Optional[int]
    assert all(one.since is None for one in raised.value.run.blocked if not one.finished)
    with pytest.raises(tessera.Error) as refused:
        functional.run(program, timing="functional", seed=1)
    assert refused.value.code == "run.functional"
