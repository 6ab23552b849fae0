# SPDX-License-Identifier: Apache-2.0
"""Runs in steps."""

import copy
import pickle

import numpy as np
import pytest

import tessera
from kernels import ROOT

TILIZE = ROOT / "examples/seeds/5.2-tilize.toml"


@pytest.fixture
def job():
    return tessera.load_job(TILIZE)


def ended(job, **options):
    core = tessera.Core(job)
    return core, core.run(job, **options)


def same(core, other):
    return all(np.array_equal(core.state[name][...], other.state[name][...]) for name in core.state)


def test_a_job_runs_as_on_the_command_line(job):
    assert job.arch == "blackhole" and job.kernels is None and isinstance(job.program, tessera.Program)
    core, run = ended(job)
    assert run.good and run.instructions == [6, 0, 0]
    assert core.src_a[0, 0, 1] == np.float32(1.0078125)
    with pytest.raises(tessera.Error) as error:
        tessera.load_job("none.toml")
    assert error.value.code == "job.open"


def test_a_core_is_prepared_again(job):
    core, run = ended(job)
    execution = core.start(job)
    other = tessera.Core("wormhole")
    with pytest.raises(tessera.Error) as error:
        other.assign(job)
    assert error.value.code == "run.arch"
    with pytest.raises(tessera.Error) as error:
        core.assign(other)
    assert error.value.code == "run.arch"
    execution.step()
    core.assign(job)
    with pytest.raises(tessera.Error) as error:
        execution.step()
    assert error.value.code == "run.over"
    assert same(core, tessera.Core(job)) and core.run(job).cycles == run.cycles
    core.assign(core)
    assert same(core, ended(job)[0])


def test_steps_are_the_same_run(job):
    whole, run = ended(job)
    core = tessera.Core(job)
    execution = core.start(job)
    pauses = []
    while pause := execution.step():
        pauses.append(pause)
        assert pause.why == "instruction" and pause.instruction and execution.explanation
    assert [pause.index for pause in pauses] == sorted(pause.index for pause in pauses)
    assert len(pauses) == sum(run.instructions) == execution.instructions
    assert execution.ended and execution.run.cycles == run.cycles and execution.cycle == run.cycles
    assert same(core, whole)


def test_stops_where_it_is_told(job):
    core = tessera.Core(job)
    execution = core.start(job)
    assert execution.run_until(cycle=10).why == "cycle" and execution.cycle < 10
    pause = execution.run_until(instruction="UNPACR", thread=0)
    assert (pause.why, pause.thread, pause.place.rsplit("/", 1)[1]) == ("instruction", 0, "5.2-tilize.tts:26")
    assert core.src_a[0, 0, 0] == 0
    pause = execution.run_until(written=[("src_a", 16, 2), "semaphore_value"])
    assert pause.why == "written" and [entry[:2] for entry in pause.written] == [("src_a", 16), ("src_a", 17)]
    assert pause.written[0][2] == core.state["src_a"][0, 1, 0]
    assert not execution.finish() and "end" in repr(execution.finish())
    with pytest.raises(tessera.Error) as error:
        execution.run_until(written=["nowhere"])
    assert error.value.code == "state.unknown-section"
    with pytest.raises(IndexError):
        execution.run_until(written=[("gpr", 100_000)])
    with pytest.raises(tessera.ArgumentError, match="'written'"):
        execution.run_until(written=[("gpr",)])
    for untold in ("replay", ("riscv_pc", 0)):
        with pytest.raises(tessera.InputError, match="are not told"):
            execution.run_until(written=[untold])


def test_stops_at_findings():
    core = tessera.Core("blackhole")
    core.state["bank_owner"]["src_a", 0] = 1
    execution = core.start(tessera.assemble(".thread math\nMOVA2D instr_mod=2\n", "blackhole"))
    pause = execution.run_until(finding="state.read-before-write")
    assert pause.why == "finding" and isinstance(pause.finding, tessera.Finding)
    assert pause.finding.code == "state.read-before-write"


def test_back_snapshot_and_restore(job):
    whole, run = ended(job)
    core = tessera.Core(job)
    view = core.src_a
    execution = core.start(job, remember=2)
    execution.run_until(instruction="UNPACR")
    snapshot = execution.snapshot()
    execution.finish()
    assert view[0, 0, 1] != 0
    execution.restore(snapshot)
    assert view[0, 0, 1] == 0 and execution.instructions == snapshot.instructions == 6
    assert execution.back(3).index == 10
    assert snapshot.cycle > execution.cycle
    other = tessera.Core("blackhole")
    assert not other.start(snapshot).finish()
    assert same(other, whole)
    with pytest.raises(tessera.Error, match="belongs to another run: start a run from it instead") as error:
        core.start(job).restore(snapshot)
    assert error.value.code == "run.snapshot"
    assert not tessera.Core(job).start(job, remember=0).back()


def nops():
    """A run of 200 NOPs before its first step."""
    return tessera.Core("blackhole").start(tessera.assemble(".repeat 200\nNOP\n.end\n", "blackhole"))


def test_back_ends_where_start_began():
    execution = nops()
    execution.step(4)
    snapshot = execution.snapshot()
    again = tessera.Core("blackhole").start(snapshot)
    again.step(6)
    pause = again.back(8)
    assert pause.why == "instruction" and pause.index == 3
    assert (again.instructions, again.cycle) == (4, snapshot.cycle)


