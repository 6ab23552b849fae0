# SPDX-License-Identifier: Apache-2.0
"""Pickles, and what goes through pools of processes."""

import concurrent.futures
import copy
import multiprocessing
import pickle
import random
import threading

import numpy as np
import pytest

import tessera
from kernels import ROOT
from test_kernels import path as elf_path  # noqa: F401, a fixture

PACKER = ROOT / "examples/seeds/7.3-through-the-packer.toml"
WRONG = ROOT / "examples/mistakes/freed_too_early/wrong.toml"


def faulting():
    try:
        tessera.Core("blackhole").run(tessera.assemble(".ttinsn 0xFF000000\n", "blackhole", file="wrong.tts"))
    except tessera.Fault as fault:
        return fault
    raise AssertionError


def refusal():
    try:
        tessera.assemble("NOP\n  SETADCX x1=255\n", "blackhole", file="wrong.tts")
    except tessera.Error as error:
        return error
    raise AssertionError


def job_with_output(folder):
    (folder / "job.toml").write_text(
        'arch = "blackhole"\n[threads]\nmath = "math.tts"\n[[output]]\naddr = 0x4000\nshape = [32, 32]\nformat = "Float32"\nnpy = "sum.npy"\n')
    (folder / "math.tts").write_text("NOP\n")
    return tessera.load_job(folder / "job.toml")


@pytest.fixture
def things(elf_path, tmp_path):
    """One of everything that can be pickled, by name."""
    job = tessera.load_job(PACKER)
    image = tessera.load_kernel(elf_path)
    core = tessera.Core("blackhole")
    core.state["bank_owner"]["src_a", 0] = 1
    run = core.run(tessera.assemble(".thread math\nMOVA2D instr_mod=2\n", "blackhole"))
    fault = faulting()
    races = tessera.find_races(tessera.load_job(WRONG), runs=3)
    report = tessera.trace_report(job)
    hang = tessera.Core("blackhole").start(
        tessera.assemble(".thread math\nSEMWAIT stall_res=0x1FF sem_sel=1 wait_sem_cond=1\n", "blackhole"))
    hang.finish()
    grid = tmp_path / "grid.toml"
    grid.write_text('arch = "wormhole"\n[chip]\ngrid = [2, 1]\n[[tile]]\ncores = { trisc1 = "math.elf" }\narguments = { trisc1 = { sizes = "tile 1 0" } }\n'
                    '[[dram]]\nchannel = 1\naddr = 64\nwords = [1, 2]\n[[output]]\ntile = [1, 0]\naddr = 0\nsize = 16\nfile = "out.bin"\n')
    chip_job = tessera.load_chip_job(grid)
    chip_run = chip_job.run(write=False)
    return {
        "ChipJob": chip_job, "ChipJobOutput": chip_job.outputs[0], "ChipRun": chip_run, "TileRun": chip_run.tiles[0],
        "Job": job, "JobOutput": job_with_output(tmp_path).outputs[0], "Program": job.program, "Op": job.program.threads[0][0], "Op.Kind": tessera.Op.Kind.cfg,
        "KernelImage": image, "Kernels": tessera.Kernels({"trisc1": image}, "wormhole", done=[(16, 1)], in_reset=["trisc1"]),
        "Run": run, "Finding": run.findings[0], "UnitUse": run.units[0], "FaultDiagnosis": fault.run.fault,
        "Run with a fault": hang.run, "Blocked": hang.waiting[0], "Fault": fault, "Error": refusal(),
        "Pause": tessera.Core(job).start(job).run_until(written=["gpr"]), "DataFormat": tessera.DataFormat.Bfp8_b, "WaitUse": tessera.Core(job).run(job).waits[0],
        "RaceReport": races, "RaceOutcome": races.outcomes[0], "TraceReport": report, "UnitReport": report.units[0],
        "ThreadReport": report.threads[0], "PathStep": report.path[0], "Passage": report.passages[0],
    }


