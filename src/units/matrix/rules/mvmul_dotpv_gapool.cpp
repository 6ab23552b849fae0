// SPDX-License-Identifier: Apache-2.0
// MVMUL, DOTPV, GAPOOL and the legacy instructions that add 0 (their pages, Functional model; MatrixUnit, Legacy
// instructions; spec-notes E10, E11, E18, E53; docs/internals/numerics.md 2, 5).
// Loops: loops/mvmul_loops.cpp; reference: reference/models/matrix_math.cpp.
#include "units/matrix/fidelity.hpp"
#include "units/matrix/loops/mvmul_loops.hpp"
#include "units/matrix/matrix.hpp"

namespace tessera::units::matrix {

namespace {

using state::Src;

struct MultiplyOperands {
    isa::Operand flip, addr_mode, dst;
};
consteval MultiplyOperands operands_of(std::string_view name, std::string_view addr_mode = "addr_mode") {
    return {isa::operand(name, "clear_dvalid"), isa::operand(name, addr_mode, "addr_mode"), isa::operand(name, "dst")};
}
constexpr auto mvmul = operands_of("MVMUL"), dotpv = operands_of("DOTPV");
constexpr auto gapool = operands_of("GAPOOL", "pool_addr_mode");
constexpr auto conv3s1 = operands_of("CONV3S1"), conv3s2 = operands_of("CONV3S2"), mfconv3s1 = operands_of("MFCONV3S1");
constexpr auto apool3s1 = operands_of("APOOL3S1", "pool_addr_mode"),
               apool3s2 = operands_of("APOOL3S2", "pool_addr_mode");
constexpr auto broadcast = isa::operand("MVMUL", "instr_mod19");

constexpr unsigned eight_rows = 8, four_rows = 4;

// The rows of Dst: all but MVMUL's broadcast use the whole aligned block.
struct Shape {
    unsigned rows = eight_rows;
    bool b_same_row = false;
    bool zeros = false;  // both sources count as zeros: Dst += 0
};

void resolve_multiply(const StateView& view, plan::Plan& plan, const MultiplyOperands& operands, const Shape& shape) {
    plan::MultiplyWork work;
    work.a_bank = static_cast<std::uint8_t>(matrix_bank(view, Src::a));
    work.b_bank = static_cast<std::uint8_t>(matrix_bank(view, Src::b));
    const Formats formats = look_at_formats(view, work.a_bank, work.b_bank);
    const unsigned phase = fidelity_phase(view);
    const Arithmetic how = arithmetic(formats, phase);

    work.b_same_row = shape.b_same_row;
    work.a_row = view.rwc(state::Rwc::src_a) & 0x38;
    if (work.a_row % 16 && !shape.zeros)
        plan.note(findings::id("matrix.src-a-row"), {work.a_row}, view.instruction.spec->name);
    work.b_row = static_cast<std::uint8_t>(view.rwc(state::Rwc::src_b) & (work.b_same_row ? 0x3F : 0x38));
    work.rows = static_cast<std::uint8_t>(shape.rows);
    work.dst_row = static_cast<std::uint16_t>(dst_row(view, view[operands.dst]) & (0x400 - shape.rows));
    if (work.b_same_row) {
        // Seven rows, of which every other one is zero; the mask is made for seven.
        work.rows = 4;
        work.row_step = 2;
        work.dst_row = static_cast<std::uint16_t>(dst_row(view, view[operands.dst]) & 0x3F9);
    }
    work.flush_b = !how.integers || formats.flush || shape.zeros;
    work.renormalise_bug = !view.blackhole();
    work.a_keep = shape.zeros ? 0 : how.a_keep;
    work.b_keep = shape.zeros ? 0 : how.b_keep;
    work.numbers = how.numbers();
    work.phase = slices(phase, how.wide_exponent, how.wide_dst);
    work.map = formats.dst_map(how.wide_dst);
    work.stochastic = formats.stochastic && !how.integers;
    if (work.stochastic) plan.note(findings::id("rounding.stochastic-undocumented"));
    work.loop = mvmul_loop(how.integers, how.wide_dst, how.wide_exponent, work.stochastic);
    for (unsigned i = 0; i < work.rows; ++i) add_blocks(plan.dst_writes, work.map, work.dst_row + i * work.row_step, 1);
    plan.dst_reads = plan.dst_writes;
    plan.work = work;
    plan.dst_datums = formats.dst_datums(work.map, how.integers);

    finish_with_both_sources(view, plan, work, view[operands.flip], view[operands.addr_mode]);
}

void resolve_legacy(const StateView& view, plan::Plan& plan, const MultiplyOperands& operands, unsigned rows) {
    plan.note(findings::id("matrix.legacy"), {}, view.instruction.spec->name);
    resolve_multiply(view, plan, operands, {rows, false, true});
}

void resolve_mvmul(const StateView& view, plan::Plan& plan) {
    resolve_multiply(view, plan, mvmul, {eight_rows, view[broadcast] != 0, false});
}
void resolve_dotpv(const StateView& view, plan::Plan& plan) { resolve_multiply(view, plan, dotpv, {}); }
void resolve_gapool(const StateView& view, plan::Plan& plan) { resolve_multiply(view, plan, gapool, {four_rows}); }

void resolve_conv3s1(const StateView& view, plan::Plan& plan) { resolve_legacy(view, plan, conv3s1, eight_rows); }
void resolve_conv3s2(const StateView& view, plan::Plan& plan) { resolve_legacy(view, plan, conv3s2, eight_rows); }
void resolve_mfconv3s1(const StateView& view, plan::Plan& plan) { resolve_legacy(view, plan, mfconv3s1, eight_rows); }
void resolve_apool3s1(const StateView& view, plan::Plan& plan) { resolve_legacy(view, plan, apool3s1, four_rows); }
void resolve_apool3s2(const StateView& view, plan::Plan& plan) { resolve_legacy(view, plan, apool3s2, four_rows); }

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("MVMUL"), resolve_mvmul, {1, 5, unit_page}},
    {isa::mnemonic("DOTPV"), resolve_dotpv, {1, 5, unit_page}},
    {isa::mnemonic("GAPOOL"), resolve_gapool, {1, 5, unit_page}},
    {isa::mnemonic("CONV3S1"), resolve_conv3s1, {1, 5, legacy_latency}},
    {isa::mnemonic("CONV3S2"), resolve_conv3s2, {1, 5, legacy_latency}},
    {isa::mnemonic("MFCONV3S1"), resolve_mfconv3s1, {1, 5, legacy_latency}},
    {isa::mnemonic("APOOL3S1"), resolve_apool3s1, {1, 5, legacy_latency}},
    {isa::mnemonic("APOOL3S2"), resolve_apool3s2, {1, 5, legacy_latency}},
};

}  // namespace

std::span<const Behaviour> mvmul_dotpv_gapool_rules() { return behaviours; }

}  // namespace tessera::units::matrix
