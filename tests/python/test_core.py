# SPDX-License-Identifier: Apache-2.0
"""Views, sections, configuration by name."""

import copy
import gc
import pickle
import re

import numpy as np
import pytest

import tessera
from kernels import ROOT, multiply


@pytest.fixture(params=["blackhole", "wormhole"])
def core(request):
    return tessera.Core(request.param)


def test_lregs_are_numbers():
    core = tessera.Core("blackhole", reset="vendor-sim")
    core.run(tessera.assemble(".thread math\nSFPLOADI lreg_ind=2 instr_mod0=0 imm16=0x4040\n", "blackhole"))
    assert core.lregs.dtype == np.float32 and core.lregs.shape[1] == 32
    assert np.all(core.lregs[2] == 3.0)


def test_shapes(core):
    assert core.l1.dtype == np.uint8
    assert core.l1.shape == ({"blackhole": 1536, "wormhole": 1464}[core.arch] * 1024,)
    for source in (core.src_a, core.src_b):
        assert source.dtype == np.float32 and source.shape == (2, 64, 16)
    assert core.dst.dtype == np.uint16 and core.dst.shape == (1024, 16)


def test_views_are_the_memory(core):
    core.l1[0x100:0x104] = [1, 2, 3, 4]
    core.src_a[1, 63, 15] = -1.5
    core.src_b[0, 2, 3] = 2
    core.dst[1023, 15] = 0x3F80
    assert np.array_equal(core.l1[0x100:0x104], [1, 2, 3, 4])
    assert core.src_a[1, 63, 15] == -1.5 and core.src_a[0, 63, 15] == 0
    assert core.src_b[0, 2, 3] == 2
    # The same in stored order: sign, mantissa, exponent.
    assert core.state["src_a"][1, 63, 15] == 1 << 18 | 0x200 << 8 | 127
    assert core.state["src_b"][0, 2, 3] == 128
    assert core.state["dst"][1023, 15] == 127
    assert core.state["l1"][0x102] == 3


def test_sections_are_read_as_copies(core):
    whole = core.state["rwc"].__array__()
    for copied in (core.state["rwc"].__array__(copy=True), core.state["rwc"].__array__(np.int64, copy=None)):
        assert np.array_equal(copied, whole)
    with pytest.raises(ValueError, match="rwc is always read as a copy") as refused:
        core.state["rwc"].__array__(copy=False)
    assert isinstance(refused.value, tessera.InputError)


def test_labels_are_those_of_their_dimension(core):
    core.adc[...] = np.arange(np.asarray(core.adc).size).reshape(core.adc.shape)
    whole, unit, counter = np.asarray(core.adc), core.adc.labels[1].index("packers"), core.adc.labels[3].index("y")
    some, both = np.array([True, False, True]), np.arange(9).reshape(3, 3) % 2 == 0
    for labelled, plain in (((..., "y"), (..., counter)), ((0, ..., "y"), (0, ..., counter)), ((None, 0, "packers"), (None, 0, unit)),
                            ((1, "packers", None, ..., "y"), (1, unit, None, ..., counter)), ((some, "packers"), (some, unit)),
                            (([True, False, True], "packers"), (some, unit)), ((both, 0, "y"), (both, 0, counter)),
                            ((0, "packers", 1, ..., "y"), (0, unit, 1, ..., counter))):
        assert np.array_equal(core.adc[labelled], whole[plain]), labelled
    with pytest.raises(tessera.PositionError, match="'packers' is not an index of adc: x, x_cr"):
        core.adc[..., "packers"]


def test_states_are_equal_by_value(core):
    other = tessera.Core(core)
    assert core.state is not other.state
    assert core.state == other.state and not core.state != other.state
    other.state["gpr"][0, 3] = 7
    assert core.state != other.state and not core.state == other.state
    core.state["gpr"][0, 3] = 7
    assert core.state == other.state
    other.l1[-1] = 1
    assert core.state != other.state
    assert core.state != tessera.Core({"blackhole": "wormhole", "wormhole": "blackhole"}[core.arch]).state
    assert core.state != {} and core.state != None  # noqa: E711
    with pytest.raises(TypeError):
        hash(core.state)


