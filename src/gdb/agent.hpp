// SPDX-License-Identifier: Apache-2.0
// Conditions of breakpoints, which gdb compiles to bytecode so that the target can decide by itself.
// Source: the GDB manual, appendix "The GDB Agent Expression Mechanism", Bytecode Descriptions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace tessera::gdb {

/// The state of a machine that an expression can read. Empty: there is no such register or memory.
struct AgentMachine {
    std::function<std::optional<std::uint64_t>(unsigned)> register_value;
    std::function<std::optional<std::uint64_t>(std::uint64_t address, unsigned bytes)> load;
};

/// The value that the expression leaves on its stack. Empty: it is broken, goes on for too long, or asks for what is not there.
std::optional<std::uint64_t> evaluate(std::span<const std::uint8_t> code, const AgentMachine& machine);

}  // namespace tessera::gdb
