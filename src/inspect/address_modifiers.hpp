// SPDX-License-Identifier: Apache-2.0
// Address modifiers in readable form: their effect on the counters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/arch.hpp"

namespace tessera::inspect {

/// The thread configuration of one thread.
struct ThreadWords {
    Arch arch;
    const std::vector<std::uint32_t>& words;
};

struct AddressModifier {
    std::string name;  ///< "ADDR_MOD 3", "ADDR_MOD_PACK 0"
    std::string text;  ///< "SrcA to checkpoint + 32, Dst cleared, fidelity + 1"; "nothing"
};

/// All modifiers, the matrix unit's first. Source: RWCs; Packers, address generators.
std::vector<AddressModifier> address_modifiers(const ThreadWords& thread);

/// True if address_modifiers() covers this field.
bool is_told_as_modifier(std::string_view field);

}  // namespace tessera::inspect
