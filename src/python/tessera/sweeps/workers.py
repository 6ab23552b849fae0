# SPDX-License-Identifier: Apache-2.0
"""Processes of this machine that run batches.

concurrent.futures cannot say which run ended a process. Here each worker has a pipe of its own and sends each outcome as soon as it
has it: the run that it was at when it died is known, and all others of its batch are done by another worker.
"""

from __future__ import annotations

import io
import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, Optional

from tessera.errors import Error
from tessera.sweeps.axes import Settings
from tessera.sweeps.measures import Outcome
from tessera.sweeps.refusal import refuse, text_of
from tessera.sweeps.specification import Specification
from tessera.sweeps.targets import Target, make_target

Batch = list[tuple[int, Settings]]
"""Runs by number."""

WATCH_SECONDS = 1.0
"""A worker without work looks so often whether its parent is still there."""
END_SECONDS = 5.0
"""Workers that have not ended by themselves in this time are killed."""
_END = b""
"""In place of a batch: the worker ends."""


def run_one(target: Target, settings: Settings) -> Outcome:
    """Runs once. An exception becomes an outcome 'error'. Raises KeyboardInterrupt, which is for the whole sweep."""
    begin = time.perf_counter()
    try:
        return target.run(settings)
    except Error as error:
        outcome = Outcome("error", error.code, text_of(error))
    except MemoryError:
        outcome = Outcome("error", "MemoryError", "out of memory")
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        at = f" ({place.tb_frame.f_code.co_filename}:{place.tb_lineno})" if place is not None else ""
        outcome = Outcome("error", type(error).__name__, text_of(error) + at)
    outcome.seconds = time.perf_counter() - begin
    return outcome


def lost(status: Optional[int]) -> Outcome:
    """The outcome of a run whose process ended with an exit status; negative: by a signal."""
    how = f"by {signal.Signals(-status).name}" if status is not None and status < 0 else f"with status {status}"
    return Outcome("lost", "sweep.lost", f"its process ended {how}")


def _is_refused(value: Any) -> bool:
    """By pickle."""
    try:
        pickle.dumps(value)
    except Exception:
        return True
    return False


class _Hand:
    """Batches as bytes between a process and those that were forked from it. Settings that pickle refuses are only named: all have the
    specification's. Of others each batch has copies of its own."""

    def __init__(self, specification: Specification) -> None:
        self.specification = specification

    @cached_property
    def objects(self) -> list[Any]:
        """The settings that are no plain values, in the specification's order."""
        of_axes = (value for axis in self.specification.axes for point in axis.points for _, value in point.settings)
        return [value for value in chain(self.specification.values.values(), of_axes) if not isinstance(value, (int, float, str))]

    @cached_property
    def names(self) -> dict[int, int]:
        """The places in `objects` of those that pickle refuses, by id()."""
        return {id(value): place for place, value in enumerate(self.objects) if _is_refused(value)}

    def dumps(self, batch: Batch) -> bytes:
        """For loads() in another process."""
        try:
            return pickle.dumps(batch)
        except Exception:
            file = io.BytesIO()
            _Namer(file, self.names).dump(batch)
            return file.getvalue()

    def loads(self, data: bytes) -> Batch:
        """The batch of dumps()."""
        batch: Batch = _Finder(io.BytesIO(data), self).load()
        return batch


class _Namer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, names: dict[int, int]) -> None:
        super().__init__(file)
        self.names = names

    def persistent_id(self, value: Any) -> Optional[int]:
        return self.names.get(id(value))


class _Finder(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, hand: _Hand) -> None:
        super().__init__(file)
        self.hand = hand

    def persistent_load(self, place: int) -> Any:
        return self.hand.objects[place]


def _received(pipe: Any, parent: int) -> bytes:
    """The next message, or _END if the parent has gone: other processes that it forked may keep the pipe open."""
    try:
        while not pipe.poll(WATCH_SECONDS):
            if os.getppid() != parent:
                return _END
        return bytes(pipe.recv_bytes())
    except (EOFError, OSError):
        return _END


