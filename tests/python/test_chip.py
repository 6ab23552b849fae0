# SPDX-License-Identifier: Apache-2.0
"""Chips: tiles that talk to each other and to DRAM."""

import copy
import gc
import itertools
import json
import pickle
import struct
import threading

import numpy as np
import pytest

import tessera
from test_interrupts import BOUND, COUNTS, default_handler, seconds_to_stop  # noqa: F401, a fixture
from kernels import in_its_own_process
from test_kernels import elf

NIU = 0xFFB20000
MESSAGE, FLAG, SIZE = 0x20000, 0x20100, 256
# Registers of an NIU, from the pages NoC/MemoryMap: where coordinates are, by how many bits they are shifted, and NOC_CMD_CTRL.
REGISTERS = {"blackhole": (8, 0, 0x40), "wormhole": (4, 4, 0x28)}
# The first Tensix tiles of row 0, from the pages NoC/Coordinates; row 1 of DRAM and Ethernet is above them.
PLACES = {"blackhole": [(1, 2), (2, 2)], "wormhole": [(1, 1), (2, 1)]}
A4, A5, A6, A7 = 14, 15, 16, 17


class Code:
    """The words of a kernel, after the RISC-V manual."""

    def __init__(self, arch):
        self.place, self.shift, self.command = REGISTERS[arch]
        self.words = []

    def put(self, register, value):
        upper = (value + 0x800) >> 12 & 0xFFFFF
        self.words += [upper << 12 | register << 7 | 0x37, (value & 0xFFF) << 20 | register << 15 | register << 7 | 0x13]

    def store(self, address, value):
        self.put(A7, value)
        self.put(A6, address)
        self.words.append(A7 << 20 | A6 << 15 | 2 << 12 | 0x23)

    def wait_for(self, address, value):
        """fence; lw a4, 0(a6); bne a4, a5, -8"""
        self.put(A6, address)
        self.put(A5, value)
        self.words += [0x0FF0000F, A6 << 15 | 2 << 12 | A4 << 7 | 0x03, 0x7F << 25 | A5 << 20 | A4 << 15 | 1 << 12 | 0xC << 8 | 1 << 7 | 0x63]

    def request(self, kind, target, target_address, answer, answer_address, size):
        """By the first initiator of NoC 0."""
        for at, place, address in ((0x00, target, target_address), (0x0C, answer, answer_address)):
            self.store(NIU + at, address)
            self.store(NIU + at + 4, 0)
            self.store(NIU + at + self.place, (place[0] | place[1] << 6) << self.shift)
        self.store(NIU + 0x1C, kind)
        self.store(NIU + 0x20, size)
        self.store(NIU + self.command, 1)

    def kernels(self, arch, folder, name, done=FLAG):
        self.words.append(0x0000006F)  # a jump to itself
        file = folder / f"{name}.elf"
        file.write_bytes(elf(struct.pack(f"<{len(self.words)}I", *self.words)))
        return tessera.Kernels({"trisc1": tessera.load_kernel(file)}, arch, done=[(done, 1)])


READ, WRITE = 0, 2 | 1 << 4


def sender(arch, folder, dram, own, to):
    """Reads SIZE bytes of DRAM from 0x1000 on, and writes them to another tile, then a word behind them."""
    code = Code(arch)
    code.request(READ, dram, 0x1000, own, MESSAGE, SIZE)
    code.wait_for(NIU + 0x208, 1)
    code.request(WRITE, own, MESSAGE, to, MESSAGE, SIZE)
    code.wait_for(NIU + 0x204, 1)
    code.store(FLAG, 1)
    code.request(WRITE, own, FLAG, to, FLAG, 16)
    code.wait_for(NIU + 0x204, 2)
    return code.kernels(arch, folder, "sender")


def receiver(arch, folder):
    code = Code(arch)
    code.wait_for(FLAG, 1)
    return code.kernels(arch, folder, "receiver")


@pytest.fixture(params=["blackhole", "wormhole"])
def arch(request):
    return request.param


