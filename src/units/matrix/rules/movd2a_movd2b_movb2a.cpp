// SPDX-License-Identifier: Apache-2.0
// MOVD2A, MOVD2B, MOVB2A (their pages, Functional model; spec-notes E6 to E9): rows into a source bank, SrcA's without
// waiting for it, nor SrcB's in MOVD2B.
// Loops: loops/movd2a_movd2b_loops.cpp; reference: reference/models/matrix_moves.cpp.
#include "formats/layouts.hpp"
#include "isa/values/matrix.hpp"
#include "units/lane_config.hpp"
#include "units/matrix/loops/movd2a_movd2b_loops.hpp"
#include "units/matrix/matrix.hpp"

namespace tessera::units::matrix {

namespace {

using state::Src;

struct BackOperands {
    isa::Operand low_half, src, addr_mode, mode, dst;
};
consteval BackOperands back_operands(std::string_view name) {
    return {isa::operand(name, "dest_32b_lo"), isa::operand(name, "src"), isa::operand(name, "addr_mode"),
            isa::operand(name, "instr_mod"), isa::operand(name, "dst")};
}

constexpr auto b2a_mode = isa::operand("MOVB2A", "instr_mod");
constexpr auto b2a_addr_mode = isa::operand("MOVB2A", "addr_mode");
constexpr auto b2a_from = isa::operand("MOVB2A", "srcb");
constexpr auto b2a_to = isa::operand("MOVB2A", "srca");

constexpr std::uint32_t four_rows = isa::value(isa::values::rows_1_or_4, "rows4");

// The bank is not awaited, so an unpacker may own it and write it later.
void note_owner(const StateView& view, plan::Plan& plan, Src src, unsigned bank) {
    const auto owner = view.remark(state::cells::bank_owner(src, bank));
    if (owner == static_cast<std::uint32_t>(state::Owner::matrix)) return;
    plan.note(findings::id("matrix.bank-not-owned"), {bank}, src == Src::a ? "SrcA" : "SrcB");
}

DstStyle style_of(const Formats& operands) {
    if (operands.force_fp16) return DstStyle::fp16;
    if (operands.src_a == DataFormat::Tf32) return DstStyle::tf32;
    return formats::has_wide_exponent(operands.src_a) ? DstStyle::bf16 : DstStyle::fp16;
}

void resolve_from_dst(const StateView& view, plan::Plan& plan, const BackOperands& operands, Src to) {
    const unsigned a_bank = matrix_bank(view, Src::a), b_bank = matrix_bank(view, Src::b);
    // SrcA's format decides for both; for a move to SrcB it comes from SrcB's bank.
    const Formats formats =
        look_at_formats(view, a_bank, b_bank, to == Src::b ? ImpliesA::bank_b_bit_b : ImpliesA::bank_a);
    bool low_half = view[operands.low_half];
    // The kernel library transposes 32-bit data with Fp32_enabled off and the 16-bit view in the upper half
    // (spec-notes T21).
    const bool wide = (!formats.force_fp16 && (formats.fp32_dst || formats.int8_math)) || (formats.upper && low_half);
    DstStyle style = style_of(formats);
    if (!wide && (low_half || style == DstStyle::tf32)) {
        plan.note(findings::id("matrix.move-needs-32-bit-dst"));
        low_half = false;
        if (style == DstStyle::tf32) style = DstStyle::bf16;
    }

    plan::MoveBackWork work;
    work.src = to;
    work.bank = static_cast<std::uint8_t>(to == Src::a ? a_bank : b_bank);
    const bool four = view[operands.mode] & four_rows;
    const std::uint32_t row = view[operands.src] + view.rwc(to == Src::a ? state::Rwc::src_a : state::Rwc::src_b);
    work.rows = four ? 4 : 1;
    work.src_row = static_cast<std::uint8_t>(row & (four ? 0x3C : 0x3F));
    work.dst_row = static_cast<std::uint16_t>(dst_row(view, view[operands.dst]) & (four ? 0x3FC : 0x3FF));
    work.map = formats.dst_map(wide);
    work.loop = move_back_loop(style, low_half);
    add_blocks(plan.dst_reads, work.map, work.dst_row, work.rows);
    work.columns = moved_columns(view);
    if (work.columns) plan.work = work;
    remember_src_a_row(view, plan, to == Src::a ? work.src_row : view.rwc(state::Rwc::src_a));
    note_owner(view, plan, to, work.bank);
    apply_addr_mod(view, plan, view[operands.addr_mode]);
}

void resolve_movd2a(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = back_operands("MOVD2A");
    resolve_from_dst(view, plan, operands, Src::a);
}

void resolve_movd2b(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = back_operands("MOVD2B");
    resolve_from_dst(view, plan, operands, Src::b);
}

void resolve_movb2a(const StateView& view, plan::Plan& plan) {
    plan::CopyRowsWork work;
    work.from_bank = static_cast<std::uint8_t>(matrix_bank(view, Src::b));
    work.to_bank = static_cast<std::uint8_t>(matrix_bank(view, Src::a));
    const bool four = view[b2a_mode] & four_rows;
    const std::uint32_t mask = four ? 0x3C : 0x3F;
    work.rows = four ? 4 : 1;
    work.from_row = static_cast<std::uint8_t>((view[b2a_from] + view.rwc(state::Rwc::src_b)) & mask);
    work.to_row = static_cast<std::uint8_t>((view[b2a_to] + view.rwc(state::Rwc::src_a)) & mask);
    const Formats formats = look_at_formats(view, work.to_bank, work.from_bank);
    work.flush = formats.flush;
    work.keep = kept_bits(formats.src_b);  // spec-notes E6
    work.columns = moved_columns(view);
    if (work.columns) plan.work = work;
    remember_src_a_row(view, plan, work.to_row);
    need_bank(plan, Src::b, work.from_bank);
    note_owner(view, plan, Src::a, work.to_bank);
    apply_addr_mod(view, plan, view[b2a_addr_mode]);
}

// MOVD2A, MOVD2B and MOVB2A, Instruction scheduling, say what the unit accepts behind each, and when.
constexpr Source movd2b_latency{"MatrixUnit gives no figure; as MOVD2A", Source::assumed};

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("MOVD2A"), resolve_movd2a, {.occupancy = 2, .latency = 2, .source = unit_page, .chain = plan::Chain::into_src_a}},
    {isa::mnemonic("MOVD2B"), resolve_movd2b, {.occupancy = 4, .latency = 2, .source = movd2b_latency, .chain = plan::Chain::into_src_b}},
    {isa::mnemonic("MOVB2A"), resolve_movb2a, {.occupancy = 2, .latency = 4, .source = unit_page, .chain = plan::Chain::into_src_a}},
};

}  // namespace

std::span<const Behaviour> movd2a_movd2b_movb2a_rules() { return behaviours; }

}  // namespace tessera::units::matrix
