// SPDX-License-Identifier: Apache-2.0
#include "reference/models.hpp"

#include <array>

namespace tessera::reference {

const Registered* find(isa::Mnemonic mnemonic) {
    static const auto by_mnemonic = [] {
        std::array<const Registered*, isa::table.size()> rows{};
        for (const auto& file : registered_models())
            for (const Registered& row : file) rows[row.instruction.index] = &row;
        return rows;
    }();
    return by_mnemonic[mnemonic.index];
}

Model model_of(isa::Mnemonic mnemonic) {
    const Registered* row = find(mnemonic);
    return row ? row->model : nullptr;
}

Model model_of(const isa::Instruction& instruction) { return instruction.spec ? model_of(instruction.mnemonic) : nullptr; }

}  // namespace tessera::reference
