// SPDX-License-Identifier: Apache-2.0
// SHIFTXA, SHIFTXB (their pages, Functional model; spec-notes E50, E51).
// Reference: reference/models/matrix_banks.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "isa/values/matrix.hpp"
#include "state/state.hpp"
#include "units/matrix/matrix.hpp"

namespace tessera::units::matrix {

namespace {

using state::Src;

constexpr auto direction = isa::operand("SHIFTXA", "shift_mode");
constexpr auto shift_in_zero = isa::operand("SHIFTXB", "rot_shift");
constexpr auto b_row = isa::operand("SHIFTXB", "shift_row");
constexpr auto b_addr_mode = isa::operand("SHIFTXB", "addr_mode");

enum class Direction : std::uint32_t {
    right = isa::value(isa::values::directions, "right"),
    left = isa::value(isa::values::directions, "left")
};

void resolve_shiftxa(const StateView& view, plan::Plan& plan) {
    plan::ShiftWork work;
    work.src = Src::a;
    work.bank = static_cast<std::uint8_t>(matrix_bank(view, Src::a));
    need_bank(plan, Src::a, work.bank);
    const auto to = Direction(view[direction]);
    if (to != Direction::right && to != Direction::left)
        return plan.note(findings::id("matrix.shift-direction"), {view[direction]});
    work.from_row = view[state::cells::last_src_a_row] & 0x30;
    work.rows = 16;
    work.right = to == Direction::right;
    plan.note(findings::id("matrix.shift-row"), {work.from_row, work.from_row + 15u});
    plan.work = work;
}

void resolve_shiftxb(const StateView& view, plan::Plan& plan) {
    plan::ShiftWork work;
    work.src = Src::b;
    work.bank = static_cast<std::uint8_t>(matrix_bank(view, Src::b));
    work.from_row = work.to_row = (view[b_row] + view.rwc(state::Rwc::src_b)) & 0x3F;
    work.rows = 1;
    work.rotate = !view[shift_in_zero];
    plan.work = work;
    need_bank(plan, Src::b, work.bank);
    apply_addr_mod(view, plan, view[b_addr_mode]);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SHIFTXA"), resolve_shiftxa, {1, 1, unit_page}},
    {isa::mnemonic("SHIFTXB"), resolve_shiftxb, {2, 2, unit_page}},
};

}  // namespace

std::span<const Behaviour> shiftxa_shiftxb_rules() { return behaviours; }

}  // namespace tessera::units::matrix

namespace tessera::plan {

namespace {

using state::columns;

Storage storage_of(state::Src src) { return src == state::Src::a ? Storage::src_a : Storage::src_b; }

}  // namespace

void run(const ShiftWork& work, state::State& state) {
    auto& bank = state.bank(work.src, work.bank);
    for (unsigned i = 0; i < work.rows; ++i) {
        const std::uint32_t* from = &bank.datums[(work.from_row + i) * columns];
        std::array<std::uint32_t, columns> row;
        for (unsigned c = 0; c < columns; ++c) {
            const unsigned source = (work.right ? c + columns - 1 : c + 1) % columns;
            const bool vacant = c == (work.right ? 0 : columns - 1);
            row[c] = vacant && !work.rotate ? 0 : from[source];
        }
        std::copy(row.begin(), row.end(), &bank.datums[(work.to_row + i) * columns]);
        bank.written |= std::uint64_t{1} << (work.to_row + i);
    }
}

void footprint(const ShiftWork& work, Footprint& out) {
    const std::uint32_t base = work.bank * state::SrcBank::rows;
    out.read(storage_of(work.src), (base + work.from_row) * columns, work.rows * columns);
    out.write(storage_of(work.src), (base + work.to_row) * columns, work.rows * columns);
}

void explain(const ShiftWork& work, Lines& lines) {
    lines.emplace_back(
        work.rotate ? "rotates" : "shifts",
        fmt::format("{} of Src{} bank {} from row {}, {} by one column, to row {}",
                    work.rows == 1 ? "a row" : fmt::format("{} rows", work.rows), work.src == state::Src::a ? 'A' : 'B',
                    work.bank, work.from_row, work.right ? "right" : "left", work.to_row));
}

}  // namespace tessera::plan
