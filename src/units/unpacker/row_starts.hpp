// SPDX-License-Identifier: Apache-2.0
// The caches of row starts of compressed tiles: four per unpacker, each of one line of L1 (spec-notes A70).
#pragma once

#include <array>
#include <optional>

#include "units/unpacker/unpacker.hpp"

namespace tessera::units::unpacker {

/// The cache that an UNPACR uses: its thread's, or that of its context modulo 4.
class RowStartCache {
public:
    RowStartCache(const StateView& view, const Mode& mode);

    /// The row start at an L1 byte address. None outside L1; the plan has failed then.
    std::optional<std::uint32_t> at(std::uint64_t address, plan::Plan& plan);

    /// Adds the effects of a line that was read.
    void keep(plan::Plan& plan) const;

    std::uint8_t used() const { return used_; }
    std::uint8_t read() const { return read_; }
    /// L1 byte addresses of the lines read.
    const std::array<std::uint32_t, 2>& lines() const { return lines_; }

private:
    state::Cell cell(state::RowCache item, unsigned word = 0) const;

    const StateView& look_;
    unsigned unpacker_, entry_;
    std::uint32_t line_;  ///< number + 1 of the cached line; 0: none
    std::array<std::uint32_t, 2> lines_{};
    std::uint8_t used_ = 0, read_ = 0;
};

/// The form of UNPACR that empties the thread's cache, or with `all` the unpacker's four.
void flush_row_starts(const StateView& view, unsigned which, bool all, plan::Plan& plan);

}  // namespace tessera::units::unpacker
