// SPDX-License-Identifier: Apache-2.0
// Which request over the NoC wrote a word last: for the report of a core that polls it in vain.
#pragma once

#include <unordered_map>

#include "noc/packet.hpp"

namespace tessera::tile {

class NocWriters {
public:
    struct Writer {
        noc::Origin by;
        noc::Cycle at = 0;
        std::uint64_t times = 0;  ///< writes to the words around it, by any tile
    };

    /// A request has written to L1 or to registers.
    void wrote(const noc::Origin& by, std::uint64_t address, std::uint32_t bytes, noc::Cycle at) {
        if (bytes > longest) return;
        for (std::uint64_t block = key(address); block <= key(address + bytes - 1); ++block) {
            Writer& writer = writers_[block];
            writer = {by, at, writer.times + 1};
        }
    }
    /// Null: no request has.
    const Writer* find(std::uint32_t address) const {
        const auto known = writers_.find(key(address));
        return known == writers_.end() ? nullptr : &known->second;
    }

private:
    static constexpr std::uint32_t longest = 64;  ///< in bytes; what is longer holds no flag
    static constexpr std::uint64_t first_stream = 0xFFB4'0000, behind_streams = 0xFFB8'0000;

    // A write to one register of a stream changes others.
    static std::uint64_t key(std::uint64_t address) {
        return address >= first_stream && address < behind_streams ? address >> 12 : address >> 4;
    }

    std::unordered_map<std::uint64_t, Writer> writers_;
};

}  // namespace tessera::tile
