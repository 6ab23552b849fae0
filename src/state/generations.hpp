// SPDX-License-Identifier: Apache-2.0
// Guards of memoised plans: a counter per group of configuration words, raised by every write to the group.
#pragma once

#include <array>
#include <cstdint>

#include "state/cells.hpp"

namespace tessera::state {

/// Groups of configuration words that change together. Banked groups exist once per bank. `place` has the addresses
/// and contexts of tiles, thread configuration included. It changes with every tile, so no memoised value depends on
/// it.
enum class Group : std::uint8_t { none, thread, alu, unpacker0, unpacker1, packer, other, place, count };

/// The number of a group's counter: by thread for thread configuration, else by bank. Shared words count as bank 0's.
constexpr unsigned group_counter(Group group, unsigned bank_or_thread) {
    return group == Group::none ? 0 : 1 + (static_cast<unsigned>(group) - 1) * threads + bank_or_thread;
}
inline constexpr unsigned group_counters = group_counter(Group::count, 0);

using Generations = std::array<std::uint32_t, group_counters>;

/// The counter that each cell raises.
struct CellGroups {
    std::array<std::uint8_t, cells::total> of{};
};
const CellGroups& cell_groups(Arch arch);

/// The bits that each cell keeps when written.
struct CellMasks {
    std::array<std::uint32_t, cells::total> of{};
};
const CellMasks& cell_masks(Arch arch);

}  // namespace tessera::state
