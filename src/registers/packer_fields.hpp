// SPDX-License-Identifier: Apache-2.0
// Fields of each of the four packer configurations: Wormhole's four packers, or the four contexts of Blackhole's one
// packer.
#pragma once

#include "registers/field.hpp"

namespace tessera::registers {

/// The fields called `suffix` of THCON SEC0 REG1, SEC0 REG8, SEC1 REG1 and SEC1 REG8. An undeclared name does not
/// compile.
consteval std::array<Field, 4> packer_fields(std::string_view suffix) {
    std::array<Field, 4> result{};
    constexpr std::string_view prefixes[] = {"THCON_SEC0_REG1_", "THCON_SEC0_REG8_", "THCON_SEC1_REG1_",
                                             "THCON_SEC1_REG8_"};
    for (unsigned i = 0; i < 4; ++i) {
        char text[96] = {};
        std::size_t length = 0;
        for (char c : prefixes[i]) text[length++] = c;
        for (char c : suffix) text[length++] = c;
        result[i] = field({text, length});
    }
    return result;
}

}  // namespace tessera::registers
