// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "plan/work.hpp"
#include "state/state.hpp"
#include "util/bit_runs.hpp"

namespace tessera::plan {

namespace {

constexpr unsigned lanes = state::LRegs::lanes;

void touch(std::uint32_t registers, std::uint32_t mask, bool write, Footprint& out) {
    for (unsigned r = 0; r < state::LRegs::registers; ++r)
        if (registers >> r & 1)
            util::for_each_run(mask, [&](unsigned first, unsigned count) {
                write ? out.write(Storage::lreg, r * lanes + first, count) : out.read(Storage::lreg, r * lanes + first, count);
            });
}

std::string registers_of(std::uint32_t mask) {
    std::string text;
    for (unsigned r = 0; r < state::LRegs::registers; ++r)
        if (mask >> r & 1) text += fmt::format("{}{}", text.empty() ? "LReg " : ", ", r);
    return text;
}

}  // namespace

void run(const LaneWork& work, state::State& state) { work.loop(work, state); }

void footprint(const LaneWork& work, Footprint& out) {
    touch(work.reads, work.across ? ~0u : work.lanes, false, out);
    touch(work.writes, work.lanes, true, out);
    if (work.reads_flags) out.read(state::cells::cc_block[0]);
    if (work.writes_flags) out.write(state::cells::cc_block[0]);
    for (unsigned row = 0; row < state::cells::rotated_rows; ++row) {
        if (work.takes_rotated) out.read(state::cells::last_rotated(row));
        if (work.keeps_rotated) out.write(state::cells::last_rotated(row));
    }
    if (work.random)
        util::for_each_run(work.lanes, [&](unsigned first, unsigned count) {
            out.read(Storage::cell, state::index(state::cells::prng_block[first]), count);
            out.write(Storage::cell, state::index(state::cells::prng_block[first]), count);
        });
    for (unsigned i = 0; i < work.cells; ++i) {
        const auto cell = state::Cell(work.first_cell + i * work.cell_stride);
        out.read(cell);
        if (work.writes_cells) out.write(cell);
    }
    if (work.data_decides) out.exact = false;
}

void explain(const LaneWork& work, Lines& lines) {
    if (work.reads) lines.emplace_back("from", registers_of(work.reads));
    if (work.writes) lines.emplace_back("to", registers_of(work.writes));
    if (work.writes_flags) lines.emplace_back("sets", "lane flags");
    if (work.random) lines.emplace_back("uses", "a random number in each lane");
    lines.emplace_back("lanes", work.lanes == ~0u ? std::string("all 32") : fmt::format("mask 0x{:08X}", work.lanes));
}

}  // namespace tessera::plan
