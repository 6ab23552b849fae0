// SPDX-License-Identifier: Apache-2.0
#include "checks/replaced_bits.hpp"

#include <iterator>

#include "isa/names.hpp"

namespace tessera::checks {

// The configuration unit does all of its work.
std::optional<hazards::CellStores::Replacement> replaced_in(const plan::Plan& plan, std::uint16_t cell) {
    if (!(plan.pipes & bit(plan::Pipe::config))) return std::nullopt;
    constexpr isa::Mnemonic of_bytes[] = {isa::mnemonic("RMWCIB0"), isa::mnemonic("RMWCIB1"), isa::mnemonic("RMWCIB2"),
                                          isa::mnemonic("RMWCIB3")};
    constexpr auto mask = isa::operand("RMWCIB0", "Mask");
    for (unsigned byte = 0; byte < std::size(of_bytes); ++byte) {
        if (!plan.instruction.is(of_bytes[byte])) continue;
        for (const auto& effect : plan.effects)
            if (state::index(effect.cell) == cell)
                return hazards::CellStores::Replacement{plan.instruction[mask] << 8 * byte, effect.value};
    }
    return std::nullopt;
}

}  // namespace tessera::checks
