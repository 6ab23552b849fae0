# SPDX-License-Identifier: Apache-2.0
"""Numbers of a run: errors against a float64 result, cycles and their parts, findings."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from tessera._core import DataFormat, Job, Run
from tessera.core import Core
from tessera.sweeps.axes import Settings, check_name, check_value, plain
from tessera.sweeps.refusal import refuse

Measures = dict[str, Any]

UNITS = ("sync", "config", "misc", "scalar", "mover", "unpacker 0", "unpacker 1", "packer 0", "packer 1", "packer 2", "packer 3", "matrix", "vector")
"""Names of units in a Run."""
OF_RUNS = ("cycles", "instructions", "overlapped", *(f"busy.{unit}" for unit in UNITS), *(f"waited.T{thread}" for thread in range(3)))
"""Names that run_measures() gives."""

LIMIT_CODES = ("limit.time", "limit.memory")
"""Codes of runs that met a limit: whether they do, and how far they come, differs from time to time."""


@dataclass
class Outcome:
    """The result of one run: a row but for its configuration.

    status    'good', 'fault' (the run ended with a Fault), 'error' (an exception, or refused input) or 'lost' (its process died)
    code      of the Fault or Error; the exception's type; '' if good
    message   in words; '' if good
    state     digest of the end state or of a function's result, as hexadecimal digits; '' if none
    findings  count of each warning and error by code
    measures  numbers by name
    seconds   of the run
    """

    status: str = "good"
    code: str = ""
    message: str = ""
    state: str = ""
    findings: dict[str, int] = field(default_factory=dict)
    measures: Measures = field(default_factory=dict)
    seconds: float = 0.0


@dataclass
class Measured:
    """All of a run that functions of the user see: `reference` and `metrics` of a sweep file.

    settings  arguments of the run by dotted name: fixed values and those of axes
    arrays    array arguments by name: of a function all, of a job the random ones
    outputs   arrays of a job's outputs, or the result of a function
    formats   of these arrays in L1; None where unknown
    core      the core after the run of a job; else None
    job       the Job; else None
    run       the Run of a job; else None
    """

    settings: Settings
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    outputs: list[NDArray[Any]] = field(default_factory=list)
    formats: list[Optional[DataFormat]] = field(default_factory=list)
    core: Optional[Core] = None
    job: Optional[Job] = None
    run: Optional[Run] = None


# Bits of mantissa that are stored, and the exponent of the smallest normal number; block floats as in a block whose largest
# exponent is the element's own.
_PLACES: dict[DataFormat, tuple[int, int]] = {
    DataFormat.Float32: (23, -126), DataFormat.Tf32: (10, -126), DataFormat.Float16_b: (7, -126), DataFormat.Float16: (10, -14),
    DataFormat.Lf8: (2, -14), DataFormat.Fp8_e4m3: (3, -6), DataFormat.Bfp8: (6, -14), DataFormat.Bfp4: (2, -14),
    DataFormat.Bfp2: (0, -14), DataFormat.Bfp8_b: (6, -126), DataFormat.Bfp4_b: (2, -126), DataFormat.Bfp2_b: (0, -126)}


def unit_in_last_place(values: NDArray[np.float64], format: Optional[DataFormat]) -> NDArray[np.float64]:
    """The distance of neighbouring numbers of a format at the given values, at 0 that of the smallest number; 1 for integers."""
    if format is None:
        format = DataFormat.Float32
    if format not in _PLACES:
        return np.ones_like(values)
    bits, least = _PLACES[format]
    _, exponents = np.frexp(values)
    exponents = np.where(values == 0, least, exponents - 1)
    return np.ldexp(1.0, np.maximum(exponents, least) - bits)


def errors(result: NDArray[Any], reference: NDArray[Any], format: Optional[DataFormat]) -> Measures:
    """error_max, error_rms and error_ulp of a result. Elements that are NaN or the same infinity in both have no error.

    error_max, error_rms  largest and root of the mean squared difference
    error_ulp             largest difference in units in the last place of `format` at the reference's value
    An element that is NaN or infinite on one side alone makes all three infinite. Raises Error 'sweep.reference' for another shape.
    """
    exact = np.asarray(reference, np.float64)
    got = np.asarray(result, np.float64)
    if exact.shape != got.shape:
        refuse("sweep.reference", f"the reference has shape {exact.shape}, the result {got.shape}")
    exact, got = np.atleast_1d(exact), np.atleast_1d(got)
    with np.errstate(invalid="ignore", over="ignore"):
        difference = np.abs(got - exact)
        difference[(got == exact) | (np.isnan(got) & np.isnan(exact))] = 0.0
        difference[np.isnan(difference)] = math.inf
        scaled = difference / unit_in_last_place(np.where(np.isfinite(exact), exact, 0.0), format)
        return {"error_max": float(difference.max(initial=0.0)),
                "error_rms": float(np.sqrt(np.mean(np.square(difference)))) if difference.size else 0.0,
                "error_ulp": float(scaled.max(initial=0.0))}


def run_measures(run: Run) -> Measures:
    """Cycles of a run and their parts: busy.UNIT of each unit and waited.Tn of each thread, in cycles."""
    measures: Measures = {"instructions": sum(run.instructions)}
    if run.cycles is None:
        return measures
    measures["cycles"] = run.cycles
    measures["overlapped"] = run.overlapped
    for use in run.units:
        measures["busy." + use.unit] = use.busy
    for wait in run.waits:
        name = f"waited.T{wait.thread}"
        measures[name] = measures.get(name, 0) + wait.cycles
    return measures


def findings_of(run: Run) -> dict[str, int]:
    """Count of each warning and error by code."""
    counts: dict[str, int] = {}
    for finding in run.findings:
        if finding.level == "info":
            continue
        counts[finding.code] = counts.get(finding.code, 0) + finding.count
    return counts


def _described(value: Any) -> Any:
    """An object in an array, for canonical()."""
    if isinstance(value, np.ndarray):
        return ["array", digest_of_array(value)]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(_described, value)]
    if isinstance(value, dict):
        return ["dict", *sorted([repr(key), _described(each)] for key, each in value.items())]
    return value if value is None or isinstance(value, (int, float, str)) else repr(value)


def digest_of_array(array: NDArray[Any]) -> str:
    """Sixteen hexadecimal digits for an array's type, shape and bytes."""
    array = np.ascontiguousarray(array)
    about = f"{array.dtype.str}{array.shape}".encode()
    # The bytes of an array of objects are their addresses.
    data = canonical(_described(array.tolist())).encode("utf-8", "backslashreplace") if array.dtype.hasobject else array.tobytes()
    return hashlib.blake2b(data, digest_size=8, key=about[:64]).hexdigest()


def own_measures(values: Any, whose: str) -> Measures:
    """The numbers that a user's function returned: a number, or a mapping of names to numbers, texts or None."""
    if not hasattr(values, "items"):
        values = {"value": values}
    found: Measures = {}
    for name, value in values.items():
        value = plain(value)
        if not isinstance(name, str) or value is not None and not isinstance(value, (int, float, str)):
            refuse("sweep.metric", f"{whose} returned {name!r}: {type(value).__name__}; measures are numbers, texts or None by name")
        check_name("sweep.metric", f"{whose} returned a name", name)
        if not isinstance(value, str):  # a text is stored with escapes
            check_value("sweep.metric", f"{whose} returned {name!r}", value)
        found[name] = int(value) if isinstance(value, bool) else value
    return found


def canonical(value: Any, other: Callable[[Any], str] = repr) -> str:
    """JSON that is the same for equal values; `other` gives a text for what JSON has not."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=other)