def told(value):
    """What a value says of itself, by its properties."""
    if isinstance(value, (list, tuple)):
        return [told(one) for one in value]
    members = [name for name, one in vars(type(value)).items() if isinstance(one, property)]
    if not members or isinstance(value, tessera.DataFormat):
        return value
    return {name: told(getattr(value, name)) for name in members}


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_they_are_equal_after_the_trip(things, protocol):
    for name, thing in things.items():
        again = pickle.loads(pickle.dumps(thing, protocol))
        assert type(again) is type(thing), name
        assert again == thing and not again != thing, name
        assert told(again) == told(thing), name
        assert str(again) == str(thing) or "object at 0x" in str(thing), name


def test_copies_are_equal(things):
    for name, thing in things.items():
        assert copy.copy(thing) == thing and copy.deepcopy(thing) == thing, name


def test_others_are_not_equal():
    one, other = (tessera.assemble(f"SETADCXX x_end2={i}\n", "blackhole") for i in range(2))
    assert one != other and one != "text" and one == tessera.assemble("SETADCXX x_end2=0\n", "blackhole")
    assert tessera.load_job(PACKER) != tessera.load_job(WRONG) and tessera.load_job(PACKER) == tessera.load_job(PACKER)
    core = tessera.Core("blackhole")
    assert core.run(one) == tessera.Core("blackhole").run(one)
    assert core.run(one) != core.run(tessera.assemble("NOP\nNOP\n", "blackhole"))


def test_an_image_keeps_what_was_set(elf_path):
    image = tessera.load_kernel(elf_path)
    before = pickle.dumps(image)
    image.set_words("sizes", [7, 8])
    again = pickle.loads(pickle.dumps(image))
    assert again == image != pickle.loads(before) and again.find_symbol("sizes") == image.find_symbol("sizes")


def test_another_version_is_refused(things):
    for name, thing in things.items():
        if name in ("Op.Kind", "DataFormat"):
            continue  # an enumerator is its name and number
        text = pickle.dumps(thing, 4)
        version = tessera.__version__.encode()
        assert version in text, name
        other = text.replace(version, version[:-1] + b"~")
        with pytest.raises(tessera.InputError) as refused:
            pickle.loads(other)
        assert refused.value.code == "pickle.version", name
        assert tessera.__version__[:-1] + "~" in str(refused.value) and tessera.__version__ in str(refused.value)


def test_another_build_is_refused():
    restored, (form, data) = tessera.assemble("NOP\n", "blackhole").__reduce__()
    version, members = form.split("/")
    assert version == tessera.__version__ and restored(form, data) == tessera.assemble("NOP\n", "blackhole")
    with pytest.raises(tessera.InputError, match="another build"):
        restored(version + "/" + members[::-1], data)


def test_broken_ones_are_refused(things):
    generator = random.Random(5)
    for name, thing in things.items():
        if name in ("Op.Kind", "DataFormat", "Fault", "Error"):
            continue
        restored, (form, data) = thing.__reduce__()
        wrong = [b"", data[:1], data[:-1], data + b"\0", data[8:], bytes(len(data)), data[::-1]]
        for _ in range(40):
            at, bit = generator.randrange(len(data)), generator.randrange(8)
            wrong.append(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1:])
        for one in wrong:
            if one == data:
                continue
            with pytest.raises(tessera.InputError) as refused:
                restored(form, one)
            assert refused.value.code == "pickle.broken", name


def digest(data):
    """FNV-1a, as pickles have it in front."""
    total = 0xCBF29CE484222325
    for byte in data:
        total = (total ^ byte) * 0x100000001B3 % (1 << 64)
    return total.to_bytes(8, "little")


def test_what_no_writer_has_written_is_never_read_beyond(things):
    """Right by its digest, and nothing else: refused, or something that can be printed; never a crash."""
    generator = random.Random(7)
    for name in ("Op", "Finding", "Blocked", "UnitUse", "PathStep", "ThreadReport", "Passage", "Program", "Run"):
        restored, (form, data) = things[name].__reduce__()
        body = data[8:]
        assert digest(body) == data[:8]
        for _ in range(60):
            at = generator.randrange(len(body))
            other = body[:at] + bytes([generator.choice([0, 1, 0x7F, 0xFF])]) + body[at + 1:generator.randrange(len(body)) + 1]
            try:
                repr(restored(form, digest(other) + other))
            except tessera.InputError as error:
                assert error.code == "pickle.broken"


