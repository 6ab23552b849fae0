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
    frontend::WordOrigin latched;     ///< the instruction that latched its wait
    std::uint64_t issued = 0;
    bool runnable = false;  ///< state changed since it began to wait
};
using Threads = std::array<Thread, state::threads>;

}  // namespace tessera::functional
