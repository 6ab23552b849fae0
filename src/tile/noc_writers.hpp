// SPDX-License-Identifier: Apache-2.0
// Which request over the NoC wrote a word last: for the report of a core that polls it in vain.
#pragma once

#include <optional>
#include <unordered_map>

#include "noc/packet.hpp"

namespace tessera::tile {

/// The first register of the overlay stream that has a register; a write to one of a stream's registers changes others. Empty: none has it.
constexpr std::optional<std::uint32_t> stream_of(std::uint64_t address) {
    constexpr std::uint64_t first_stream = 0xFFB4'0000, behind_streams = 0xFFB8'0000, stream_bytes = 0x1000;
    if (address < first_stream || address >= behind_streams) return std::nullopt;
    return static_cast<std::uint32_t>(address - address % stream_bytes);
}

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

    static std::uint64_t key(std::uint64_t address) { return stream_of(address).value_or(address) >> 4; }

    std::unordered_map<std::uint64_t, Writer> writers_;
};

}  // namespace tessera::tile
