# SPDX-License-Identifier: Apache-2.0
"""The process that does runs on a worker of a cluster: `python3 -m tessera.sweeps.serving DESCRIPTOR`, started by remote.py.

Runs have a process of their own there, so that a run that crashes costs no worker, and modules and memory go with the sweep.
"""

from __future__ import annotations

import os
import pickle
import queue
import shutil
import signal
import sys
import tempfile
import threading
from multiprocessing.connection import Connection
from typing import Any

from tessera.sweeps.packing import Moved
from tessera.sweeps.targets import make_target
from tessera.sweeps.workers import run_one


def _receive(pipe: Connection, orders: queue.SimpleQueue[Any], folder: str) -> None:
    """Ends the process as soon as the worker is gone, and removes what it has left."""
    while True:
        try:
            orders.put(pipe.recv())
        except (EOFError, OSError):
            shutil.rmtree(folder, ignore_errors=True)
            os._exit(0)


def main() -> None:
    """Reads the sweep, answers '' or why it cannot be done, then an outcome for each settings that come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipe: Connection = Connection(int(sys.argv[1]))
    specification, root, folder, files = pipe.recv()
    tempfile.tempdir = folder
    orders: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(pipe, orders, folder), daemon=True).start()
    moved = Moved(root, folder, files)
    try:
        specification = moved.specification(pickle.loads(specification))
        os.chdir(specification.folder)
        target = make_target(specification)
    except Exception as error:
        pipe.send(moved.message(f"{type(error).__name__}: {error}"))
        return
    pipe.send("")
    while True:
        outcome = run_one(target, moved.settings(orders.get()))
        outcome.message = moved.message(outcome.message)
        pipe.send(outcome)


if __name__ == "__main__":
    main()
