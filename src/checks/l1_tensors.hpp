// SPDX-License-Identifier: Apache-2.0
// The formats of L1's initial contents, as far as the caller has given them.
#pragma once

#include <cstdint>

#include "tessera/data_format.hpp"

namespace tessera::checks {

/// Bytes of L1, and the format of their datums.
struct L1Tensor {
    std::uint32_t first = 0, last = 0;  ///< inclusive
    DataFormat format{};

    bool meets(std::uint32_t from, std::uint32_t to) const { return first <= to && from <= last; }
    friend bool operator==(const L1Tensor&, const L1Tensor&) = default;
};

}  // namespace tessera::checks
