// SPDX-License-Identifier: Apache-2.0
// ELWADD, ELWSUB, ELWMUL (their pages, Functional model; docs/internals/numerics.md 4, 5).
// Loops: loops/elementwise_loops.cpp; reference: reference/models/matrix_math.cpp.
#include "isa/values/matrix.hpp"
#include "units/matrix/fidelity.hpp"
#include "units/matrix/loops/elementwise_loops.hpp"
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
constexpr auto elwadd = operands_of("ELWADD"), elwsub = operands_of("ELWSUB"), elwmul = operands_of("ELWMUL");

enum class Operation { add, subtract, multiply };

void resolve_elementwise(const StateView& view, plan::Plan& plan, const ElementwiseOperands& operands,
                         Operation operation) {
    const bool product = operation == Operation::multiply;
    plan::ElementwiseWork work;
    work.a_bank = static_cast<std::uint8_t>(matrix_bank(view, Src::a));
    work.b_bank = static_cast<std::uint8_t>(matrix_bank(view, Src::b));
    const Formats formats = look_at_formats(view, work.a_bank, work.b_bank);
    const unsigned phase = fidelity_phase(view);
    const Arithmetic how = arithmetic(formats, product ? std::optional(phase) : std::nullopt);

    work.b_same_row = view[operands.broadcast] & isa::value(isa::values::broadcasts, "row");
    work.b_column0 = view[operands.broadcast] & isa::value(isa::values::broadcasts, "col");
    work.a_row = view.rwc(state::Rwc::src_a) & 0x38;
    work.b_row = static_cast<std::uint8_t>(view.rwc(state::Rwc::src_b) & (work.b_same_row ? 0x3F : 0x38));
    work.subtract = operation == Operation::subtract;
    work.accumulate = product || view[operands.accumulate];
    work.flush_b = formats.flush;
    work.renormalise_bug = !view.blackhole();
    work.numbers = how.numbers();
    work.product = product;
    work.a_keep = how.a_keep;
    work.b_keep = how.b_keep;
    if (product) {
        work.phase = slices(phase, how.wide_exponent, how.wide_dst);
    } else if (!how.integers) {
        if (phase) plan.note(findings::id("matrix.fidelity-phase"), {phase});
        const int divided = (phase & 1 ? 5 : 0) + (phase & 2 ? 7 : 0);  // spec-notes E4
        const bool rebias = how.wide_dst && !how.wide_exponent;
        work.phase.number = static_cast<std::uint8_t>(phase);
        work.sum_exponent = static_cast<std::int16_t>((rebias ? 112 : 0) - divided);
        work.sum_zero_exponent = static_cast<std::int16_t>((rebias ? 97 : 0) - divided);
    }

    work.map = formats.dst_map(how.wide_dst);
    work.dst_row = static_cast<std::uint16_t>(dst_row(view, view[operands.dst]) & 0x3F8);
    work.stochastic = formats.stochastic && !how.integers;
    if (work.stochastic) plan.note(findings::id("rounding.stochastic-undocumented"));
    work.loop = elementwise_loop(
        {product, how.integers, how.wide_dst, how.wide_exponent, work.accumulate, work.flush_b, work.stochastic});
    add_blocks(plan.dst_writes, work.map, work.dst_row, 8);
    if (work.accumulate || view.costs.interlocks.as_measured) plan.dst_reads = plan.dst_writes;
    plan.work = work;
    plan.dst_datums = formats.dst_datums(work.map, how.integers);

    finish_with_both_sources(view, plan, work, view[operands.flip], view[operands.addr_mode]);
}

void resolve_elwadd(const StateView& view, plan::Plan& plan) {
    resolve_elementwise(view, plan, elwadd, Operation::add);
}
void resolve_elwsub(const StateView& view, plan::Plan& plan) {
    resolve_elementwise(view, plan, elwsub, Operation::subtract);
}
void resolve_elwmul(const StateView& view, plan::Plan& plan) {
    resolve_elementwise(view, plan, elwmul, Operation::multiply);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("ELWADD"), resolve_elwadd, {1, 5, unit_page}},
    {isa::mnemonic("ELWSUB"), resolve_elwsub, {1, 5, unit_page}},
    {isa::mnemonic("ELWMUL"), resolve_elwmul, {1, 5, unit_page}},
};

}  // namespace

std::span<const Behaviour> elementwise_rules() { return behaviours; }

}  // namespace tessera::units::matrix
