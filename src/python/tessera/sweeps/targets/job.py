# SPDX-License-Identifier: Apache-2.0
"""A job file (docs/jobs.md) with values from outside."""

from __future__ import annotations

import os
import tempfile
import time
from collections import OrderedDict
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessera._arguments import SIGNED, given
from tessera._core import DataFormat, Job, Run, load_job
from tessera.core import Core
from tessera.errors import Error, Fault
from tessera.sweeps.arrays import DATA_SEED, Arrays, check_random, data_seed, is_random, random_array
from tessera.sweeps.axes import Settings, plain
from tessera.sweeps.measures import LIMIT_CODES, Measured, Outcome, findings_of, run_measures
from tessera.sweeps.refusal import refuse, shown
from tessera.sweeps.specification import Specification
from tessera.sweeps.targets.judge import Judge

OF_THE_RUN = ("seed", "timing", "max_cycles")
"""Keys of a job that Core.run() takes: a job that differs only in these is read once."""
LIMITS = ("timeout", "max_memory")
"""Bounds of a run that Core.run() takes, and a job has not (docs/limits.md)."""
KEPT_JOBS = 16


def toml_text(value: Any) -> str:
    """A value as TOML text."""
    value = value.name if isinstance(value, DataFormat) else plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value)
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}" for c in escaped) + '"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml_text(each) for each in value) + "]"
    if hasattr(value, "items"):
        return "{ " + ", ".join(f"{toml_text(str(key))} = {toml_text(each)}" for key, each in value.items()) + " }"
    refuse("sweep.value", f"a job takes no {type(value).__name__}: {shown(value)}")


def number_of(name: str, value: Any) -> int:
    """The number of a symbol or register field. Raises Error 'sweep.value'."""
    if isinstance(value, str) and value in DataFormat.__members__:
        return int(DataFormat[value])
    if isinstance(value, str):
        try:
            value = int(value, 0)
        except ValueError:
            pass
    if not isinstance(value, int) or isinstance(value, bool):
        refuse("sweep.value", f"'{name}' is a whole number or the name of a data format, not {shown(value)}")
    if int(value) not in SIGNED:  # of an int's subclass a range would try each number
        refuse("sweep.value", f"'{name}' is a whole number of {SIGNED[0]} to {SIGNED[-1]}, not {given(value)}")
    return value


def _check_limits(settings: Settings) -> None:
    seconds, most = settings.get("timeout", 1), settings.get("max_memory", 1)
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or not 0 < seconds <= 1e9:
        refuse("sweep.value", f"'timeout' is a number of seconds above 0 and at most 1e9, not {shown(seconds)}")
    if not isinstance(most, int) or isinstance(most, bool) or not 0 < most < 2**64:
        refuse("sweep.value", f"'max_memory' is a number of bytes above 0, not {shown(most)}")


def place_of(fault: Fault, folder: str) -> str:
    """", at T1 op 5: MVMUL (math.tts:7)", with a file of the job's folder as seen from there.

    It has no cycle, since the same fault of other seeds is the same failure.
    """
    if fault.thread >= 0:
        who = f"T{fault.thread} op {fault.index}"
        who += f", instruction {fault.position} of its expansion" if fault.position >= 0 else ""
    elif fault.core:
        who = fault.core + (f" 0x{fault.pc:x}" if fault.pc >= 0 else "")
    else:
        return ""
    who += f": {fault.instruction}" if fault.instruction else ""
    place = fault.place.removeprefix(os.path.join(folder, ""))
    return f", at {who} ({place})" if place else f", at {who}"


