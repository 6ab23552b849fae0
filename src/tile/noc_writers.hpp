// SPDX-License-Identifier: Apache-2.0
// Which request over the NoC wrote a word last: for the report of a core that polls it in vain.
#pragma once

#include <unordered_map>

#include "noc/packet.hpp"
#include "state/mmio.hpp"

namespace tessera::tile {

class NocWriters {
public:
    explicit NocWriters(const state::ArchDescription& arch) : arch_(&arch) {}

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
    using Memory = std::unordered_map<std::uint64_t, Writer>;
    const Memory& save() const { return writers_; }
    void restore(const Memory& memory) { writers_ = memory; }

    /// Null: no request has.
    const Writer* find(std::uint32_t address) const {
        const auto known = writers_.find(key(address));
        return known == writers_.end() ? nullptr : &known->second;
    }

private:
    static constexpr std::uint32_t longest = 64;  ///< in bytes; what is longer holds no flag

    // A write to a stream's register changes those that have the same word.
    std::uint64_t key(std::uint64_t address) const {
        const auto word = state::mmio::stream_word(*arch_, address);
        return word ? *word : address >> 4;
    }

    const state::ArchDescription* arch_;
    Memory writers_;
};

}  // namespace tessera::tile
