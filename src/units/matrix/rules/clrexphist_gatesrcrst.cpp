// SPDX-License-Identifier: Apache-2.0
// CLREXPHIST (its page; Packers, Exponent histogram, Reset) and GATESRCRST. The operand cache of GATESRCRST has no state
// here.
// Reference: reference/models/matrix_banks.cpp.
#include <fmt/format.h>

#include "state/state.hpp"
#include "units/matrix/matrix.hpp"

namespace tessera::units::matrix {

namespace {

void resolve_clrexphist(const StateView& view, plan::Plan& plan) {
    plan::ClearCellsWork work;
    work.first = state::cells::exp_histogram_block[0];
    work.count = static_cast<std::uint16_t>(view.arch().packers * state::cells::exp_histogram_words);
    plan.work = work;
    for (unsigned i = 0; i < view.arch().packers; ++i)
        plan.effect(state::cells::packer(i, state::Packer::exp_histogram_max), 0, plan::When::start);
}

void resolve_gatesrcrst(const StateView&, plan::Plan&) {}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("CLREXPHIST"), resolve_clrexphist, {1, 1, unit_page}},
    {isa::mnemonic("GATESRCRST"), resolve_gatesrcrst, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> clrexphist_gatesrcrst_rules() { return behaviours; }

}  // namespace tessera::units::matrix

namespace tessera::plan {

void run(const ClearCellsWork& work, state::State& state) {
    for (unsigned i = 0; i < work.count; ++i) state.write(state::Cell(state::index(work.first) + i), 0);
}

void footprint(const ClearCellsWork& work, Footprint& out) {
    out.write(Storage::cell, state::index(work.first), work.count);
}

void explain(const ClearCellsWork& work, Lines& lines) {
    lines.emplace_back("zeroes", fmt::format("{} bins of the packers' exponent histograms", work.count));
}

}  // namespace tessera::plan
