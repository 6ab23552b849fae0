# SPDX-License-Identifier: Apache-2.0
"""tessera.sweep() of functions over arrays: their results, random arrays, arguments."""

import json
import os

import numpy as np
import pytest

import tessera
from sweeps import code_of, folder, sweep_of, write  # noqa: F401
from tessera.sweeps.arrays import check_random, random_array
from tessera.sweeps.targets.array_function import FUNCTIONS


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_over_arrays_give_their_own_results(folder, name):
    random = np.random.default_rng(3)
    a, b = random.normal(size=(32, 64)).astype(np.float32), random.normal(size=(64, 32) if name == "matmul" else (32, 64)).astype(np.float32)
    np.save(folder / "a.npy", a)
    np.save(folder / "b.npy", b)
    second = {"gapool": None, "gmpool": None, "convert": None}.get(name, "b.npy")
    exact = {"matmul": lambda a, b: a @ b, "elwadd": np.add, "elwsub": np.subtract, "elwmul": np.multiply,
             "gapool": lambda a: a.sum(0, keepdims=True), "gmpool": lambda a: a.max(0, keepdims=True), "convert": lambda a: a}[name]
    formats = ["Float16_b", "Bfp8_b", "Bfp4_b"]
    values = 'a = "a.npy"\n' + (f'b = "{second}"\n' if second else "")
    axis = "to" if name == "convert" else "format"
    spec = write(folder, f'function = "{name}"\n[values]\n{values}[axes]\n{axis} = {json.dumps(formats)}\n')
    arrays = [a, b] if second else [a]
    for row, format in zip(tessera.sweep(spec, workers=1).rows(), formats):
        result = getattr(tessera, name)(*arrays, format) if name == "convert" else getattr(tessera, name)(*arrays, format=format)
        difference = np.abs(np.asarray(result, np.float64) - exact(*(each.astype(np.float64) for each in arrays)))
        assert row["error_max"] == difference.max()
        assert row["error_rms"] == pytest.approx(np.sqrt((difference**2).mean()))


def test_seeds_of_data_change_random_arrays_and_nothing_else_does(folder):
    spec = write(folder, 'function = "matmul"\n[values]\na = { random = "normal", shape = [32, 32], scale = 2 }\n'
                         'b = { random = "uniform", shape = [32, 32], low = -1, high = 1, seed = 5 }\n'
                         '[axes]\nformat = ["Float16_b"]\ndata.seed = { from = 0, to = 9 }\n')
    first = [row["state"] for row in tessera.sweep(spec, results=folder / "1.sqlite").rows()]
    assert len(set(first)) == 10
    assert [row["state"] for row in tessera.sweep(spec, results=folder / "2.sqlite", workers=0).rows()] == first


def test_combinations_that_the_library_refuses_are_rows(folder):
    spec = {"function": "elwadd", "values": dict.fromkeys("ab", {"random": "integers", "shape": [32, 32], "low": 0, "high": 9}),
            "axes": {"format": ["Float16_b", "Int8"], "dst_bits": [16, 32]}}
    rows = tessera.sweep(spec, results=folder / "r.sqlite").rows()
    assert [(row["status"], row["code"]) for row in rows] == [("good", ""), ("good", ""), ("error", "arrays.dst"), ("good", "")]


@pytest.mark.parametrize("wrong, words", [
    ({"random": ["normal"]}, "no random numbers are ['normal']"),
    ({"random": "normal", "scale": -1}, "'scale' is a number from 0 on, not -1"),
    ({"random": "normal", "scale": True}, "'scale' is a finite number, not True"),
    ({"random": "normal", "mean": float("nan")}, "'mean' is a finite number, not nan"),
    ({"random": "normal", "mean": 10**5000}, "'mean' is a finite number, not an int of"),
    ({"random": "normal", "seed": True}, "'seed' is a whole number, not True"),
    ({"random": "uniform", "low": 2}, "'low' is 2, above 'high', which is 1"),
    ({"random": "uniform", "high": float("inf")}, "'high' is a finite number, not inf"),
    ({"random": "uniform", "low": 0, "high": 1e300}, "'high' is beyond float32, which ends at 3.4028235e+38: 1e+300"),
    ({"random": "uniform", "low": -(10**39)}, "'low' is beyond float32"),
    ({"random": "normal", "mean": 3.41e38}, "'mean' is beyond float32"),
    ({"random": "normal", "scale": 1e39}, "'scale' is beyond float32"),
    ({"random": "integers", "low": 3, "high": 2}, "'low' is 3, above 'high', which is 2"),
    ({"random": "integers", "high": 1e30}, f"is a whole number of {-2**63} to {2**63 - 1}, not 1e+30"),
    ({"random": "integers", "high": 2**63}, f"not {2**63}"),
    ({"random": "integers", "low": 0.5}, "is a whole number of")])
