# SPDX-License-Identifier: Apache-2.0
"""A command under valgrind's callgrind, for the scripts that count machine instructions. valgrind has no AVX-512, so that units work with AVX2."""

import subprocess
import sys
import tempfile


def profiled(words, folder=None, options=()):
    """Runs the command in the folder, callgrind with these options; a bad status ends the script. Returns callgrind's profile and what the
    command printed."""
    with tempfile.NamedTemporaryFile() as out:
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", *options, *words], cwd=folder,
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(words)}: status {done.returncode}\n{done.stdout}{done.stderr}")
        with open(out.name, errors="replace") as profile:
            return profile.read(), done.stdout
