// SPDX-License-Identifier: Apache-2.0
#include "isa/form.hpp"

#include <array>

#include "isa/table.hpp"

namespace tessera::isa {

namespace {

// By row of the table: the bits with a meaning in all forms. Nearly all words have no other.
constexpr auto defined_in_all_forms = [] {
    std::array<std::uint32_t, table.size()> masks{};
    for (std::size_t row = 0; row < masks.size(); ++row) {
        masks[row] = ~std::uint32_t{0};
        for (std::size_t i = 0; i < form_count(table[row]); ++i) masks[row] &= defined_bits(form(table[row], i));
    }
    return masks;
}();

}  // namespace

std::uint32_t undefined_bits(const Instruction& instruction) {
    if (!instruction.spec) return 0;
    const auto row = static_cast<std::size_t>(instruction.spec - table.data());
    if (!(instruction.word & ~defined_in_all_forms[row])) return 0;
    const auto found = form_of(instruction);
    return found ? instruction.word & ~defined_bits(*found) : 0;
}

}  // namespace tessera::isa
