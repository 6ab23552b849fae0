// SPDX-License-Identifier: Apache-2.0
// What somebody certainly knows of how far everything else has come.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "plan/pipe.hpp"
#include "state/cells.hpp"
#include "tessera/kernels.hpp"

namespace tessera::hazards {

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

inline void raise(std::uint32_t& number, std::uint32_t to) { number = std::max(number, to); }

/// How far everything is known to have come. Instructions of one thread are issued one after the other, so that of those that have been
/// issued one number for each thread is enough: their Ticket::sequence.
class VectorClock {
    // Together, and as many as whole vectors have: joining is what is done with them most.
    static constexpr std::size_t done_at = 0, issued_at = done_at + streams,
                                 short_issued_at = issued_at + state::threads,
                                 expanded_at = short_issued_at + state::threads,
                                 accesses_at = expanded_at + state::threads,
                                 count = (accesses_at + riscv_cores + 3) / 4 * 4;
    std::array<std::uint32_t, count> numbers_{};

    static auto in(auto& numbers, std::size_t first) { return numbers.data() + first; }

public:
    /// By stream; numbers count its instructions from 1.
    auto done() { return in(numbers_, done_at); }
    auto done() const { return in(numbers_, done_at); }
    /// By thread.
    auto issued() { return in(numbers_, issued_at); }
    auto issued() const { return in(numbers_, issued_at); }
    /// The same of those in pipes where nothing can hold them up.
    auto short_issued() { return in(numbers_, short_issued_at); }
    auto short_issued() const { return in(numbers_, short_issued_at); }
    static constexpr plan::PipeMask short_pipes = bit(plan::Pipe::sync) | bit(plan::Pipe::config) |
                                                  bit(plan::Pipe::misc) | bit(plan::Pipe::matrix) |
                                                  bit(plan::Pipe::vector);
    bool has_issued(unsigned stream, std::uint32_t sequence) const {
        const unsigned thread = thread_of_stream(stream);
        return issued()[thread] >= sequence ||
               (short_issued()[thread] >= sequence && short_pipes & bit(pipe_of_stream(stream)));
    }
    /// MOPs of each thread that have been expanded.
    auto expanded() { return in(numbers_, expanded_at); }
    auto expanded() const { return in(numbers_, expanded_at); }
    /// Of each core, to L1 and Dst.
    auto accesses() { return in(numbers_, accesses_at); }
    auto accesses() const { return in(numbers_, accesses_at); }

    /// Whether something of it was new.
    bool join(const VectorClock& other);
};

}  // namespace tessera::hazards
