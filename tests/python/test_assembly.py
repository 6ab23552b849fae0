# SPDX-License-Identifier: Apache-2.0
"""Assembling, disassembling, and errors with their places."""

import pytest

import tessera


def test_assemble():
    program = tessera.assemble(".gpr 3 = 7\n.thread math\nttsetadcxx 1,255,0\n", "wormhole", file="a.tts")
    assert program.arch == "wormhole"
    assert program.files[1] == "a.tts" and program.place(1, 0) == "a.tts:3"
    assert [len(ops) for ops in program.threads] == [1, 1, 0]
    [gpr], [ins], _ = program.threads
    assert (gpr.kind, gpr.index, gpr.value, gpr.line) == (tessera.Op.Kind.gpr, 3, 7, 1)
    assert ins.kind == tessera.Op.Kind.ins
    assert tessera.disassemble(ins.value, "wormhole") == "ttsetadcxx\t1,255,0"
    assert tessera.disassemble(ins.value, "wormhole", named=True) == "SETADCXX CntSetMask=A x_end2=255"
    assert tessera.disassemble(0xFF000000, "blackhole") == ".ttinsn\t0xFF000000"


def test_thread():
    assert [len(ops) for ops in tessera.assemble("NOP\n", "blackhole", thread=2).threads] == [0, 0, 1]
    with pytest.raises(tessera.Error, match="thread 3 does not exist"):
        tessera.assemble("NOP\n", "blackhole", thread=3)


def test_symbols(tmp_path):
    source = tmp_path / "a.tts"
    source.write_text(".gpr 3 = COUNT * 2\n")
    for program in (tessera.assemble(source.read_text(), "blackhole", symbols={"COUNT": 21}),
                    tessera.assemble_file(source, "blackhole", symbols={"COUNT": 21})):
        assert program.threads[0][0].value == 42
    with pytest.raises(tessera.Error) as refused:
        tessera.assemble("NOP\n", "blackhole", symbols={"COUNT": 21})
    assert refused.value.code == "asm.unknown-symbol"


def test_errors_have_places():
    with pytest.raises(tessera.Error) as refused:
        tessera.assemble("NOP\n  SETADCX x1=255\n", "blackhole", file="wrong.tts")
    error = refused.value
    assert (error.code, error.file, error.line, error.column) == ("asm.unknown-instruction", "wrong.tts", 2, 3)
    assert str(error) == f"wrong.tts:2:3: {error.message} [asm.unknown-instruction]"


def test_files(tmp_path):
    path = tmp_path / "nop.tts"
    path.write_text("NOP\n")
    program = tessera.assemble_file(path, "blackhole")
    assert program.place(0, 0) == f"{path}:1"
    assert len(tessera.assemble_file(str(path), "blackhole", thread=1).threads[1]) == 1
    with pytest.raises(tessera.Error) as refused:
        tessera.assemble_file(tmp_path / "none.tts", "blackhole")
    assert refused.value.code == "asm.read" and refused.value.file == str(tmp_path / "none.tts")


def test_words_that_are_refused():
    for word in (-1, 1 << 32):
        with pytest.raises(TypeError):
            tessera.disassemble(word, "blackhole")
