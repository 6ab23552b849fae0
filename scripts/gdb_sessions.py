# SPDX-License-Identifier: Apache-2.0
"""Sessions of gdb-multiarch, and comparisons of what it says. For check_gdb and check_gdb_chip."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from comparing import Comparisons

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()
SECONDS = 120  # no session takes longer
CORES = ("brisc", "trisc0", "trisc1", "trisc2", "ncrisc")

comparisons = Comparisons()
compare = comparisons.compare


def contains(name, pattern, text):
    """Whether the pattern is in the text, whose blanks all count as one."""
    found = re.search(pattern, " ".join(text.split()))
    compare(name, True, bool(found) or text)
    return found


class Server:
    """`tessera gdb` at a free port, as long as it is needed."""

    def __init__(self, job, *options):
        self.process = subprocess.Popen([BUILD / "tessera", "gdb", job, "--port", "0", "--once", *options], cwd=ROOT,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)$", line.strip())[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def gdb(port, commands, setup=True, connect="tessera"):
    """What gdb prints on these commands, each behind a line of its own. `setup`: with the script of editors/gdb, by whose command `connect`."""
    lines = ["set pagination off", "set confirm off", "set width 0"]
    lines += ["source editors/gdb/tessera.gdb", f"{connect} :{port}"] if setup else [f"target remote :{port}"]
    for command in commands:
        lines += [f"echo (gdb) {command}\\n", command]
    with tempfile.NamedTemporaryFile("w", suffix=".gdb") as script:
        script.write("\n".join(lines) + "\n")
        script.flush()
        done = subprocess.run(["gdb-multiarch", "-nx", "-q", "-batch", "-x", script.name], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=SECONDS, check=False)
    return done.stdout.decode(errors="replace").replace(f"{ROOT}/", "")


def part(text, command, count=1):
    """What gdb answered to the command, when it came for the count-th time."""
    pieces = text.split(f"(gdb) {command}\n")
    return pieces[count].split("(gdb) ")[0] if len(pieces) > count else f"no answer: {text[-500:]}"


def line_of(path, text):
    """Number of the first line of a source file that has this text."""
    return next(number for number, line in enumerate(path.read_text().splitlines(), 1) if text in line)


def plain_cycles(job):
    """Of a run without a debugger."""
    report = subprocess.run([BUILD / "tessera", "run", job, "--no-output"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return int(re.search(r"^cycles +(\d+)$", report, re.M)[1])


class MachineInterface:
    """gdb with its machine interface, as an editor starts it."""

    def __init__(self):
        self.process = subprocess.Popen(["gdb-multiarch", "-nx", "-q", "--interpreter=mi"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, errors="replace")
        self.number = 1000

    def ask(self, command, stops=False):
        """The lines up to the result, or up to the next stop."""
        self.number += 1
        self.process.stdin.write(f"{self.number}{command}\n")
        self.process.stdin.flush()
        lines, answered = [], False
        while line := self.process.stdout.readline():
            lines.append(line.rstrip())
            answered = answered or line.startswith(f"{self.number}^")
            if answered and (not stops or line.startswith("*stopped") or f"{self.number}^error" in line):
                break
        return "\n".join(lines)

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=SECONDS)
