# SPDX-License-Identifier: Apache-2.0
"""Why nothing is told of a job without one of its waits: scripts/removed_waits_of_all asks."""

import json
import re
import subprocess
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HARDWARE = "hardware holds back"
PROGRAM = "order of issue"
HAND_OVER = "hand-over of a bank"
SEMAPHORE = "another semaphore"
WAIT = "another wait"
SEVERAL = "any of several"
NOTHING = "nothing depends on it"
KINDS = [HARDWARE, PROGRAM, HAND_OVER, SEMAPHORE, WAIT, SEVERAL, NOTHING]

THREADS = ["T0", "T1", "T2"]
CORES = ["brisc", "trisc0", "trisc1", "trisc2", "ncrisc"]
SEMAPHORES = range(8)

# Argument of --disregard, its kind, and the page's wording.
ORDERINGS = {
    "dst-block": (HARDWARE, "a written block of Dst is held back"),
    "scalar-hold": (HARDWARE, "the scalar unit holds its thread until the result is there"),
    "auto-sync": (HARDWARE, "Auto TTSync holds the instruction back"),
    "unit-order": (PROGRAM, "instructions of one unit are in order"),
    "distance": (PROGRAM, "three instructions lie between"),
    **{f"bank:{who}": (HAND_OVER, f"{who} waits for a bank that is handed over behind it") for who in THREADS},
    **{f"semaphore:{who}:{i}": (SEMAPHORE, f"{who} waits for semaphore {i}") for who in THREADS for i in SEMAPHORES},
    **{f"semaphore:{who}": (SEMAPHORE, f"{who} waits for a semaphore") for who in CORES},
    "mutex": (WAIT, "a thread takes a mutex"),
    "push": (WAIT, "a core knew it when it pushed what follows"),
    "word": (WAIT, "a core loads a word that tells it"),
    "read-back": (WAIT, "the core has read back what it stored"),
    **{f"drain:{who}": (WAIT, f"{who} waits until its thread is done") for who in CORES},
    **{f"unit-wait:{who}": (WAIT, f"{who} waits for the unit elsewhere") for who in THREADS},
    **{f"store-wait:{who}": (WAIT, f"{who} waits for its core's stores elsewhere") for who in THREADS},
}


def nothing_needs(name, following):
    """`following`: the next mutant."""
    if re.search(r"(clear_dvalid|SetDatValid)=", name):
        return "no access behind it waits for the bank"
    if re.search(r"(SEM|sem_?)(POST|GET|post|get)", name):
        return "no wait behind it depends on the semaphore's count"
    if "SEMWAIT" in name and "wait_sem_cond=2" in name:
        return "what it bounds does not fill: nothing posts the semaphore above its maximum"
    if ".drain" in name and "below_max" in following:
        return "the core's wait behind it waits for SEMINIT, too: before that a semaphore's maximum is 0"
    return "no access behind it meets what it waits for"


def without_order(line, names):
    """The rest of a line of assembly that waits, posts, gets or hands over; None for other lines. `names`: instructions that do."""
    if re.match(rf"\s*({names})\b", line):
        return "NOP"
    if re.match(r"\s*\.(sem_wait|sem_post|sem_get|drain)\b", line):
        return ""
    cut = re.sub(r" (clear_dvalid=[1-3]|SetDatValid=1)", "", line)
    return None if cut == line or line.lstrip().startswith("#") else cut


@dataclass
class Mutant:
    """Replaces bytes of a file by the same number of others."""

    name: str
    path: Path
    at: int
    rest: bytes


@contextmanager
def removed(*mutants):
    """Removes these waits from the files until the block ends."""
    whole = {one.path: one.path.read_bytes() for one in mutants}
    try:
        for one in mutants:
            text = bytearray(one.path.read_bytes())
            text[one.at : one.at + len(one.rest)] = one.rest
            one.path.write_bytes(text)
        yield
    finally:
        for path, text in whole.items():
            path.write_bytes(text)


class Reasons:
    """Finds reasons for one job's mutants."""

    def __init__(self, tessera, options, job, folder, mutants):
        self.command = [tessera, "run", job, "--json", "--no-output", *options]
        self.folder, self.mutants, self.known = folder, mutants, {}

    def of(self, mutant):
        """The kind of the reason, and a sentence."""
        alone = [one for one in ORDERINGS if self.needed(mutant, (), [one])]
        if alone:
            kind = min((ORDERINGS[one][0] for one in alone), key=KINDS.index)
            return kind, "; ".join(ORDERINGS[one][1] for one in alone)
        lines = [other.name for other in self.mutants if other is not mutant and self.needed(mutant, [other])]
        if lines:
            return WAIT, "so does " + ", or ".join(lines)
        if several := self.several(mutant):
            return SEVERAL, "; or ".join(ORDERINGS[one][1] for one in several)
        behind = self.mutants.index(mutant) + 1
        return NOTHING, nothing_needs(mutant.name, self.mutants[behind].name if behind < len(self.mutants) else "")

    def several(self, mutant):
        """The smallest set of orderings whose loss makes the mutant's wait necessary. All are of one thread: other threads must still be able to
        pass their vector clocks to it. The removed wait is itself an ordering, and has to stay."""
        of_hardware = [one for one, (kind, _) in ORDERINGS.items() if kind in (HARDWARE, PROGRAM)]
        for who in THREADS:
            own = [one for one in ORDERINGS if one.split(":")[1:2] == [who]]
            for stays in ["", *own]:
                left_out = [one for one in [*of_hardware, *own] if one != stays]
                if not self.needed(mutant, (), left_out):
                    continue
                for one in list(left_out):
                    fewer = [other for other in left_out if other != one]
                    if self.needed(mutant, (), fewer):
                        left_out = fewer
                return left_out
        return []

    def needed(self, mutant, beside, orderings=()):
        """True if removing the mutant's wait adds findings when those other orderings are missing, too."""
        with_it, without = self.told(beside, orderings), self.told([mutant, *beside], orderings)
        return with_it is not None and without is not None and any(without[key] > with_it[key] for key in without)

    def told(self, mutants, orderings):
        """Counts of findings by code, thread and instruction, or a fault; None if the job is rejected."""
        key = tuple(one.name for one in mutants), tuple(orderings)
        if key not in self.known:
            with removed(*mutants):
                self.known[key] = self.run(orderings)
        return self.known[key]

    def run(self, orderings):
        options = [word for ordering in orderings for word in ("--disregard", ordering)]
        done = subprocess.run([*self.command, *options], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False)
        if done.returncode == 2:
            return None
        report = json.loads(done.stdout)
        told = Counter()
        for one in report["findings"]:
            if one["level"] != "info":
                # The mutant may be an instruction without its hand-over.
                instruction = re.sub(r" (clear_dvalid|SetDatValid)=\w+", "", one.get("instruction") or "")
                told[one["code"], one.get("thread"), instruction] += one["count"]
        if report["fault"]:
            told[report["fault"]["code"], None, ""] += 1
        return told
