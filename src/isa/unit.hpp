// SPDX-License-Identifier: Apache-2.0
// The execution units as the wait gate sees them, and the block-mask bits for their instructions.
#pragma once

#include <cstdint>
#include <string_view>

namespace tessera::isa {

enum class Unit : std::uint8_t { frontend, sync, config, misc, scalar, mover, unpacker, packer, matrix, vector };

constexpr std::string_view name(Unit unit) {
    constexpr std::string_view names[] = {"front end", "sync",     "config", "misc",   "scalar",
                                          "mover",     "unpacker", "packer", "matrix", "vector"};
    return names[static_cast<unsigned>(unit)];
}

/// Block-mask bits B0..B8 of STALLWAIT and SEMWAIT (STALLWAIT page, "Block mask").
namespace block {
inline constexpr std::uint16_t tdma = 1 << 0, sync = 1 << 1, pack = 1 << 2, unpack = 1 << 3, xmov = 1 << 4,
                               thcon = 1 << 5, math = 1 << 6, cfg = 1 << 7, sfpu = 1 << 8, all = 0x1FF;
}

/// The bits that block an ordinary instruction of a unit. Waits and NOP differ: see InstructionSpec.
constexpr std::uint16_t block_bits(Unit unit) {
    switch (unit) {
        case Unit::sync: return block::sync;
        case Unit::config: return block::cfg;
        case Unit::misc: return block::tdma;
        case Unit::scalar: return block::tdma | block::thcon;
        case Unit::mover: return block::tdma | block::xmov;
        case Unit::unpacker: return block::tdma | block::unpack;
        case Unit::packer: return block::tdma | block::pack;
        case Unit::matrix: return block::math;
        case Unit::vector: return block::sfpu;
        case Unit::frontend: break;
    }
    return 0;
}

}  // namespace tessera::isa
