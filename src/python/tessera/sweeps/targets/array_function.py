# SPDX-License-Identifier: Apache-2.0
"""Functions over whole arrays (tessera.arrays), held against numpy's float64."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessera import arrays
from tessera._core import DataFormat
from tessera.sweeps.arrays import DATA_SEED, Arrays, data_seed
from tessera.sweeps.axes import Settings
from tessera.sweeps.measures import Measured, Outcome, digest_of_array
from tessera.sweeps.refusal import nearest, refuse
from tessera.sweeps.specification import Specification
from tessera.sweeps.targets.judge import Judge

Exact = Callable[..., Any]


@dataclass(frozen=True)
class ArrayFunction:
    """A function, its array arguments, and the same in float64."""

    call: Callable[..., Any]
    arguments: tuple[str, ...]
    exact: Exact


def _sums(a: NDArray[Any], weights: Any = None) -> Any:
    return np.sum(a, axis=0, keepdims=True) if weights is None else weights @ a


FUNCTIONS: dict[str, ArrayFunction] = {
    "matmul": ArrayFunction(arrays.matmul, ("a", "b"), lambda a, b: a @ b),
    "elwadd": ArrayFunction(arrays.elwadd, ("a", "b"), lambda a, b: a + b),
    "elwsub": ArrayFunction(arrays.elwsub, ("a", "b"), lambda a, b: a - b),
    "elwmul": ArrayFunction(arrays.elwmul, ("a", "b"), lambda a, b: a * b),
    "gapool": ArrayFunction(arrays.gapool, ("a", "weights"), _sums),
    "gmpool": ArrayFunction(arrays.gmpool, ("a",), lambda a: np.max(a, axis=0, keepdims=True)),
    "convert": ArrayFunction(arrays.convert, ("a",), lambda a: a)}


def _parameters(call: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    return {name: each for name, each in inspect.signature(call).parameters.items() if name != "argmax"}


def _format_of_result(function: ArrayFunction, arguments: dict[str, Any]) -> DataFormat:
    def named(format: Any) -> DataFormat:
        return DataFormat[format] if isinstance(format, str) else DataFormat(format)

    if function.call is arrays.convert:
        return named(arguments["to"])
    format = named(arguments.get("format", "Float16_b"))
    if arguments.get("out") is not None:
        return named(arguments["out"])
    return DataFormat.Int32 if format in arrays.INTEGERS else format


class ArrayTarget:
    """matmul, elwadd, elwsub, elwmul, gapool, gmpool or convert; all other settings are its arguments by name."""

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self.arrays = Arrays(specification.folder)
        self.judge = Judge(specification, self.arrays)
        self.exact: dict[tuple[Any, ...], NDArray[Any]] = {}

    def function(self, settings: Settings) -> ArrayFunction:
        name = settings["function"] if self.specification.target is None else self.specification.target
        if name not in FUNCTIONS:
            refuse("sweep.function", f"no function over arrays is '{name}'{nearest(str(name), FUNCTIONS) or '; they are ' + ', '.join(FUNCTIONS)}")
        return FUNCTIONS[name]

    def _arguments(self, settings: Settings) -> dict[str, Any]:
        function = self.function(settings)
        known = _parameters(function.call)
        seed = data_seed(settings)
        arguments: dict[str, Any] = {}
        for name, value in settings.items():
            if name in (DATA_SEED, "function"):
                continue
            if name == "argmax" and function.call is arrays.gmpool:
                refuse("sweep.argument", "gmpool(): 'argmax' gives two arrays, and a sweep has one result: use 'python'")
            if name not in known:
                refuse("sweep.argument", f"{function.call.__name__}() has no argument '{name}'{nearest(name, known) or '; it has ' + ', '.join(known)}")
            arguments[name] = self.arrays.array(name, value, seed) if name in function.arguments else value
        for name, parameter in known.items():
            if parameter.default is parameter.empty and name not in arguments:
                refuse("sweep.argument", f"{function.call.__name__}() needs '{name}': put it in [values] or [axes]")
        return arguments

    def check(self, settings: Settings) -> None:
        arguments = self._arguments(settings)
        function = self.function(settings)
        # One tile stands for the arrays: formats, fidelities and their combinations are checked before shapes.
        small = {name: np.ones((32, 32), np.asarray(value).dtype) if name in function.arguments else value
                 for name, value in arguments.items()}
        if function.call is arrays.gapool and "weights" in small:
            small["weights"] = np.ones((1, 32), small["weights"].dtype)
        function.call(**small)

    def leads(self, name: str, value: Any) -> bool:
        return name == "function" or isinstance(value, str) and any(name in function.arguments for function in FUNCTIONS.values())

    def inputs(self, settings: Settings) -> list[str]:
        function = self.function(settings)
        return self.judge.inputs + [self.arrays.path(value) for name, value in settings.items() if name in function.arguments and isinstance(value, str)]

    def about(self) -> str:
        return f"function {self.specification.target} {self.judge.about()}"

    def run(self, settings: Settings) -> Outcome:
        function = self.function(settings)
        arguments = self._arguments(settings)
        begin = time.perf_counter()
        result = function.call(**arguments)
        seconds = time.perf_counter() - begin
        used = {name: arguments[name] for name in function.arguments if name in arguments}
        measured = Measured(settings, used, [result], [_format_of_result(function, arguments)])
        return Outcome(state=digest_of_array(result), seconds=seconds,
                       measures=self.judge.measures(measured, lambda: self._exact(function, used)))

    def _exact(self, function: ArrayFunction, used: dict[str, NDArray[Any]]) -> NDArray[Any]:
        # Arrays of files are the same objects in each run: their float64 result is computed once.
        key = (function.call.__name__, *(id(array) for array in used.values()))
        if key in self.exact:
            return self.exact[key]
        result: NDArray[Any] = function.exact(**{name: np.asarray(array, np.float64) for name, array in used.items()})
        if all(any(array is each for each in self.arrays.files.values()) for array in used.values()):
            self.exact[key] = result
        return result
