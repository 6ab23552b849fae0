// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "engine/wait.hpp"
#include "state/state.hpp"
#include "tessera/program.hpp"

namespace tessera::engine {

/// By thread: the op that its core executes next.
using NextOps = std::array<std::size_t, state::threads>;

/// Null: none is left, or there is no program.
inline const Op* next_op(const Program* program, const NextOps& next, unsigned thread) {
    if (!program || next[thread] >= program->threads[thread].size()) return nullptr;
    return &program->threads[thread][next[thread]];
}

/// The wait of a core that executes a sem_wait; empty: the semaphore lets it go on.
inline std::optional<Wait> semaphore_wait(const Op& op, const state::State& state) {
    const std::uint32_t value = state[state::cells::semaphore_value(op.index)];
    const std::uint32_t max = state[state::cells::semaphore_max(op.index)];
    const bool waits = op.value == Op::until_nonzero ? value == 0 : value >= max;
    if (!waits) return std::nullopt;
    return Wait{Wait::Kind::semaphore, static_cast<std::uint8_t>(op.index), static_cast<std::uint8_t>(op.value)};
}

}  // namespace tessera::engine