def run_job(job):
    """In another process."""
    core = tessera.Core(job)
    run = core.run(job)
    return job, run, bytes(core.l1)


def run_program(program, seed):
    try:
        return tessera.Core(program.arch).run(program, seed=seed)
    except tessera.Fault as fault:
        return fault


def fail(text):
    return tessera.assemble(text, "blackhole")


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_pools_of_processes(method):
    job = tessera.load_job(PACKER)
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        pending = pool.submit(run_job, job)
        programs = [tessera.assemble(text, "blackhole") for text in ("NOP\n" * 9, ".ttinsn 0xFF000000\n")]
        runs = list(pool.map(run_program, programs * 2, [None, None, 3, 3]))
        failed = pool.submit(fail, "NONE\n")
        again, run, l1 = pending.result()
        with pytest.raises(tessera.InputError) as refused:
            failed.result()
    core = tessera.Core(job)
    assert again == job and run == core.run(job) and l1 == core.l1.tobytes()
    assert runs == [run_program(program, seed) for program, seed in zip(programs * 2, [None, None, 3, 3])]
    assert isinstance(runs[1], tessera.Fault) and runs[1].run.fault.code == "unknown-opcode" == runs[1].code
    assert refused.value.code == "asm.unknown-instruction" and refused.value.line == 1


def test_a_core_goes_on_where_it_was():
    job = tessera.load_job(PACKER)
    core = tessera.Core(job)
    core.run(job)
    core.src_b[1, 3, 4] = 1.5
    again = pickle.loads(pickle.dumps(core))
    assert type(again) is tessera.Core and again.arch == core.arch
    for name in core.state:
        assert np.array_equal(np.asarray(core.state[name]), np.asarray(again.state[name])), name
    assert core.run(job) == again.run(job)
    for name in core.state:
        assert np.array_equal(np.asarray(core.state[name]), np.asarray(again.state[name])), name


TRIPS = (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one)))


class Named(tessera.Core):
    """A Core with a constructor and attributes of its own."""

    def __init__(self, *, name):
        super().__init__("wormhole")
        self.name, self.notes, self.itself = name, [1], self


def test_a_subclass_keeps_its_attributes():
    core = Named(name="first")
    core.l1[8] = 5
    for trip in TRIPS:
        again, shares = trip(core), trip is copy.copy
        assert type(again) is Named and again.arch == "wormhole" and again.name == "first" and again.notes == [1]
        assert (again.notes is core.notes) == shares and again.itself is (core if shares else again)
        again.l1[8] = 6
        assert core.l1[8] == 5


class Locked(tessera.Core):
    """A Core with a lock, which has no pickle and no copy."""

    def __init__(self, arch):
        super().__init__(arch)
        self.lock, self.count = threading.Lock(), 3

    def __getstate__(self):
        return {"count": self.count}

    def __setstate__(self, state):
        self.__init__("wormhole")
        self.count = state["count"] + 1


class Slotted(tessera.Core):
    __slots__ = ("first", "second")


class Made(tessera.Core):
    def __new__(cls, name):
        return super().__new__(cls)

    def __init__(self, name):
        super().__init__("wormhole")
        self.name = name


@pytest.mark.parametrize("trip", TRIPS)
def test_a_subclass_says_itself_what_is_kept(trip):
    core = Locked("wormhole")
    again = trip(core)
    assert again.count == 4 and again.lock is not core.lock


@pytest.mark.parametrize("trip", TRIPS)
def test_slots_of_a_subclass_are_kept(trip):
    core = Slotted("wormhole")
    assert not hasattr(trip(core), "first")
    core.first, core.other = [1], [2]
    again = trip(core)
    assert (again.first, again.other) == ([1], [2]) and not hasattr(again, "second")
    assert (again.first is core.first) == (trip is copy.copy)