def test_views_keep_the_core_alive():
    core = tessera.Core("blackhole")
    views = core.l1, core.src_a, core.src_b, core.dst
    core.l1[7] = 9
    assert all(view.base is core for view in views)
    del core
    gc.collect()
    tessera.Core("blackhole").l1[:] = 1
    assert views[0][7] == 9
    for view in views:
        view[...] = 0
        assert not view.any()


def test_bits_beyond_a_source_register_are_dropped(core):
    core.src_a[0, 0, 0] = np.float32(0.1)
    core.run(tessera.assemble("NOP\n", core.arch))
    expected = np.float32(0.1).view(np.uint32) & np.uint32(0xFFFFE000)
    assert core.src_a.view(np.uint32)[0, 0, 0] == expected


def test_a_section_may_not_be_there(core):
    assert core.state.get("nosuch") is None and core.state.get("nosuch", 5) == 5
    assert core.state.get("gpr").name == "gpr"


def test_arrays_are_read_without_what_numpy_2_has_elsewhere():
    """pybind11 before 2.12 takes the size of an element from where NumPy 1 has it, also to make an array of a count."""
    wrong = re.compile(r"mutable_at|index_at|unchecked|dtype\(\)|itemsize\(\)|nbytes\(\)|array_t<[^>]+> \w+\(static_cast<py::ssize_t>")
    for source in sorted((ROOT / "src/python").glob("*.?pp")):
        assert not wrong.search(re.sub(r"//.*", "", source.read_text())), source


def test_write_l1(core):
    core.write_l1(0x20, b"abc")
    core.write_l1(0x40, np.array([[1, 2], [3, 4]], np.uint16))
    assert core.l1[0x20:0x23].tobytes() == b"abc"
    assert core.l1[0x40:0x48].tolist() == [1, 0, 2, 0, 3, 0, 4, 0]
    with pytest.raises(tessera.Error) as refused:
        core.write_l1(core.l1.size - 2, b"abc")
    assert refused.value.code == "l1.range"
    assert not core.l1[-2:].any()
    with pytest.raises(ValueError):
        core.write_l1(0, np.zeros((4, 4), np.uint8)[:, ::2])
    with pytest.raises(TypeError):
        core.write_l1(-1, b"abc")


def test_dst_as_values(core):
    core.dst[:64] = 0x3FC0
    assert np.all(core.dst_tile(0, "Float16_b") == 1.5)
    core.state["dst_valid"][16:32] = 0
    tile = core.dst_tile(0, tessera.DataFormat.Float16_b)
    assert not tile[:16, 16:].any() and np.all(tile[:16, :16] == 1.5) and np.all(tile[16:] == 1.5)
    for tile, format, code in ((16, "Float16_b", "dst.range"), (8, "Float32", "dst.range"), (0, "Bfp8", "dst.format")):
        with pytest.raises(tessera.Error) as refused:
            core.dst_tile(tile, format)
        assert refused.value.code == code


def test_dst_as_words(core):
    # Row 9 of the 32-bit view is physical row 17, its lower half eight rows further, in stored order there.
    core.dst[17, 3] = 0x4049
    core.state["dst"][25, 3] = 0x0FDB
    words = core.dst_words()
    assert words.shape == (512, 16) and words.dtype == np.uint32
    assert words[9, 3] == 0x40490FDB
    assert words.view(np.float32)[9, 3] == np.float32(np.pi)
    assert np.count_nonzero(words) == 1


def test_state_by_name(core):
    assert "semaphore_value" in core.state and "semaphore" not in core.state
    assert len(list(core.state)) == len(core.state)
    core.rwc[1, "dst"] = 32
    assert core.rwc[1, "dst"] == 32 and core.rwc[0, "dst"] == 0
    core.adc[2, "packers", 1, "y"] = 5
    assert np.count_nonzero(core.adc) == 1 and core.state["adc"][2, "packers", 1, "y"] == 5
    core.gpr[0, 8:12] = [1, 2, 3, 2**32 - 1]
    assert core.gpr[0, 8:12].tolist() == [1, 2, 3, 2**32 - 1]
    core.state["lane_flags"][()] = 5
    assert core.state["lane_flags"][()] == 5
    assert core.gpr.shape == (3, 64) and core.rwc.dimensions == ("thread", "counter")


