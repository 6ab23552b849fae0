// SPDX-License-Identifier: Apache-2.0
// TRNSPSRCB, ZEROSRC (their pages, Functional model).
// Reference: reference/models/matrix_banks.cpp.
#include <fmt/format.h>

#include "formats/layouts.hpp"
#include "units/matrix/matrix.hpp"
#include "util/range_text.hpp"

namespace tessera::units::matrix {

namespace {

using state::Src;

constexpr auto negative_infinity_in_a = isa::operand("ZEROSRC", "zero_val");
constexpr auto matrix_units_bank = isa::operand("ZEROSRC", "write_mode");
constexpr auto both_banks = isa::operand("ZEROSRC", "bank_mask");
constexpr auto which = isa::operand("ZEROSRC", "src_mask");

void resolve_trnspsrcb(const StateView& view, plan::Plan& plan) {
    plan::TransposeWork work;
    work.bank = static_cast<std::uint8_t>(matrix_bank(view, Src::b));
    plan.work = work;
    need_bank(plan, Src::b, work.bank);
}

// It waits for no bank.
void resolve_zerosrc(const StateView& view, plan::Plan& plan) {
    plan::FillWork work;
    for (unsigned i = 0; i < 2; ++i) {
        if (!(view[which] >> i & 1)) continue;
        const unsigned bank = view[matrix_units_bank] ? matrix_bank(view, Src(i))
                                                      : view[state::cells::unpacker(i, state::Unpacker::bank)];
        work.banks[i] = static_cast<std::uint8_t>(view[both_banks] ? 3 : 1u << bank);
    }
    if (view[negative_infinity_in_a]) work.value[0] = formats::src_negative_infinity;
    if (work.banks[0] | work.banks[1]) plan.work = work;
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("TRNSPSRCB"), resolve_trnspsrcb, {1, 1, unit_page}},
    {isa::mnemonic("ZEROSRC"), resolve_zerosrc, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> trnspsrcb_zerosrc_rules() { return behaviours; }

}  // namespace tessera::units::matrix

namespace tessera::plan {

namespace {

constexpr unsigned first_row = 16, size = 16;
static_assert(size == state::columns);

}  // namespace

void run(const TransposeWork& work, state::State& state) {
    auto& bank = state.bank(state::Src::b, work.bank);
    std::uint32_t* m = &bank.datums[first_row * size];
    for (unsigned i = 0; i < size; ++i)
        for (unsigned j = 0; j < i; ++j) std::swap(m[i * size + j], m[j * size + i]);
    bank.written |= std::uint64_t{0xFFFF} << first_row;
}

void footprint(const TransposeWork& work, Footprint& out) {
    const std::uint32_t first = (work.bank * state::SrcBank::rows + first_row) * size;
    out.read(Storage::src_b, first, size * size);
    out.write(Storage::src_b, first, size * size);
}

void explain(const TransposeWork& work, Lines& lines) {
    lines.emplace_back("transposes", fmt::format("SrcB bank {} {}", work.bank,
                                                 util::range_text("rows", first_row, first_row + size - 1)));
}

}  // namespace tessera::plan
