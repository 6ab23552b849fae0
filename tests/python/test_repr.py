# SPDX-License-Identifier: Apache-2.0
"""Objects in a list or a notebook say what they are."""

import tessera
from kernels import ROOT

PACKER = ROOT / "examples/seeds/7.3-through-the-packer.toml"


def test_every_class_has_one():
    classes = [one for one in vars(tessera).values() if isinstance(one, type)]
    assert {tessera.Core, tessera.Run} < set(classes)
    assert [one.__name__ for one in classes if one.__repr__ is object.__repr__] == []


def test_cores_and_their_runs():
    core = tessera.Core("blackhole")
    assert repr(core) == "<tessera.Core: blackhole>" and repr(tessera.Chip("wormhole")).startswith("<tessera.Chip: wormhole, ")
    assert repr(core.state) == f"<tessera.State: {len(core.state)} sections>"
    assert repr(core.config) == f"<tessera.Config: {len(core.config)} fields>"
    execution = core.start(tessera.assemble(".thread math\nNOP\n", "blackhole"))
    assert repr(execution) == "<tessera.Execution: cycle 0, 0 instructions>"
    assert repr(execution.snapshot()) == "<tessera.Snapshot: cycle 0, 0 instructions>"
    execution.finish()
    assert repr(execution) == f"<tessera.Execution: cycle {execution.cycle}, 1 instructions, ended>"
    core.reset()
    assert repr(execution) == "<tessera.Execution: over>"

    hang = core.start(
        tessera.assemble(".thread math\nSEMWAIT stall_res=0x1FF sem_sel=1 wait_sem_cond=1\nNOP\n", "blackhole"))
    hang.finish()
    waiting = [repr(one) for one in hang.waiting]
    assert "<T0 core has finished>" in waiting and any(one.startswith("<T1 front end waits for ") for one in waiting)


def test_reports():
    job = tessera.load_job(PACKER)
    races = tessera.find_races(job, runs=1)
    assert repr(races) == f"<tessera.RaceReport: 2 schedules, {len(races.outcomes)} outcomes, {len(races.findings)} findings>"
    assert repr(races.outcomes) == "[<tessera.RaceOutcome: 2 schedules>]"
    report = tessera.trace_report(job)
    assert repr(report) == f"<tessera.TraceReport: {report.cycles} cycles>"
    unit, thread, step, passage = report.units[0], report.threads[0], report.path[0], report.passages[0]
    assert repr(unit).startswith(f"<{unit.unit}: {unit.instructions} instructions, busy {unit.busy} ")
    assert repr(thread).startswith(f"<T{thread.thread}: issuing {thread.issuing} ")
    assert repr(step).startswith(f"<cycles 0 to {step.end}: {step.what}, {step.who}: ")
    assert f"L1 0x{passage.address:X}" in repr(passage)
