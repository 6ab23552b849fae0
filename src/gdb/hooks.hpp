// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tile/core_watch.hpp"

namespace tessera::gdb {

/// Hooks of a run that goes step by step.
class Hooks {
public:
    using Answer = tile::CoreWatch::Answer;
    /// As CoreWatch::before_instruction(). `stops` ends the way.
    virtual Answer before(unsigned core) = 0;
    /// Before each step. True: the way ends.
    virtual bool after() = 0;

protected:
    ~Hooks() = default;
};

}  // namespace tessera::gdb