@pytest.mark.parametrize("trip", TRIPS)
def test_a_subclass_may_have_its_own_new(trip):
    again = trip(Made("one"))
    assert (type(again), again.name, again.arch) == (Made, "one", "wormhole")


def test_an_error_keeps_its_notes():
    error = refusal()
    error.add_note("of the second kernel")
    for again in (trip(error) for trip in TRIPS):
        assert again == error and again.__notes__ == ["of the second kernel"]


@pytest.mark.parametrize("arch", ["blackhole", "wormhole"])
@pytest.mark.parametrize("reset", ["silicon", "vendor-sim"])
def test_a_core_keeps_everything(arch, reset):
    core = tessera.Core(arch, reset=reset)
    generator = np.random.default_rng(1)
    for name in core.state:
        section = core.state[name]
        if name != "l1":
            bits = generator.integers(0, 1 << min(section.bits, 62), section.shape, dtype=np.int64)
            section[...] = bits
    core.write_l1(core.l1.size - 5, b"12345")
    again = pickle.loads(pickle.dumps(core))
    for name in core.state:
        assert np.array_equal(np.asarray(core.state[name]), np.asarray(again.state[name])), name


def test_what_counts_as_written_is_kept():
    text = ".thread math\nMOVA2D instr_mod=2\n"
    for written in (False, True):
        core = tessera.Core("blackhole")
        core.state["bank_owner"]["src_a", 0] = 1
        if written:
            core.mark_written("src_a", 0, 8 * 16)
        run = pickle.loads(pickle.dumps(core)).run(tessera.assemble(text, "blackhole"))
        assert [finding.code for finding in run.findings] == ([] if written else ["state.read-before-write"])


def test_broken_cores_are_refused():
    restored, (version, image) = tessera.Core("blackhole").__reduce__()
    assert version == tessera.__version__ and restored(version, image).arch == "blackhole"
    with pytest.raises(tessera.InputError, match="pickle.version"):
        restored("0.0.1", image)
    generator = random.Random(3)
    wrong = [b"", image[:7], image[:-1], image + b"\0", bytes(len(image)), b"tessera-core-9" + image[14:]]
    for _ in range(20):
        at = generator.randrange(len(image))
        wrong.append(image[:at] + bytes([image[at] ^ 1 << generator.randrange(8)]) + image[at + 1:])
    for one in wrong:
        with pytest.raises(tessera.InputError) as refused:
            restored(version, one)
        assert refused.value.code == "core.image"


def test_what_cannot_be_pickled_says_so():
    core = tessera.Core("blackhole")
    execution = core.start(tessera.assemble("NOP\n", "blackhole"))
    for thing, word in ((execution, "Execution"), (core.state, "State"), (core.gpr, "Section"), (core.config, "Config")):
        with pytest.raises(tessera.ArgumentError, match=word):
            pickle.dumps(thing)


def moved(execution, how):
    """Some way into a run."""
    how(execution)
    return execution.snapshot()


@pytest.mark.parametrize("how", [
    lambda e: None,
    lambda e: e.step(),
    lambda e: (e.step(3), e.step(2), e.step(1, thread=0)),
    lambda e: e.step_cycles(17),
    lambda e: e.run_until(instruction="PACR"),
    lambda e: (e.run_until(written=["gpr"]), e.run_until(cycle=60), e.step(2)),
    lambda e: (e.run_until(instruction="PACR"), e.back(3)),
    lambda e: (e.step(2), e.restore(moved(e, lambda f: f.step(4)))),
    lambda e: (e.step(2), e.step_cycles(3), e.restore(e.snapshot()), e.step(2), e.back(2)),
    lambda e: e.finish(),
])
@pytest.mark.parametrize("seed", [None, 5])
def test_a_snapshot_goes_on_in_the_same_way(how, seed):
    job = tessera.load_job(PACKER)
    core = tessera.Core(job)
    snapshot = moved(core.start(job, seed=seed), how)
    again = pickle.loads(pickle.dumps(snapshot))
    assert again == snapshot and (again.cycle, again.instructions) == (snapshot.cycle, snapshot.instructions)
    assert pickle.loads(pickle.dumps(again)) == snapshot
    cores = [tessera.Core("blackhole") for _ in range(2)]
    runs = []
    for one, of in zip(cores, (snapshot, again)):
        execution = one.start(of)
        execution.finish()
        runs.append(execution.run)
    assert runs[0] == runs[1]
    for name in cores[0].state:
        assert np.array_equal(np.asarray(cores[0].state[name]), np.asarray(cores[1].state[name])), name


