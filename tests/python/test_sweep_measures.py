# SPDX-License-Identifier: Apache-2.0
"""Numbers of a run: errors, held against exact rationals and numpy's spacing."""

import math
from fractions import Fraction

import numpy as np
import pytest

import tessera
from tessera.sweeps.measures import digest_of_array, errors, own_measures, unit_in_last_place

RANDOM = np.random.default_rng(1)


def test_errors_are_those_of_exact_rationals():
    got = RANDOM.normal(size=(8, 9)).astype(np.float32)
    exact = got + RANDOM.normal(scale=1e-3, size=got.shape)
    found = errors(got, exact, tessera.DataFormat.Float32)
    differences = [abs(Fraction(float(a)) - Fraction(float(b))) for a, b in zip(got.flat, exact.flat)]
    assert found["error_max"] == pytest.approx(float(max(differences)), rel=1e-12)
    assert found["error_rms"] == pytest.approx(math.sqrt(sum(each**2 for each in differences) / len(differences)), rel=1e-12)


@pytest.mark.parametrize("format, spacing", [
    ("Float32", lambda x: np.spacing(np.abs(x).astype(np.float32))),
    ("Float16", lambda x: np.spacing(np.abs(x).astype(np.float16))),
    ("Float16_b", lambda x: np.spacing(np.abs(x).astype(np.float32)) * 2.0**16),
    ("Tf32", lambda x: np.spacing(np.abs(x).astype(np.float32)) * 2.0**13),
    ("Int32", lambda x: np.ones_like(x))])
def test_unit_in_last_place_is_the_distance_of_neighbours(format, spacing):
    values = np.concatenate([RANDOM.normal(size=100), [0.0, -0.0, 1.0, 2.0, -0.5, 1.5, 100.0]])
    values = values.astype(np.float16).astype(np.float64)  # exact in all formats' ranges
    values = values[(values == 0) | (np.abs(values) > 2.0**-14)]
    assert np.array_equal(unit_in_last_place(values, tessera.DataFormat[format]), spacing(values).astype(np.float64))


@pytest.mark.parametrize("format", ["Float32", "Float16_b", "Float16", "Bfp8_b", "Bfp4_b", "Bfp2_b", "Lf8", "Fp8_e4m3"])
def test_rounding_to_a_format_is_off_by_a_unit_at_most(format):
    # One value a row of 16: of block floats each block then has the value's own exponent.
    values = np.zeros((64, 16), np.float32)
    values[:, 0] = np.abs(RANDOM.normal(size=64)) + 0.1
    back = tessera.untilize(tessera.tilize(values, format, "rows"), values.shape, format, "rows")
    found = errors(back, values, tessera.DataFormat[format])
    assert found["error_ulp"] <= 1.0
    assert format == "Float32" or found["error_ulp"] > 0.1


def test_nan_and_infinities():
    same = np.array([np.nan, np.inf, -np.inf, 1.0])
    assert errors(same, same.copy(), None) == {"error_max": 0.0, "error_rms": 0.0, "error_ulp": 0.0}
    for other in (np.nan, -np.inf, 1.0):
        assert errors(np.array([other]), np.array([np.inf]), None)["error_max"] == math.inf
    assert errors(np.array([1.0]), np.array([np.nan]), None)["error_rms"] == math.inf


def test_shapes_must_agree():
    with pytest.raises(tessera.InputError, match=r"\(2, 3\).*\(3, 2\)"):
        errors(np.ones((3, 2)), np.ones((2, 3)), None)


def test_digests_differ_with_value_shape_and_type():
    arrays = [np.zeros(4), np.zeros((2, 2)), np.zeros(4, np.float32), np.zeros(8, np.float32), np.array([0.0, 0, 0, -0.0])]
    assert len({digest_of_array(array) for array in arrays}) == len(arrays)
    assert digest_of_array(np.arange(6).reshape(2, 3).T.copy()) == digest_of_array(np.arange(6).reshape(2, 3).T)


def test_own_measures():
    assert own_measures(3, "f()") == {"value": 3}
    assert own_measures({"a": np.float32(0.5), "b": True, "c": None, "d": "x"}, "f()") == {"a": 0.5, "b": 1, "c": None, "d": "x"}
    for wrong in ({"a": [1]}, {1: 1}, {"a": object()}, object()):
        with pytest.raises(tessera.InputError, match="f\\(\\) returned"):
            own_measures(wrong, "f()")
