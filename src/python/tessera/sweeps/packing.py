# SPDX-License-Identifier: Apache-2.0
"""A sweep and all files that it reads, as one value that another machine can use."""

from __future__ import annotations

import os
import pickle
import sys
from dataclasses import dataclass, replace
from typing import Any, Optional

from tessera.sweeps.axes import Settings
from tessera.sweeps.descriptions import is_installed
from tessera.sweeps.plan import Plan
from tessera.sweeps.refusal import refuse
from tessera.sweeps.specification import Function, Specification
from tessera.sweeps.targets import content_digest


@dataclass(frozen=True)
class Packed:
    """A sweep on its way.

    specification  pickled, by cloudpickle if it has functions; without axes, whose values come with each run
    functions      whether it has: then only the same minor version of Python can read it
    root           folder that contains all files
    files          content by path relative to `root`
    """

    specification: bytes
    functions: bool
    root: str
    files: dict[str, bytes]

    def unpack(self, folder: str) -> None:
        """Writes the files."""
        for name, content in self.files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content)


def _named_files(specification: Specification) -> set[str]:
    """Files that settings name: also of jobs that cannot be read, whose inputs are not known."""
    values = [specification.target, *specification.values.values()]
    for axis in specification.axes:
        values += [value for point in axis.points for _, value in point.settings]
    return {specification.path(value) for value in values if isinstance(value, str) and os.path.isfile(specification.path(value))}


def _pickled(specification: Specification, functions: list[Any]) -> bytes:
    if not functions:
        return pickle.dumps(specification)
    import cloudpickle  # type: ignore[import]  # a part of every installation of Dask

    # Other machines have installed modules as well.
    modules = [sys.modules[name] for name in {function.__module__ for function in functions}
               if name != "__main__" and not is_installed(name)]
    modules = [module for module in modules if module.__name__ not in cloudpickle.list_registry_pickle_by_value()]
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    try:
        return bytes(cloudpickle.dumps(specification))
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)


def pack(plan: Plan) -> Packed:
    """A sweep with its files as they were when its runs got their keys. Raises Error 'sweep.open', 'sweep.changed'."""
    specification = plan.specification
    paths = sorted(_named_files(specification) | set(plan.files.known))
    root = os.path.commonpath([specification.folder, *(os.path.dirname(path) for path in paths)])
    files = {}
    for path in paths:
        try:
            with open(path, "rb") as file:
                content = file.read()
            if content_digest(content).hexdigest() != plan.files.of(path):
                refuse("sweep.changed", f"{path} changed while the sweep began; begin again")
        except OSError as error:
            refuse("sweep.open", f"{path}: {error.strerror or error}")
        files[os.path.relpath(path, root)] = content
    functions = [each for each in (specification.target, specification.reference, specification.metrics) if callable(each)]
    return Packed(_pickled(replace(specification, axes=()), functions), bool(functions), root, files)


class Moved:
    """Paths of a sweep that was unpacked into another folder."""

    def __init__(self, root: str, folder: str, files: set[str]) -> None:
        self.root = root
        self.folder = folder
        self.files = files

    def path(self, path: str) -> str:
        """The place of an absolute path."""
        return os.path.normpath(os.path.join(self.folder, os.path.relpath(path, self.root)))

    def value(self, value: Any) -> Any:
        """A setting, moved if it is the absolute path of a file that was packed. Relative paths stay right."""
        if isinstance(value, str) and os.path.isabs(value) and os.path.relpath(value, self.root) in self.files:
            return self.path(value)
        return value

    def settings(self, settings: Settings) -> Settings:
        """Settings of a run."""
        return {name: self.value(value) for name, value in settings.items()}

    def _function(self, function: Optional[Function]) -> Optional[Function]:
        if not isinstance(function, str):
            return function
        path, colon, name = function.rpartition(".py:")
        return f"{self.value(path + '.py')}:{name}" if colon else self.value(function)

    def specification(self, specification: Specification) -> Specification:
        """The sweep, to be done in its new folder."""
        return replace(specification, folder=self.path(specification.folder), target=self._function(specification.target),
                       reference=self._function(specification.reference), metrics=self._function(specification.metrics),
                       values=self.settings(specification.values))

    def message(self, message: str) -> str:
        """A message with paths as the user knows them."""
        return message.replace(self.folder + os.sep, os.path.join(self.root, ""))
