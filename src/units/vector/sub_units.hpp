// SPDX-License-Identifier: Apache-2.0
// The vector unit's sub-units other than the load sub-unit, and their instructions (SFPLOADMACRO page, table).
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/table.hpp"

namespace tessera::units::vector {

enum class SubUnit : std::uint8_t { simple, mad, round, store };

constexpr std::string_view name(SubUnit which) {
    constexpr std::string_view names[] = {"simple", "MAD", "round", "store"};
    return names[static_cast<unsigned>(which)];
}

/// The sub-unit of a vector instruction as a number; -1 for those of the load sub-unit.
std::int8_t sub_unit_of(isa::Mnemonic mnemonic);

/// Whether a scheduled instruction may execute in the sub-unit. SFPNOP may in all but the store sub-unit.
bool can_execute(SubUnit which, isa::Mnemonic mnemonic);

}  // namespace tessera::units::vector
