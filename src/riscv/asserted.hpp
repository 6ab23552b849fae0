// SPDX-License-Identifier: Apache-2.0
// Distinguishes a wait from an assertion on a loaded value, from the code alone: the loaded value is not used.
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

/// The word at an address of the core's program, or nothing if there is none.
using Fetch = std::function<std::optional<std::uint32_t>(std::uint32_t)>;

/// True if the first branch that depends on the load at `pc` only decides whether the core reaches an ebreak. False if
/// no such branch is found within a few instructions.
bool only_asserted(Arch arch, std::uint32_t pc, const Fetch& fetch);

/// Cached results of only_asserted() for loads in a memory. A result is computed again when a word that it was derived
/// from changes.
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
