// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/request/translation.hpp"

#include <cstdint>

#include "reference/noc/bits.hpp"
#include "reference/noc/registers.hpp"

namespace tessera::reference::noc {

namespace {

/// Entry `i` of a table with entries of some bits, as many as fit each register.
unsigned entry_of(const Niu& niu, std::uint32_t table, unsigned i, unsigned entry_bits) {
    const unsigned entries = 32 / entry_bits;
    return bits(niu.configuration(table + i / entries * 4), i % entries * entry_bits, entry_bits);
}

Checked<Coordinates> translate_wormhole(const Niu& niu, Coordinates c) {
    if (c.x > 31 || c.y > 31) return refuse("a coordinate above 31 is not in the translation tables");
    return Coordinates{entry_of(niu, NOC_X_ID_TRANSLATE_TABLE_0, c.x, 4),
                       entry_of(niu, wormhole_map.NOC_Y_ID_TRANSLATE_TABLE_0, c.y, 4)};
}

// BlackholeA0/NoC/Coordinates, translation algorithm.
Coordinates translate_blackhole(const Niu& niu, Coordinates c) {
    const auto entry = [&](std::uint32_t table, unsigned i) { return entry_of(niu, table, i, 5); };
    const std::uint32_t ddr_table_5 = niu.configuration(DDR_COORD_TRANSLATE_TABLE_5);
    const auto in_ddr_x = [&](unsigned x) {
        return (x == 9 && bit(ddr_table_5, 10)) || (x == 0 && bit(ddr_table_5, 11));
    };
    const unsigned x31 = c.x & 31, y31 = c.y & 31;
    if (bit(niu.configuration(DDR_COORD_TRANSLATE_COL_SWAP), y31) && in_ddr_x(x31 ^ 9))
        c.x = x31 ^ 9;
    else if (!bit(niu.configuration(NOC_ID_TRANSLATE_ROW_MASK), y31))
        c.x = entry(NOC_X_ID_TRANSLATE_TABLE_0, x31);
    if (in_ddr_x(x31))
        c.y = entry(DDR_COORD_TRANSLATE_TABLE_0, y31);
    else if (!bit(niu.configuration(NOC_ID_TRANSLATE_COL_MASK), x31))
        c.y = entry(blackhole_map.NOC_Y_ID_TRANSLATE_TABLE_0, y31);
    return c;
}

}  // namespace

bool translates(const Niu& niu) { return bit(niu.configuration(NIU_CFG_0), coordinate_translation_enable); }

Checked<Coordinates> translate(const Niu& niu, Coordinates c) {
    if (niu.arch == Arch::blackhole) return translate_blackhole(niu, c);
    return translate_wormhole(niu, c);
}

}  // namespace tessera::reference::noc
