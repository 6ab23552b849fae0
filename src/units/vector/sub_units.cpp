// SPDX-License-Identifier: Apache-2.0
#include "units/vector/sub_units.hpp"

#include <array>

namespace tessera::units::vector {

namespace {

using isa::mnemonic;

constexpr isa::Mnemonic loading[] = {mnemonic("SFPLOAD"), mnemonic("SFPLOADI"), mnemonic("SFPLOADMACRO"),
                                     mnemonic("SFPNOP")};
constexpr isa::Mnemonic in_mad[] = {mnemonic("SFPADD"),     mnemonic("SFPADDI"), mnemonic("SFPLUT"),
                                    mnemonic("SFPLUTFP32"), mnemonic("SFPMAD"),  mnemonic("SFPMUL"),
                                    mnemonic("SFPMULI"),    mnemonic("SFPMUL24")};
constexpr isa::Mnemonic in_round[] = {mnemonic("SFPSHFT2"), mnemonic("SFP_STOCH_RND")};
constexpr isa::Mnemonic in_store[] = {mnemonic("SFPSTORE")};

using Table = std::array<std::int8_t, isa::table.size()>;

// All instructions not listed above belong to the simple sub-unit.
consteval Table make_table() {
    Table table{};
    for (std::size_t i = 0; i < isa::table.size(); ++i)
        table[i] = isa::table[i].unit == isa::Unit::vector ? static_cast<std::int8_t>(SubUnit::simple) : -1;
    for (const auto m : loading) table[m.index] = -1;
    for (const auto m : in_mad) table[m.index] = static_cast<std::int8_t>(SubUnit::mad);
    for (const auto m : in_round) table[m.index] = static_cast<std::int8_t>(SubUnit::round);
    for (const auto m : in_store) table[m.index] = static_cast<std::int8_t>(SubUnit::store);
    return table;
}
constexpr Table table = make_table();

}  // namespace

std::int8_t sub_unit_of(isa::Mnemonic mnemonic) { return table[mnemonic.index]; }

bool can_execute(SubUnit which, isa::Mnemonic mnemonic) {
    if (mnemonic == isa::mnemonic("SFPNOP")) return which != SubUnit::store;
    return sub_unit_of(mnemonic) == static_cast<std::int8_t>(which);
}

}  // namespace tessera::units::vector
