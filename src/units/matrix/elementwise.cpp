// SPDX-License-Identifier: Apache-2.0
// ELWADD, ELWSUB (ELWADD, Functional model; numerics 4).
#include "units/matrix/elementwise_loops.hpp"
#include "units/matrix/matrix.hpp"

namespace tessera::units::matrix {

namespace {

using state::Src;

struct ElementwiseOperands {
    isa::Operand flip, accumulate, broadcast, addr_mode, dst;
};
consteval ElementwiseOperands operands_of(std::string_view name) {
    return {isa::operand(name, "clear_dvalid"), isa::operand(name, "dest_accum_en"), isa::operand(name, "instr_mod19"),
            isa::operand(name, "addr_mode"), isa::operand(name, "dst")};
}
constexpr auto add = operands_of("ELWADD"), sub = operands_of("ELWSUB");
constexpr auto fidelity_base = registers::field("FIDELITY_BASE_Phase");

void resolve_elementwise(const Look& look, plan::Plan& plan, const ElementwiseOperands& operands, bool subtract) {
    plan::ElementwiseWork work;
    work.a_bank = static_cast<std::uint8_t>(matrix_bank(look, Src::a));
    work.b_bank = static_cast<std::uint8_t>(matrix_bank(look, Src::b));
    const Formats formats = look_at_formats(look, work.a_bank, work.b_bank);
    if (formats.stochastic) return plan.not_implemented("stochastic rounding of the matrix unit");
    if (formats.int8_math && !formats.force_fp16) return plan.not_implemented("integer ELWADD and ELWSUB");

    work.b_same_row = look[operands.broadcast] & 2;
    work.b_column0 = look[operands.broadcast] & 1;
    work.a_row = look.rwc(state::Rwc::src_a) & 0x38;
    work.b_row = static_cast<std::uint8_t>(look.rwc(state::Rwc::src_b) & (work.b_same_row ? 0x3F : 0x38));
    work.subtract = subtract;
    work.accumulate = look[operands.accumulate];
    work.flush_b = formats.flush;
    work.wide_exponent = formats.wide_exponent();
    work.renormalise_bug = !look.blackhole();
    work.a_keep = formats.force_fp16 ? kept_bits(DataFormat::Float16) : kept_bits(formats.src_a);
    work.b_keep = formats.force_fp16 ? kept_bits(DataFormat::Float16) : kept_bits(formats.src_b);
    const std::uint32_t phase = (look.rwc(state::Rwc::fidelity) + look[fidelity_base]) & 3;
    if (phase) plan.note(findings::id("matrix.fidelity-phase"), {phase});
    work.phase_shift = static_cast<std::uint8_t>((phase & 1 ? 5 : 0) + (phase & 2 ? 7 : 0));

    work.map = formats.dst_map(formats.fp32_dst && !formats.force_fp16);
    work.dst_row = static_cast<std::uint16_t>(dst_row(look, look[operands.dst]) & 0x3F8);
    work.loop = elementwise_loop(work.map.wide, work.wide_exponent);
    add_blocks(plan.dst_writes, work.map, work.dst_row, 8);
    if (work.accumulate) plan.dst_reads = plan.dst_writes;
    plan.work = work;

    need_bank(plan, Src::a, work.a_bank);
    need_bank(plan, Src::b, work.b_bank);
    if (look[operands.flip] & 1) release_bank(look, plan, Src::a);
    if (look[operands.flip] & 2) release_bank(look, plan, Src::b);
    apply_addr_mod(look, plan, look[operands.addr_mode]);
}

}  // namespace

void resolve_elwadd(const Look& look, plan::Plan& plan) { resolve_elementwise(look, plan, add, false); }
void resolve_elwsub(const Look& look, plan::Plan& plan) { resolve_elementwise(look, plan, sub, true); }

}  // namespace tessera::units::matrix
