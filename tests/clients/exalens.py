# SPDX-License-Identifier: Apache-2.0
"""tt-exalens debugs kernels on a drop-in library. Usage: exalens.py LIBRARY KERNEL.elf; a line for each check."""

import sys

from ttexalens import tt_exalens_lib as lib
from ttexalens.coordinate import OnChipCoordinate
from ttexalens.tt_exalens_init import init_ttexalens

QUESTION, ANSWER = 0x10000, 0x10004
CORES = ("brisc", "trisc0", "trisc1", "trisc2")
A0, A5 = 10, 15


def check(name, good):
    print(f"{'ok' if good else 'FAILED'} {name}")


def registers_and_memory(block):
    for name in CORES:
        core = block.get_risc_debug(name)
        with core.ensure_private_memory_access():
            core.write_gpr(A0, 0x12345678)
            local = core.get_data_private_memory().address.private_address
            core.debug_hardware.write_memory(local + 16, 0xCAFE)
            check(f"{name}: registers and local memory while it is halted",
                  core.is_halted() and core.read_gpr(A0) == 0x12345678 and core.debug_hardware.read_memory(local + 16) == 0xCAFE)


def kernel(location, block, path):
    lib.write_words_to_device(location, QUESTION, [0, 0])
    lib.run_elf(path, location, "brisc")
    core = block.get_risc_debug("brisc")
    check("brisc runs an ELF file", not core.is_in_reset() and not core.is_halted())

    def asks(question):
        lib.write_words_to_device(location, QUESTION, [question])
        for _ in range(100):
            if lib.read_word_from_device(location, QUESTION) == 0:
                break
        return lib.read_word_from_device(location, ANSWER)

    check("its answer", asks(21) == 42)
    core.halt()
    check("no answer while it is halted", asks(33) == 42)
    stack = lib.callstack(location, path, risc_name="brisc")
    check("its call stack names main", any(entry.function_name == "main" for entry in stack))
    core.cont()
    check("it goes on", asks(0) == 66)
    elf = lib.parse_elf(path, location.context)
    core.halt()
    core.debug_hardware.set_watchpoint_on_memory_write(0, ANSWER)
    core.cont()
    lib.write_words_to_device(location, QUESTION, [50])
    lib.read_word_from_device(location, ANSWER)
    check("a watchpoint at the answer", core.is_halted() and core.read_status().is_memory_watchpoint_hit)
    core.debug_hardware.disable_watchpoint(0)
    core.cont()
    check("behind it", asks(0) == 100 and elf is not None)
    core.set_reset_signal(True)
    check("reset", core.is_in_reset())


def main():
    context = init_ttexalens(simulation_directory=sys.argv[1], noc_id=0)
    location = OnChipCoordinate.create("0,0", context.devices[0])
    block = context.devices[0].get_block(location)
    registers_and_memory(block)
    kernel(location, block, sys.argv[2])


main()