def test_state_that_is_refused(core):
    with pytest.raises(tessera.Error) as refused:
        core.state["rwcs"]
    assert refused.value.code == "state.unknown-section" and "rwc" in refused.value.message
    for key in ((3, "dst"), (0, "dest"), ("dst", 0), (0, 9), (0, slice("dst", None))):
        with pytest.raises(tessera.PositionError):
            core.rwc[key]
    for bits in (62, 63, 64):
        for key in (1 << bits, -(1 << bits) - 1, (1, 1 << bits), [1 << bits], (slice(None), 1 << bits), np.uint64((1 << bits) - 1)):
            with pytest.raises(tessera.PositionError):
                core.rwc[key]
            with pytest.raises(tessera.PositionError):
                core.rwc[key] = 1
    for value in (-1, 1 << 10, 1 << 64, -(1 << 64)):
        with pytest.raises(tessera.InputError, match="takes 0 to"):
            core.rwc[0, "dst"] = value
    with pytest.raises(TypeError):
        core.rwc[0, "dst"] = 1.5
    assert not np.any(core.rwc)


def test_state_takes_arrays_of_python_integers(core):
    core.gpr[0, 8:11] = np.array([1, 2**32 - 1, np.int64(3)], object)
    assert core.gpr[0, 8:11].tolist() == [1, 2**32 - 1, 3]
    core.gpr[0, :0] = np.array([], object)
    for value in (-1, 1 << 32, 1 << 64):
        with pytest.raises(tessera.InputError, match="takes 0 to"):
            core.gpr[0, 8:10] = np.array([0, value], object)
    assert core.gpr[0, 8:11].tolist() == [1, 2**32 - 1, 3]


def test_configuration_by_name(core):
    core.config["THCON_SEC0_REG2_Out_data_format", 1] = tessera.DataFormat.Float16_b
    assert core.config["THCON_SEC0_REG2_Out_data_format", 1] == 5
    assert core.config["THCON_SEC0_REG2_Out_data_format"] == 0
    core.config["ADDR_MOD_AB_SEC1_SrcAIncr", 2] = 8
    assert [core.config["ADDR_MOD_AB_SEC1_SrcAIncr", thread] for thread in range(3)] == [0, 0, 8]
    assert "ADDR_MOD_AB_SEC1_SrcAIncr" in core.config and len(core.config) == len(list(core.config))


def test_sections_are_compared_as_arrays(core):
    core.gpr[1, 5] = 7
    other = tessera.Core(core.arch)
    expected = np.ones((3, 64), bool)
    expected[1, 5] = False
    for equal, different in ((core.gpr == other.gpr, core.gpr != other.gpr), (core.gpr == 0, core.gpr != 0), (0 == core.gpr, 0 != core.gpr),
                             (core.gpr == np.zeros((3, 64)), core.gpr != np.zeros((3, 64)))):
        assert np.array_equal(equal, expected) and np.array_equal(different, ~expected)
    assert (core.gpr == core.gpr).all() and core.state["lane_flags"] == core.state["lane_flags"]
    with pytest.raises(TypeError):
        hash(core.gpr)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("text", ["dst", b"dst", ""])
def test_no_element_of_a_section_is_a_text(core, text):
    assert not (core.rwc == text).any() and (core.rwc != text).shape == core.rwc.shape and (text != core.rwc).all()
    assert text not in core.rwc


def test_sections_are_iterated_as_arrays(core):
    core.gpr[1, 5] = 7
    assert [row[5] for row in core.gpr] == [0, 7, 0] and [int(value) for value in core.state["semaphore_value"]] == [0] * 8
    assert 7 in core.gpr and 8 not in core.gpr and 0 in core.state["semaphore_value"]


def test_configurations_are_compared_by_their_fields(core):
    other = tessera.Core(core)
    assert core.config == other.config and not core.config != other.config and core.config != 5
    for name, index in (("THCON_SEC0_REG2_Out_data_format", 1), ("ADDR_MOD_AB_SEC1_SrcAIncr", 2)):
        other.config[name, index] = 3
        assert core.config != other.config
        other.config[name, index] = 0
        assert core.config == other.config
    assert tessera.Core("blackhole").config != tessera.Core("wormhole").config


def test_configuration_is_what_a_program_sets(core):
    core.run(tessera.assemble(".thread math\n.cfg ADDR_MOD_DST_SEC3_DestIncr = 12\n", core.arch))
    assert core.config["ADDR_MOD_DST_SEC3_DestIncr", 1] == 12


