// SPDX-License-Identifier: Apache-2.0
// Is asked before each instruction of a RISC-V core, for a debugger outside of what is simulated.
#pragma once

#include <cstdint>

namespace tessera::tile {

class CoreWatch {
public:
    enum class Answer : std::uint8_t {
        executes,
        stops,  ///< the turn ends without the instruction, and the core is asked again in its next turn
        waits,  ///< the core is parked until a debugger wakes it
    };
    /// The core's turn has come, and all that comes before its next instruction is done. An instruction that has to wait is asked about
    /// again whenever it is tried.
    virtual Answer before_instruction(unsigned core) = 0;

protected:
    ~CoreWatch() = default;
};

}  // namespace tessera::tile
