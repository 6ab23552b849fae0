// SPDX-License-Identifier: Apache-2.0
// Resources that Auto TTSync keeps in order between a T core and its own instructions, and their declared use by
// instructions. Sources: AutoTTSync, Tracked resources and Tensix instruction to resource mapping; assembly.yaml of
// the kernel library, RESOURCEDECL.
#pragma once

#include <array>
#include <cstdint>

#include "state/cells.hpp"

namespace tessera::state {

/// A bit for each of the eight tracked resources.
using Resources = std::uint8_t;

namespace resources {

/// Parts of a configuration bank.
inline constexpr Resources unpacker0 = 1, unpacker1 = 2, remainder = 4, all_parts = 7;
constexpr Resources of_bank(unsigned bank, Resources parts) { return static_cast<Resources>(parts << 3 * bank); }
constexpr Resources of_banks(Resources parts) { return static_cast<Resources>(of_bank(0, parts) | of_bank(1, parts)); }
inline constexpr Resources gprs = 1 << 6, tdma = 1 << 7;

/// RESOURCEDECL's `resources`, a bit each: reads and writes of configuration, with its parts; reads and writes of
/// GPRs, TDMA-RISC.
inline constexpr std::uint32_t reads_config = 1 << 0, writes_config = 1 << 1, parts_at = 2, reads_gprs = 1 << 5,
                               writes_gprs = 1 << 6, reads_tdma = 1 << 7, writes_tdma = 1 << 8, linger_at = 9,
                               default_linger = 1;

/// The declarations of each class before a RESOURCEDECL.
inline constexpr std::array<std::uint16_t, cells::instruction_classes> defaults = [] {
    constexpr std::uint32_t rw_gprs = reads_gprs | writes_gprs, rw_tdma = reads_tdma | writes_tdma,
                            rw_config = reads_config | writes_config | all_parts << parts_at;
    constexpr std::uint32_t used[cells::instruction_classes] = {
        rw_gprs,
        rw_gprs,
        rw_gprs | rw_tdma,
        rw_gprs,
        rw_config,
        reads_gprs,
        writes_gprs,
        writes_tdma,
        reads_gprs | writes_config | all_parts << parts_at,
        writes_gprs | reads_config | all_parts << parts_at,
        rw_gprs | rw_config,
        rw_tdma | reads_config | all_parts << parts_at,
        rw_tdma | reads_config | remainder << parts_at,
        rw_gprs | rw_tdma | rw_config,
        rw_gprs | rw_tdma | rw_config,
        reads_config | remainder << parts_at,
    };
    std::array<std::uint16_t, cells::instruction_classes> result{};
    for (unsigned i = 0; i < result.size(); ++i)
        result[i] = static_cast<std::uint16_t>(used[i] | default_linger << linger_at);
    return result;
}();

}  // namespace resources

/// An instruction's use of tracked resources.
struct Uses {
    Resources reads = 0, writes = 0;
    std::uint8_t linger = 0;  ///< cycles for which it stays blocked after its resource is free

    constexpr Resources any() const { return reads | writes; }
};

}  // namespace tessera::state
