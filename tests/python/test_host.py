# SPDX-License-Identifier: Apache-2.0
"""What a host does while kernels run: steps of a run, and by hand between two steps."""

import struct

import pytest

import tessera
from test_kernels import ENTRY, elf

WORD = 0x20000
# Polls the word until it is not 0, and stores its square behind it.
CODE = struct.pack("<7I", 0x00020537, 0x00052583, 0x0FF0000F, 0xFE058CE3, 0x02B585B3, 0x00B52223, 0x0000006F)


@pytest.fixture
def image(tmp_path):
    (tmp_path / "math.elf").write_bytes(elf(CODE))
    return tessera.load_kernel(tmp_path / "math.elf")


def kernels(image, **options):
    return tessera.Kernels({"trisc1": image}, "blackhole", **options)


def test_steps(image):
    what = kernels(image, host=[{"at": 500, "write": (WORD, struct.pack("<I", 12))},
                                {"when": (WORD + 4, 0x90, 0xFF), "read": (WORD + 4, 4)}])
    core = tessera.Core("blackhole")
    core.load(what)
    (step, cycle, address, data), = core.run(what).host_reads
    assert (step, address, data) == (1, WORD + 4, struct.pack("<I", 144)) and cycle > 500


def test_a_step_that_waits_for_ever_is_told(image):
    what = kernels(image, host=[{"when": (WORD + 4, 1)}])
    core = tessera.Core("blackhole")
    core.load(what)
    with pytest.raises(tessera.Fault, match="host .*waits for the word at 0x20004 to be 0x1; it is 0x0"):
        core.run(what)


@pytest.mark.parametrize("step", [{"at": 1, "when": (2, 1)}, {"write": (0x180000, b"1234")}, {"start": ["brisc"]}, {},
                                  {"when": (0, 3, 1)}])
def test_what_can_never_be_is_refused(image, step):
    with pytest.raises(tessera.Error) as refused:
        kernels(image, host=[step])
    assert refused.value.code == "host.step"


@pytest.mark.parametrize("step", [{"wen": (0, 1)}, {"reset": ["trisc9"]}, {"reset": ["trisc1"], "read": (0, 4)},
                                  {"when": (1,)}])
def test_what_is_no_step_is_refused(image, step):
    with pytest.raises(ValueError):
        kernels(image, host=[step])


@pytest.mark.parametrize("step, words", [
    ({"at": -1}, "'at' of step 2 takes an int of 0 to 18446744073709551615, not -1 (int)"),
    ({"when": 5}, "'when' of step 2 takes (address, value) or (address, value, mask), not 5 (int)"),
    ({"when": (WORD, 1, -1)}, "value 2 of 'when' of step 2 takes an int of 0 to 4294967295, not -1 (int)"),
    ({"write": (WORD, 5)}, "value 1 of 'write' of step 2 takes bytes, not 5 (int)"),
    ({"write": (1 << 32, b"1")}, "value 0 of 'write' of step 2 takes an int of 0 to 4294967295, not 4294967296 (int)"),
    ({"write": (WORD,)}, "'write' of step 2 takes (address, bytes), not a tuple of 1"),
    ({"read": (WORD, "4")}, "value 1 of 'read' of step 2 takes an int of 0 to 4294967295, not '4' (str)"),
    ({"start": "trisc1"}, "'start' of step 2 takes a sequence of names of cores, not 'trisc1' (str)"),
    ({5: 1}, "a key of step 2 takes a str, not 5 (int)")])
def test_a_value_of_another_type_is_named(image, step, words):
    with pytest.raises(tessera.ArgumentError) as refused:
        kernels(image, host=[{"at": 1, "write": (WORD, b"1234")}, step])
    assert f"argument 'host': {words}" in str(refused.value)


def test_by_hand(image):
    what = kernels(image)
    core = tessera.Core("blackhole")
    core.load(what)
    run = core.start(what)
    run.step_cycles(100)
    run.write_l1(WORD, struct.pack("<I", 5))
    assert run.run_until(word=(WORD + 4, 25)).why == "word"
    assert run.read_l1(WORD, 8) == struct.pack("<2I", 5, 25)
    run.reset("trisc1")
    run.write_l1(WORD, struct.pack("<2I", 6, 0))
    run.start("trisc1")
    assert run.run_until(word=(WORD + 4, 36, 0xFF)).why == "word"
    assert not run.finish() and run.run.fault is None
    with pytest.raises(tessera.Error) as over:
        run.write_l1(WORD, b"1234")
    assert over.value.code == "run.over"


def test_an_assertion_is_a_fault_with_its_frames(tmp_path):
    (tmp_path / "math.elf").write_bytes(elf(struct.pack("<I", 0x00100073)))
    what = kernels(tessera.load_kernel(tmp_path / "math.elf"))
    core = tessera.Core("blackhole")
    core.load(what)
    with pytest.raises(tessera.Fault) as fault:
        core.run(what)
    assert fault.value.code == "riscv.ebreak" and fault.value.pc == ENTRY and fault.value.frames == []
