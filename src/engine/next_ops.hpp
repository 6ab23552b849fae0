// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "state/cells.hpp"
#include "tessera/program.hpp"

namespace tessera::engine {

/// By thread: the op that its core executes next.
using NextOps = std::array<std::size_t, state::threads>;

/// Null: none is left, or there is no program.
inline const Op* next_op(const Program* program, const NextOps& next, unsigned thread) {
    if (!program || next[thread] >= program->threads[thread].size()) return nullptr;
    return &program->threads[thread][next[thread]];
}

}  // namespace tessera::engine
