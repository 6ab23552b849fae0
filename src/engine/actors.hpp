// SPDX-License-Identifier: Apache-2.0
// Actors of a run, by number: the cores of T0 to T2 are 0 to 2, their front ends 3 to 5, RISC-V B and NC 6 and 7 (only
// with kernels). In one cycle the lowest number acts first.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "state/cells.hpp"
#include "tessera/kernels.hpp"

namespace tessera::engine {

inline constexpr unsigned actors = 8, core_b = 6, core_nc = 7;
inline constexpr unsigned no_thread = state::threads;  ///< ticket thread of B and NC, which belong to no thread
inline constexpr unsigned host = actors;               ///< takes turns, but is no actor

/// The actors that are cores, in their order.
inline constexpr std::array<unsigned, riscv_cores> core_actors = {0, 1, 2, core_b, core_nc};

constexpr unsigned front_end_of(unsigned thread) { return state::threads + thread; }
constexpr bool is_front_end(unsigned actor) { return actor >= state::threads && actor < core_b; }

constexpr unsigned actor_of(RiscvCore core) {
    switch (core) {
        case RiscvCore::b: return core_b;
        case RiscvCore::t0: return 0;
        case RiscvCore::t1: return 1;
        case RiscvCore::t2: return 2;
        case RiscvCore::nc: break;
    }
    return core_nc;
}

/// Of an actor that is a core: the RiscvCore, as a number.
constexpr unsigned core_of(unsigned actor) {
    constexpr auto number = [](RiscvCore core) { return static_cast<std::uint8_t>(core); };
    constexpr std::array<std::uint8_t, actors> cores = {
        number(RiscvCore::t0), number(RiscvCore::t1), number(RiscvCore::t2), 0, 0, 0, number(RiscvCore::b), number(RiscvCore::nc)};
    return cores[actor];
}

/// The thread that a core belongs to, by RiscvCore. No thread acquires the vector clocks of B and NC.
constexpr std::optional<unsigned> thread_of(unsigned core) {
    const unsigned thread = core - static_cast<unsigned>(RiscvCore::t0);
    return thread < state::threads ? std::optional(thread) : std::nullopt;
}

}  // namespace tessera::engine
