// SPDX-License-Identifier: Apache-2.0
// MOVA2D, MOVB2D and their debug forms (their pages, Functional model; numerics 7; spec-notes E54).
// Loops: loops/mova2d_movb2d_loops.cpp; reference: reference/models/matrix_moves.cpp.
#include "formats/layouts.hpp"
#include "isa/values/matrix.hpp"
#include "units/lane_config.hpp"
#include "units/matrix/loops/mova2d_movb2d_loops.hpp"
#include "units/matrix/matrix.hpp"

namespace tessera::units::matrix {

namespace {

using state::Src;

constexpr std::uint32_t all_bits = ~0u;

constexpr auto default_format = registers::field("SFPU_DEST_FMT_Base");
constexpr auto disable_implied_a = registers::field("DISABLE_IMPLIED_SRCA_FMT_Base");
constexpr auto disable_implied_b = registers::field("DISABLE_IMPLIED_SRCB_FMT_Base");

struct MoveOperands {
    isa::Operand low_half, src, addr_mode, mode, dst;
};
consteval MoveOperands move_operands(std::string_view name, std::string_view mode) {
    return {isa::operand(name, "dest_32b_lo"), isa::operand(name, "src"), isa::operand(name, "addr_mode"),
            isa::operand(name, mode, "instr_mod"), isa::operand(name, "dst")};
}
constexpr auto a2d = move_operands("MOVA2D", "instr_mod"), debug_a2d = move_operands("MOVDBGA2D", "instr_mod");
constexpr auto b2d = move_operands("MOVB2D", "movb2d_instr_mod"),
               debug_b2d = move_operands("MOVDBGB2D", "movb2d_instr_mod");

// The debug forms do not wait, so an unpacker may own the bank and write it later.
enum class Waits { for_bank, not_at_all };

void note_owner(const StateView& view, plan::Plan& plan, Src src, unsigned bank) {
    const auto owner = view.remark(state::cells::bank_owner(src, bank));
    if (owner == static_cast<std::uint32_t>(state::Owner::matrix)) return;
    plan.note(findings::id("matrix.debug-move"), {bank}, src == Src::a ? "SrcA" : "SrcB");
}

// A bank of the unpackers implies the default format, not the one that it last had (MOVDBGA2D, Functional model;
// spec-notes E54).
void take_default_format(const StateView& view, Formats& formats, Src src, unsigned bank) {
    if (!view.arch().implied_formats) return;
    if (view[state::cells::bank_owner(src, bank)] == static_cast<std::uint32_t>(state::Owner::matrix)) return;
    const auto format = DataFormat(view[default_format]);
    if (!view[disable_implied_a]) formats.src_a = format;
    if (src == Src::b && !view[disable_implied_b]) formats.src_b = format;
}

void finish(const StateView& view, plan::Plan& plan, const MoveOperands& operands, const Formats& formats,
            plan::MoveWork work, unsigned dst_mask, Waits waits) {
    const bool low_half = view[operands.low_half];
    const bool tf32 = formats.src_a == DataFormat::Tf32;
    if (tf32 && low_half) plan.note(findings::id("matrix.tf32-low"));
    work.map = formats.dst_map(tf32 || low_half);
    work.flush = formats.flush;
    work.dst_row = static_cast<std::uint16_t>(dst_row(view, view[operands.dst]) & dst_mask);
    work.loop = move_loop({formats.wide_exponent(), tf32, low_half});
    add_blocks(plan.dst_writes, work.map, work.dst_row, work.rows);
    work.low_half = low_half && !tf32;
    if (work.low_half) plan.dst_reads = plan.dst_writes;
    work.columns = moved_columns(view);
    if (work.columns) plan.work = work;
    plan.dst_datums = formats.dst_datums(work.map, false);
    if (work.low_half || formats.int8_math) plan.dst_datums.numbers = plan::DstDatums::Numbers::unknown;
    remember_src_a_row(view, plan, work.src == Src::a ? work.src_row : view.rwc(state::Rwc::src_a));
    if (waits == Waits::for_bank)
        need_bank(plan, work.src, work.bank);
    else
        note_owner(view, plan, work.src, work.bank);
    apply_addr_mod(view, plan, view[operands.addr_mode]);
}

void resolve_a2d(const StateView& view, plan::Plan& plan, const MoveOperands& operands, Waits waits) {
    plan::MoveWork work;
    work.src = Src::a;
    work.bank = static_cast<std::uint8_t>(matrix_bank(view, Src::a));
    Formats formats = look_at_formats(view, work.bank, matrix_bank(view, Src::b));
    if (waits == Waits::not_at_all) take_default_format(view, formats, Src::a, work.bank);
    const bool eight_rows = view[operands.mode] & isa::value(isa::values::rows_1_or_8, "rows8");
    const std::uint32_t row = view[operands.src] + view.rwc(state::Rwc::src_a);
    work.rows = eight_rows ? 8 : 1;
    work.src_row = static_cast<std::uint8_t>(row & (eight_rows ? 0x38 : 0x3F));
    work.keep = all_bits;
    finish(view, plan, operands, formats, work, eight_rows ? 0x3F8 : 0x3FF, waits);
}

// Of SrcB's formats with 5-bit exponents only FP16 counts as such (spec-notes E5). The others lose the low mantissa
// bits like a BF16, unless SrcA's format has a 5-bit exponent, too.
std::uint32_t moved_bits(const Formats& of) {
    const auto other_narrow = [](DataFormat format) {
        return !formats::has_wide_exponent(format) && format != DataFormat::Float16;
    };
    if (!other_narrow(of.src_b)) return kept_bits(of.src_b);
    return other_narrow(of.src_a) ? all_bits : kept_bits(DataFormat::Float16_b);
}

void resolve_b2d(const StateView& view, plan::Plan& plan, const MoveOperands& operands, Waits waits) {
    plan::MoveWork work;
    work.src = Src::b;
    work.bank = static_cast<std::uint8_t>(matrix_bank(view, Src::b));
    Formats formats = look_at_formats(view, matrix_bank(view, Src::a), work.bank, ImpliesA::bank_b);
    if (waits == Waits::not_at_all) take_default_format(view, formats, Src::b, work.bank);
    const std::uint32_t mode = view[operands.mode];
    const std::uint32_t row = view[operands.src] + view.rwc(state::Rwc::src_b);
    using isa::value, isa::values::rows_of_b;
    work.column0 = mode & value(rows_of_b, "column0");
    unsigned dst_mask = 0x3FF;
    if (mode & value(rows_of_b, "row1_to_8")) {
        work.rows = 8;
        work.same_row = true;
        work.src_row = static_cast<std::uint8_t>(row & 0x3F);
        dst_mask = 0x3F8;
    } else if (mode & value(rows_of_b, "rows4")) {
        work.rows = 4;
        work.src_row = static_cast<std::uint8_t>(row & 0x3C);
        dst_mask = 0x3FC;
    } else {
        work.rows = 1;
        work.src_row = static_cast<std::uint8_t>(row & 0x3F);
    }
    work.keep = moved_bits(formats);
    finish(view, plan, operands, formats, work, dst_mask, waits);
}

void resolve_mova2d(const StateView& view, plan::Plan& plan) { resolve_a2d(view, plan, a2d, Waits::for_bank); }
void resolve_movdbga2d(const StateView& view, plan::Plan& plan) {
    resolve_a2d(view, plan, debug_a2d, Waits::not_at_all);
}
void resolve_movb2d(const StateView& view, plan::Plan& plan) { resolve_b2d(view, plan, b2d, Waits::for_bank); }
void resolve_movdbgb2d(const StateView& view, plan::Plan& plan) {
    resolve_b2d(view, plan, debug_b2d, Waits::not_at_all);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("MOVA2D"), resolve_mova2d, {1, 4, unit_page}},
    {isa::mnemonic("MOVDBGA2D"), resolve_movdbga2d, {1, 4, unit_page}},
    {isa::mnemonic("MOVB2D"), resolve_movb2d, {1, 4, unit_page}},
    {isa::mnemonic("MOVDBGB2D"),
     resolve_movdbgb2d,
     {1, 4, {"MatrixUnit gives no figure; as MOVDBGA2D", Source::assumed}}},
};

}  // namespace

std::span<const Behaviour> mova2d_movb2d_rules() { return behaviours; }

}  // namespace tessera::units::matrix
