// SPDX-License-Identifier: Apache-2.0
// One RISC-V core: executes instructions until somebody else's turn comes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "riscv/bus.hpp"
#include "riscv/decode_cache.hpp"
#include "state/memories.hpp"
#include "state/riscv.hpp"
#include "tessera/kernels.hpp"

namespace tessera::riscv {

/// How far a hart may go. Whoever gives it may shorten it from within a Bus call.
struct Turn {
    /// The last cycle at which the hart may touch what others can see. What is its own it may do at any time.
    Cycle limit = 0;
    std::uint32_t instructions = 0;  ///< at most so many
};

/// Why a hart stopped.
struct Stop {
    enum class Why : std::uint8_t {
        instructions,  ///< as many as were allowed
        limit,         ///< the next access is at `time`, which is beyond the limit
        wait,          ///< Response::Kind::wait
        paused,        ///< ebreak or ecall
        self_loop,     ///< a jump to itself: nothing will change any more
        stop,          ///< Response::Kind::stop
        illegal,       ///< the word at `pc` is no instruction of this core
        fetch,         ///< `pc` is not in L1 (nor in instruction RAM), or not a multiple of 4
    };
    Why why{};
    Cycle time = 0;  ///< when the hart would go on
};

/// What a hart has polled since it was last known to repeat itself.
struct Poll {
    std::uint32_t pc = 0, address = 0, value = 0;
};

class Hart {
public:
    Hart(Arch arch, RiscvCore which, state::Riscv& state, state::L1& l1, DecodeCache& decoded);

    /// Executes from `time` on. `change` counts whatever others could notice: the hart adds to it when a store of its own changes L1.
    Stop run(Bus& bus, Turn& turn, Cycle time, std::uint64_t& change);

    /// Its state, program counter and registers included, came back to what it was, nothing that it did could be noticed, and
    /// `change` is still what it was then: it does nothing but repeat itself until something else changes.
    bool repeats(std::uint64_t change) const;
    /// The last access to memory of such a loop.
    std::optional<Poll> poll() const;
};

}  // namespace tessera::riscv
