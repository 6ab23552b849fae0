// SPDX-License-Identifier: Apache-2.0
// The vector clock of a thread, core or instruction: how far every stream is known to have come.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "plan/pipe.hpp"
#include "state/cells.hpp"
#include "tessera/kernels.hpp"

namespace tessera::hazards {

/// Streams of work, each in order by itself: thread × pipe, then one for the stores of each thread's core to the
/// coprocessor, then one for the commands of each core to the mover, and one for commands by requests over the NoC.
inline constexpr unsigned first_command_stream = state::threads * plan::pipes + state::threads;
/// Stands for a core where a request over the NoC gives a command.
inline constexpr unsigned by_request = riscv_cores;
inline constexpr unsigned streams = first_command_stream + riscv_cores + 1;
static_assert(streams <= 64, "masks have a bit per stream");
constexpr unsigned stream_of(unsigned thread, plan::Pipe pipe) {
    return thread * plan::pipes + static_cast<unsigned>(pipe);
}
constexpr unsigned core_stream(unsigned thread) { return state::threads * plan::pipes + thread; }
constexpr unsigned command_stream(unsigned commander) { return first_command_stream + commander; }
constexpr bool is_of_commands(unsigned stream) { return stream >= first_command_stream; }
constexpr plan::Pipe pipe_of_stream(unsigned stream) {
    return is_of_commands(stream) ? plan::Pipe::mover : plan::Pipe(stream % plan::pipes);
}

/// The thread's own RISC-V core, as the number of its RiscvCore.
constexpr unsigned core_of_thread(unsigned thread) { return static_cast<unsigned>(RiscvCore::t0) + thread; }

/// Of commands: the thread of their core; T0 if it has none.
constexpr unsigned thread_of_stream(unsigned stream) {
    if (!is_of_commands(stream)) return stream / plan::pipes;
    const unsigned thread = stream - command_stream(core_of_thread(0));
    return thread < state::threads ? thread : 0;
}

inline void raise(std::uint32_t& number, std::uint32_t to) { number = std::max(number, to); }

/// Of two that know something: whether each knows anything that the other does not.
struct News {
    bool here = false, there = false;
    bool are_everywhere() const { return here && there; }
    friend bool operator==(const News&, const News&) = default;
    News& operator|=(const News& more) {
        here |= more.here;
        there |= more.there;
        return *this;
    }
};

/// How far every stream is known to have come. A thread issues its instructions in order, so one number per thread
/// (Ticket::sequence) says which have been issued. Of commands only the end is ever known: a core's stores to TDMA-RISC and
/// to another place may overtake each other (MemoryOrdering).
class VectorClock {
    // One contiguous array, padded to whole vectors: join() is the hottest operation.
    static constexpr std::size_t done_at = 0, issued_at = done_at + streams,
                                 short_issued_at = issued_at + state::threads,
                                 expanded_at = short_issued_at + state::threads,
                                 accesses_at = expanded_at + state::threads,
                                 count = (accesses_at + riscv_cores + 3) / 4 * 4;
    std::array<std::uint32_t, count> numbers_{};

    static auto in(auto& numbers, std::size_t first) { return numbers.data() + first; }

public:
    /// By stream: its number of completed instructions.
    auto done() { return in(numbers_, done_at); }
    auto done() const { return in(numbers_, done_at); }
    /// By thread: its number of issued instructions.
    auto issued() { return in(numbers_, issued_at); }
    auto issued() const { return in(numbers_, issued_at); }
    /// The same for instructions in pipes that cannot be held up.
    auto short_issued() { return in(numbers_, short_issued_at); }
    auto short_issued() const { return in(numbers_, short_issued_at); }
    static constexpr plan::PipeMask short_pipes = bit(plan::Pipe::sync) | bit(plan::Pipe::config) |
                                                  bit(plan::Pipe::misc) | bit(plan::Pipe::matrix) |
                                                  bit(plan::Pipe::vector);
    bool has_issued(unsigned stream, std::uint32_t sequence) const {
        if (is_of_commands(stream)) return false;
        const unsigned thread = thread_of_stream(stream);
        return issued()[thread] >= sequence ||
               (short_issued()[thread] >= sequence && short_pipes & bit(pipe_of_stream(stream)));
    }
    /// By thread: its number of expanded MOPs.
    auto expanded() { return in(numbers_, expanded_at); }
    auto expanded() const { return in(numbers_, expanded_at); }
    /// By core: its number of accesses to L1 and Dst.
    auto accesses() { return in(numbers_, accesses_at); }
    auto accesses() const { return in(numbers_, accesses_at); }

    /// Takes the maximum of each entry. Returns whether anything changed.
    bool join(const VectorClock& other);
    /// News of this one to the other, and of the other to this one.
    News news(const VectorClock& other) const;
};

/// Takes what `other` knows, too. Returns whether anything is new.
inline bool learn(VectorClock& known, const VectorClock& other) { return known.join(other); }

}  // namespace tessera::hazards