@pytest.fixture
def message():
    return np.random.default_rng(4).integers(0, 1 << 32, SIZE // 4, np.uint32)


@pytest.fixture
def chip(arch, tmp_path, message):
    """Two tiles, ready to run."""
    chip = tessera.Chip(arch, grid=(2, 1))
    chip.dram[1].write(0x1000, message)
    for column in range(2):
        chip.tile(column, 0).write_l1(MESSAGE, bytes(SIZE + 64))
    chip.load(0, 0, sender(arch, tmp_path, chip.dram[1].place, chip.place(0, 0), chip.place(1, 0)))
    chip.load(1, 0, receiver(arch, tmp_path))
    return chip


def code_of(call):
    with pytest.raises(tessera.Error) as refused:
        call()
    return type(refused.value), refused.value.code


def test_tiles_talk(chip, arch, message):
    assert (chip.arch, chip.columns, chip.rows, chip.running) == (arch, 2, 1, False)
    packets = []
    run = chip.run(on_packet=packets.append)
    assert run.good and run.fault is None and run.packets == 6
    for column in range(2):
        assert np.array_equal(chip.tile(column, 0).l1[MESSAGE:MESSAGE + SIZE].view(np.uint32), message)
    assert [(tile.column, tile.row, tile.place) for tile in run.tiles] == [(0, 0, PLACES[arch][0]), (1, 0, PLACES[arch][1])]
    assert max(tile.run.cycles for tile in run.tiles) <= run.cycles
    assert not any(finding.level != "info" for tile in run.tiles for finding in tile.run.findings)
    here, there = PLACES[arch]
    dram = chip.dram[1].place
    assert [(one.kind, one.source, one.target) for one in packets] == [
        ("read", here, dram), ("read response", dram, here), ("write", here, there), ("write ack", there, here),
        ("write", here, there), ("write ack", there, here)]
    assert [one.bytes for one in packets] == [SIZE, SIZE, SIZE, 0, 16, 0]
    assert all(one.noc == 0 and one.core == "trisc1" and one.asked_by == here and one.sent < one.arrived <= run.cycles for one in packets)
    assert [one.request for one in packets] == [1, 1, 2, 2, 3, 3] and packets[2].address == MESSAGE
    assert "write ack" in repr(packets[3]) and "2 tiles" in repr(run) and "column 1" in repr(run.tiles[1])


def test_threads_change_nothing(arch, tmp_path, message):
    runs = []
    for threads in (1, 2, 1 << 31):
        chip = tessera.Chip(arch, grid=(2, 1))
        chip.dram[1].write(0x1000, message)
        chip.load(0, 0, sender(arch, tmp_path, chip.dram[1].place, chip.place(0, 0), chip.place(1, 0)))
        chip.load(1, 0, receiver(arch, tmp_path))
        runs.append(chip.run(threads=threads, seed=5))
    assert runs[0] == runs[1] == runs[2]


def test_a_run_and_its_parts_can_be_pickled(chip):
    run = chip.run()
    for thing in (run, run.tiles[0]):
        assert pickle.loads(pickle.dumps(thing)) == thing == copy.copy(thing)
    assert pickle.loads(pickle.dumps(run)).tiles[1].run.instructions == run.tiles[1].run.instructions
    with pytest.raises(tessera.ArgumentError, match="ChipJob"):
        pickle.dumps(chip)


def test_dram(arch):
    chip = tessera.Chip(arch)
    assert len(chip.dram) == {"blackhole": 8, "wormhole": 6}[arch] == len(list(chip.dram))
    first, last = chip.dram[0], chip.dram[-1]
    assert (first.number, last.number) == (0, len(chip.dram) - 1) and first.place != last.place
    assert first.size == {"blackhole": 4 << 30, "wormhole": 2 << 30}[arch]
    last.write(last.size - 3, b"abc")
    assert last.read(last.size - 4, 4).tolist() == [0, *b"abc"] and not first.read(0, 64).any()
    first.write(0x40, np.array([[1, 2], [3, 4]], np.uint16))
    copied = first.read(0x40, 8)
    assert copied.dtype == np.uint8 and copied.tolist() == [1, 0, 2, 0, 3, 0, 4, 0]
    copied[:] = 9
    assert first.read(0x40, 1)[0] == 1
    array = np.arange(64 * 32).reshape(64, 32) % 256 - 128.0  # exact in bfloat16
    first.write(0x1000, array, "Float16_b")
    assert np.array_equal(first.read_array(0x1000, (64, 32), "Float16_b"), array)
    assert np.array_equal(first.read(0x1000, 4096), tessera.tilize(array, "Float16_b"))
    first.write(0x9000, array.astype(int), tessera.DataFormat.Int32, "rows")
    assert first.read(0x9000, 4 * array.size).view(np.uint32).tolist()[:2] != [0, 0]
    assert np.array_equal(first.read_array(0x9000, (64, 32), "Int32", layout="rows"), array)
    for call in (lambda: last.write(last.size - 2, b"abc"), lambda: last.read(last.size, 1), lambda: last.read(0, 1 << 70),
                 lambda: last.read_array(last.size - 64, (32, 32), "Float16_b")):
        assert code_of(call) == (tessera.InputError, "dram.range")
    assert not last.read(last.size - 2, 1)[0] - ord("b")
    assert code_of(lambda: first.write(0, np.ones(4))) == (tessera.ArgumentError, "argument.type")
    assert code_of(lambda: chip.dram[len(chip.dram)]) == (tessera.PositionError, "argument.position")
    assert "channel" in repr(chip.dram) and "0" in repr(first)


def test_a_tile_is_the_memory(arch):
    chip = tessera.Chip(arch, grid=(2, 2), reset="vendor-sim")
    tile, again = chip.tile(1, 1), chip.tile(1, 1)
    assert type(tile) is tessera.Core and tile.arch == arch
    tile.l1[0x100:0x104] = [1, 2, 3, 4]
    tile.dst[5, 3] = 0x3F80
    tile.gpr[0, 7] = 9
    assert again.l1[0x103] == 4 and again.dst[5, 3] == 0x3F80 and again.gpr[0, 7] == 9
    again.write_l1(0x104, b"x")
    assert tile.l1[0x104] == ord("x") and not chip.tile(0, 1).l1[0x100:0x108].any()


def test_a_copy_of_a_tile_runs_alone(arch):
    chip = tessera.Chip(arch, grid=(1, 1))
    tile = chip.tile(0, 0)
    tile.l1[8] = 5
    program = tessera.assemble("NOP\n", arch)
    for call in (lambda: tile.run(program), lambda: tile.start(program), lambda: tile.assign(tessera.Core(arch)), tile.reset):
        with pytest.raises(tessera.InputError, match=r"Chip.run\(\)"):
            call()
    for alone in (tessera.Core(tile), copy.copy(tile), pickle.loads(pickle.dumps(tile))):
        assert alone.digest() == tile.digest() and alone.run(program).good
        alone.l1[8] = 6
        assert tile.l1[8] == 5
        alone.reset()


def test_tiles_and_views_keep_the_chip_alive():
    chip = tessera.Chip("blackhole", grid=(2, 2))
    tile, channel = chip.tile(1, 1), chip.dram[3]
    view = tile.l1
    view[7] = 9
    channel.write(0, b"abc")
    del chip
    gc.collect()
    other = tessera.Chip("blackhole", grid=(2, 2))
    other.tile(1, 1).l1[:] = 1
    assert tile.l1[7] == 9 and channel.read(0, 3).tobytes() == b"abc"
    del tile
    gc.collect()
    assert view[7] == 9
    view[...] = 3
    assert view.all()


def test_places_and_coordinates(arch):
    chip = tessera.Chip(arch, grid=(2, 2), translation=True)
    assert [chip.place(column, 0) for column in range(2)] == PLACES[arch]
    # From the pages NoC/Coordinates: Tensix tiles have X from 1 and Y from 2 on Blackhole, both from 18 on Wormhole.
    assert chip.coordinates(0, 0) == {"blackhole": (1, 2), "wormhole": (18, 18)}[arch]
    plain = tessera.Chip(arch, grid=(2, 2))
    assert plain.coordinates(1, 1) == plain.place(1, 1)
    off = {"blackhole": PLACES[arch][0][0], "wormhole": PLACES[arch][0][1]}[arch]
    assert tessera.Chip(arch, harvested=[off]).place(0, 0) != PLACES[arch][0]
    for call in (lambda: chip.place(2, 0), lambda: chip.coordinates(0, 2), lambda: chip.tile(2, 2), lambda: chip.tile(1 << 70, 0)):
        assert code_of(call) == (tessera.InputError, "chip.tile")


def test_load_takes_ranges_and_loads_all_or_none(arch, tmp_path):
    chip = tessera.Chip(arch, grid=(3, 2))
    code = Code(arch)
    code.store(FLAG, 1)
    kernels = code.kernels(arch, tmp_path, "flag")
    for call in (lambda: chip.load(range(4), 0, kernels), lambda: chip.load(0, [1, 2], kernels)):
        assert code_of(call) == (tessera.InputError, "chip.tile")
    assert chip.run().tiles == []
    chip.load(range(1, 3), (0, 1), kernels)
    run = chip.run()
    assert [(tile.column, tile.row) for tile in run.tiles] == [(1, 0), (2, 0), (1, 1), (2, 1)]
    assert [chip.tile(column, 1).l1[FLAG] for column in range(3)] == [0, 1, 1]
    other = {"blackhole": "wormhole", "wormhole": "blackhole"}[arch]
    assert code_of(lambda: tessera.Chip(other, grid=(1, 1)).load(0, 0, kernels)) == (tessera.InputError, "run.arch")


def test_a_tile_is_loaded_by_its_chip(arch, tmp_path):
    chip = tessera.Chip(arch, grid=(1, 1))
    code = Code(arch)
    code.store(FLAG, 1)
    kernels = code.kernels(arch, tmp_path, "flag")
    with pytest.raises(tessera.InputError, match=r"Chip\.load\(\)"):
        chip.tile(0, 0).load(kernels)
    alone = tessera.Core(chip.tile(0, 0))
    alone.load(kernels)
    assert alone.run(kernels).good and alone.l1[FLAG] == 1


def test_a_wrong_request_is_a_fault_of_its_tile(arch, tmp_path):
    chip = tessera.Chip(arch, grid=(2, 1))
    beyond = {"blackhole": (3, 2), "wormhole": (3, 1)}[arch]  # not in the grid
    chip.load(0, 0, sender(arch, tmp_path, chip.dram[0].place, chip.place(0, 0), beyond))
    with pytest.raises(tessera.ChipFault) as raised:
        chip.run()
    fault = raised.value
    assert isinstance(fault, tessera.Fault) and fault.code == "tile.noc-request" and "tile (0, 0)" in fault.message
    assert fault.core == "trisc1" and fault.cycle > 0 and fault.pc >= 0x6000
    assert isinstance(fault.run, tessera.ChipRun) and not fault.run.good and fault.run.fault.code == fault.code
    assert fault.run.tiles[0].run.fault.code == fault.code and str(fault).startswith(fault.run.fault.describe())
    again = pickle.loads(pickle.dumps(fault))
    assert again == fault and again.run == fault.run and type(again) is tessera.ChipFault
    assert chip.tile(0, 0).l1.any() and not chip.running


def test_a_deadlock_has_what_each_tile_waits_for(arch, tmp_path):
    chip = tessera.Chip(arch, grid=(2, 1))
    chip.load(range(2), 0, receiver(arch, tmp_path))
    with pytest.raises(tessera.ChipFault) as raised:
        chip.run()
    fault = raised.value
    assert fault.code == "deadlock" and all(tile.run.blocked for tile in fault.run.tiles)
    blocked = fault.run.describe_blocked()
    assert blocked.startswith("tiles (0, 0), (1, 0)\n") and blocked.count("trisc1") == 1 and str(fault).endswith(blocked.rstrip())
    assert f"0x{FLAG:X}" in str(fault) and not fault.run.cut_short and not fault.run.tiles[0].run.cut_short
    waits = fault.run.describe_waits()
    assert waits in str(fault) and f"tile (1, 0) waits: trisc1 polls L1 0x{FLAG:X}, which stays 0x0; no other tile has written it" in waits
    good = tessera.Chip(arch, grid=(1, 1)).run()
    assert good.describe_waits() == ""
    with pytest.raises(tessera.ArgumentError):
        tessera.ChipFault(good)


def test_options_of_runs(chip):
    assert code_of(lambda: chip.run(timing="instant")) == (tessera.InputError, "chip.timing")
    assert code_of(lambda: chip.run(timing="quick")) == (tessera.InputError, "argument.value")
    assert code_of(lambda: chip.run(levels={"none.such": "off"})) == (tessera.InputError, "argument.value")
    with pytest.raises(tessera.ChipFault) as raised:
        chip.run(max_cycles=30)
    assert raised.value.code.startswith("no-progress")


def test_documented_timing_is_another_one(arch, tmp_path):
    cycles = []
    for timing in ("silicon", "documented"):
        chip = tessera.Chip(arch, grid=(2, 1))
        chip.load(0, 0, sender(arch, tmp_path, chip.dram[0].place, chip.place(0, 0), chip.place(1, 0)))
        cycles.append(chip.run(timing=timing).cycles)
    assert cycles[0] != cycles[1]


def test_findings_belong_to_their_tile_and_a_level_ends_a_run(arch, tmp_path):
    """MOVA2D of rows of SrcA that nothing has written, on one of two tiles."""
    word = tessera.assemble(".thread math\nMOVA2D instr_mod=2\n", arch).threads[1][0].value
    code = Code(arch)
    code.words.append((word << 2 | word >> 30) & 0xFFFFFFFF)
    code.store(FLAG, 1)
    moves, plain = code.kernels(arch, tmp_path, "moves"), Code(arch)
    plain.store(FLAG, 1)
    stores = plain.kernels(arch, tmp_path, "stores")

    def loaded():
        chip = tessera.Chip(arch, grid=(2, 1))
        chip.tile(1, 0).state["bank_owner"]["src_a", 0] = 1
        chip.load(0, 0, stores)
        chip.load(1, 0, moves)
        return chip

    tiles = loaded().run().tiles
    assert [[one.code for one in tile.run.findings] for tile in tiles] == [[], ["state.read-before-write"]]
    assert tiles[1].run.instructions[1] == 1
    ended = loaded().run(levels={"state.read-before-write": "error"})
    assert not ended.good and ended.fault is None and [tile.run.good for tile in ended.tiles] == [True, False]
    assert ended.tiles[1].run.findings[0].level == "error"


def test_an_exception_of_on_packet_ends_the_run(chip):
    class Enough(Exception):
        pass

    seen = []

    def stop(packet):
        seen.append(packet)
        raise Enough

    with pytest.raises(Enough):
        chip.run(on_packet=stop, threads=2)
    assert len(seen) == 1 and not chip.running


@pytest.mark.parametrize("callback, words", [(lambda packet: 1 + "a", "unsupported operand"), (lambda: None, "positional argument")])
def test_a_type_error_of_on_packet_stays_what_it_is(chip, callback, words):
    with pytest.raises(TypeError, match=words) as raised:
        chip.run(on_packet=callback)
    assert type(raised.value) is TypeError


def test_nothing_else_uses_a_chip_that_runs(chip):
    tile, channel, codes = chip.tile(0, 0), chip.dram[0], []

    def use(packet):
        assert chip.running and tile.running
        for call in (lambda: tile.l1, lambda: tile.write_l1(0, b"1"), lambda: tessera.Core(tile), lambda: chip.tile(0, 0),
                     lambda: channel.read(0, 1), lambda: channel.write(0, b"1"), chip.run, lambda: chip.place(0, 0)):
            codes.append(code_of(call))

    chip.run(on_packet=use)
    assert codes == [(tessera.StateError, "run.busy")] * 8 * 6
    assert tile.l1.any() and not tile.running


def test_chips_run_at_the_same_time(arch, tmp_path, message):
    def go(seed, results):
        chip = tessera.Chip(arch, grid=(2, 1))
        chip.dram[1].write(0x1000, message)
        chip.load(0, 0, sender_kernels)
        chip.load(1, 0, receiver_kernels)
        packets = []
        results[seed] = chip.run(seed=seed, on_packet=packets.append), len(packets)

    one = tessera.Chip(arch, grid=(2, 1))
    sender_kernels = sender(arch, tmp_path, one.dram[1].place, one.place(0, 0), one.place(1, 0))
    receiver_kernels = receiver(arch, tmp_path)
    alone, together = {}, {}
    for seed in range(4):
        go(seed, alone)
    threads = [threading.Thread(target=go, args=(seed, together)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert alone == together and alone[0][1] == 6


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_run(threads, tmp_path, default_handler):  # noqa: F811
    (tmp_path / "counts.elf").write_bytes(elf(COUNTS))
    kernels = tessera.Kernels({"trisc1": tessera.load_kernel(tmp_path / "counts.elf")}, "blackhole")
    chip = tessera.Chip("blackhole", grid=(2, 2))
    chip.load(range(2), range(2), kernels)
    assert seconds_to_stop(lambda: chip.run(max_cycles=10**11, threads=threads)) < BOUND
    assert not chip.running and chip.tile(1, 1).l1[1024:1028].any()


@pytest.fixture
def job_file(arch, tmp_path):
    """The same two tiles, as a job."""
    chip = tessera.Chip(arch, grid=(2, 1))
    sender(arch, tmp_path, chip.dram[1].place, chip.place(0, 0), chip.place(1, 0))
    receiver(arch, tmp_path)
    array = np.arange(16 * 32, dtype=np.float32).reshape(16, 32) % 128
    np.save(tmp_path / "array.npy", array)
    tile = {"done": [{"addr": FLAG, "value": 1}], "l1": [{"addr": FLAG, "words": [0, 0, 0, 0]}]}
    (tmp_path / "job.json").write_text(json.dumps({
        "arch": arch, "chip": {"grid": [2, 1]}, "max_cycles": 100_000,
        "dram": [{"channel": 1, "addr": 0x1000, "npy": "array.npy", "format": "Float16_b", "layout": "rows"}],
        "tile": [{**tile, "columns": 0, "cores": {"trisc1": "sender.elf"}}, {**tile, "columns": 1, "cores": {"trisc1": "receiver.elf"}}],
        "output": [{"tile": [1, 0], "addr": MESSAGE, "shape": [4, 32], "format": "Float16_b", "layout": "rows", "npy": "got.npy"},
                   {"channel": 1, "addr": 0x1002, "size": 4, "file": "got.bin"}]}))
    return tmp_path / "job.json", array


def test_a_job(job_file, arch, tmp_path):
    path, array = job_file
    job = tessera.load_chip_job(path)
    assert job.arch == arch and job.file == str(path)
    assert sorted(one.rsplit("/", 1)[1] for one in job.inputs) == ["array.npy", "job.json", "receiver.elf", "sender.elf"]
    first, second = job.outputs
    assert (first.channel, first.tile, first.address, first.rows, first.cols, first.size) == (None, (1, 0), MESSAGE, 4, 32, 256)
    assert first.format == tessera.DataFormat.Float16_b and first.path == str(tmp_path / "got.npy")
    assert (second.channel, second.tile, second.address, second.rows, second.format, second.size) == (1, None, 0x1002, 0, None, 4)
    assert pickle.loads(pickle.dumps(job)) == job and pickle.loads(pickle.dumps(first)) == first != second
    chip = tessera.Chip(job)
    run = chip.run(threads=2)
    got, raw = chip.read_outputs(job)
    # 256 bytes are 128 numbers of bfloat16, and the second one is 1: 0x3F80.
    assert np.array_equal(got, array[:4]) and raw.tolist() == [0x80, 0x3F, 0x00, 0x40]
    assert not (tmp_path / "got.npy").exists()
    chip.write_outputs(job)
    assert np.array_equal(np.load(tmp_path / "got.npy"), array[:4]) and (tmp_path / "got.bin").read_bytes() == b"\x80\x3f\x00\x40"
    (tmp_path / "got.npy").unlink()
    assert job.run(write=False) == run and not (tmp_path / "got.npy").exists()
    assert job.run(on_packet=lambda packet: None) == run and (tmp_path / "got.npy").exists()
    assert "job.json" in repr(job) and "got.npy" in repr(first)


def test_options_of_a_job_hold_unless_others_are_given(job_file):
    path, _ = job_file
    chip = tessera.Chip(tessera.load_chip_job(path, keys={"max_cycles": "30"}))
    with pytest.raises(tessera.ChipFault):
        chip.run()
    job = tessera.load_chip_job(path, {"max_cycles": "30"})
    with pytest.raises(tessera.ChipFault):
        job.run()
    assert tessera.Chip(job).run(max_cycles=100_000).good


def test_what_a_job_refuses(job_file, arch):
    path, _ = job_file
    job = tessera.load_chip_job(path)
    assert code_of(lambda: tessera.load_chip_job(path, {"chip.grid": "[50, 50]"})) == (tessera.InputError, "chip.grid")
    assert code_of(lambda: tessera.load_chip_job("none.toml")) == (tessera.FileError, "job.open")
    assert code_of(lambda: tessera.load_job(path)) == (tessera.InputError, "job.chip")
    with pytest.raises(tessera.InputError, match=r"load_chip_job\(\) of the library"):
        tessera.load_job(path)
    assert code_of(lambda: tessera.Chip(job, grid=(1, 1))) == (tessera.InputError, "argument.value")
    assert code_of(lambda: tessera.Chip(job, translation=True)) == (tessera.InputError, "argument.value")
    assert code_of(lambda: tessera.Chip(arch, grid=(0, 1))) == (tessera.InputError, "chip.grid")
    assert code_of(lambda: tessera.Chip(arch, harvested=[0])) == (tessera.InputError, "chip.harvested")
    assert code_of(lambda: tessera.Chip(None)) == (tessera.ArgumentError, "argument.type")


def test_lines_without_an_end(chip, arch, tmp_path):
    kernels = tessera.Kernels({"trisc1": tessera.load_kernel(tmp_path / "sender.elf")}, arch, done=[(FLAG, 1)])
    for lines in (itertools.count(), range(10**12), itertools.repeat(0)):
        assert code_of(lambda: chip.load(lines, 0, kernels)) == (tessera.ArgumentError, "argument.type")
        assert code_of(lambda: chip.load(0, lines, kernels)) == (tessera.ArgumentError, "argument.type")


@pytest.mark.parametrize("kind", [tessera.Dram, lambda chip: tessera.DramChannel(chip, 0), tessera.State, tessera.Config,
                                  lambda core: tessera.Section(core, "gpr")])
def test_views_are_of_a_core_or_chip(kind):
    assert code_of(lambda: kind("blackhole")) == (tessera.ArgumentError, "argument.type")


AT_EXIT = """
import atexit, sys
def last():  # runs after the hook of tessera
    ended = chip.run(on_packet=lambda packet: seen.append(core.run(program).good), threads=2)
    print(ended.good, len(seen), all(seen))
atexit.register(last)
import tessera
arch, folder, *place = sys.argv[1:]
seen, core, program = [], tessera.Core(arch), tessera.assemble("NOP", arch)
chip = tessera.Chip(arch, grid=(2, 1))
for column, name in enumerate(("sender", "receiver")):
    kernel = tessera.load_kernel(folder + "/" + name + ".elf")
    chip.load(column, 0, tessera.Kernels({"trisc1": kernel}, arch, done=[(%d, 1)]))
    chip.tile(column, 0).write_l1(%d, bytes(%d))
"""


def test_calls_in_threads_of_a_chip_go_on_while_the_interpreter_ends(chip, arch, tmp_path):
    packets = []
    chip.run(on_packet=packets.append)
    told = in_its_own_process(AT_EXIT % (FLAG, MESSAGE, SIZE + 64), arch, tmp_path)
    assert told == (0, f"True {len(packets)} True\n", "")