def test_a_refused_step_is_not_repeated():
    core = tessera.Core("blackhole")
    execution = core.start(tessera.assemble(".repeat 1500000\nNOP\n.end\n", "blackhole"))
    refused = []
    thread = threading.Thread(target=execution.step, args=(1_000_000,))
    thread.start()
    while thread.is_alive() and not refused:
        if core.running:
            with pytest.raises(tessera.StateError) as error:
                execution.step(7)
            refused.append(error.value.code)
    thread.join()
    assert refused == ["run.busy"]
    snapshot = execution.snapshot()
    assert pickle.loads(pickle.dumps(snapshot)) == snapshot and snapshot.instructions == 1_000_000


@pytest.mark.parametrize("acts_later", [False, True])
def test_a_snapshot_after_back_over_acts_of_the_host(acts_later):
    """An act before the first step is repeated; of later ones it is not known whether back() kept them."""
    job = tessera.load_job(PACKER)
    execution = tessera.Core(job).start(job)
    execution.write_l1(0x80000, b"first")
    execution.step(3)
    before = execution.snapshot()
    if acts_later:
        execution.write_l1(0x80010, b"second")
    execution.step(2)
    execution.back()
    snapshot = execution.snapshot()
    if acts_later:
        with pytest.raises(tessera.InputError, match="which acts of the host") as refused:
            pickle.dumps(snapshot)
        assert refused.value.code == "run.snapshot"
        execution.restore(before)
        snapshot = execution.snapshot()
    assert pickle.loads(pickle.dumps(snapshot)) == snapshot


def test_a_snapshot_after_back_to_where_its_run_was_continued():
    job = tessera.load_job(PACKER)
    execution = tessera.Core(job).start(job)
    execution.step(4)
    again = tessera.Core(job).start(execution.snapshot())
    again.step(3)
    again.back(5)
    for _ in range(2):
        snapshot = again.snapshot()
        assert pickle.loads(pickle.dumps(snapshot)) == snapshot
        again.step()


@pytest.mark.parametrize("remembers_first", [False, True])
def test_a_snapshot_after_restore_and_back_has_the_acts_of_its_own_line(remembers_first):
    """If the act came after the first moment that back() reaches, it is not known whether back() kept it."""
    job = tessera.load_job(PACKER)
    execution = tessera.Core(job).start(job)
    if remembers_first:
        execution.step()
    before = execution.snapshot()
    execution.write_l1(0x80000, b"1")
    execution.step(3)
    execution.restore(before)
    execution.write_l1(0x80000, b"2")
    execution.step(3)
    execution.back()
    snapshot = execution.snapshot()
    if remembers_first:
        with pytest.raises(tessera.InputError, match="which acts of the host"):
            pickle.dumps(snapshot)
        return
    assert execution.read_l1(0x80000, 1) == b"2"
    assert pickle.loads(pickle.dumps(snapshot)) == snapshot


def test_a_snapshot_of_a_core_that_was_written_to_is_refused():
    job = tessera.load_job(PACKER)
    core = tessera.Core(job)
    execution = core.start(job)
    execution.step(2)
    core.write_l1(0x80000, b"from outside")
    data = pickle.dumps(execution.snapshot())
    with pytest.raises(tessera.InputError) as refused:
        pickle.loads(data)
    assert refused.value.code == "run.snapshot"
