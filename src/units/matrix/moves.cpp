// SPDX-License-Identifier: Apache-2.0
// MOVA2D, MOVB2D (their pages, Functional model; numerics 7).
#include "units/matrix/matrix.hpp"
#include "units/matrix/move_loops.hpp"

namespace tessera::units::matrix {

namespace {

using state::Src;

struct MoveOperands {
    isa::Operand low_half, src, addr_mode, mode, dst;
};
constexpr MoveOperands a2d = {isa::operand("MOVA2D", "dest_32b_lo"), isa::operand("MOVA2D", "src"),
                              isa::operand("MOVA2D", "addr_mode"), isa::operand("MOVA2D", "instr_mod"),
                              isa::operand("MOVA2D", "dst")};
constexpr MoveOperands b2d = {isa::operand("MOVB2D", "dest_32b_lo"), isa::operand("MOVB2D", "src"),
                              isa::operand("MOVB2D", "addr_mode"),
                              isa::operand("MOVB2D", "movb2d_instr_mod", "instr_mod"), isa::operand("MOVB2D", "dst")};

void finish(const Look& look, plan::Plan& plan, const MoveOperands& operands, const Formats& formats,
            plan::MoveWork work, unsigned dst_mask) {
    const bool low_half = look[operands.low_half];
    const bool tf32 = formats.src_a == DataFormat::Tf32;
    if (tf32 && low_half) plan.note(findings::id("matrix.tf32-low"));
    work.map = formats.dst_map(tf32 || low_half);
    work.flush = formats.flush;
    work.dst_row = static_cast<std::uint16_t>(dst_row(look, look[operands.dst]) & dst_mask);
    work.loop = move_loop({formats.wide_exponent(), tf32, low_half});
    add_blocks(plan.dst_writes, work.map, work.dst_row, work.rows);
    work.low_half = low_half && !tf32;
    if (work.low_half) plan.dst_reads = plan.dst_writes;
    plan.work = work;
    need_bank(plan, work.src, work.bank);
    apply_addr_mod(look, plan, look[operands.addr_mode]);
}

}  // namespace

void resolve_mova2d(const Look& look, plan::Plan& plan) {
    plan::MoveWork work;
    work.src = Src::a;
    work.bank = static_cast<std::uint8_t>(matrix_bank(look, Src::a));
    const Formats formats = look_at_formats(look, work.bank, matrix_bank(look, Src::b));
    const bool eight_rows = look[a2d.mode] & 2;
    const std::uint32_t row = look[a2d.src] + look.rwc(state::Rwc::src_a);
    work.rows = eight_rows ? 8 : 1;
    work.src_row = static_cast<std::uint8_t>(row & (eight_rows ? 0x38 : 0x3F));
    work.keep = ~0u;
    finish(look, plan, a2d, formats, work, eight_rows ? 0x3F8 : 0x3FF);
}

void resolve_movb2d(const Look& look, plan::Plan& plan) {
    plan::MoveWork work;
    work.src = Src::b;
    work.bank = static_cast<std::uint8_t>(matrix_bank(look, Src::b));
    const Formats formats = look_at_formats(look, matrix_bank(look, Src::a), work.bank, ImpliesA::bank_b);
    const std::uint32_t mode = look[b2d.mode];
    const std::uint32_t row = look[b2d.src] + look.rwc(state::Rwc::src_b);
    work.column0 = mode & 1;
    unsigned dst_mask = 0x3FF;
    if (mode & 2) {
        work.rows = 8;
        work.same_row = true;
        work.src_row = static_cast<std::uint8_t>(row & 0x3F);
        dst_mask = 0x3F8;
    } else if (mode & 4) {
        work.rows = 4;
        work.src_row = static_cast<std::uint8_t>(row & 0x3C);
        dst_mask = 0x3FC;
    } else {
        work.rows = 1;
        work.src_row = static_cast<std::uint8_t>(row & 0x3F);
    }
    work.keep = kept_bits(formats.src_b);  // spec-notes E5
    finish(look, plan, b2d, formats, work, dst_mask);
}

}  // namespace tessera::units::matrix
