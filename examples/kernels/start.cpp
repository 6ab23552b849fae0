// SPDX-License-Identifier: Apache-2.0
// Start of every core: sets registers and local memory, calls kernel_main(), and stores a word when it is done.
#include "layout.hpp"
#include "memory.hpp"

void kernel_main();

extern "C" {

// Addresses from the linker scripts.
extern const std::uint32_t data_load[];
extern std::uint32_t data_begin[], data_end[], bss_begin[], bss_end[];
extern const char core_number[];

[[noreturn, gnu::used]] void run() {
    const std::uint32_t* from = data_load;
    for (std::uint32_t* to = data_begin; to != data_end; ++to) *to = *from++;
    for (std::uint32_t* to = bss_begin; to != bss_end; ++to) *to = 0;
    kernel_main();
    kernel::at(kernel::layout::status + 4 * reinterpret_cast<std::uint32_t>(core_number)) = kernel::done;
    for (;;) asm volatile("");
}

[[noreturn, gnu::naked, gnu::section(".start")]] void _start() {
    asm volatile(
        ".option push\n"
        ".option norelax\n"
        "la gp, __global_pointer$\n"
        ".option pop\n"
        "la sp, stack_top\n"
        "j run\n");
}
}
