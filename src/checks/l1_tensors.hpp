// SPDX-License-Identifier: Apache-2.0
// What L1 holds when a run begins, as far as somebody has said it.
#pragma once

#include <cstdint>

#include "tessera/data_format.hpp"

namespace tessera::checks {

/// Bytes of L1, and the format of the datums that have been put there.
struct L1Tensor {
    std::uint32_t first = 0, last = 0;  ///< both included
    DataFormat format{};

    bool meets(std::uint32_t from, std::uint32_t to) const { return first <= to && from <= last; }
    friend bool operator==(const L1Tensor&, const L1Tensor&) = default;
};

}  // namespace tessera::checks