def _serve(specification: Specification, hand: _Hand, pipe: Any, stop: Any, parent: int) -> None:
    """A worker's life: a batch comes, its outcomes go. Signals to the whole group are for the parent to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    target = make_target(specification)
    while data := _received(pipe, parent):
        for number, settings in hand.loads(data):
            if stop.value:
                break
            pipe.send((number, run_one(target, settings)))
        pipe.send(None)  # the end of the batch


@dataclass
class _Worker:
    process: Any
    pipe: Any
    batch: Batch = field(default_factory=list)  # runs whose outcome has not come


class Workers:
    """A number of processes. They end with `with`. Raises Error 'sweep.workers' if the system starts no more of them."""

    batch_seconds = 0.1
    reads_in_place = True

    def __init__(self, specification: Specification, count: int) -> None:
        # A forked worker has all modules loaded, and functions that cannot be pickled.
        self.context = multiprocessing.get_context("fork")
        self.specification = specification
        self.hand = _Hand(specification)
        self.stop_flag = self.context.RawValue("b", 0)
        self.count = count
        self.parent = os.getpid()
        self.workers: list[_Worker] = []
        try:
            for _ in range(count):
                self._start()
        except BaseException:
            self._end()
            raise

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._end()

    def _end(self) -> None:
        for worker in self.workers:
            if worker.batch:
                worker.process.kill()
            else:
                with suppress(OSError):  # it has died
                    worker.pipe.send_bytes(_END)
            worker.pipe.close()
        until = time.monotonic() + END_SECONDS
        for worker in self.workers:
            # join() with a timeout waits for the end of a pipe, which other forked processes may have, too.
            while worker.process.exitcode is None and time.monotonic() < until:
                time.sleep(0.001)
            worker.process.kill()
            worker.process.join()

    def _start(self) -> None:
        try:
            ours, theirs = self.context.Pipe()
            process = self.context.Process(target=self._main, args=(ours, theirs), daemon=True)
            process.start()
        except OSError as error:
            refuse("sweep.workers", f"only {len(self.workers)} of {self.count} processes could be started: {error.strerror}; "
                                    "give -j (workers=) a smaller number")
        theirs.close()
        self.workers.append(_Worker(process, ours))

    def _main(self, ours: Any, theirs: Any) -> None:
        ours.close()
        for other in self.workers:  # so that each pipe ends with its parent, at once if no other process has it
            other.pipe.close()
        _serve(self.specification, self.hand, theirs, self.stop_flag, self.parent)
        os._exit(0)

    @property
    def idle(self) -> int:
        """How many have no work."""
        return sum(not worker.batch for worker in self.workers)

    @property
    def busy(self) -> bool:
        """Whether any has work."""
        return any(worker.batch for worker in self.workers)

    def hand_out(self, batch: Batch) -> None:
        """Gives a batch to an idle worker."""
        worker = next(worker for worker in self.workers if not worker.batch)
        worker.batch = list(batch)
        try:
            worker.pipe.send_bytes(self.hand.dumps(batch))
        except (BrokenPipeError, ConnectionResetError):
            pass  # it died while idle: outcomes() finds that, and nothing has begun

    def stop(self) -> None:
        """Lets each worker end after the run that it is at."""
        self.stop_flag.value = 1

    def outcomes(self, timeout: float) -> Iterator[tuple[int, Optional[Outcome]]]:
        """Outcomes that have come, by number, after a wait for the first. None: this run has not begun and must be handed out again."""
        by_pipe = {worker.pipe: worker for worker in self.workers if worker.batch}
        ready = multiprocessing.connection.wait(list(by_pipe), timeout)
        if not ready:
            yield from self._without_word(list(by_pipe.values()))
        for pipe in ready:
            worker = by_pipe[pipe]
            try:
                while worker.batch and worker.pipe.poll():
                    told = worker.pipe.recv()
                    if told is None:  # stopped: the rest has not begun
                        for number, _ in worker.batch:
                            yield number, None
                        worker.batch = []
                        break
                    number, outcome = told
                    assert worker.batch[0][0] == number
                    worker.batch.pop(0)
                    yield number, outcome
                    if not worker.batch:
                        worker.pipe.recv()  # the end of the batch
            except (EOFError, ConnectionResetError, OSError):
                yield from self._replace(worker)

    def _without_word(self, workers: list[_Worker]) -> Iterator[tuple[int, Optional[Outcome]]]:
        """Replaces workers that have died while another process, such as a child of a run, keeps their pipe open."""
        for worker in workers:
            if worker.process.exitcode is not None and not worker.pipe.poll():
                yield from self._replace(worker)

    def _replace(self, dead: _Worker) -> Iterator[tuple[int, Optional[Outcome]]]:
        dead.process.join()
        dead.pipe.close()
        self.workers.remove(dead)
        outcome = lost(dead.process.exitcode)
        for place, (number, _) in enumerate(dead.batch):
            yield number, outcome if place == 0 else None
        self._start()
