// SPDX-License-Identifier: Apache-2.0
// Sync unit: mutexes, semaphores and the latched waits.
// One row per instruction and encoding: name, opcode, architectures, unit, meaning, operands from the highest bit to
// the lowest, which is the order in which the vendor's objdump prints them. An operand is {name, lowest bit, highest bit
// of its span, highest bit that means anything}. Facts from the vendor's public data; see NOTICE.
#pragma once

#include "isa/instruction_spec.hpp"

namespace tessera::isa::declarations {

inline constexpr InstructionSpec sync[] = {
    {"ATGETM", 0xA0, both, Unit::sync, "Acquire mutex", {{"mutex_index", 0, 23, 15}}},
    {"ATRELM", 0xA1, both, Unit::sync, "Release mutex", {{"mutex_index", 0, 23, 15}}},
    {"STALLWAIT", 0xA2, blackhole, Unit::sync, "Latch wait conditions / block mask", {{"stall_res", 15, 23}, {"wait_res", 0, 14, 12}}},
    {"STALLWAIT", 0xA2, wormhole, Unit::sync, "Latch wait conditions / block mask", {{"stall_res", 15, 23}, {"wait_res", 0, 14}}},
    {"SEMINIT", 0xA3, both, Unit::sync, "Set semaphore value and max", {{"max_value", 20, 23}, {"init_value", 16, 19}, {"sem_sel", 2, 15, 9}}},
    {"SEMPOST", 0xA4, both, Unit::sync, "Increment semaphore(s)", {{"sem_sel", 2, 23, 9}}},
    {"SEMGET", 0xA5, both, Unit::sync, "Decrement semaphore(s)", {{"sem_sel", 2, 23, 9}}},
    {"SEMWAIT", 0xA6, both, Unit::sync, "Wait on semaphore(s)", {{"stall_res", 15, 23}, {"sem_sel", 2, 14, 9}, {"wait_sem_cond", 0, 1}}},
    {"STREAMWAIT", 0xA7, blackhole, Unit::sync, "Wait on NoC overlay stream value", {{"stall_res", 15, 23}, {"target_value", 4, 14, 13}, {"target_sel", 3, 3}, {"wait_stream_sel", 0, 2, 1}}},
};

}  // namespace tessera::isa::declarations
