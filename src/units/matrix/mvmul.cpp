// SPDX-License-Identifier: Apache-2.0
// MVMUL (its page, Functional model; spec-notes E10, E11, E18; docs/numerics.md 2, 5).
#include "units/matrix/fidelity.hpp"
#include "units/matrix/matrix.hpp"
#include "units/matrix/mvmul_loops.hpp"

namespace tessera::units::matrix {

namespace {

using state::Src;

constexpr auto flip = isa::operand("MVMUL", "clear_dvalid");
constexpr auto broadcast = isa::operand("MVMUL", "instr_mod19");
constexpr auto addr_mode = isa::operand("MVMUL", "addr_mode");
constexpr auto dst = isa::operand("MVMUL", "dst");

}  // namespace

void resolve_mvmul(const Look& look, plan::Plan& plan) {
    plan::MultiplyWork work;
    work.a_bank = static_cast<std::uint8_t>(matrix_bank(look, Src::a));
    work.b_bank = static_cast<std::uint8_t>(matrix_bank(look, Src::b));
    const Formats formats = look_at_formats(look, work.a_bank, work.b_bank);
    if (formats.stochastic) return plan.not_implemented("stochastic rounding of the matrix unit");
    const unsigned phase = fidelity_phase(look);
    const Arithmetic how = arithmetic(formats, phase);

    work.b_same_row = look[broadcast];
    work.a_row = look.rwc(state::Rwc::src_a) & 0x38;
    if (work.a_row % 16) plan.note(findings::id("matrix.src-a-row"), {work.a_row});
    work.b_row = static_cast<std::uint8_t>(look.rwc(state::Rwc::src_b) & (work.b_same_row ? 0x3F : 0x38));
    work.dst_row = static_cast<std::uint16_t>(dst_row(look, look[dst]) & 0x3F8);
    if (work.b_same_row) {
        // Seven rows, of which every other is zero; the mask is made for seven.
        work.rows = 4;
        work.row_step = 2;
        work.dst_row = static_cast<std::uint16_t>(dst_row(look, look[dst]) & 0x3F9);
    }
    work.flush_b = !how.integers || formats.flush;
    work.renormalise_bug = !look.blackhole();
    work.a_keep = how.a_keep;
    work.b_keep = how.b_keep;
    work.phase = slices(phase, how.wide_exponent, how.wide_dst);
    work.map = formats.dst_map(how.wide_dst);
    work.loop = mvmul_loop(how.integers, how.wide_dst, how.wide_exponent);
    for (unsigned i = 0; i < work.rows; ++i) add_blocks(plan.dst_writes, work.map, work.dst_row + i * work.row_step, 1);
    plan.dst_reads = plan.dst_writes;
    plan.work = work;

    need_bank(plan, Src::a, work.a_bank);
    need_bank(plan, Src::b, work.b_bank);
    release_banks(look, plan, look[flip]);
    apply_addr_mod(look, plan, look[addr_mode]);
}

}  // namespace tessera::units::matrix