def test_configuration_that_is_refused(core):
    for key, code in (("nothing", "regs.unknown-field"), (("THCON_SEC0_REG2_Out_data_format", 2), "regs.index")):
        with pytest.raises(tessera.Error) as refused:
            core.config[key]
        assert refused.value.code == code
    with pytest.raises(tessera.Error) as refused:
        core.config["THCON_SEC0_REG2_Out_data_format"] = 16
    assert refused.value.code == "regs.value"
    for value in (-1, 1 << 32):
        with pytest.raises(ValueError):
            core.config["THCON_SEC0_REG2_Out_data_format"] = value
    with pytest.raises(IndexError):
        core.config["ADDR_MOD_AB_SEC1_SrcAIncr"]


def test_snapshot(core):
    core.l1[0] = 1
    for other in (tessera.Core(core), copy.copy(core), copy.deepcopy(core)):
        assert type(other) is tessera.Core and other.arch == core.arch and other.l1[0] == 1
        other.l1[0] = 2
        assert core.l1[0] == 1


def test_a_core_becomes_another(core):
    program = tessera.assemble("SETRWC BitMask=15\nINCRWC rwc_d=8\n", core.arch)
    core.l1[5] = 1
    core.run(program)
    other, l1 = tessera.Core(core), core.l1
    l1[5] = l1[6] = 7
    core.run(program)
    core.assign(other)
    assert l1[5] == 1 and l1[6] == 0 and core.rwc[0, "dst"] == other.rwc[0, "dst"]
    core.reset()
    assert not l1[...].any() and core.rwc[0, "dst"] == 0
    with pytest.raises(ValueError, match="silicon, vendor-sim"):
        core.reset(reset="none")
    with pytest.raises(tessera.Error) as refused:
        core.assign(tessera.Core("wormhole" if core.arch == "blackhole" else "blackhole"))
    assert refused.value.code == "run.arch"


def test_cores_that_are_made_one_by_one_for_other_data(core):
    program = tessera.assemble(
        """.thread math
        SFPLOAD lreg_ind=1 instr_mod0=2
        SFPADD lreg_src_a=10 lreg_src_b=1 lreg_src_c=1 lreg_dest=2
        SFPNOP
        SFPSTORE lreg_ind=2 instr_mod0=2
        """,
        core.arch,
    )
    random = np.random.default_rng(3)
    for _ in range(4):
        dst = random.integers(0x3F00, 0x4000, core.dst.shape)
        cores = [tessera.Core(core.arch, reset="vendor-sim") for _ in range(2)]
        for one, recorded in zip(cores, (True, False)):
            one.dst[...] = dst
            one.run(program, recorded=recorded)
        assert np.array_equal(cores[0].dst, cores[1].dst)
        assert not np.array_equal(cores[0].dst, dst)


def test_names_that_are_refused():
    with pytest.raises(ValueError, match="blackhole, wormhole"):
        tessera.Core("grayskull")
    with pytest.raises(ValueError, match="silicon, vendor-sim"):
        tessera.Core("blackhole", reset="none")


def test_the_format_of_what_is_written_is_known():
    ones = np.ones((32, 32))
    for format, codes in (("Float16_b", []), ("Bfp8_b", ["l1.format"])):
        core = tessera.Core("blackhole")
        core.write_l1(0x4000, ones, format)
        core.write_l1(0x8000, ones, "Float16_b")
        for one in (pickle.loads(pickle.dumps(core)), core):
            run = one.run(multiply("Float16_b"))
            assert [finding.code for finding in run.findings if finding.code == "l1.format"] == codes, format
    assert core.l1_formats(0x4000 + 1024, 0x4000) == [
        (0x4400, 0x4000 + 1087, tessera.DataFormat.Bfp8_b), (0x8000, 0x83FF, tessera.DataFormat.Float16_b)]
    with pytest.raises(tessera.Error, match="l1.range"):
        core.l1_formats(1 << 30, 1)


def test_an_array_without_its_zeros_is_known():
    core, tile = tessera.Core("blackhole"), np.zeros((32, 32))
    for address in (0x4000, 0x8000):
        core.write_l1(address, tile, "Float16_b", compressed=True)
    assert np.array_equal(core.l1[0x4000:0x4000 + 2048], tessera.tilize(tile, "Float16_b", compressed=True)[:2048])
    assert "l1.format" in [finding.code for finding in core.run(multiply("Float16_b")).findings]
