# SPDX-License-Identifier: Apache-2.0
"""The copy of the sources that scripts/mutate changes: its build, and its tests in an order that sees a change early."""

import atexit
import collections
import fcntl
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EARLY_SECONDS = 20  # of suites that are near the changed file
SLOW_SECONDS = 1.0  # a test that takes longer comes last
# What ./test --full runs beside the test program and the golden cases, and is quick: side by side, each in turn. Survivors meet it last.
LAST = (
    ("/usr/bin/python3 -B -m pytest -q -x",),
    ("examples/kernels/run", "examples/kernels/mistakes/run", "scripts/check_tutorial"),
    ("scripts/check_explained", "scripts/golden_findings --check", "examples/chip/mistakes/run", "scripts/check_commands"),
)
TEST = re.compile(r"^\s*(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP)\((\w+),\s*(\w+)", re.MULTILINE)


class Refused(Exception):
    """The check cannot go on; the text says why."""


def limited():
    """In a child: a session of its own, which can be ended as a whole, and 8 GB at most."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Process:
    """A command with its output in a file."""

    def __init__(self, command, folder, output, environment):
        self.output = output
        with output.open("wb") as file:
            self.child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                                          env=environment, preexec_fn=limited)

    def end(self):
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.child.wait()

    def text(self):
        return self.output.read_text(errors="replace")


def first_bad(processes, seconds):
    """Waits until all have ended well (None), or one badly or too late: then that one. Ends all."""
    until = time.monotonic() + seconds
    try:
        while True:
            running = [each for each in processes if each.child.poll() is None]
            bad = [each for each in processes if each.child.returncode not in (0, None)]
            if bad or (running and time.monotonic() > until):
                return (bad or running)[0]
            if not running:
                return None
            time.sleep(0.05)
    finally:
        for each in processes:
            each.end()


class Copy:
    """The copy of HEAD, its build, and its tests."""

    def __init__(self, folder, jobs):
        self.folder, self.tree, self.jobs = folder, folder / "tree", jobs
        self.build = self.tree / "build"
        self.lock = open(folder / "lock", "w", encoding="utf-8")  # held as long as this process lives
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(f"another run uses {folder}; --folder names one of its own") from None
        self.temporary = Path(tempfile.mkdtemp(prefix="tessera-mutate-"))  # short, as sockets need it
        atexit.register(shutil.rmtree, self.temporary, ignore_errors=True)
        self.environment = dict(os.environ, CCACHE_BASEDIR=str(self.tree), CCACHE_NOHASHDIR="1", TMPDIR=str(self.temporary))
        self.commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
        # What is measured holds as long as these are the same.
        trees = subprocess.run(["git", "rev-parse", *(f"HEAD:{path}" for path in ("src", "tests", "include", "examples", "cmake", "CMakeLists.txt"))],
                               cwd=ROOT, check=True, capture_output=True, text=True).stdout
        self.sources = hashlib.sha256(trees.encode()).hexdigest()[:16]
        self.extract()
        subprocess.run(["git", "init", "-q", self.tree], check=True)  # scripts ask git for the tree's files

    def extract(self):
        """Writes only what differs, so that little is compiled again."""
        self.tree.mkdir(parents=True, exist_ok=True)
        fresh = self.folder / "fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        archive = subprocess.Popen(["git", "archive", self.commit], cwd=ROOT, stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-m"], cwd=fresh, stdin=archive.stdout, check=True)
        if archive.wait():
            raise Refused("git archive failed")
        for path in self.tree.rglob("*"):
            relative = path.relative_to(self.tree)
            if relative.parts[0] != "build" and path.is_file() and not (fresh / relative).is_file():
                path.unlink()
        for path in fresh.rglob("*"):
            target = self.tree / path.relative_to(fresh)
            if path.is_dir():
                target.mkdir(exist_ok=True)
            elif not target.is_file() or target.read_bytes() != path.read_bytes():
                shutil.copy(path, target)
        shutil.rmtree(fresh)

    def prepare(self):
        """Builds it unchanged, and measures its tests: they have to pass."""
        launcher = self.folder / "launcher"
        # A mutant may leave a variable unused, which is no error of it.
        launcher.write_text('#!/bin/sh\nexec "%s" "$@" ${TESSERA_MUTANT:+-w}\n' % (self.tree / "cmake/compiler_cache"))
        launcher.chmod(0o755)
        ccache = shutil.which("ccache") or "/usr/bin/env"
        command = ["cmake", "--preset", "default", f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher};{ccache}", "-DTESSERA_PYTHON=ON",
                   "-DTESSERA_BENCH=ON", "-DBUILD_TESTING=ON"]
        for step in (command, ["ninja", "-C", self.build, f"-j{self.jobs}", "tessera_tests", "tessera_python"], ["scripts/unpack_golden"]):
            done = subprocess.run(step, cwd=self.tree, env=self.environment, capture_output=True, text=True)
            if done.returncode:
                raise Refused(f"the unchanged copy does not build:\n{(done.stdout + done.stderr)[-2000:]}")
        self.objects = self.objects_of_files()
        # Whatever uses a precompiled header is compiled again with it.
        self.precompiled = {path for path, objects in self.objects.items() if any(name.endswith(".gch") for name in objects)}
        measured = self.folder / "times.json"
        if not measured.exists() or json.loads(measured.read_text()).get("sources") != self.sources:
            times, golden = self.measure()
            last = self.measure_last()
            measured.write_text(json.dumps({"sources": self.sources, "tests": times, "golden": golden, "last": last}))
        told = json.loads(measured.read_text())
        self.times, self.golden_seconds, self.last_measured = told["tests"], told["golden"], told["last"]
        self.full_names = collections.defaultdict(list)  # by the name without parameters: Archs/Mop.Nests/wormhole, Lanes/0.Add
        for full in self.times:
            suite, name = full.split(".", 1)
            suite = [part for part in suite.split("/") if not part.isdigit()][-1]
            self.full_names[f"{suite}.{name.split('/')[0]}"].append(full)

    def objects_of_files(self):
        """For each source file the objects that read it."""
        told = subprocess.run(["ninja", "-C", self.build, "-t", "deps"], capture_output=True, text=True, check=True).stdout
        objects = collections.defaultdict(set)
        for line in told.splitlines():
            if line and not line.startswith(" "):
                name = line.split(": #deps")[0]
            elif line.strip():
                path = Path(os.path.normpath(self.build / line.strip()))
                if path.is_relative_to(self.tree):
                    objects[str(path.relative_to(self.tree))].add(name)
        return objects

    def measure(self):
        """Seconds of each test that passes, and of the golden cases. Tests that fail unchanged (for want of a network, say) are left out."""
        self.fresh_temporary()
        reports = [self.folder / f"shard-{number}.json" for number in range(self.jobs)]
        shards = [self.tests([], self.folder / "shard", number, [f"--gtest_output=json:{report}"], fail_fast=False)
                  for number, report in enumerate(reports)]
        for shard in shards:
            shard.child.wait(3600)
            shard.end()
        times = {}
        for shard, report in zip(shards, reports):
            if shard.child.returncode not in (0, 1):
                raise Refused(f"the unchanged copy fails: {self.who(shard)}")
            for suite in json.loads(report.read_text())["testsuites"]:
                for test in suite["testsuite"]:
                    name = f"{suite['name']}.{test['name']}"
                    if test.get("failures"):
                        print(f"left out, as it fails unchanged: {name}", flush=True)
                    elif test.get("result") != "SKIPPED":
                        times[name] = float(test["time"][:-1])
        began = time.monotonic()
        bad = first_bad(self.golden(), 3600)
        if bad:
            raise Refused(f"the unchanged copy fails: golden cases\n{bad.text()[-1000:]}")
        return times, time.monotonic() - began

    def fresh_temporary(self):
        shutil.rmtree(self.temporary, ignore_errors=True)
        self.temporary.mkdir()

    def tests(self, names, prefix, shard=0, more=(), fail_fast=True):
        """The test program with these tests, or all."""
        more = [*more, *(["--gtest_fail_fast"] if fail_fast else [])]
        flags = self.folder / f"tests-{shard}.flags"
        flags.write_text("--gtest_filter=" + (":".join(names) or "*") + "\n")
        environment = dict(self.environment, GTEST_TOTAL_SHARDS=str(self.jobs), GTEST_SHARD_INDEX=str(shard))
        return Process([self.build / "tessera_tests", f"--gtest_flagfile={flags}", *more], self.tree,
                       Path(f"{prefix}-{shard}.txt"), environment)

    def golden(self):
        command = [self.build / "tessera", "check", "--not-yet", "tests/golden/not-yet.txt"]
        return [Process([*command, *options, "build/golden"], self.tree, self.folder / f"golden{''.join(options)}.txt", self.environment)
                for options in ([], ["--reference"])]

    def last(self, rows=LAST):
        return [Process(["bash", "-c", " && ".join(f"echo '{one}' && {one}" for one in row)], self.tree, self.folder / f"last-{number}.txt",
                        self.environment) for number, row in enumerate(rows)]

    def measure_last(self):
        """Seconds of LAST, and its rows without those that fail unchanged (for want of a compiler for the cores, say)."""
        rows = list(LAST)
        while True:
            began = time.monotonic()
            bad = first_bad(self.last(rows), 3600)
            if not bad:
                return time.monotonic() - began, rows
            failed = self.who(bad)
            print(f"left out, as it fails unchanged: {failed}\n{bad.text()[-300:]}", flush=True)
            rows = [left for row in rows if (left := [one for one in row if one != failed])]

    def who(self, process):
        """The test that a process ended in."""
        text = process.text()
        begun_last = re.findall(rf"^({'|'.join(re.escape(one) for row in LAST for one in row)})$", text, re.MULTILINE)
        if begun_last:
            return begun_last[-1]
        failed = re.search(r"^\[  FAILED  \] ([\w./]+)(?: \(|,|$)", text, re.MULTILINE)
        if failed:
            return failed[1]
        begun = re.findall(r"^\[ RUN      \] (\S+)", text, re.MULTILINE)
        if begun:
            return f"{begun[-1]} ({'did not end' if process.child.returncode == -signal.SIGKILL else 'crashed'})"
        wrong = re.search(r"^(?:FAILED|failed|FAIL)\s.*|^.*\bfailed$", text, re.MULTILINE)
        return "golden case: " + (wrong[0] if wrong else text[-200:]).strip()

    def suites_near(self, path, seen_by):
        """Names of tests, nearest to a changed file first: those that saw a change there, of files that include it, that have its name's
        words, that include from its room."""
        room = path.split("/")[1]
        header = re.sub(r"^src/|\.cpp$|\.hpp$|-inl\.hpp$", "", path)
        words = {word[:6] for word in re.findall(r"[a-z0-9]{3,}", path.removeprefix("src/").rsplit(".", 1)[0])}
        scores = collections.Counter()
        for source in (self.tree / "tests").glob("*_test.cpp"):
            text = source.read_text()
            score = 6 * (f'"{header}.hpp"' in text) + 2 * (f'#include "{room}/' in text)
            score += 3 * len(words & {word[:6] for word in re.findall(r"[a-z0-9]{3,}", source.stem)})
            if score:
                for suite, name in TEST.findall(text):
                    for full in self.full_names[f"{suite}.{name}"]:
                        scores[full] = score
        for name, count in seen_by.items():
            if name in self.times:
                scores[name] += 8 + count
        near, seconds = [], 0
        for name, _ in sorted(scores.items(), key=lambda each: (-each[1], self.times.get(each[0], 0), each[0])):
            took = self.times.get(name)
            if took is not None and seconds + took <= EARLY_SECONDS:
                near.append(name)
                seconds += took
        return near

    def seen(self, path, seen_by, only_near):
        """The first test that fails, or None."""
        self.fresh_temporary()
        near = self.suites_near(path, seen_by)
        rest = [name for name in self.times if name not in set(near)]
        quick = [name for name in rest if self.times[name] < SLOW_SECONDS]
        slow = [name for name in rest if self.times[name] >= SLOW_SECONDS]
        for names in (near,) if only_near else (near, quick, slow):
            if not names:
                continue
            limit = 60 + 4 * sum(self.times[name] for name in names)
            bad = first_bad([self.tests(names, self.folder / "seen", shard) for shard in range(self.jobs)], limit)
            if bad:
                return self.who(bad)
        bad = first_bad(self.golden(), 60 + 4 * self.golden_seconds)
        seconds, rows = self.last_measured
        if not bad and not only_near and rows:
            self.compile(["tessera_python"], True)
            bad = first_bad(self.last(rows), 60 + 4 * seconds)
        return self.who(bad) if bad else None

    def compile(self, targets, changed):
        environment = dict(self.environment, **({"TESSERA_MUTANT": "1"} if changed else {}))
        done = subprocess.run(["ninja", "-C", self.build, f"-j{self.jobs}", *targets], env=environment, capture_output=True, text=True)
        return done.returncode == 0

    def try_out(self, site, seen_by, only_near):
        """Outcome, test and seconds of one mutant. The file is as before afterwards, and so are its objects."""
        path = self.tree / site.path
        text = path.read_text()
        lines = text.split("\n")
        lines[site.line - 1] = site.after
        began = time.monotonic()
        try:
            path.write_text("\n".join(lines))
            compiled = self.compile(["tessera_tests"], True)
            built = time.monotonic()
            by = self.seen(site.path, seen_by, only_near) if compiled else None
        finally:
            path.write_text(text)
            self.compile(sorted(self.objects[site.path]), False)
        outcome = "did not compile" if not compiled else "seen" if by else "unseen" if only_near else "survived"
        return {"outcome": outcome, "by": by, "build_seconds": round(built - began, 1), "seconds": round(time.monotonic() - began, 1)}
