# SPDX-License-Identifier: Apache-2.0
"""The things that a sweep can run: each a class with the members of Target."""

from __future__ import annotations

import hashlib
from typing import Any, Optional, Protocol

from tessera.sweeps.axes import Settings
from tessera.sweeps.files import check_file
from tessera.sweeps.functions import is_loaded, mark
from tessera.sweeps.measures import Outcome
from tessera.sweeps.specification import Specification


class Target(Protocol):
    """Runs settings in one process. Made once a process from a Specification."""

    def check(self, settings: Settings) -> None:
        """Raises Error if a run with these settings cannot begin."""

    def leads(self, name: str, value: Any) -> bool:
        """Whether other values of a setting may make inputs() others, where one value is this."""

    def inputs(self, settings: Settings) -> list[str]:
        """Absolute paths of all files that such a run reads."""

    def about(self) -> str:
        """A text that changes with what is run, apart from settings and files."""

    def run(self, settings: Settings) -> Outcome:
        """Runs once. Exceptions mean an outcome 'error'."""


def make_target(specification: Specification) -> Target:
    """The target of a sweep's kind."""
    if specification.kind == "job":
        from tessera.sweeps.targets.job import JobTarget
        return JobTarget(specification)
    if specification.kind == "function":
        from tessera.sweeps.targets.array_function import ArrayTarget
        return ArrayTarget(specification)
    from tessera.sweeps.targets.python import PythonTarget
    return PythonTarget(specification)


def content_digest(content: bytes = b"") -> hashlib.blake2b:
    """The digest by which files are known; more bytes may be added."""
    return hashlib.blake2b(content, digest_size=16)


def _read(path: str) -> tuple[tuple[int, int], str]:
    before = mark(path)
    check_file(path)
    with open(path, "rb") as file:
        return before, hashlib.file_digest(file, content_digest).hexdigest()


class Digests:
    """Digests of files by path. Each file is read once, and by changed() again if its mark is another."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[tuple[int, int], str]] = {}

    def of(self, path: str) -> str:
        """The digest of a file as it was at the first call. Raises OSError."""
        if path not in self.known:
            self.known[path] = _read(path)
        return self.known[path][1]

    def changed(self) -> Optional[str]:
        """A file with other contents than its digest is of, and that runs read; None: there is none."""
        for path, (before, digest) in self.known.items():
            if is_loaded(path):
                continue
            try:
                if mark(path) == before:
                    continue
                now = _read(path)
            except OSError:
                return path
            if now[1] != digest:
                return path
            self.known[path] = now
        return None
