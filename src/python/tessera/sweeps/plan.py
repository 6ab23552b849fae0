# SPDX-License-Identifier: Apache-2.0
"""The runs of a sweep, each with its key. Wrong sweeps are refused here, before the first run."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tessera._core import __version__
from tessera.errors import Error
from tessera.sweeps.axes import Axis, Settings, identity
from tessera.sweeps.descriptions import Descriptions
from tessera.sweeps.functions import forget_changed
from tessera.sweeps.measures import canonical
from tessera.sweeps.refusal import refuse
from tessera.sweeps.space import Configuration, Space
from tessera.sweeps.specification import Specification
from tessera.sweeps.targets import Digests, make_target

CHECKED_VALUES = 64
"""Of an axis with more values, the first and the last are checked."""

# A combination that the library refuses is a row. All else that is known before a run is an error of the sweep.
ROWS = ("arrays.", "tensor.")


@dataclass(frozen=True)
class PlannedRun:
    """A run to be done.

    number         its place among the sweep's combinations, from 0
    key            digest of its configuration, the version and all inputs: equal keys mean equal results
    configuration  the shown value of each axis, as canonical JSON
    inputs         digest of the files that it reads
    """

    number: int
    key: str
    configuration: str
    values: Configuration
    settings: Settings
    inputs: str


def _digest(*parts: str) -> str:
    # Paths may have bytes that are not UTF-8.
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class Plan:
    """Enumerates runs in order, without a list of them.

    total     number of runs
    identity  digest of all that decides which runs there are, and their results
    """

    def __init__(self, specification: Specification, results: str = "") -> None:
        """`results` is the results file, which no pattern of `inputs` means."""
        self.specification = specification
        self.results = os.path.realpath(results)
        self.where = f"{specification.file}: " if specification.file else ""
        self.space = Space(specification)
        forget_changed()
        self.target = make_target(specification)
        self.files = Digests()
        self.describe = Descriptions()
        self.known_inputs: dict[tuple[Any, ...], str] = {}
        self.failures: set[str] = set()
        self.leading = [axis.name for axis in specification.axes if self._leads_to_files(axis)]
        self._check()
        self.about = _digest(__version__, self.target.about(), canonical(specification.values, self.describe), str(specification.output),
                             *(self.files.of(path) for path in self._other_inputs()))
        self.total = self._survey()
        self.identity = self._identity()

    def _leads_to_files(self, axis: Axis) -> bool:
        return any(self.target.leads(name, value) for point in axis.points for name, value in point.settings)

    def _other_inputs(self) -> list[str]:
        paths: list[str] = []
        for pattern in self.specification.inputs:
            found = sorted(glob.glob(self.specification.path(pattern), recursive=True))
            if not found:
                refuse("sweep.open", f"{self.where}inputs: no file is '{pattern}'")
            if glob.has_magic(pattern):
                found = [path for path in found if os.path.realpath(path) not in (self.results, self.results + "-journal")]
            paths += filter(os.path.isfile, found)
        return paths

    def _check(self) -> None:
        """Checks the first combination of each value of each axis."""
        todo: dict[str, set[Any]] = {}
        for axis in self.specification.axes:
            points = axis.points if len(axis.points) <= CHECKED_VALUES else (axis.points[0], axis.points[-1])
            todo[axis.name] = {identity(point.shown) for point in points}
        several_jobs = self.specification.kind == "job" and self.specification.target is None
        first_error: Error | None = None
        checked = accepted = 0
        for configuration, settings in self.space:
            fresh = [name for name, value in configuration.items() if identity(value) in todo[name]]
            if not fresh:
                continue
            checked += 1
            for name in fresh:
                todo[name].discard(identity(configuration[name]))
            try:
                self.target.check(settings)
                accepted += 1
            except Error as error:
                first_error = first_error or error
                own = error.code.startswith("sweep.")
                if own or not several_jobs and not error.code.startswith(ROWS):
                    shown = ", ".join(f"{name} = {configuration[name]!r}" for name in fresh)
                    refuse(error.code if own else "sweep.value",
                           f"{self.where}with {shown}: {error if error.file else error.message}")
            if not any(todo.values()):
                break
        if checked == 0:
            refuse("sweep.filter", f"{self.where}no combination is left: 'where' refuses all")
        if accepted == 0 and first_error is not None:
            refuse("sweep.value", f"{self.where}no run can begin; the first one: {first_error}")

    def inputs(self, configuration: Configuration, settings: Settings) -> str:
        """Digest of the files that a run reads."""
        key = tuple(identity(configuration[name]) for name in self.leading)
        if key not in self.known_inputs:
            try:
                paths = sorted(set(self.target.inputs(settings)))
                digests = [os.path.relpath(path, self.specification.folder) + " " + self.files.of(path) for path in paths]
            # ValueError: a path that no file can have. The run will tell it; with other values of other axes there may be none.
            except (Error, OSError, ValueError) as error:
                failure = _digest(str(error))
                self.failures.add(failure)
                return failure
            self.known_inputs[key] = _digest(*digests)
        return self.known_inputs[key]

    def _survey(self) -> int:
        """Finds the inputs of all runs. Returns how many runs there are."""
        total = 0
        for total, (configuration, settings) in enumerate(self.space, 1):
            self.inputs(configuration, settings)
        return total

    def _identity(self) -> str:
        axes = [[axis.name, [[point.shown, point.settings] for point in axis.points]] for axis in self.specification.axes]
        return _digest(self.about, canonical(axes, self.describe), canonical(self.specification.where), *self.known_inputs.values(),
                       *sorted(self.failures))

    def __iter__(self) -> Iterator[PlannedRun]:
        for number, (values, settings) in enumerate(self.space):
            inputs = self.inputs(values, settings)
            configuration = canonical(values)
            own = canonical({name: value for name, value in settings.items() if name not in self.specification.values}, self.describe)
            yield PlannedRun(number, _digest(self.about, configuration, own, inputs), configuration, values, settings, inputs)
