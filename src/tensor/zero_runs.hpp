// SPDX-License-Identifier: Apache-2.0
// Rows without the zeros that may be left out, each of which its predecessor counts (Packers, Compression; spec-notes E32).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tensor/places.hpp"
#include "tessera/error.hpp"

namespace tessera::tensor {

/// Of a unit that is not compressed there is nothing to say: all its datums are written.
struct ZeroRuns {
    std::vector<std::uint32_t> kept;   ///< which datums are written
    std::vector<std::uint8_t> zeros;   ///< behind each of them; as many as whole groups have
    std::vector<std::size_t> starts;   ///< of each row among them, and behind the last
    std::uint32_t all_zero_flags = 0;  ///< a bit for each of the first 32 rows without another datum

    std::size_t written(const Unit& unit) const { return unit.compressed() ? kept.size() : unit.datums; }
};

/// `zero` has 0 or 1 for each datum of a compressed unit.
ZeroRuns leave_out(const Unit& unit, std::span<const std::uint8_t> zero);

/// Row starts and counters to a compressed unit's bytes.
void write_zero_runs(const Unit& unit, const ZeroRuns& runs, std::span<std::byte> bytes);

/// What a unit's bytes say. Error "tensor.data".
Result<ZeroRuns> read_zero_runs(const Unit& unit, std::span<const std::byte> bytes);

}  // namespace tessera::tensor
