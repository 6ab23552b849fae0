# SPDX-License-Identifier: Apache-2.0
"""`tessera … | head` ends quietly, also where the program's parent ignores SIGPIPE: the wheel starts it from Python, which does."""

import os
import signal
import subprocess
from pathlib import Path

import tessera

CLI = Path(tessera.__file__).parents[2] / "tessera"


def test_a_reader_that_has_gone_is_no_error():
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([CLI, "isa", "MVMUL"], stdout=write, stderr=subprocess.PIPE, text=True, restore_signals=False, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, "")
