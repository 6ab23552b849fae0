// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/arch.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// One thing that a thread's RISC-V core does, in program order.
struct Op {
    enum class Kind : std::uint8_t {
        ins,       ///< push instruction word `value` (plain, not rotated) into the thread's FIFO
        cfg,       ///< store `value` to 32-bit word `index` of the backend configuration space
        gpr,       ///< store `value` to the thread's GPR `index` (0 to 63)
        mop,       ///< store `value` to the thread's MOP configuration word `index` (0 to 8)
        drain,     ///< wait until all that the thread has pushed is done
        sem_post,  ///< increment semaphore `index` (0 to 7), as a core's store of 0 does
        sem_get,   ///< decrement semaphore `index`, as a core's store of 1 does
        sem_wait,  ///< poll semaphore `index` until it is non-zero (value 0) or below its maximum (value 1)
    };
    static constexpr std::uint32_t until_nonzero = 0, until_below_max = 1;

    Kind kind = Kind::ins;
    std::uint16_t index = 0;
    std::uint32_t value = 0;
    std::int32_t line = 0;  ///< in the thread's source text; 0 when there is none

    friend bool operator==(const Op&, const Op&) = default;
};

/// What the three threads do. Configuration indices count 32-bit words from the base of the configuration space; bank 1
/// starts at 4 × CFG_STATE_SIZE (Blackhole 224, Wormhole 188).
struct Program {
    Arch arch = Arch::blackhole;
    std::array<std::vector<Op>, 3> threads;
    std::array<std::string, 3> files;  ///< where each thread's text came from; empty when it came from no file

    /// "file:line" of an op, or an empty text.
    std::string place(unsigned thread, std::size_t index) const;
};

/// Checks every op of a program: indices in range, values that have a meaning. Instruction words are not decoded here,
/// since an unknown opcode is a fault when it is reached, not a broken program. Error "program.op".
Result<void> validate(const Program& program);

}  // namespace tessera