class JobTarget:
    """Settings are keys of the job by dotted name, symbols.NAME, registers.FIELD, data.seed and LIMITS.

    A text that names a file beside the sweep file stands for that file; other paths are relative to the job file.
    """

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self.arrays = Arrays(specification.folder)
        self.judge = Judge(specification, self.arrays)
        self.jobs: OrderedDict[Any, Job] = OrderedDict()
        self.cores: dict[str, Core] = {}

    @cached_property
    def drawn(self) -> tempfile.TemporaryDirectory[str]:
        """For random data, as files. Made when there are any: a process that is killed leaves it."""
        return tempfile.TemporaryDirectory(prefix="tessera-sweep-")

    def _path(self, settings: Settings) -> str:
        job = settings["job"] if self.specification.target is None else self.specification.target
        return self.arrays.path(os.fsdecode(job))

    def _value(self, value: Any) -> Any:
        if isinstance(value, str) and value and os.path.isfile(self.arrays.path(value)):
            return self.arrays.path(value)
        return value

    def _random(self, settings: Settings) -> dict[str, NDArray[Any]]:
        seed = data_seed(settings)
        drawn = {}
        for name, value in settings.items():
            if is_random(value):
                check_random(name, value)
                drawn[name] = np.atleast_2d(random_array(name, value, seed))
        return drawn

    def _load(self, settings: Settings, arrays: dict[str, NDArray[Any]], kept: tuple[str, ...] = ()) -> Job:
        symbols: dict[str, int] = {}
        registers: dict[str, int] = {}
        keys: dict[str, str] = {}
        for name, value in settings.items():
            if name in ("job", DATA_SEED) or name in LIMITS or name in kept:
                continue
            if name.startswith("symbols."):
                symbols[name.removeprefix("symbols.")] = number_of(name, value)
            elif name.startswith("registers."):
                registers[name.removeprefix("registers.")] = number_of(name, value)
            elif name in arrays:
                path = os.path.join(self.drawn.name, f"{len(keys)}.npy")
                np.save(path, arrays[name])
                keys[name] = toml_text(path)
            else:
                keys[name] = toml_text(self._value(value))
        return load_job(self._path(settings), symbols, registers, keys)

    def job(self, settings: Settings, arrays: dict[str, NDArray[Any]]) -> Job:
        """The Job of these settings, but for OF_THE_RUN and LIMITS. The last ones are kept."""
        other = [(name, value) for name, value in settings.items() if name not in OF_THE_RUN and name not in LIMITS]
        key = repr([(name, value) for name, value in other if arrays or name != DATA_SEED])
        if key in self.jobs:
            self.jobs.move_to_end(key)
            return self.jobs[key]
        job = self._load(settings, arrays, OF_THE_RUN)
        self.jobs[key] = job
        if len(self.jobs) > KEPT_JOBS:
            self.jobs.popitem(last=False)
        return job

    def check(self, settings: Settings) -> None:
        _check_limits(settings)
        arrays = self._random(settings)
        try:
            self._load(settings, arrays)
        except Error as error:
            if error.code == "job.unknown-key":
                self._check_unknown_key(error, settings, arrays)
            raise

    def _check_unknown_key(self, error: Error, settings: Settings, arrays: dict[str, NDArray[Any]]) -> None:
        """Raises Error 'sweep.argument' for a setting that was to be a symbol or a register field."""
        name = next((name for name in settings if f"no key '{name}'" in error.message), "")
        if not name:
            return
        others = {other: value for other, value in settings.items() if other == "job" or "." in other}
        for table in ("symbols", "registers"):
            if self._loads({**others, f"{table}.{name}": settings[name]}, arrays):
                refuse("sweep.argument", f"a job has no key '{name}'; did you mean '{table}.{name}'?")
        if name != name.lower():  # no misspelled key, which the library likens to one
            refuse("sweep.argument", f"a job has no key '{name}', and its assembly has no symbol and stores no register field of that name")

    def _loads(self, settings: Settings, arrays: dict[str, NDArray[Any]]) -> bool:
        try:
            self._load(settings, arrays)
        except Error:
            return False
        return True

    def leads(self, name: str, value: Any) -> bool:
        names_no_file = name == "timing" or name.startswith(("symbols.", "registers.")) or is_random(value)
        return not names_no_file and not isinstance(value, (int, float))

    def inputs(self, settings: Settings) -> list[str]:
        arrays = self._random(settings)
        paths = [os.path.abspath(path) for path in self.job(settings, arrays).inputs]
        return self.judge.inputs + [path for path in paths if not (arrays and path.startswith(self.drawn.name))]

    def about(self) -> str:
        return "job " + self.judge.about()

    def run(self, settings: Settings) -> Outcome:
        arrays = self._random(settings)
        job = self.job(settings, arrays)
        core = self.cores.get(job.arch)
        if core is None:
            core = self.cores[job.arch] = Core(job)
        else:
            core.assign(job)
        options = {name: settings[name] for name in (*OF_THE_RUN, *LIMITS) if name in settings}
        outcome = Outcome()
        begin = time.perf_counter()
        try:
            run: Run = core.run(job, **options)
        except Fault as fault:
            run = fault.run
            outcome.status, outcome.code, outcome.message = "fault", fault.code, fault.message + place_of(fault, os.path.dirname(job.file))
        outcome.seconds = time.perf_counter() - begin
        if outcome.code in LIMIT_CODES:
            return outcome  # how far it came differs from time to time
        outcome.state = core.digest()
        outcome.findings = findings_of(run)
        outcome.measures = run_measures(run)
        if outcome.status == "good":
            measured = Measured(settings, arrays, core.read_outputs(job, run), [each.format for each in job.outputs], core, job, run)
            outcome.measures.update(self.judge.measures(measured))
        return outcome
