// SPDX-License-Identifier: Apache-2.0
// ZEROACC: rows of Dst become invalid and read as zero (ZEROACC, Functional model; spec-notes C11, E17).
// Reference: reference/models/matrix_banks.cpp.
#include <bitset>

#include "isa/values/matrix.hpp"
#include "state/state.hpp"
#include "units/matrix/matrix.hpp"
#include "util/range_text.hpp"

namespace tessera::units::matrix {

namespace {

constexpr auto where = isa::operand("ZEROACC", "where", "dst");
constexpr auto addr_mode = isa::operand("ZEROACC", "addr_mode", "AddrMode");
constexpr auto clear_mode = isa::operand("ZEROACC", "clear_mode");
constexpr auto wide_blackhole = isa::operand("ZEROACC", "use_32_bit_mode");
constexpr auto revert = isa::operand("ZEROACC", "clear_zero_flags");

constexpr auto math_offset = registers::field("DEST_TARGET_REG_CFG_MATH_Offset");
constexpr auto absolute_tiles = registers::field("DEST_ACCESS_CFG_zeroacc_absolute_tile_mode");

using isa::value, isa::values::clear_modes;
enum class Mode : std::uint32_t {
    one_row = value(clear_modes, "row"),
    sixteen_rows = value(clear_modes, "rows16"),
    half = value(clear_modes, "half"),
    all = value(clear_modes, "all")
};
constexpr std::uint32_t wormhole_wide = value(clear_modes, "dst32");
constexpr std::uint32_t block_bits = 0xFF;

// Blackhole counts blocks from the half of Dst that the counters point to (in the 32-bit view: the quarter pair).
std::uint32_t block_index(const StateView& view, bool wide) {
    std::uint32_t block = view[where] & block_bits;
    if (!view.blackhole() || view[absolute_tiles]) return block;
    const std::uint32_t offset = view[math_offset] + view.rwc(state::Rwc::dst);
    if (wide ? offset & 768 : offset & 512) block += wide ? 16 : 32;
    return block;
}

// Either finding once, since both have one code.
void note_range(const StateView& view, plan::Plan& plan, std::uint32_t block, std::uint32_t blocks) {
    constexpr auto range = findings::id("matrix.zeroacc-range");
    if (view[where] > block_bits)
        plan.note(range, {view[where]},
                  block < blocks ? "has more than 8 bits; its low 8 bits count"
                                 : "has more than 8 bits; its low 8 bits are beyond Dst, and no row is cleared");
    else if (block >= blocks)
        plan.note(range, {block}, "is beyond Dst; no row is cleared");
}

void resolve_zeroacc(const StateView& view, plan::Plan& plan) {
    const Mode mode = Mode(view[clear_mode] & 3);
    const bool wide = view.blackhole() ? view[wide_blackhole] : view[clear_mode] & wormhole_wide;
    plan::ValidityWork work;
    work.valid = view[revert];
    if (work.valid) plan.note(findings::id("matrix.zeroacc-revert"));
    auto rows = [](std::uint32_t first, std::uint32_t count) {
        return plan::ValidityWork::Range{static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(count)};
    };
    switch (mode) {
        case Mode::one_row: {
            const Formats formats =
                look_at_formats(view, matrix_bank(view, state::Src::a), matrix_bank(view, state::Src::b));
            work.rows[0] =
                rows(formats.dst_map(formats.fp32_dst || formats.int8_math).row(dst_row(view, view[where])), 1);
            break;
        }
        case Mode::sixteen_rows: {
            const std::uint32_t block = block_index(view, wide);
            const std::uint32_t blocks = state::Dst::rows / (wide ? 32 : 16);
            note_range(view, plan, block, blocks);
            if (block >= blocks) break;
            if (wide) {
                work.rows = {rows(block * 32, 8), rows(block * 32 + 16, 8)};
            } else {
                work.rows[0] = rows(block * 16, 16);
            }
            break;
        }
        case Mode::half: work.rows[0] = rows((view[where] & 1) * 512, 512); break;
        case Mode::all: work.rows[0] = rows(0, state::Dst::rows); break;
    }
    if (!view.costs.interlocks.as_measured)
        for (const auto& range : work.rows) plan.dst_writes.add_rows(range.first, range.count);
    plan.work = work;
    if (mode == Mode::one_row || mode == Mode::sixteen_rows) apply_addr_mod(view, plan, view[addr_mode]);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("ZEROACC"), resolve_zeroacc, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> zeroacc_rules() { return behaviours; }

}  // namespace tessera::units::matrix

namespace tessera::plan {

void run(const ValidityWork& work, state::State& state) {
    using Rows = std::bitset<state::Dst::rows>;
    for (const auto& range : work.rows) {
        const Rows rows = Rows().set() >> (state::Dst::rows - range.count) << range.first;
        state.dst.valid = work.valid ? state.dst.valid | rows : state.dst.valid & ~rows;
        state.dst.written |= rows;
    }
}

void footprint(const ValidityWork& work, Footprint& out) {
    for (const auto& range : work.rows) out.write(Storage::dst_valid, range.first, range.count);
}

void explain(const ValidityWork& work, Lines& lines) {
    for (const auto& range : work.rows)
        if (range.count)
            lines.emplace_back(work.valid ? "makes valid" : "makes invalid",
                               "physical Dst " + util::range_text("rows", range.first, range.first + range.count - 1));
}

}  // namespace tessera::plan
