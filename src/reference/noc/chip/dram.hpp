// SPDX-License-Identifier: Apache-2.0
// The memories behind DRAM tiles. Three tiles share each, which their group names.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

namespace tessera::reference::noc {

class Dram {
public:
    /// A byte; 0 if nothing was stored to it.
    std::uint8_t byte(unsigned group, std::uint64_t address) const {
        const auto found = pages_[group].find(address / 4096);
        return found == pages_[group].end() ? 0 : found->second[address % 4096];
    }
    std::uint8_t& byte(unsigned group, std::uint64_t address) { return pages_[group][address / 4096][address % 4096]; }

private:
    /// By group, the 4096 bytes from a multiple of 4096 on.
    std::array<std::unordered_map<std::uint64_t, std::array<std::uint8_t, 4096>>, 8> pages_;
};

}  // namespace tessera::reference::noc
