// SPDX-License-Identifier: Apache-2.0
// Coordinates of tiles on a NoC, and their layout in registers (NoC/Coordinates, NoC/MemoryMap).
#pragma once

#include <cstdint>

#include "reference/noc/bits.hpp"
#include "tessera/arch.hpp"

namespace tessera::reference::noc {

/// A tile's X and Y on one of the NoCs, or a place that translation makes one.
struct Coordinates {
    unsigned x = 0, y = 0;
};

/// Columns and rows of a chip.
struct Size {
    unsigned width, height;
};
constexpr Size size_of(Arch arch) { return {arch == Arch::blackhole ? 17u : 10u, 12u}; }

/// A tile's coordinates on one of the NoCs, by those on NoC 0. The same turns them back.
constexpr Coordinates on_noc(unsigned noc, Size size, Coordinates c) {
    return noc == 0 ? c : Coordinates{size.width - 1 - c.x, size.height - 1 - c.y};
}

/// The four fields of NOC_TARG_ADDR and NOC_RET_ADDR. Start is of broadcasts only.
struct Fields {
    Coordinates end, start;
};
/// The fields of 24 bits of a register, and the reverse.
constexpr Fields parse_fields(std::uint32_t value) {
    return {{bits(value, 0, 6), bits(value, 6, 6)}, {bits(value, 12, 6), bits(value, 18, 6)}};
}
constexpr std::uint32_t pack_fields(const Fields& fields) {
    return fields.end.x | fields.end.y << 6 | fields.start.x << 12 | fields.start.y << 18;
}

/// One axis of a broadcast rectangle; a start above the end wraps around.
constexpr bool in_span(unsigned at, unsigned start, unsigned end) {
    return start <= end ? start <= at && at <= end : at <= end || start <= at;
}

}  // namespace tessera::reference::noc
