// SPDX-License-Identifier: Apache-2.0
// Instruction words that do more than enter the FIFO when they are pushed.
#pragma once

#include <array>
#include <cstdint>

#include "isa/table.hpp"

namespace tessera::engine {

/// By opcode: RESOURCEDECL takes effect at the push, and a MOP is remembered.
consteval std::array<bool, 256> noticed_opcodes(Arch arch) {
    std::array<bool, 256> noticed{};
    for (const isa::InstructionSpec& spec : isa::table) {
        const isa::Mnemonic mnemonic = isa::mnemonic(spec.name);
        if (isa::includes(spec.archs, arch) &&
            (mnemonic == isa::mnemonic("MOP") || mnemonic == isa::mnemonic("RESOURCEDECL")))
            noticed[spec.opcode] = true;
    }
    return noticed;
}

inline bool is_noticed_when_pushed(std::uint32_t word, Arch arch) {
    static constexpr std::array noticed{noticed_opcodes(Arch::blackhole), noticed_opcodes(Arch::wormhole)};
    return noticed[static_cast<unsigned>(arch)][word >> 24];
}

}  // namespace tessera::engine
