# SPDX-License-Identifier: Apache-2.0
"""Jobs: the files they read, their outputs in memory, digests of end states."""

import os
import struct
from pathlib import Path

import numpy as np
import pytest

import tessera
from kernels import ROOT
from test_kernels import elf

# Stays in a loop of one instruction.
STAYS = struct.pack("<I", 0x0000006F)
JOB = """
arch = "wormhole"
[[l1]]
addr = 64
npy = "a.npy"
format = "Float16"
[[l1]]
addr = 8192
hex = "0180FFFF"
[threads]
math = "math.tts"
[[output]]
addr = 64
shape = [32, 64]
format = "Float16"
npy = "c.npy"
[[output]]
addr = 8192
shape = [1, 2]
format = "UInt16"
layout = "rows"
npy = "d.npy"
[[output]]
addr = 8192
size = 3
file = "e.bin"
"""
VALUES = np.arange(2048, dtype=np.float32).reshape(32, 64) / 8


@pytest.fixture
def job(tmp_path):
    np.save(tmp_path / "a.npy", VALUES)
    (tmp_path / "math.tts").write_text("NOP\n")
    (tmp_path / "job.toml").write_text(JOB)
    return tessera.load_job(tmp_path / "job.toml")


def test_inputs_are_all_files_that_were_read(job, tmp_path):
    assert sorted(job.inputs) == sorted(str(tmp_path / name) for name in ("a.npy", "job.toml", "math.tts"))


def test_outputs_are_described(job, tmp_path):
    array, integers, raw = job.outputs
    assert (array.address, array.rows, array.cols, array.size) == (64, 32, 64, 4096)
    assert array.format is tessera.DataFormat.Float16 and array.host_step is None and array.path == str(tmp_path / "c.npy")
    assert integers.format is tessera.DataFormat.UInt16 and integers.size == tessera.tensor_bytes((1, 2), "UInt16", layout="rows")
    assert (raw.address, raw.rows, raw.cols, raw.size, raw.format, raw.path) == (8192, 0, 0, 3, None, str(tmp_path / "e.bin"))
    assert repr(raw) == f"<tessera.JobOutput {tmp_path / 'e.bin'}>"


def test_outputs_are_read_without_files(job, tmp_path):
    core = tessera.Core(job)
    array, integers, raw = core.read_outputs(job, core.run(job))
    assert array.dtype == np.float32 and np.array_equal(array, VALUES)
    assert integers.dtype == np.int64 and integers.tolist() == [[0x8001, 0xFFFF]]
    assert raw.dtype == np.uint8 and raw.tobytes() == b"\x01\x80\xff"
    assert not any((tmp_path / name).exists() for name in ("c.npy", "d.npy", "e.bin"))
    core.write_outputs(job)
    assert np.array_equal(np.load(tmp_path / "c.npy"), array) and (tmp_path / "e.bin").read_bytes() == raw.tobytes()


def test_outputs_of_the_host_need_the_run(tmp_path):
    (tmp_path / "math.elf").write_bytes(elf(STAYS))
    (tmp_path / "job.toml").write_text("""
arch = "blackhole"
cores = { trisc1 = "math.elf" }
l1 = [{ addr = 0x20000, words = [7] }]
[[host]]
at = 5
read = { addr = 0x20000, shape = [1, 1], format = "Int32", layout = "rows", npy = "then.npy" }
[[host]]
write = { addr = 0x20000, words = [8] }
""")
    job = tessera.load_job(tmp_path / "job.toml")
    assert [one.host_step for one in job.outputs] == [0]
    core = tessera.Core(job)
    run = core.run(job)
    assert core.read_outputs(job, run)[0].tolist() == [[7]]
    with pytest.raises(tessera.Error, match="host.step"):
        core.read_outputs(job)


def test_digests_are_of_the_state():
    job = tessera.load_job(ROOT / "examples/seeds/7.3-through-the-packer.toml")
    start = tessera.Core(job)
    ends = []
    for timing in ("documented", "documented", "functional"):
        core = tessera.Core(start)
        core.run(job, timing=timing)
        ends.append(core.digest())
    assert len(set(ends)) == 1 and len(ends[0]) == 16 and set(ends[0]) <= set("0123456789abcdef")
    assert ends[0] != start.digest()
    other = tessera.Core(start)
    assert other.digest() == start.digest()
    other.l1[12345] ^= 1
    assert other.digest() != start.digest()


def test_a_folder_whose_name_is_no_utf8(tmp_path):
    folder = os.path.join(os.fsencode(tmp_path), b"caf\xe9")
    os.mkdir(folder)
    for name, text in ((b"job.toml", 'arch = "blackhole"\n[threads]\nmath = "a.tts"\n[[output]]\naddr = 64\nsize = 3\nfile = "e.bin"\n'),
                       (b"a.tts", "REPLAY len=32 load_mode=0\nREPLAY len=5\n")):
        Path(os.fsdecode(os.path.join(folder, name))).write_text(text)
    job = tessera.load_job(os.path.join(folder, b"job.toml"))
    assert os.fsencode(job.file) == os.path.join(folder, b"job.toml")
    assert [os.path.dirname(os.fsencode(path)) for path in job.inputs] == [folder, folder]
    assert os.fsencode(job.outputs[0].path) == os.path.join(folder, b"e.bin")
    with pytest.raises(tessera.Fault) as caught:
        tessera.Core(job).run(job)
    assert caught.value.run.fault.place.endswith("a.tts:1") and "unknown-opcode" in str(caught.value)
    assert "job.toml" in repr(job)
