# SPDX-License-Identifier: Apache-2.0
"""Sweeps that cannot be done: each is an Error, and nothing has run."""

import os
import subprocess

import numpy as np
import pytest

import tessera
from sweeps import ENVIRONMENT, code_of, command, folder, logged, sweep_of, write  # noqa: F401
from tessera.errors import error_of
from tessera.sweeps.files import read_bytes
from tessera.sweeps.specification import read_specification
from tessera.sweeps.targets import Digests


def refused(specification, **options):
    """Code and message of the error of a sweep."""
    return code_of(tessera.sweep, specification, workers=0, **options)


def test_a_sweep_file_is_a_regular_file_of_bounded_size(tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    for path in ("/dev/zero", tmp_path / "pipe.toml", tmp_path):
        assert code_of(read_specification, path) == ("sweep.open", "it is not a regular file")
    large = tmp_path / "large.toml"
    large.touch()
    os.truncate(large, (64 << 20) + 1)  # without blocks of its own
    assert code_of(read_specification, large) == ("sweep.open", "it has 67108865 bytes, and at most 67108864 are read")


def test_a_file_that_says_no_size_is_read_up_to_the_bound():
    assert b"Name" in read_bytes("/proc/self/status", 64 << 20)
    with pytest.raises(OSError, match="it has more than 10 bytes, and at most 10 are read"):
        read_bytes("/proc/self/status", 10)


def test_arrays_are_regular_files(tmp_path):
    pipe = tmp_path / "pipe.npy"
    os.mkfifo(pipe)
    assert refused({"function": "convert", "values": {"to": "Bfp8_b"}, "axes": {"a": [str(pipe)]}}, results=tmp_path / "r.sqlite") == (
        "sweep.array", f"with a = '{pipe}': 'a': {pipe}: it is not a regular file")
    with pytest.raises(OSError, match="it is not a regular file"):
        Digests().of(str(pipe))  # most values of a long axis are not checked before


@pytest.mark.parametrize("kind", ["job", "function"])
def test_a_target_has_a_name(folder, kind):
    assert refused(write(folder, f'{kind} = ""\n[axes]\nformat = ["Float16"]\n')) == ("sweep.value", f"{folder}/s.toml: '{kind}' is empty")
    for values, shown in (("''", "''"), ("5", "5"), ("true", "True"), ("{ name = 'x', format = 'Float16' }", "'x'")):
        assert refused(write(folder, f"[axes]\n{kind} = ['one', {values}]\n")) == (
            "sweep.axis", f"{folder}/s.toml: axis '{kind}': value 2, {shown}, names no {kind}")


@pytest.mark.parametrize("other, where", [({"values": {"function": "elwadd"}}, "[values]"),
                                          ({"axes": {"a": [{"name": "x", "function": "elwadd"}]}}, "axis 'a'")])
def test_a_target_is_given_once(tmp_path, other, where):
    assert refused({"function": "matmul", "axes": {"b": [1]}, **other}, results=tmp_path / "r.sqlite") == (
        "sweep.key", f"'function' is given twice: as a key and in {where}")


@pytest.fixture
def no_folder(tmp_path, monkeypatch):
    """The current folder has been deleted."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)  # which goes back at the end
    gone.rmdir()


def test_a_folder_that_was_deleted(folder, no_folder):
    told = ("sweep.open", "the current folder cannot be used: No such file or directory")
    assert refused("s.toml") == told
    assert refused({"function": "matmul", "axes": {"a": [1]}}, results=folder / "r.sqlite") == told
    spec = sweep_of(folder, last=3)
    assert refused(spec, csv="rows.csv") == refused(spec, results="r.sqlite") == told
    assert not logged(folder)
    for workers in (0, 1):
        assert tessera.sweep(spec, results=folder / f"{workers}.sqlite", workers=workers).counts() == {"good": 4}


def test_the_command_in_a_folder_that_was_deleted(no_folder):
    done = subprocess.run(command(specification="s.toml"), env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr == (
        "tessera: the current folder cannot be used: No such file or directory [sweep.open]\n")


@pytest.mark.parametrize("path, takes", [(5, False), (OSError("no path"), False), (b"/none.toml", True)])
def test_a_path_of_the_callers(path, takes):
    class Own(os.PathLike):
        def __fspath__(self):
            if isinstance(path, Exception):
                raise path
            return path

    assert refused(Own())[0] == ("sweep.open" if takes else "argument.type")


def nested(levels):
    """Lists in a list, and tables in a table."""
    found = [1], {"a": 1}
    for _ in range(levels - 1):
        found = [found[0]], {"a": found[1]}
    return found


@pytest.mark.parametrize("text", ["x = " + "[" * 5000 + "]" * 5000, "x = " + "{ a = " * 5000 + "1" + " }" * 5000,
                                  "[values]\n" + ".".join("a" * 3000) + " = 1", "[values]\nx = " + "[" * 65 + "1" + "]" * 65],
                         ids=["lists", "tables", "dots", "values"])
def test_a_sweep_file_is_not_nested_deeply(folder, text):
    code, message = refused(write(folder, f"{text}\n[axes]\na = [1]\n"))
    assert code == "sweep.syntax" and "nested too deeply" in message


@pytest.mark.parametrize("levels", [64, 100_000])
def test_values_are_not_nested_deeply(tmp_path, levels):
    most, table = nested(63)  # in `values` or `axes`
    lists, tables = nested(levels)
    circle = []
    circle.append(circle)
    for value in (lists, tables, circle):
        for sweep in ({"values": {"v": value}}, {"axes": {"a": [{"name": "x", "v": value}]}}, {"report": {"heat": value, "cost": value}},
                      {"axes": {"a": iter([{"name": "x", "v": [value]}])}}):
            code, message = refused({"python": print, "axes": {"a": [1]}, **sweep}, results=tmp_path / "r.sqlite")
            assert code in ("sweep.value", "sweep.axis") and "nested too deeply: 64 levels of lists and tables at most" in message
    for value in (most, table):
        assert tessera.sweep({"python": lambda **values: 1, "values": {"v": value}, "axes": {"a": [1]}}, results=tmp_path / "r.sqlite",
                             workers=0).counts() == {"good": 1}


def test_a_list_that_is_often_in_others_is_looked_at_once(tmp_path):
    value = []
    for _ in range(50):
        value = [value, value]
    read_specification({"python": print, "values": {"v": value}, "axes": {"a": [1]}})


@pytest.mark.parametrize("condition", ["-" * 100_000 + "a", "1 + " * 100_000 + "a"], ids=["signs", "sums"])
def test_a_condition_is_not_nested_deeply(tmp_path, condition):
    code, message = refused({"python": print, "axes": {"a": [1]}, "where": condition}, results=tmp_path / "r.sqlite")
    assert code == "sweep.filter" and message.endswith(": nested too deeply") and len(message) < 2100 and " … " in message


@pytest.mark.parametrize("key", ["output", "limit", "name", "python", "report", "reference", "metrics", "values.v", "values.v.l",
                                 "values.v.random"])
def test_numbers_of_many_digits(folder, key):
    """Python writes no number of more than 4,300 digits, but reads one as hexadecimal digits."""
    number = "0x" + "F" * 6000
    lines = {"python": 'python = "measure.py:square"', "values.v.l": f"values.v = [[{number}]]", "values.v.random": f"values.v = {{ random = {number} }}"}
    lines[key] = lines.get(key, "") if key.startswith("values.v.") else f"{key} = {number}"
    text = "\n".join(line for name, line in lines.items() if name in ("python", key))
    code, message = refused(write(folder, f"{text}\n[axes]\nn = [1]\n"))
    assert code == "sweep.value" and ("an int of 24000 bits" in message or "1022 bits at most, not 24,000" in message)


def test_values_that_do_not_describe_themselves(tmp_path):
    class Wordless:
        def __repr__(self):
            raise RuntimeError("no words")

    sweep = {"python": lambda **values: 1, "axes": {"a": [1]}}
    for key in ("output", "name", "report", "reference"):
        assert refused({**sweep, key: Wordless()}, results=tmp_path / "r.sqlite")[1].endswith(", not a Wordless")
    assert refused({**sweep, "axes": {"a": [Wordless()]}}, results=tmp_path / "r.sqlite")[0] == "sweep.axis"
    found = tessera.sweep({**sweep, "values": {"v": Wordless()}}, results=tmp_path / "r.sqlite", workers=0)
    assert found.specification["values"] == {"v": {"repr()": "a Wordless"}}


@pytest.mark.parametrize("change", [{"values": {"v": [{5: 1, "b": 2}]}}, {"report": {5: 1}}, {"axes": {"a": {"from": 1, "to": 2, 5: 3}}},
                                    {"values": {"v": {"random": "normal", "shape": [1], 5: 1}}}])
def test_names_are_texts(tmp_path, change):
    code, message = refused({"python": print, "axes": {"a": [1]}, **change}, results=tmp_path / "r.sqlite")
    assert code in ("sweep.value", "sweep.axis") and ("a name is a text, not 5" in message or "not '5'" in message)


@pytest.mark.parametrize("timeout", [10**300, 10**400, -1, True, "1"])
def test_a_time_that_is_none(tmp_path, timeout):
    code, message = refused({"job": "none.toml", "values": {"timeout": timeout}, "axes": {"seed": [1]}}, results=tmp_path / "r.sqlite")
    assert code == "sweep.value" and "'timeout'" in message and len(message) < 150


def test_values_of_which_numpy_makes_no_array(folder):
    code, message = refused(write(folder, """function = "matmul"
[values]
a = [1, 2, "a", 1.5, [1], { a = 1 }]
b = [[1.0]]
[axes]
fidelity = ["LoFi"]
"""))
    assert code == "sweep.value" and "'a': numpy makes no array of a list of 6: " in message and "inhomogeneous" in message

    class Own:
        def __array__(self, *arguments, **options):
            raise RuntimeError("no numbers")

    for value, words in ((nested(40)[0], "a list of 1: ValueError: "), (Own(), "an Own: RuntimeError: no numbers")):
        code, message = refused({"function": "convert", "values": {"to": "Bfp8_b", "a": value}, "axes": {"format": ["Float32"]}},
                                results=folder / "r.sqlite")
        assert code == "sweep.value" and f"'a': numpy makes no array of {words}" in message


def test_files_that_are_no_arrays(tmp_path):
    path = tmp_path / "a.npy"
    np.savez(tmp_path / "a.npz", np.ones(3))
    np.save(path, np.ones((32, 32), np.float32))
    array, archive = path.read_bytes(), (tmp_path / "a.npz").read_bytes()
    header = array.index(b"(32, 32)")
    for content in (b"", b"\x80\x04N.", array[:9], array[:200], archive, archive[:60], b"PK\x03\x04",
                    array[:header] + b"(3," + array[header + 3:], array[:header] + b"(32, 32]" + array[header + 8:]):
        path.write_bytes(content)
        code, message = refused({"function": "convert", "values": {"to": "Bfp8_b"}, "axes": {"a": [str(path)]}}, results=tmp_path / "r.sqlite")
        assert code == "sweep.array" and f"'a': {path}: " in message


class Silent(Exception):
    def __str__(self):
        raise ValueError("no words")


@pytest.mark.parametrize("error, words", [(RuntimeError("boom"), "RuntimeError: boom"), (OSError(2, "gone"), "FileNotFoundError: [Errno 2] gone"),
                                          (StopAsyncIteration(), "StopAsyncIteration"), (SystemExit(3), "SystemExit: 3"),
                                          (error_of("job.open", "no job"), "FileError: no job [job.open]"),
                                          (Silent(), "Silent: no text: its __str__() raises ValueError")])
def test_an_axis_that_raises(tmp_path, error, words):
    def values():
        yield 1
        raise error

    assert refused({"python": print, "axes": {"a": values()}}, results=tmp_path / "r.sqlite") == (
        "sweep.axis", f"axis 'a': value 2 raises {words}")
    assert not (tmp_path / "r.sqlite").exists()


def test_an_axis_that_is_interrupted(tmp_path):
    def values():
        yield 1
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tessera.sweep({"python": print, "axes": {"a": values()}}, results=tmp_path / "r.sqlite", workers=0)


def test_an_axis_that_only_looks_like_values(tmp_path):
    class Own:
        def __iter__(self):
            return 5

    assert refused({"python": print, "axes": {"a": Own()}}, results=tmp_path / "r.sqlite") == (
        "sweep.axis", "axis 'a': value 1 raises TypeError: iter() returned non-iterator of type 'int'")
    assert refused({"python": print, "axes": {"a": np.array(5)}}, results=tmp_path / "r.sqlite")[1].startswith("axis 'a' has one value, 5")


@pytest.mark.parametrize("raised", ["Silent()", "SystemExit(3)"])
def test_code_that_raises_without_words(folder, raised):
    (folder / "own.py").write_text(f"""class Silent(Exception):
    def __str__(self):
        raise ValueError("no words")

raise {raised}
""")
    code, message = refused(write(folder, 'python = "own.py:f"\n[axes]\na = [1]\n'))
    assert code == "sweep.function" and f"own.py cannot be imported: {raised[:6]}" in message


class Wordless(int):
    def __repr__(self):
        raise RuntimeError("no words")


def test_numbers_that_do_not_describe_themselves(tmp_path):
    for change in ({"axes": {"a": [Wordless(3), Wordless(3)]}}, {"axes": {"a": Wordless(3)}}, {"output": Wordless(-1)},
                   {"values": {"v": {"random": "integers", "shape": [2], "low": Wordless(2**65)}}}):
        code, _ = refused({"python": lambda **values: 1, "axes": {"a": [1]}, **change}, results=tmp_path / "r.sqlite")
        assert code in ("sweep.axis", "sweep.value", "sweep.array")


@pytest.mark.parametrize("signature", [5, property(lambda self: 1 / 0)])
def test_a_function_with_a_wrong_signature(tmp_path, signature):
    class Own:
        __signature__ = signature

        def __call__(self, **values):
            return 1

    assert tessera.sweep({"python": Own(), "axes": {"a": [1]}}, results=tmp_path / "r.sqlite", workers=0).counts() == {"good": 1}


def test_paths_that_no_file_can_have(tmp_path):
    results = tmp_path / "r.sqlite"
    for name in ("\ud800", "\0"):
        for key in ("python", "metrics", "reference"):
            sweep = {"python": print, "axes": {"a": [1]}, key: f"{name}.py:f"}
            assert refused(sweep, results=results) == ("sweep.function", f"{os.getcwd()}/{name}.py: no such Python file")
    names = ["none.npy"] * 2 + ["\0"] + ["none.npy"] * 2
    axis = [{"name": str(place), "a": names[place % 5] if 30 < place < 40 else str(tmp_path / "a.npy")} for place in range(70)]
    np.save(tmp_path / "a.npy", np.ones((32, 32), np.float32))
    found = tessera.sweep({"function": "convert", "values": {"to": "Bfp8_b"}, "axes": {"x": axis}}, results=results, workers=0)
    assert found.counts() == {"good": 61, "error": 9}  # most values of a long axis are not checked before


def test_a_file_that_cannot_be_made(folder, monkeypatch):
    (folder / "rows.csv").touch()

    def fchmod(*arguments):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "fchmod", fchmod)
    assert refused(sweep_of(folder, last=1), csv=folder / "rows.csv") == (
        "sweep.write", f"cannot write '{folder}/rows.csv': Operation not permitted")


@pytest.mark.parametrize("names, code", [("n", "argument.type"), (5, "argument.type"), (None, "argument.type"), (["m"], "sweep.results"),
                                         ([5], "sweep.results"), ([[]], "sweep.results")])
def test_columns_that_there_are_not(folder, names, code):
    results = tessera.sweep(sweep_of(folder, last=1), workers=0)
    assert code_of(results.columns, names)[0] == code
    assert results.columns(name for name in ("n", "status")) == {"n": [0, 1], "status": ["good", "good"]}
