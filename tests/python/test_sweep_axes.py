# SPDX-License-Identifier: Apache-2.0
"""Axes of a sweep, their combinations and filters."""

import itertools

import numpy as np
import pytest

import tessera
from sweeps import code_of
from tessera.sweeps.axes import read_axes
from tessera.sweeps.space import Space
from tessera.sweeps.specification import read_specification


def axis(values, folder="."):
    return [point.shown for point in read_axes({"x": values}, str(folder))[0].points]


def space(axes, **others):
    return list(Space(read_specification({"python": print, "axes": axes, **others})))


def test_lists_ranges_and_iterables():
    assert axis(["b", "a", 3, 0.5, True]) == ["b", "a", 3, 0.5, True]
    assert axis({"from": 3, "to": 6}) == axis({"from": np.int64(3), "to": np.float32(6)}) == [3, 4, 5, 6]
    assert axis({"from": 6, "to": 3, "step": -2}) == [6, 4]
    assert axis({"from": 0.0, "to": 0.3, "step": 0.1}) == pytest.approx([0, 0.1, 0.2, 0.3])
    assert axis(range(3)) == [0, 1, 2]


@pytest.mark.parametrize("values", [[1.0, float("nan")], [{"name": float("nan"), "y": 1}]])
def test_nan_needs_a_name(values):
    code, message = code_of(axis, values)
    assert code == "sweep.axis" and 'NaN' in message and 'name = "NaN"' in message
    assert axis([{"name": "NaN", "x": float("nan")}]) == ["NaN"]


def test_files_are_found_beside_the_sweep(tmp_path):
    for name in ("b.npy", "a.npy", "c.txt"):
        (tmp_path / name).write_text("")
    (tmp_path / "d.npy").mkdir()
    assert axis({"files": "*.npy"}, tmp_path) == ["a.npy", "b.npy"]


def test_values_that_go_together_are_one_axis():
    runs = space({"size": [{"name": "small", "rows": 1, "columns": 2}, {"name": "large", "rows": 10, "columns": 20}], "n": [0, 1]})
    assert [configuration for configuration, _ in runs] == [
        {"size": "small", "n": 0}, {"size": "small", "n": 1}, {"size": "large", "n": 0}, {"size": "large", "n": 1}]
    assert runs[2][1] == {"rows": 10, "columns": 20, "n": 0}


def test_nested_tables_are_dotted_names():
    assert [each.name for each in read_axes({"symbols": {"A": [1], "B": {"from": 0, "to": 1}}, "l1": {"0": {"npy": ["a"]}}}, ".")] == [
        "symbols.A", "symbols.B", "l1.0.npy"]


def test_all_combinations_come_in_order_with_fixed_values():
    runs = space({"a": [1, 2], "b": "xy".__iter__(), "c": [True, False]}, values={"k": 7})
    expected = list(itertools.product([1, 2], "xy", [True, False]))
    assert [tuple(configuration.values()) for configuration, _ in runs] == expected
    assert all(settings["k"] == 7 for _, settings in runs)


def test_filters_see_axes_with_underscores():
    runs = space({"a.b": [1, 2, 3], "c": [1, 2, 3]}, where=["a_b < c", "max(a_b, c) == 3"])
    assert [tuple(configuration.values()) for configuration, _ in runs] == [(1, 3), (2, 3)]


@pytest.mark.parametrize("where", [
    "any(format == x for x in ['A', 'B'])", "format in [x for x in 'AB' if x == format]", "(lambda x: format == x)(max('A', format)) and format != 'C'",
    "any(any(format == y for y in x) for x in ['AB'])", "not format.startswith('C')"])
def test_filters_see_axes_in_comprehensions_and_lambdas(where):
    runs = space({"format": ["A", "B", "C"], "n": [1]}, where=where)
    assert [configuration["format"] for configuration, _ in runs] == ["A", "B"]


