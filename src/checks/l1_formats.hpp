// SPDX-License-Identifier: Apache-2.0
// The formats of L1's contents, as far as they are known: the caller has given them, or packers have written them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tessera/l1_format.hpp"

namespace tessera::checks {

class L1Formats {
public:
    /// These bytes have datums of this form now.
    void put(L1Format piece);
    /// Something without a known format is written to these bytes.
    void forget(std::uint32_t first, std::uint32_t last);
    void clear() { pieces_.clear(); }

    bool empty() const { return pieces_.empty(); }
    /// Those that meet the bytes, in ascending order.
    std::span<const L1Format> meeting(std::uint32_t first, std::uint32_t last) const;
    std::span<const L1Format> all() const { return pieces_; }

    friend bool operator==(const L1Formats&, const L1Formats&) = default;

private:
    /// Of more pieces, one that is written to is forgotten as a whole.
    static constexpr std::size_t most_pieces = 1024;

    std::vector<L1Format> pieces_;  ///< in ascending order, without overlap; neighbours of one form are one
};

}  // namespace tessera::checks
