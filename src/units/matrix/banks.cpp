// SPDX-License-Identifier: Apache-2.0
#include "units/matrix/matrix.hpp"

namespace tessera::units::matrix {

namespace {

constexpr std::array disable_clear = {registers::field("CLR_DVALID_SrcA_Disable"),
                                      registers::field("CLR_DVALID_SrcB_Disable")};

}  // namespace

unsigned matrix_bank(const StateView& view, state::Src src) { return view[state::cells::matrix_bank(src)]; }

void need_bank(plan::Plan& plan, state::Src src, unsigned bank) {
    plan.banks.push_back({src, static_cast<std::uint8_t>(bank), state::Owner::matrix, false});
}

void remember_src_a_row(const StateView& view, plan::Plan& plan, unsigned row) {
    if (view[state::cells::last_src_a_row] != row) plan.effect(state::cells::last_src_a_row, row, plan::When::issue);
}

namespace {

void release_bank(const StateView& view, plan::Plan& plan, state::Src src) {
    const unsigned bank = matrix_bank(view, src);
    if (!view[disable_clear[static_cast<unsigned>(src)]])
        plan.effect(state::cells::bank_owner(src, bank), static_cast<std::uint32_t>(state::Owner::unpackers),
                    plan::When::end);
    plan.effect(state::cells::matrix_bank(src), bank ^ 1, plan::When::issue);
}

}  // namespace

void release_banks(const StateView& view, plan::Plan& plan, unsigned which) {
    if (which & 1) release_bank(view, plan, state::Src::a);
    if (which & 2) release_bank(view, plan, state::Src::b);
}

void add_blocks(plan::DstBlocks& blocks, const plan::DstMap& map, unsigned first, unsigned rows) {
    for (unsigned i = 0; i < rows; ++i) {
        const unsigned row = map.row(first + i);
        blocks.add_row(row);
        if (map.wide) blocks.add_row(plan::DstMap::low_half(row));
    }
}

}  // namespace tessera::units::matrix
