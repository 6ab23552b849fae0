// SPDX-License-Identifier: Apache-2.0
// A thread of a run without time.
#pragma once

#include <array>
#include <cstdint>

#include "engine/wait.hpp"
#include "frontend/expanders.hpp"

namespace tessera::functional {

struct Thread {
    frontend::Expanders front;
    engine::Wait wait;                ///< why it does not go on
    std::int64_t latched_index = -1;  ///< of the instruction that latched its wait, and its word
    std::uint32_t latched_word = 0;
    std::uint64_t issued = 0;
    bool runnable = false;  ///< state changed since it began to wait
};
using Threads = std::array<Thread, state::threads>;

}  // namespace tessera::functional
