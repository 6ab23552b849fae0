// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "engine/wait.hpp"
#include "frontend/auto_sync.hpp"
#include "plan/effects.hpp"
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

/// An op that stores to a cell.
struct OpStore {
    state::Cell cell{};
    plan::CellOp how = plan::CellOp::set;
    state::Resources resources = 0;  ///< under which Auto TTSync tracks it
};
/// Empty: the op is another one.
inline std::optional<OpStore> store_of(const Op& op, unsigned thread, const state::State& state) {
    namespace cells = state::cells;
    switch (op.kind) {
        case Op::Kind::cfg: {
            const unsigned bank = op.index / state.arch().config_words, addr32 = op.index % state.arch().config_words;
            return OpStore{.cell = cells::config(state.arch(), bank, addr32),
                           .resources = frontend::auto_sync::config_word(state, thread, bank, addr32)};
        }
        case Op::Kind::gpr:
            return OpStore{.cell = cells::gpr(thread, op.index), .resources = frontend::auto_sync::gprs(state, thread)};
        case Op::Kind::sem_post: return OpStore{cells::semaphore_value(op.index), plan::CellOp::post};
        case Op::Kind::sem_get: return OpStore{cells::semaphore_value(op.index), plan::CellOp::get};
        default: return std::nullopt;
    }
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
