# SPDX-License-Identifier: Apache-2.0
"""Workers of a Dask cluster that run batches (docs/sweep-clusters.md).

Dask says which workers there are, carries batches to them and results back, and tells when a worker is lost. A batch is meant for one
worker: so it is known what was lost with it, and a worker of another version gets none.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import tempfile
import threading
import time
import uuid
import warnings
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any, Optional

import tessera
from tessera.sweeps import packages
from tessera.sweeps.measures import Outcome
from tessera.sweeps.packing import pack
from tessera.sweeps.plan import Plan
from tessera.sweeps.refusal import refuse, shown
from tessera.sweeps.remote import Site, Told
from tessera.sweeps.workers import Batch

CONNECT_SECONDS = 10
CLOSE_SECONDS = 2
WATCH_SECONDS = 0.5
STOP_SECONDS = 2.0
"""After Ctrl-C, runs at hand have so long."""
WORKERLESS_SECONDS = 300.0
"""When all workers are gone, the sweep waits so long for others."""
MOST_LOSSES = 3
"""A run that was lost with so many workers is not tried again."""


_GOES_ON = "; all that had come is stored, the same call goes on from there"


# Functions that run on workers.

def _versions() -> tuple[str, tuple[int, int]]:
    return tessera.__version__, sys.version_info[:2]


def _do(site: Site, batch: Batch, seconds: float) -> Told:
    from distributed import get_worker

    return site.run(batch, get_worker().local_directory, seconds)


def _tell(keys: list[str], what: str, dask_worker: Any) -> None:
    for key in keys:
        if key in dask_worker.data:
            getattr(dask_worker.data[key], what)()


@dataclass
class _Handed:
    batch: Batch
    losses: int
    """Workers that were lost with all of its runs."""
    address: str = ""


@dataclass(frozen=True)
class _Arrived:
    future: Any
    told: Any
    connected: bool


@dataclass(frozen=True)
class _Joined:
    address: str
    threads: int
    site: Any


@dataclass(frozen=True)
class _Refused:
    address: str
    reason: str


@dataclass(frozen=True)
class _Present:
    addresses: set[str]


def _local(distributed: Any, ending: ExitStack) -> Any:
    # Its processes inherit that SIGINT is ignored: Ctrl-C in a terminal is told to all processes, and must not end them.
    in_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if in_main else None
    try:
        return ending.enter_context(distributed.LocalCluster(
            n_workers=len(os.sched_getaffinity(0)), threads_per_worker=1, memory_limit=0, dashboard_address=":0",
            local_directory=ending.enter_context(tempfile.TemporaryDirectory(prefix="tessera-dask-"))))
    finally:
        if in_main:
            signal.signal(signal.SIGINT, before)


def _new_client(distributed: Any, cluster: Any) -> Any:
    """A Client. If it cannot connect, it is closed while its loop lives: left to itself, it would wait for the loop at the end of Python."""
    client = distributed.Client.__new__(distributed.Client)
    try:
        client.__init__(cluster, timeout=CONNECT_SECONDS, set_as_default=False)
    except BaseException:
        with suppress(Exception):
            client.close(timeout=CLOSE_SECONDS)
        raise
    return client


def _client(dask: Any, ending: ExitStack) -> Any:
    distributed: Any = packages.require("distributed", "'dask'")
    if isinstance(dask, distributed.Client):
        if dask.asynchronous:
            refuse("sweep.cluster", "an asynchronous Client cannot be used: make it without asynchronous=True")
        return dask
    if not isinstance(dask, str):
        refuse("sweep.value", f"dask= is the address of a scheduler, 'local' or a distributed.Client, not {shown(dask)}")
    try:
        cluster = _local(distributed, ending) if dask == "local" else dask
        return ending.enter_context(_new_client(distributed, cluster))
    except Exception as error:  # of many kinds: addresses, names of hosts, sockets, other versions of Dask
        refuse("sweep.cluster", f"the Dask scheduler {dask} does not answer: {error or type(error).__name__}")


class Cluster:
    """A pool (execution.py) of the workers of a cluster; `dask` as in tessera.sweep().

    Raises Error: 'sweep.package'; 'sweep.cluster' if the scheduler does not answer, or a worker has another version.
    """

    batch_seconds = 1.0
    reads_in_place = False

    def __init__(self, plan: Plan, dask: Any) -> None:
        self.ending = ExitStack()
        self.packed = pack(plan)
        self.arrived: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.pending: deque[_Handed] = deque()
        self.handed: dict[Any, _Handed] = {}
        self.sites: dict[str, Any] = {}
        self.free: deque[str] = deque()  # a worker's address for each thread that has no batch
        self.refused: dict[str, str] = {}
        self.present: set[str] = set()
        self.known: set[str] = set()  # workers that were looked at
        self.silent: set[str] = set()  # workers that did not answer, at the last look
        self.proved = False  # some run has been done
        self.had_worker_at: Optional[float] = None
        self.stop_at = 0.0
        self.ended = threading.Event()
        with self.ending:
            self.client = _client(dask, self.ending)
            present = self.client.nthreads()
            reasons = self._other_versions(list(present))
            if reasons:
                refuse("sweep.cluster", "; ".join(f"worker {address} {reason}" for address, reason in reasons.items()))
            if not present:
                warnings.warn("the Dask cluster has no worker: the sweep waits for the first one", RuntimeWarning, stacklevel=2)
            self.ending = self.ending.pop_all()
        self.watcher = threading.Thread(target=self._watch, daemon=True)
        self.watcher.start()

    # In a thread of its own, which may wait for workers that do not answer.

    def _other_versions(self, addresses: list[str]) -> dict[str, str]:
        """Why workers are refused, by address. Those that did not answer are in `silent`."""
        reasons: dict[str, str] = {}
        self.silent = set()
        ours = _versions()
        found = self.client.run(_versions, workers=addresses, on_error="return") if addresses else {}
        for address, versions in found.items():
            if isinstance(versions, OSError):  # it does not answer: it may have gone, and is asked again
                self.silent.add(address)
            elif not isinstance(versions, tuple):
                reasons[address] = f"cannot use tessera: {versions}"
            elif versions[0] != ours[0]:
                reasons[address] = f"has tessera {versions[0]}, and not {ours[0]}"
            elif self.packed.functions and tuple(versions[1]) != ours[1]:
                reasons[address] = ("has Python {}.{}, which cannot read functions of Python {}.{}; name them as FILE.py:FUNCTION"
                                    .format(*versions[1], *ours[1]))
        return reasons

    @property
    def _connected(self) -> bool:
        """Whether the client has its scheduler. Results that come while it reconnects are lost."""
        return bool(self.client.status == "running")

    def _look(self) -> None:
        if not self._connected:
            return
        present = self.client.nthreads()
        self.arrived.put(_Present(set(present)))
        self.known &= present.keys()
        fresh = [address for address in present if address not in self.known]
        reasons = self._other_versions(fresh)
        for address in fresh:
            if address in self.silent or not self._connected:
                continue
            if address in reasons:
                found: Any = _Refused(address, reasons[address])
            else:
                key = f"tessera-{uuid.uuid4().hex}"
                found = _Joined(address, present[address], self.client.scatter({key: Site(self.packed)}, workers=[address], hash=False)[key])
            self.known.add(address)  # before it is told: whoever drops the worker takes it away again
            self.arrived.put(found)

    def _watch(self) -> None:
        while not self.ended.is_set():
            with suppress(Exception):  # of a connection or a worker that was lost: the next look tells
                self._look()
            self.ended.wait(WATCH_SECONDS)

    # In Dask's thread.

    async def _fetch(self, future: Any) -> None:
        told: Any
        try:
            told = await self.client.gather(future, asynchronous=True)
        except BaseException as error:  # CancelledError too, when the worker was lost or the client reconnects
            told = error
        self.arrived.put(_Arrived(future, told, self._connected))

    # In the thread of the sweep.

    @property
    def idle(self) -> int:
        """How many batches it takes now. One may wait when there is no worker."""
        return max(0 if self.busy else 1, len(self.free) - len(self.pending))

    @property
    def busy(self) -> bool:
        """Whether outcomes are still to come."""
        return bool(self.pending or self.handed)

    def hand_out(self, batch: Batch) -> None:
        """Takes a batch."""
        self.pending.append(_Handed(batch, 0))
        self._send()

    def _send(self) -> None:
        while self.pending and self.free and not self.stop_at and self._connected:
            address = self.free.popleft()
            site = self.sites[address]
            if site.status != "finished":  # the worker was lost, or the client has reconnected
                self._drop(address)
                continue
            handed = self.pending.popleft()
            handed.address = address
            future = self.client.submit(_do, site, handed.batch, 2 * self.batch_seconds, workers=[address],
                                        allow_other_workers=False, pure=False)
            self.handed[future] = handed
            self.client.loop.add_callback(self._fetch, future)

    def _drop(self, address: str) -> None:
        self.sites.pop(address, None)
        self.free = deque(each for each in self.free if each != address)
        self.known.discard(address)  # it may come back

    def _again(self, handed: _Handed) -> None:
        self.pending.appendleft(_Handed(handed.batch, handed.losses))

    def _lost(self, handed: _Handed) -> Iterator[tuple[int, Optional[Outcome]]]:
        """Does the runs of a lost worker again, in ever smaller batches, until the run that ends workers is alone."""
        losses = handed.losses + 1
        if losses >= MOST_LOSSES:
            for number, _ in handed.batch:
                yield number, Outcome("lost", "sweep.lost", f"{losses} workers were lost with it")
            return
        size = 1 if losses == MOST_LOSSES - 1 else max(1, int(len(handed.batch) ** 0.5))
        for begin in range(0, len(handed.batch), size):
            self.pending.append(_Handed(handed.batch[begin:begin + size], losses))

    def _refuse(self, address: str, reason: str) -> None:
        self._drop(address)
        self.known.add(address)
        self.refused[address] = reason
        if not self.proved and self.present <= self.refused.keys():
            refuse("sweep.cluster", f"no worker can do this sweep: worker {address} {reason}")
        warnings.warn(f"worker {address} {reason}: it gets no runs", RuntimeWarning, stacklevel=2)

    def _on_batch(self, arrived: _Arrived) -> Iterator[tuple[int, Optional[Outcome]]]:
        handed = self.handed.pop(arrived.future, None)
        if handed is None:
            return  # its worker was lost before
        told = arrived.told
        if isinstance(told, list):
            self.proved = True
            if handed.address in self.sites:
                self.free.append(handed.address)
            yield from told
        elif not arrived.connected:  # nothing that this client had on the cluster is there any more
            self._drop(handed.address)
            self._again(handed)
        elif type(told).__name__ in ("CancelledError", "FutureCancelledError", "KilledWorker"):
            self._drop(handed.address)
            yield from self._lost(handed)
        else:
            self._again(handed)
            self._refuse(handed.address, f"cannot do it: {told}")

    def _on_present(self, addresses: set[str]) -> Iterator[tuple[int, Optional[Outcome]]]:
        self.present = addresses
        for address in self.sites.keys() - addresses:
            self._drop(address)
        for future in [future for future, handed in self.handed.items() if handed.address not in addresses]:
            yield from self._lost(self.handed.pop(future))
            future.cancel()

    def _messages(self, timeout: float) -> Iterator[Any]:
        with suppress(queue.Empty):
            yield self.arrived.get(timeout=timeout)
            while True:
                yield self.arrived.get_nowait()

    def outcomes(self, timeout: float) -> Iterator[tuple[int, Optional[Outcome]]]:
        """Outcomes that have come, by number. None: this run must be handed out again. Raises Error 'sweep.cluster'."""
        for message in self._messages(timeout):
            if isinstance(message, _Arrived):
                yield from self._on_batch(message)
            elif isinstance(message, _Present):
                yield from self._on_present(message.addresses)
            elif isinstance(message, _Joined):
                self.sites[message.address] = message.site
                self.free.extend([message.address] * message.threads)
            elif isinstance(message, _Refused):
                self._refuse(message.address, message.reason)
        if self.stop_at:
            yield from self._give_up(time.monotonic() > self.stop_at)
        elif self.client.status not in ("running", "connecting"):
            refuse("sweep.cluster", "the connection to the Dask scheduler is lost" + _GOES_ON)
        self._send()
        self._check_workers()

    def _check_workers(self) -> None:
        now = time.monotonic()
        if self.sites:
            self.had_worker_at = now
        elif self.had_worker_at is not None and now - self.had_worker_at > WORKERLESS_SECONDS:
            refuse("sweep.cluster", f"all workers of the Dask cluster are gone, and none has come in {WORKERLESS_SECONDS:.0f} seconds" + _GOES_ON)

    def _give_up(self, all_of_them: bool) -> Iterator[tuple[int, Optional[Outcome]]]:
        left = list(self.pending)
        self.pending.clear()
        if all_of_them:
            left += self.handed.values()
            self.client.cancel(list(self.handed))
            self.handed.clear()
        for handed in left:
            for number, _ in handed.batch:
                yield number, None

    def stop(self) -> None:
        """No run begins any more. Those at hand have STOP_SECONDS to end."""
        if not self.stop_at:
            self.stop_at = time.monotonic() + STOP_SECONDS
            if self.sites:
                self._tell("stop")

    def _tell(self, what: str) -> threading.Thread:
        """Tells all sites; in a thread, which may wait for workers that do not answer."""
        keys = [site.key for site in self.sites.values()]
        addresses = list(self.sites)

        def tell() -> None:
            with suppress(Exception):
                self.client.run(_tell, keys, what, workers=addresses, on_error="ignore")

        thread = threading.Thread(target=tell, daemon=True)
        thread.start()
        return thread

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *error: Any) -> None:
        self.ended.set()
        with self.ending:
            if self.sites and self._connected:
                self._tell("end").join(STOP_SECONDS)
            for future in self.handed:
                future.cancel()
            self.handed.clear()
            self.sites.clear()  # Dask forgets what nobody holds
            self.watcher.join(STOP_SECONDS)
            self.arrived = queue.SimpleQueue()
