// SPDX-License-Identifier: Apache-2.0
// Posts and gets of a semaphore at its limits (SEMPOST, SEMGET, Functional model; SyncUnit, RISCV access to semaphores).
#pragma once

#include <optional>

#include "findings/catalogue.hpp"
#include "plan/effects.hpp"
#include "state/state.hpp"

namespace tessera::units::sync {

/// The finding about a post of a semaphore with that value and maximum. `by`: what posts, in the message.
inline std::optional<findings::Note> post_at_limit(unsigned semaphore, std::uint32_t value, std::uint32_t max,
                                                   std::string_view by) {
    if (value == 15) return findings::Note{findings::id("sync.post-at-15"), {semaphore}, by};
    if (max && value >= max) return findings::Note{findings::id("sync.post-above-max"), {semaphore, max}, by};
    return {};
}

/// The same of a get.
inline std::optional<findings::Note> get_at_limit(unsigned semaphore, std::uint32_t value, std::string_view by) {
    if (value == 0) return findings::Note{findings::id("sync.get-at-0"), {semaphore}, by};
    return {};
}

/// The same of a core's store to a cell.
inline std::optional<findings::Note> store_at_limit(const state::State& state, state::Cell cell, plan::CellOp op) {
    if (!state::cells::semaphore_value_block.contains(cell)) return {};
    const unsigned semaphore = state::index(cell) - state::cells::semaphore_value_block.first;
    if (op == plan::CellOp::get) return get_at_limit(semaphore, state[cell], "a core's get");
    return post_at_limit(semaphore, state[cell], state[state::cells::semaphore_max(semaphore)], "a core's post");
}

}  // namespace tessera::units::sync