def test_back_after_restore_stays_on_the_snapshots_line():
    execution = nops()
    snapshot = execution.snapshot()
    execution.write_l1(0x100, b"\1")
    execution.step(150)
    execution.restore(snapshot)
    execution.write_l1(0x100, b"\2")
    execution.step(100)
    assert execution.back().index == 98
    assert execution.read_l1(0x100, 1) == b"\2"


@pytest.mark.parametrize("act", [lambda e: e.step(thread=3), lambda e: e.run_until(thread=9), lambda e: e.run_until(index=-5),
                                 lambda e: e.step(0), lambda e: e.step_cycles(0)])
def test_steps_that_would_never_stop_or_begin_are_refused(act):
    execution = nops()
    with pytest.raises(tessera.InputError, match="thread 3|thread 9|op -5|n is 0") as refused:
        act(execution)
    assert refused.value.code == "argument.value" and isinstance(refused.value, ValueError)
    assert execution.instructions == 0 and not execution.ended
    assert execution.step(2, thread=0).index == 1


def test_a_copy_of_a_snapshot_is_of_the_same_run():
    execution = nops()
    execution.step(4)
    snapshot = execution.snapshot()
    for again in (copy.copy(snapshot), copy.deepcopy(snapshot), copy.deepcopy([snapshot])[0]):
        execution.step()
        execution.restore(again)
        assert execution.instructions == 4 and again == snapshot
    with pytest.raises(tessera.InputError) as refused:
        execution.restore(pickle.loads(pickle.dumps(snapshot)))
    assert refused.value.code == "run.snapshot"


def test_faults_are_told_not_raised():
    core = tessera.Core("blackhole")
    execution = core.start(tessera.assemble(".thread math\nSEMWAIT stall_res=0x1FF sem_sel=1 wait_sem_cond=1\nNOP\n",
                                            "blackhole"))
    assert not execution.finish()
    assert execution.run.fault.code == "deadlock"
    assert any("semaphore" in blocked.waits_for for blocked in execution.waiting)


@pytest.mark.parametrize("option", [{"seed": 1}, {"timing": "documented"}, {"max_cycles": 5}, {"levels": {"hazard.dst": "off"}},
                                    {"reference": True}, {"timing": "nonsense"}])
def test_a_snapshot_has_its_own_options(job, option):
    core = tessera.Core(job)
    snapshot = core.start(job).snapshot()
    with pytest.raises(tessera.InputError, match="a Snapshot has its own"):
        core.start(snapshot, **option)


def test_a_run_from_a_snapshot_keeps_its_options(job):
    core = tessera.Core(job)
    snapshot = core.start(job, max_cycles=5, timeout=1e-6).snapshot()
    execution = core.start(snapshot, timeout=60, max_memory=1 << 40)
    assert not execution.finish()
    assert execution.run.fault.code == "no-progress"


def test_names_that_would_never_stop_a_run_are_refused(job):
    execution = tessera.Core(job).start(job)
    for until, code in (({"instruction": "NOSUCH"}, "isa.unknown-instruction"), ({"finding": "nosuch"}, "argument.value")):
        with pytest.raises(tessera.InputError, match="(?i)nosuch") as refused:
            execution.run_until(**until)
        assert refused.value.code == code
    assert execution.instructions == 0
    assert execution.run_until(instruction="ttunpacr").why == "instruction"


def test_ops_that_the_program_never_issues_are_refused(job):
    execution = tessera.Core(job).start(job)
    for until in ({"place": "5.2-tilize.tts:9999"}, {"place": "nonsense"}, {"thread": 1}, {"thread": 0, "index": 99_999}, {"index": 99_999}):
        with pytest.raises(tessera.InputError, match="would never be reached") as refused:
            execution.run_until(**until)
        assert refused.value.code == "argument.value"
    assert execution.instructions == 0
    assert execution.run_until(place="5.2-tilize.tts:26", thread=0).why == "instruction"


def test_words_that_no_wait_can_be_for_are_refused(job):
    execution = tessera.Core(job).start(job)
    for word, code in (((2, 1), "l1.range"), ((1 << 30, 1), "l1.range"), ((0x4000, 1, 0), "host.condition"),
                       ((0x4000, 3, 0xFFFFFFFE), "host.condition")):
        with pytest.raises(tessera.InputError) as refused:
            execution.run_until(word=word)
        assert refused.value.code == code
    with pytest.raises(tessera.InputError, match="0 elements of l1"):
        execution.run_until(written=[("l1", 0, 0)])
    assert execution.instructions == 0


def test_a_run_that_is_refused_ends_none(job):
    core = tessera.Core(job)
    execution = core.start(job)
    execution.step()
    with pytest.raises(tessera.InputError) as refused:
        core.run(tessera.assemble("NOP\n", "wormhole"))
    assert refused.value.code == "run.arch"
    assert execution.step().why == "instruction" and execution.instructions == 2


def test_another_run_ends_it(job):
    core = tessera.Core(job)
    execution = core.start(job)
    execution.step(3)
    core.run(job)
    with pytest.raises(tessera.Error) as error:
        execution.step()
    assert error.value.code == "run.over"
    with pytest.raises(TypeError):
        core.start(None)
