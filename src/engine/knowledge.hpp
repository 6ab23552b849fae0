// SPDX-License-Identifier: Apache-2.0
// What somebody certainly knows of how far everything else has come.
#pragma once

#include <array>
#include <cstdint>

#include "plan/pipe.hpp"
#include "state/cells.hpp"
#include "tessera/kernels.hpp"

namespace tessera::engine {

/// Streams of work, each in order by itself: thread × pipe, then one per thread's core for its stores to the coprocessor.
inline constexpr unsigned streams = state::threads * plan::pipes + state::threads;
constexpr unsigned stream_of(unsigned thread, plan::Pipe pipe) {
    return thread * plan::pipes + static_cast<unsigned>(pipe);
}
constexpr unsigned core_stream(unsigned thread) { return state::threads * plan::pipes + thread; }
constexpr plan::Pipe pipe_of_stream(unsigned stream) { return plan::Pipe(stream % plan::pipes); }
constexpr unsigned thread_of_stream(unsigned stream) { return stream / plan::pipes; }

/// The RISC-V core (RiscvCore, as a number) that is a thread's own.
constexpr unsigned core_of_thread(unsigned thread) { return static_cast<unsigned>(RiscvCore::t0) + thread; }

/// All registers of overlay streams, as one of the words by which threads and cores tell each other something.
inline constexpr std::uint32_t stream_registers_word = 0;

/// How far each stream is known to have come; numbers count a stream's instructions from 1.
struct Knowledge {
    std::array<std::uint32_t, streams> issued{}, done{};
    std::array<std::uint32_t, state::threads> expanded{};  ///< MOPs of each thread that have been expanded
    std::array<std::uint32_t, riscv_cores> accesses{};     ///< of each core, to L1 and Dst

    /// Whether something of it was new.
    bool join(const Knowledge& other);
};

}  // namespace tessera::engine
