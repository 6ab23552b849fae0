// SPDX-License-Identifier: Apache-2.0
/// @file
/// Programs: the ops of the three threads.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/arch.hpp"
#include "tessera/error.hpp"

namespace tessera {

/// An act of a thread's RISC-V core.
struct Op {
    /// The kind of act.
    enum class Kind : std::uint8_t {
        ins,       ///< pushes instruction word `value` (plain, not rotated) into the thread's FIFO
        cfg,       ///< stores `value` to 32-bit word `index` of the backend configuration
        gpr,       ///< stores `value` to the thread's GPR `index` (0 to 63)
        mop,       ///< stores `value` to the thread's MOP configuration word `index` (0 to 8)
        drain,     ///< waits until everything that the thread has pushed is done
        sem_post,  ///< increments semaphore `index` (0 to 7), as a core's store of 0 does
        sem_get,   ///< decrements semaphore `index` (0 to 7), as a core's store of 1 does
        sem_wait,  ///< polls semaphore `index` (0 to 7) until the condition `value`: until_nonzero or until_below_max
    };
    static constexpr std::uint32_t until_nonzero = 0;    ///< condition of Kind::sem_wait: it is not 0
    static constexpr std::uint32_t until_below_max = 1;  ///< condition of Kind::sem_wait: it is below its maximum

    Kind kind = Kind::ins;    ///< the kind of act
    std::uint16_t index = 0;  ///< see Kind
    std::uint32_t value = 0;  ///< see Kind
    std::int32_t line = 0;    ///< in the thread's source text, from 1; 0: none

    friend bool operator==(const Op&, const Op&) = default;  ///< equal in every member
};

/// The ops of the three threads.
///
/// Configuration indices count 32-bit words from the base of the configuration space. Bank 1 starts at 4 × CFG_STATE_SIZE: 224 on
/// Blackhole, 188 on Wormhole.
struct Program {
    Arch arch = Arch::blackhole;              ///< the chip
    std::array<std::vector<Op>, 3> threads;   ///< T0 (unpack), T1 (math), T2 (pack), each in program order
    std::array<std::string, 3> files;         ///< the source file of each thread; empty if there is none

    /// "file:line" of an op; empty if unknown.
    std::string place(unsigned thread, std::size_t index) const;
};

/// Checks that indices are in range and values have a meaning. Error "program.op".
///
/// Instruction words are not decoded: an unknown opcode is a fault when it is reached.
Result<void> validate(const Program& program);

}  // namespace tessera
