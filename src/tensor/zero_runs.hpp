// SPDX-License-Identifier: Apache-2.0
// Compressed rows: zeros are omitted, and each datum counts those after it (Packers, Compression; spec-notes E32).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tensor/places.hpp"
#include "tessera/error.hpp"

namespace tessera::tensor {

/// Omitted zeros of a unit; empty if the unit is uncompressed.
struct ZeroRuns {
    std::vector<std::uint32_t> kept;   ///< indices of written datums
    std::vector<std::uint8_t> zeros;   ///< zeros after each; whole groups, so it may be longer than `kept`
    std::vector<std::size_t> starts;   ///< of leave_out(): index of each row's first datum in `kept`, and the end
    std::uint32_t all_zero_flags = 0;  ///< a bit for each of the first 32 rows that is all zero

    std::size_t written(const Unit& unit) const { return unit.compressed() ? kept.size() : unit.datums; }
};

/// `zero` has 0 or 1 for each datum of a compressed unit.
ZeroRuns leave_out(const Unit& unit, std::span<const std::uint8_t> zero);

/// Writes row starts and counters to a compressed unit's bytes.
void write_zero_runs(const Unit& unit, const ZeroRuns& runs, std::span<std::byte> bytes);

/// Reads row starts and counters of a unit. Error "tensor.data".
Result<ZeroRuns> read_zero_runs(const Unit& unit, std::span<const std::byte> bytes);

}  // namespace tessera::tensor