def test_wrong_random_numbers_are_refused(wrong, words):
    code, message = code_of(check_random, "a", {"shape": [2, 2], **wrong})
    assert code == "sweep.array" and words in message


@pytest.mark.filterwarnings("error")
def test_random_floats_are_finite():
    most = float(np.finfo(np.float32).max)
    widest = {"random": "uniform", "shape": [1000], "low": -most, "high": most}
    check_random("a", widest)
    assert np.isfinite(random_array("a", widest, 0)).all()
    # About a third of all numbers are beyond one scale.
    code, message = code_of(random_array, "a", {"random": "normal", "shape": [1000], "scale": most}, 0)
    assert code == "sweep.array" and "a random number is beyond float32" in message


@pytest.mark.parametrize("bounds", [(-2**63, 2**63 - 1), (5, 5), (1.0, 3.0)])
def test_random_integers_may_have_any_bounds_of_64_bits(bounds):
    value = {"random": "integers", "shape": [100], "low": bounds[0], "high": bounds[1]}
    check_random("a", value)
    drawn = random_array("a", value, 0)
    assert drawn.dtype == np.int64 and bounds[0] <= drawn.min() <= drawn.max() <= bounds[1]


def test_sizes_may_be_numbers_of_numpy():
    value = {"random": "normal", "shape": (np.int64(2), np.uint8(3))}
    check_random("a", value)
    assert random_array("a", value, 0).shape == (2, 3)
    code, message = code_of(check_random, "a", {"random": "normal", "shape": [np.int64(2**40)] * 2})
    assert code == "sweep.array" and "shape [1099511627776, 1099511627776]" in message


def test_a_function_of_c_may_tell_no_arguments(folder):
    (row,) = tessera.sweep({"python": max, "axes": {"n": [1], "data.seed": [0]}}, results=folder / "r.sqlite", workers=0).rows()
    assert (row["status"], row["code"]) == ("error", "TypeError")


@pytest.mark.parametrize("argmax", [False, True])
def test_a_function_with_two_results_is_refused(folder, argmax):
    spec = {"function": "gmpool", "values": {"a": {"random": "normal", "shape": [32, 32]}}, "axes": {"argmax": [argmax]}}
    code, message = code_of(tessera.sweep, spec, results=folder / "r.sqlite")
    assert code == "sweep.argument" and "'argmax' gives two arrays, and a sweep has one result: use 'python'" in message


def test_arguments_of_a_function_are_checked_before_the_first_run(folder):
    spec = write(folder, 'python = "measure.py:square"\n[axes]\nm = [1, 2]\n')
    with pytest.raises(tessera.InputError, match=r"square\(\): .*'n'.*its arguments are \(n\)"):
        tessera.sweep(spec)
    (folder / "measure.py").write_text("import no_such_module\n")
    with pytest.raises(tessera.Error, match="ModuleNotFoundError"):
        tessera.sweep(sweep_of(folder))


def test_numbers_without_bounds_and_arrays_of_objects_have_digests_of_their_values(folder):
    def states(function):
        found = tessera.sweep({"python": function, "axes": {"n": [40, 50]}}, results=folder / "r.sqlite", workers=0)
        digests = found.columns(["state"])["state"]
        os.remove(folder / "r.sqlite")
        return digests

    assert states(lambda n: 3 ** n * 2 ** 64) == states(lambda n: 2 ** 64 * int(str(3 ** n)))
    assert states(lambda n: 3 ** n * 2 ** 64) != states(lambda n: 3 ** n * 2 ** 64 + 1)
    assert states(lambda n: {"result": np.array([n, "a"], object)}) == states(lambda n: {"result": np.array([int(str(n)), "ab"[:1]], object)})


def test_a_single_number_is_compared(folder):
    found = tessera.sweep({"python": lambda n: {"result": 3.0}, "reference": lambda n: 2.0, "axes": {"n": [1]}},
                          results=folder / "r.sqlite", workers=0)
    assert found.columns(["error_max"]) == {"error_max": [1.0]}
