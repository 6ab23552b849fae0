// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "hazards/core_accesses.hpp"
#include "hazards/past.hpp"

namespace tessera::hazards {

/// Accesses to Dst by blocks of eight rows: the last write, and the last read of each thread by each kind of unit.
class DstBlocks {
public:
    /// Checks an instruction's access against earlier ones of instructions and of `cores`, and records it.
    void check(const Requester& now, const plan::Access& access, const CoreClocks& cores, Conflicts& conflicts);
    /// Records a core's own access to these rows, its access `number`, and returns the first conflict.
    std::optional<Conflict> core_accesses(unsigned core, std::uint32_t number, unsigned first_row, unsigned last_row,
                                          bool write, const VectorClock& known);

private:
    struct Block {
        Past write;
        bool clears = false;  ///< `write` is a ZEROACC, which writes the validity of rows alone
        std::array<Past, state::threads * 6> reads{};  ///< per thread and kind of reader
        std::uint32_t readers = 0;                     ///< a bit per used entry of reads
        CoreAccesses::Word cores;
    };
    Block& block(unsigned which) {
        if (which >= blocks_.size()) {
            blocks_.reserve(state::Dst::rows / state::Dst::block_rows);  // blocks come one by one, and are large
            blocks_.resize(which + std::size_t{1});
        }
        return blocks_[which];
    }

    std::vector<Block> blocks_;  ///< grows on demand
    bool cores_have_accessed_ = false;
};

}  // namespace tessera::hazards
