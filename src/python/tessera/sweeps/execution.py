# SPDX-License-Identifier: Apache-2.0
"""Does the runs of a plan that have no result yet, and stores them."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Optional, Protocol

from tessera.sweeps.measures import Outcome
from tessera.sweeps.plan import Plan, PlannedRun
from tessera.sweeps.progress import Progress
from tessera.sweeps.refusal import refuse
from tessera.sweeps.store import Store
from tessera.sweeps.workers import Batch, Workers, run_one

if TYPE_CHECKING:
    from tessera.sweeps.cluster import Cluster

BLOCK = 500  # runs that are looked up in the file at once
MOST_OF_A_BATCH = 2560  # runs, for each second of a batch
STORE_SECONDS = 0.5
MOST_UNSTORED = 5000


class Pool(Protocol):
    """Workers: processes of this machine, or of a cluster."""

    batch_seconds: float
    """How long a batch is to take: long enough that handing it out costs nothing."""
    reads_in_place: bool
    """Whether runs read the files of the sweep themselves, and no copies of them."""

    @property
    def idle(self) -> int:
        """How many batches it takes now."""

    @property
    def busy(self) -> bool:
        """Whether outcomes are still to come."""

    def hand_out(self, batch: Batch) -> None:
        """Takes a batch."""

    def outcomes(self, timeout: float) -> Iterator[tuple[int, Optional[Outcome]]]:
        """Outcomes that have come, by number. None: this run must be handed out again."""

    def stop(self) -> None:
        """No run begins any more."""


class InThisProcess:
    """A pool of no process: the batch is run here. For debuggers, and for one short sweep."""

    batch_seconds = 0.1
    reads_in_place = True

    def __init__(self, plan: Plan) -> None:
        self.target = plan.target
        self.batch: Batch = []
        self.stopped = False

    @property
    def idle(self) -> int:
        return 0 if self.batch else 1

    @property
    def busy(self) -> bool:
        return bool(self.batch)

    def hand_out(self, batch: Batch) -> None:
        self.batch = batch

    def outcomes(self, timeout: float) -> Iterator[tuple[int, Optional[Outcome]]]:
        batch, self.batch = self.batch, []
        for number, settings in batch:
            yield number, None if self.stopped else run_one(self.target, settings)

    def stop(self) -> None:
        self.stopped = True

    def __enter__(self) -> InThisProcess:
        self.folder = os.open(".", os.O_PATH | os.O_DIRECTORY)
        return self

    def __exit__(self, *error: object) -> None:
        # Functions of the sweep may have changed it.
        try:
            os.fchdir(self.folder)
        finally:
            os.close(self.folder)


def _missing(plan: Plan, store: Store, progress: Progress) -> Iterator[PlannedRun]:
    runs = iter(plan)
    while block := list(itertools.islice(runs, BLOCK)):
        missing, failed = store.missing(block)
        progress.found += len(block) - len(missing)
        progress.failed += failed
        yield from missing


class _Unstored:
    """Outcomes on their way to the file. Those of runs that may have read a changed file never get there."""

    def __init__(self, plan: Plan, store: Store, pool: Pool) -> None:
        self.files = plan.files
        self.store = store
        self.in_place = pool.reads_in_place
        self.outcomes: list[tuple[PlannedRun, Outcome]] = []
        self.stored_at = time.monotonic()

    def add(self, run: PlannedRun, outcome: Outcome) -> None:
        """Keeps an outcome until it is stored."""
        self.outcomes.append((run, outcome))

    def store_when_due(self) -> None:
        """Stores them if they are many, or the last time was long ago."""
        if len(self.outcomes) >= MOST_UNSTORED or time.monotonic() - self.stored_at >= STORE_SECONDS:
            self.store_all()

    def store_all(self) -> None:
        """Stores them, or drops them and raises Error 'sweep.changed', 'sweep.write'."""
        outcomes, self.outcomes = self.outcomes, []
        if outcomes and self.in_place and (path := self.files.changed()):
            refuse("sweep.changed", f"{path} changed while the sweep ran; the same call does the runs that read it again")
        self.store.add(outcomes)
        self.stored_at = time.monotonic()


class _Interrupt:
    """Ctrl-C: the first one lets the runs at hand end; a second one is KeyboardInterrupt at once. `number` is that of the signal, 0 before."""

    SAME_SECONDS = 0.5  # programs such as timeout send one signal twice, to the process and to its group

    def __init__(self) -> None:
        self.number = 0
        self.at = 0.0

    @contextmanager
    def watch(self) -> Iterator[_Interrupt]:
        if threading.current_thread() is not threading.main_thread():
            yield self
            return

        def on_signal(number: int, frame: object) -> None:
            if self.number and time.monotonic() - self.at > self.SAME_SECONDS:
                raise KeyboardInterrupt(number)
            if not self.number:
                self.number, self.at = number, time.monotonic()

        before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def execute(plan: Plan, store: Store, pool: Pool, progress: Progress) -> None:
    """Does all runs of a plan that the file lacks. Raises KeyboardInterrupt with the number of the signal that interrupted it, when every
    run that had begun is stored, and Error 'sweep.changed', 'sweep.write', 'sweep.cluster', 'sweep.workers'.

    Runs in flight are bounded by the pool, so that memory does not grow with the sweep.
    """
    missing = _missing(plan, store, progress)
    again: deque[PlannedRun] = deque()
    given: dict[int, PlannedRun] = {}
    unstored = _Unstored(plan, store, pool)
    mean = pool.batch_seconds  # seconds of a run
    most = int(MOST_OF_A_BATCH * pool.batch_seconds)
    exhausted = False
    with _Interrupt().watch() as interrupt:
        try:
            while True:
                while not interrupt.number and pool.idle and not (exhausted and not again):
                    size = max(1, min(most, int(pool.batch_seconds / max(mean, 1e-6))))
                    batch = [again.popleft() for _ in range(min(size, len(again)))]
                    batch += itertools.islice(missing, size - len(batch))
                    exhausted = len(batch) < size
                    if batch:
                        given.update((run.number, run) for run in batch)
                        pool.hand_out([(run.number, run.settings) for run in batch])
                if interrupt.number:
                    pool.stop()
                if not pool.busy:
                    break
                for number, outcome in pool.outcomes(0.1):
                    run = given.pop(number, None)
                    if run is None:
                        continue  # told twice: a cluster repeated it
                    if outcome is None:
                        again.append(run)
                        continue
                    unstored.add(run, outcome)
                    progress.done += 1
                    progress.failed += outcome.status != "good"
                    mean += (outcome.seconds - mean) / 16
                unstored.store_when_due()
                progress.update()
        finally:
            unstored.store_all()
    progress.update(last=True)
    if interrupt.number and not (exhausted and not again and not given):
        raise KeyboardInterrupt(interrupt.number)


def make_pool(plan: Plan, workers: Optional[int], dask: Any = None) -> Workers | InThisProcess | Cluster:
    """Processes of this machine: by default one for each hardware thread that this process may use; 0: this process.

    With dask: workers of that cluster. Raises Error 'sweep.workers' in a run of another sweep, and in other processes that may start none.
    """
    if dask is not None:
        from tessera.sweeps.cluster import Cluster
        return Cluster(plan, dask)
    daemon = multiprocessing.current_process().daemon
    if daemon and workers:
        refuse("sweep.workers", "this process, such as one that does a run of a sweep, can start no others; give workers=0")
    if daemon or workers == 0:
        return InThisProcess(plan)
    return Workers(plan.specification, min(workers or len(os.sched_getaffinity(0)), plan.total))


