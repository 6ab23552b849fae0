// SPDX-License-Identifier: Apache-2.0
#include "units/behaviour.hpp"

#include <array>

namespace tessera::units {

const Behaviour* behaviour_of(isa::Mnemonic mnemonic) {
    static const auto by_mnemonic = [] {
        std::array<const Behaviour*, isa::table.size()> rows{};
        for (const auto& file : registered_behaviours())
            for (const Behaviour& behaviour : file) rows[behaviour.mnemonic.index] = &behaviour;
        return rows;
    }();
    return by_mnemonic[mnemonic.index];
}

}  // namespace tessera::units
