// SPDX-License-Identifier: Apache-2.0
// Interface of a hart to everything except its registers, its local memory and L1.
#pragma once

#include <cstdint>
#include <span>

#include "findings/catalogue.hpp"

namespace tessera::riscv {

using Cycle = std::uint64_t;

/// A load, store or atomic, at the cycle in which it is processed.
struct Access {
    std::uint32_t address = 0;  ///< a multiple of `bytes`
    std::uint8_t bytes = 4;     ///< 1, 2 or 4
    std::uint32_t pc = 0;       ///< of the instruction
    Cycle at = 0;
};

/// Result of an access. Without padding between its members, it is returned in a register without a detour through memory.
struct Response {
    enum class Kind : std::uint8_t {
        done,
        wait,  ///< not possible yet: the hart stops before the instruction and retries in its next turn
        stop,  ///< the run has ended; the fault has been reported
    };
    std::uint32_t value = 0;    ///< of a load: the bytes, in the lowest bits
    std::uint16_t latency = 2;  ///< of a load: cycles until its value can be used
    Kind kind = Kind::done;
    /// Of a load: repeating it would show the same, and change nothing, unless Turn::devices has changed.
    bool steady = false;
};
static_assert(sizeof(Response) == 8);

class Bus {
public:
    virtual ~Bus() = default;

    virtual Response load(const Access& access) = 0;
    virtual Response store(const Access& access, std::uint32_t value) = 0;
    /// Pushes instruction words of the coprocessor, fused ones at once (.ttinsn).
    virtual Response push(std::span<const std::uint32_t> words, std::uint32_t pc, Cycle at) = 0;
    /// The value of a CSR that shows the coprocessor's activity (tt_cfg_qstatus or tt_cfg_bstatus).
    virtual std::uint32_t status_csr(unsigned number, Cycle at) = 0;
    /// Called after a load from L1 or a store to it (Hart::report_l1).
    virtual void loaded_l1(const Access&) {}
    virtual void stored_l1(const Access&) {}
    /// Called after a store to L1 in the watched range.
    virtual void watched_store(const Access& access) = 0;
    /// Reports a finding about the instruction at `pc`.
    virtual void note(const findings::Note& note, std::uint32_t pc, Cycle at) = 0;
};

}  // namespace tessera::riscv
