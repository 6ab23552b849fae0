# SPDX-License-Identifier: Apache-2.0
"""A worker of a cluster during a sweep: files in a folder of its own, and processes that do runs."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any, Optional

from tessera.sweeps.axes import Settings
from tessera.sweeps.measures import Outcome
from tessera.sweeps.packing import Packed
from tessera.sweeps.workers import Batch, lost

Told = list[tuple[int, Optional[Outcome]]]
"""Outcomes by number; None: this run has not begun."""


class _Process:
    """A process of serving.py. Raises RuntimeError if it cannot do the sweep."""

    def __init__(self, packed: Packed, folder: str) -> None:
        path = os.pathsep.join(os.path.abspath(each) for each in sys.path)
        self.pipe, theirs = multiprocessing.Pipe()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "tessera.sweeps.serving", str(theirs.fileno())], stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()], env=dict(os.environ, PYTHONPATH=path))
        try:
            self.pipe.send((packed.specification, packed.root, folder, set(packed.files)))
            refused = self.pipe.recv()
        except (EOFError, OSError):
            refused = lost(self.process.wait()).message
        if refused:
            self.end()
            raise RuntimeError(refused)

    def run(self, settings: Settings) -> Optional[Outcome]:
        """Runs once. None: the process has died."""
        try:
            self.pipe.send(settings)
            outcome: Outcome = self.pipe.recv()
            return outcome
        except (EOFError, OSError):
            return None

    def end(self) -> None:
        """Ends the process, whatever it does."""
        self.process.kill()
        self.process.wait()


class Site:
    """Lives as long as Dask keeps it in the worker's memory: until the sweep lets go of it, or its client is gone."""

    def __init__(self, packed: Packed) -> None:
        self.packed = packed
        self.lock = threading.Lock()
        self.folder = ""
        self.processes: list[_Process] = []
        self.idle: list[_Process] = []
        self.stopped = False

    def __reduce__(self) -> tuple[Any, ...]:
        return Site, (self.packed,)

    def _take(self, folder: str) -> _Process:
        with self.lock:
            if self.stopped:
                raise RuntimeError("the sweep has ended")
            if self.idle:
                return self.idle.pop()
            if not self.folder:
                self.folder = tempfile.mkdtemp(prefix="tessera-sweep-", dir=folder)
                self.packed.unpack(self.folder)
        process = _Process(self.packed, self.folder)
        with self.lock:
            self.processes.append(process)
            if self.stopped:
                process.end()
        return process

    def run(self, batch: Batch, folder: str, seconds: float) -> Told:
        """Does runs, one after the other. None begins after so many seconds, but for the first one."""
        told: Told = []
        until = time.monotonic() + seconds
        process: Optional[_Process] = None
        for number, settings in batch:
            if self.stopped or told and time.monotonic() > until:
                told.append((number, None))
                continue
            process = process or self._take(folder)
            outcome = process.run(settings)
            if outcome is None and not self.stopped:
                with self.lock:
                    self.processes.remove(process)
                outcome = lost(process.process.wait())
                process.end()
                process = None
            told.append((number, outcome))
        if process is not None:
            with self.lock:
                self.idle.append(process)
        return told

    def stop(self) -> None:
        """No run begins any more."""
        self.stopped = True

    def end(self) -> None:
        """Ends all processes, and removes the files."""
        with self.lock:
            self.stopped = True
            for process in self.processes:
                process.end()
            self.processes.clear()
            self.idle.clear()
            if self.folder:
                shutil.rmtree(self.folder, ignore_errors=True)

    __del__ = end
