# SPDX-License-Identifier: Apache-2.0
"""The summary of a sweep."""

import os
import signal

import numpy as np
import pytest

import tessera
from sweeps import folder, sweep_of  # noqa: F401
from tessera.sweeps.summary import summary


def test_the_summary_has_rows_front_failures_and_what_seeds_change(folder):
    def run(seed, size):
        if size == 3:
            raise ValueError("three")
        return {"cycles": size, "error_rms": 4 - size, "result": np.array([seed * (size == 2)])}

    text = summary(tessera.sweep({"python": run, "axes": {"seed": [1, 2], "size": [1, 2, 3]}}, results=folder / "r.sqlite", workers=0))
    lines = text.splitlines()
    assert lines[0].endswith("6 runs, 4 good, 2 error; rows in " + str(folder / "r.sqlite"))
    assert lines[1].split() == ["seed", "size", "cycles", "error_rms", "status"]
    assert [line.split() for line in lines[2:5]] == [["1", "1", "1", "3", "good"], ["1", "2", "2", "2", "good"], ["1", "3", "ValueError"]]
    front = lines.index("no other run has both fewer cycles and less error_rms:")
    assert [line.split() for line in lines[front + 2:front + 4]] == [["1", "1", "1", "3"], ["1", "2", "2", "2"]]
    assert "seed: the end state depends on it, in 1 of 3 configurations of the other axes" in lines
    failure = next(place for place, line in enumerate(lines) if line.startswith("error, 2 times: three ("))
    assert lines[failure + 1] == "  first with seed = 1, size = 3"


def test_a_run_that_was_refused_has_no_end_state(folder):
    def run(seed):
        if seed == 1:
            raise ValueError("no")
        return {"result": np.array([0])}

    results = tessera.sweep({"python": run, "axes": {"seed": [1, 2]}}, results=folder / "r.sqlite", workers=0)
    assert "depend" not in summary(results)


def of_seed(seed, size):
    """Size 0 ends its process, size 1 gives the same for each seed, size 2 does not."""
    if size == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"result": np.array([seed * (size == 2)])}


@pytest.mark.parametrize("seeds, sizes, told", [
    ([1, 2], [0], None), ([1], [1], None), ([1, 2], [1], "seed: the end state does not depend on it"),
    ([1, 2], [0, 1], "seed: the end state does not depend on it, in 1 of 2 configurations of the other axes"),
    ([1, 2], [0, 1, 2], "seed: the end state depends on it, in 1 of 3 configurations of the other axes")])
def test_what_seeds_change_is_told_of_end_states_alone(folder, seeds, sizes, told):
    results = tessera.sweep({"python": of_seed, "axes": {"seed": seeds, "size": sizes}}, results=folder / "r.sqlite", workers=1)
    assert [line for line in summary(results).splitlines() if line.startswith("seed: ")] == ([told] if told else [])


def test_the_summary_shows_no_characters_that_a_terminal_obeys(folder):
    axes = {"text": ["\x1b[31mred", "two\nlines", "nul\0", "\u00e4"]}
    text = summary(tessera.sweep({"python": lambda text: {"m": 1}, "axes": axes}, results=folder / "r.sqlite", workers=0))
    assert all(line.isprintable() for line in text.splitlines())
    for shown in ("\\x1b[31mred", "two\\nlines", "nul\\x00", "\u00e4"):
        assert shown in text


def test_the_summary_of_many_rows_has_ranges(folder):
    text = summary(tessera.sweep(sweep_of(folder), workers=1))
    assert text.splitlines()[1].split() == ["measure", "least", "mean", "most"]
    assert text.splitlines()[2].split() == ["value", "0", "3283.5", "9801"]  # 328350 / 100
