// SPDX-License-Identifier: Apache-2.0
// Whether a core that loads a value waits for it, or merely asserts something about it: code says so, not the value that it happened to get.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tessera/arch.hpp"

namespace tessera::riscv {

/// The word at an address of the core's program; nothing where there is none.
using Fetch = std::function<std::optional<std::uint32_t>(std::uint32_t)>;

/// The first branch that goes by what the load at `pc` brings decides only whether the core comes to an ebreak. False, too, when that branch
/// is not found within a few instructions.
bool only_asserted(Arch arch, std::uint32_t pc, const Fetch& fetch);

/// The same of loads in a memory, looked at again only where words that it was said by have changed.
class AssertedLoads {
public:
    bool only_asserted(Arch arch, std::uint32_t pc, std::span<const std::uint8_t> memory);

private:
    struct Known {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> words;  ///< by address
        bool only_asserted = false;
    };
    std::unordered_map<std::uint32_t, Known> known_;
};

}  // namespace tessera::riscv
