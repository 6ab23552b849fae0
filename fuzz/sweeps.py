#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Fuzzes sweep files: mutated texts are read and planned, and each error is a tessera.Error with a code.

    sweeps.py SECONDS [NUMBER]     NUMBER selects the run
    sweeps.py --times N
    sweeps.py FILE...

An input that raises anything else is left in ./crash-NUMBER, and the exit status is 1. The module tessera comes from PYTHONPATH.
"""

import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback

import tessera
from tessera.sweeps.plan import Plan
from tessera.sweeps.specification import read_specification

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS_FOR_AN_INPUT = 60
LONGEST = 8192
PIECES = [b"[axes]\n", b"[values]\n", b"[[axes.x]]\n", b"= [1, 2]\n", b'"Float16_b"', b"= { from = 0, to = 1e9, step = 1 }\n", b"{ random = \"normal\", shape = [64, 64] }",
          b"{ files = \"*.npy\" }", b"{ range = [0, 10] }", b"-1", b"9223372036854775808", b"1e400", b"nan", b"[[", b"]]", b"job = \"job.toml\"\n", b"function = \"matmul\"\n",
          b"seed = ", b"timing = ", b"output = 0\n", b"reference = \"numpy:matmul\"\n", b"\xff", b"\x00", b"\"\"\"", b"[report]\n"]


def seeds():
    kept = ROOT / "fuzz" / "corpus" / "sweeps"
    paths = [*sorted((ROOT / "examples" / "sweeps").glob("*.toml")), *(sorted(kept.iterdir()) if kept.is_dir() else [])]
    return [path.read_bytes() for path in paths]


def mutated(pool, choice):
    text = bytearray(choice.choice(pool))
    for _ in range(choice.randint(1, 6)):
        at = choice.randrange(len(text) + 1)
        how = choice.randrange(6)
        if how == 0:
            text[at:at] = choice.choice(PIECES)
        elif how == 1:
            del text[at:at + choice.randrange(12)]
        elif how == 2:
            other = choice.choice(pool)
            begin = choice.randrange(len(other) + 1)
            text[at:at] = other[begin:begin + choice.randrange(48)]
        elif how == 3:
            lines = text.split(b"\n")
            choice.shuffle(lines)
            text = bytearray(b"\n".join(lines))
        elif at < len(text):
            text[at] = choice.randrange(256) if how == 4 else text[at] ^ 1 << choice.randrange(8)
    return bytes(text[:LONGEST])


def run(text, path):
    path.write_bytes(text)
    try:
        Plan(read_specification(path))
    except tessera.Error as error:
        assert error.code and error.message, "an error has a code and a text"


def too_long(*_):
    raise TimeoutError(f"an input takes more than {SECONDS_FOR_AN_INPUT} s")


def fuzz(more, number):
    choice = random.Random(number)
    pool = seeds()
    started, tried = len(pool), 0
    signal.signal(signal.SIGALRM, too_long)
    with tempfile.TemporaryDirectory() as folder:
        for path in (ROOT / "examples" / "sweeps").iterdir():
            if path.is_file():
                shutil.copy(path, folder)
        while more(tried):
            text = pool[tried] if tried < started else mutated(pool, choice)
            signal.alarm(SECONDS_FOR_AN_INPUT)
            try:
                run(text, pathlib.Path(folder) / "fuzz.toml")
            except BaseException:  # of any kind: the input is kept
                traceback.print_exc()
                pathlib.Path(f"crash-{number}").write_bytes(text)
                print(f"the input is in crash-{number}", file=sys.stderr)
                return 1
            finally:
                signal.alarm(0)
            if choice.randrange(32) == 0 and len(pool) < 4096:
                pool.append(text)
            tried += 1
    print(f"{tried} inputs, none found")
    return 0


def main(arguments):
    if arguments[:1] == ["--times"]:
        times = int(arguments[1])
        return fuzz(lambda tried: tried < times, 1)
    if arguments and os.path.exists(arguments[0]):
        with tempfile.TemporaryDirectory() as folder:
            for path in arguments:
                run(pathlib.Path(path).read_bytes(), pathlib.Path(folder) / "fuzz.toml")
                print(f"{path}: fine")
        return 0
    seconds, number = float(arguments[0]) if arguments else 10, int(arguments[1]) if len(arguments) > 1 else 1
    stop = time.monotonic() + seconds
    return fuzz(lambda _: time.monotonic() < stop, number)


sys.exit(main(sys.argv[1:]))
