// SPDX-License-Identifier: Apache-2.0
// CLREXPHIST: the packers' exponent histograms begin anew (Packers, Exponent histogram, Reset).
#include <fmt/format.h>

#include "units/matrix/matrix.hpp"

namespace tessera::units::matrix {

void resolve_clrexphist(const Look& look, plan::Plan& plan) {
    plan.work = plan::HistogramResetWork{static_cast<std::uint8_t>(look.arch().packers)};
}

}  // namespace tessera::units::matrix

namespace tessera::plan {

namespace {

constexpr state::CellBlock bins = state::cells::exp_histogram_block;
constexpr unsigned bins_per_packer = state::cells::exp_histogram_words;

template <class F>
void for_each_cell(const HistogramResetWork& work, F&& f) {
    for (unsigned i = 0; i < work.packers * bins_per_packer; ++i) f(bins[i]);
    for (unsigned i = 0; i < work.packers; ++i) f(state::cells::packer(i, state::Packer::exp_histogram_max));
}

}  // namespace

void run(const HistogramResetWork& work, state::State& state) {
    for_each_cell(work, [&](state::Cell cell) { state.write(cell, 0); });
}

void footprint(const HistogramResetWork& work, Footprint& out) {
    for_each_cell(work, [&](state::Cell cell) { out.write(cell); });
}

void explain(const HistogramResetWork& work, Lines& lines) {
    lines.emplace_back("zeroes", fmt::format("the exponent histograms of {} packers", work.packers));
}

}  // namespace tessera::plan
