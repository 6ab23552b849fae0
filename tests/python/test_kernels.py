# SPDX-License-Identifier: Apache-2.0
"""Kernels: ELF files for the RISC-V cores."""

import struct

import pytest

import tessera

ENTRY, LOCAL = 0x6000, 0xFFB00000


def elf(code, data=b"", symbols=()):
    """An executable ELF32 file for RISC-V, after the ELF specification: code, data in local memory, variables."""
    segments = [(ENTRY, code)] + ([(LOCAL, data)] if data else [])
    at = 52 + 32 * len(segments)
    programs = contents = b""
    for address, part in segments:
        programs += struct.pack("<8I", 1, at + len(contents), address, address, len(part), len(part), 5, 4)
        contents += part
    strings, table = b"\0", bytes(16)
    for name, address, size in symbols:
        table += struct.pack("<IIIBBH", len(strings), address, size, 0x11, 0, 0xFFF1)
        strings += name.encode() + b"\0"
    names = b"\0.symtab\0.strtab\0.shstrtab\0"
    sections, headers = b"", bytes(40)
    for name, kind, part, link, row in ((1, 2, table, 2, 16), (9, 3, strings, 0, 0), (17, 3, names, 0, 0)):
        headers += struct.pack("<10I", name, kind, 0, 0, at + len(contents) + len(sections), len(part), link, 0, 4, row)
        sections += part + bytes(-len(part) % 4)
    header = struct.pack("<4s12BHHIIIIIHHHHHH", b"\x7fELF", 1, 1, 1, *[0] * 9, 2, 243, 1, ENTRY, 52,
                         at + len(contents) + len(sections), 0, 52, 32, len(segments), 40, 4, 3)
    return header + programs + contents + sections + headers


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "math.elf"
    file.write_bytes(elf(struct.pack("<I", 0x0000006F), struct.pack("<3I", 1, 2, 3),
                         [("tiles", LOCAL, 4), ("sizes", LOCAL + 4, 8)]))
    return file


def test_images(path):
    image = tessera.load_kernel(path)
    assert image.file == str(path) and image.entry == ENTRY
    assert image.find_symbol("sizes") == LOCAL + 4 and image.find_symbol("none") is None
    assert image.place(ENTRY) == "" and image.function(ENTRY) == ""
    image.set_words("sizes", [5, 6])
    for symbol, words, code in (("size", [1], "kernel.symbol"), ("tiles", [1, 2], "kernel.value")):
        with pytest.raises(tessera.Error) as refused:
            image.set_words(symbol, words)
        assert refused.value.code == code


def test_load(path):
    core = tessera.Core("blackhole")
    kernels = tessera.Kernels({"trisc1": tessera.load_kernel(path)}, "blackhole", done=[(0x1FFB8, 1)])
    assert kernels.arch == "blackhole" and "trisc1" in repr(kernels)
    core.load(kernels)
    assert core.l1[ENTRY:ENTRY + 4].tobytes() == struct.pack("<I", 0x0000006F)


def test_kernels_that_would_execute_nothing_are_refused(path):
    core = tessera.Core("blackhole")
    kernels = tessera.Kernels({"trisc1": tessera.load_kernel(path)}, "blackhole")
    for call in (core.run, core.start):
        with pytest.raises(tessera.InputError, match="trisc1 has a kernel that is not loaded") as refused:
            call(kernels)
        assert refused.value.code == "kernels.not-loaded"
    core.load(kernels)
    assert core.run(kernels).good
    with pytest.raises(tessera.InputError, match="at their end of an earlier run") as refused:
        core.run(kernels)
    assert refused.value.code == "kernels.not-loaded"
    core.load(kernels)
    assert core.run(kernels).good


def test_loading_ends_an_execution(path):
    core = tessera.Core("blackhole")
    kernels = tessera.Kernels({"trisc1": tessera.load_kernel(path)}, "blackhole")
    core.load(kernels)
    execution = core.start(kernels)
    core.load(kernels)
    with pytest.raises(tessera.StateError) as over:
        execution.step()
    assert over.value.code == "run.over"


def test_the_second_implementation_has_no_time(path):
    # lui x5, 0x16; lw x6, 0(x5); add x6, x6, x6; j .
    path.write_bytes(elf(struct.pack("<4I", 0x000162B7, 0x0002A303, 0x00630333, 0x0000006F)))
    kernels = tessera.Kernels({"trisc1": tessera.load_kernel(path)}, "blackhole")

    def cycles(**options):
        core = tessera.Core("blackhole")
        core.load(kernels)
        whole = core.run(kernels, **options).cycles
        core.load(kernels)
        execution = core.start(kernels, **options)
        execution.finish()
        assert execution.run.cycles == whole
        return whole

    assert cycles(reference=True) == cycles(reference=True, timing="instant") == cycles(timing="instant") != cycles()


def test_what_is_refused(path, tmp_path):
    with pytest.raises(tessera.Error) as refused:
        tessera.load_kernel(tmp_path / "none.elf")
    assert refused.value.code == "elf.open"
    (tmp_path / "text.elf").write_text("text", encoding="utf-8")
    with pytest.raises(tessera.Error) as refused:
        tessera.load_kernel(tmp_path / "text.elf")
    assert refused.value.code == "elf.format"
    image = tessera.load_kernel(path)
    with pytest.raises(ValueError, match="'trisc3'"):
        tessera.Kernels({"trisc3": image}, "blackhole")
    with pytest.raises(tessera.Error) as refused:
        tessera.Core("blackhole").load(tessera.Kernels({"trisc1": image}, "wormhole"))
    assert refused.value.code == "run.arch"
    with pytest.raises(TypeError):
        tessera.Core("blackhole").run(None)
