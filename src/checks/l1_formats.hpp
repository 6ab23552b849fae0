// SPDX-License-Identifier: Apache-2.0
// The formats of L1's contents, as far as they are known: the caller has given them, or packers have written them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tessera/l1_format.hpp"

namespace tessera::checks {

/// `compressed`: a packer has left zeros out, and row starts stand in front.
struct L1Piece {
    std::uint32_t first = 0, last = 0;  ///< addresses, both inclusive
    DataFormat format{};
    bool compressed = false;
    friend bool operator==(const L1Piece&, const L1Piece&) = default;
};

class L1Formats {
public:
    /// These bytes have datums of this form now.
    void put(L1Piece piece);
    /// Something without a known format is written to these bytes.
    void forget(std::uint32_t first, std::uint32_t last);
    void clear() { pieces_.clear(); }

    bool empty() const { return pieces_.empty(); }
    /// Those that meet the bytes, in ascending order.
    std::span<const L1Piece> meeting(std::uint32_t first, std::uint32_t last) const;
    std::span<const L1Piece> all() const { return pieces_; }

    friend bool operator==(const L1Formats&, const L1Formats&) = default;

private:
    /// Of more pieces, one that is written to is forgotten as a whole.
    static constexpr std::size_t most_pieces = 1024;

    std::vector<L1Piece> pieces_;  ///< in ascending order, without overlap; neighbours of one form are one
};

}  // namespace tessera::checks