@pytest.mark.parametrize("axes, code, words", [
    ({"x": []}, "sweep.axis", "'x' is empty"),
    ({}, "sweep.axis", "at least one axis"),
    ({"x": 5}, "sweep.axis", "one value, 5"),
    ({"x": "abc"}, "sweep.axis", "one value"),
    ({"x": [1, 2, 1]}, "sweep.axis", "1 twice"),
    ({"x": {"from": 1}}, "sweep.axis", "needs 'to'"),
    ({"x": {"from": 1, "too": 2}}, "sweep.axis", "did you mean 'to'"),
    ({"x": {"from": 2, "to": 1}}, "sweep.axis", "is empty: from 2 to 1"),
    ({"x": {"from": 1, "to": 2, "step": 0}}, "sweep.axis", "'step' must not be 0"),
    ({"x": {"from": 1, "to": "b"}}, "sweep.axis", "'to' is a number"),
    ({"x": {"from": 0, "to": float("inf")}}, "sweep.axis", "'to' is a number"),
    ({"x": {"from": 0, "to": 10**9}}, "sweep.size", "1,000,000,001 values"),
    ({"x": {"from": 1, "to": 10**400}}, "sweep.axis", "'to': a whole number has 1022 bits at most, not 1,329"),
    ({"x": {"from": -1e308, "to": 1e308}}, "sweep.size", "at most"),
    ({"x": [1, 10**5000]}, "sweep.axis", "value 2: a whole number has 1022 bits at most"),
    ({"x": ["a", "b\ud800"]}, "sweep.axis", r"value 2: 'b\ud800' cannot be encoded"),
    ({"x": [{"name": "a", "y": "\ud800"}]}, "sweep.axis", "'y' of value 1"),
    ({"x\ud800": [1]}, "sweep.axis", "the name of an axis"),
    ({"x\0y": [1]}, "sweep.axis", "has a NUL character"),
    ({"x": {"y": [1, 2]}, "x.y": [7]}, "sweep.axis", "'x.y' is given twice"),
    ({"x": [{"name": "n", "y": {"z": 1}, "y.z": 2}]}, "sweep.axis", "'y.z' is given twice"),
    ({5: [1]}, "sweep.axis", "a name is a text, not 5"),
    ({"x": {5: [1]}}, "sweep.axis", "a name is a text, not 5"),
    ({"x": [0.0, -0.0]}, "sweep.axis", "has 0.0 and -0.0, which are equal numbers; give one a name"),
    ({"x": {"files": "no-such-*"}}, "sweep.axis", "is empty: no file"),
    ({"x": [[1]]}, "sweep.axis", "value 1 is [1]"),
    ({"x": [{"a": 1}]}, "sweep.axis", "give it a name"),
    ({"x": [{"name": "n"}]}, "sweep.axis", "sets nothing"),
    ({"x": [{"name": "n", "y": 1}], "y": [2]}, "sweep.axis", "'x' and 'y' both set 'y'"),
    (dict.fromkeys("abc", {"from": 1, "to": 1000}), "sweep.size", "1,000,000,000 combinations (1,000 a x 1,000 b x 1,000 c)"),
])
def test_wrong_axes(axes, code, words):
    found, message = code_of(space, axes)
    assert found == code and words in message


@pytest.mark.parametrize("values", [itertools.count, lambda: itertools.repeat(1), lambda: range(11)])
def test_an_axis_ends_at_the_limit(values):
    code, message = code_of(space, {"x": values()}, limit=10)
    assert code == "sweep.size" and "'x' has more values than the limit of 10" in message
    assert len(space({"x": iter(range(10))}, limit=10)) == 10


@pytest.mark.parametrize("where, words", [
    ("a <", "where = 'a <'"), ("aa > 1", "no axis is called 'aa'; did you mean 'a'?"), ("a > 'x'", "raises TypeError"),
    ("any(aa > x for x in [1])", "no axis is called 'aa'; did you mean 'a'?"), ("1 // (a - 1)", "raises ZeroDivisionError"),
    ("exit()", "raises SystemExit"), ([3], "an expression over axes")])
def test_wrong_filters(where, words):
    assert words in code_of(space, {"a": [1, 2]}, where=where)[1]


def test_a_name_of_two_axes_is_refused_in_filters():
    axes = {"a.b": [1, 2], "a_b": [1, 2]}
    assert len(space(axes)) == 4
    code, message = code_of(space, axes, where="a_b == 1")
    assert code == "sweep.filter" and "both 'a.b' and 'a_b' are called 'a_b'" in message


@pytest.mark.parametrize("change, words", [
    ({"axis": {}}, "unknown key 'axis'; did you mean 'axes'?"),
    ({"axes": None}, "axes are a table"),
    ({"job": "a.toml"}, "this one has job and python"),
    ({"python": 5}, "'python' is 'FILE.py:FUNCTION'"),
    ({"values": {"a": 1}}, "'a' is in [values] and in axis 'a'"),
    ({"output": -1}, "'output' is a whole number from 0 on"),
    ({"limit": 0}, "'limit' is a whole number from 1 on"),
    ({"reference": "x.txt"}, "'reference' is a .npy file, or"),
    ({"inputs": "x"}, "'inputs' is a list"),
    ({"report": {"errors": "x"}}, "did you mean 'error'?"),
    ({"report": 5}, "'report' is a table with error, cost, heat, not 5"),
    ({"python": None}, "'python' is 'FILE.py:FUNCTION', not None"),
    ({"values": {5: 1}}, "a name is a text, not 5"),
    ({"values": {"b": {"c": 1}, "b.c": 2}}, "'b.c' is given twice"),
    ({"values": {"b": "\ud800"}}, "'b' of 'values'"),
    ({"name": "\ud800"}, "'name': "),
    ({"name": 3}, "'name' is a text")])
def test_wrong_keys(change, words):
    assert words in code_of(read_specification, {"python": print, "axes": {"a": [1]}, **change})[1]


@pytest.mark.parametrize("kind", ["job", "function"])
def test_a_target_is_no_none(kind):
    code, message = code_of(read_specification, {kind: None, "axes": {"a": [1]}})
    assert code == "sweep.value" and message == f"'{kind}' is a text, not None"


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "s.toml"
    path.write_bytes(b'\xef\xbb\xbfpython = "m.py:f"\r\n[axes]\r\na = [1]\r\n')
    assert read_specification(path).target == "m.py:f"


def test_errors_name_the_file(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text('python = "m.py:f"\n[axes\n')
    with pytest.raises(tessera.InputError, match=r"s\.toml: .*line 2") as error:
        read_specification(path)
    assert error.value.code == "sweep.syntax"
    path.write_text("limit = 1" + "0" * 5000)  # more digits than Python reads
    assert code_of(read_specification, path)[0] == "sweep.syntax"
    with pytest.raises(tessera.FileError) as error:
        read_specification(tmp_path / "none.toml")
    assert error.value.code == "sweep.open"
