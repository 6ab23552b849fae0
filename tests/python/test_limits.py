# SPDX-License-Identifier: Apache-2.0
"""timeout and max_memory of runs, and digests of chips."""

import numpy as np
import pytest

import tessera

LONG = ".thread math\n.mop 0 = 127\n.mop 1 = 127\n" + "".join(f".mop {i} = ttnop\n" for i in range(2, 9)) + ".repeat 1000000\nMOP mop_type=1\n.end\n"


@pytest.fixture(scope="module")
def program():
    return tessera.assemble(LONG, "blackhole")


@pytest.mark.parametrize("timing", ["silicon", "functional"])
@pytest.mark.parametrize("limit, code", [({"timeout": 0.2}, "limit.time"), ({"max_memory": 4096}, "limit.memory")])
def test_a_run_ends_at_its_limit(program, timing, limit, code):
    with pytest.raises(tessera.Fault) as raised:
        tessera.Core("blackhole").run(program, timing=timing, **limit)
    assert raised.value.code == code
    assert raised.value.run.fault.code == code


def test_a_run_in_steps_ends_at_its_limit(program):
    execution = tessera.Core("blackhole").start(program, timeout=0.2)
    execution.finish()
    assert execution.run.fault.code == "limit.time"


@pytest.mark.parametrize("timeout, given", [(10**400, "an int of 1329 bits"), (-10**400, "an int of 1329 bits"),
                                            (np.ones(2), "an array of float64 of shape (2,)"), ("1", "'1' (str)")])
def test_times_that_are_no_numbers(program, timeout, given):
    with pytest.raises(tessera.ArgumentError) as error:
        tessera.Core("blackhole").run(program, timeout=timeout)
    within = " within ±1.8e308" if isinstance(timeout, int) else ""
    assert error.value.message == f"Core.run(): argument 'timeout' takes a number or None{within}, not {given}"


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), 1e10])
def test_wrong_times_are_refused(program, timeout):
    with pytest.raises(ValueError, match="must be a number of seconds above 0 and at most 1e9"):
        tessera.Core("blackhole").run(program, timeout=timeout)


def test_no_memory_at_all_is_refused(program):
    core, chip = tessera.Core("blackhole"), tessera.Chip("blackhole", grid=(1, 1))
    for call in (lambda: core.run(program, max_memory=0), lambda: core.start(program, max_memory=0), lambda: chip.run(max_memory=0)):
        with pytest.raises(tessera.InputError, match="max_memory is 0, and must be a number of bytes above 0"):
            call()


def test_the_digest_of_a_chip_changes_with_its_tiles_and_dram():
    chip = tessera.Chip("blackhole", grid=(2, 1))
    digests = [chip.digest()]
    chip.tile(1, 0)
    assert chip.digest() == digests[0]
    chip.tile(1, 0).write_l1(0x1000, b"\x01")
    digests.append(chip.digest())
    chip.dram[3].write(0, b"\x01")
    digests.append(chip.digest())
    assert len(set(digests)) == 3
    assert all(len(digest) == 16 for digest in digests)
