// SPDX-License-Identifier: Apache-2.0
// GMPOOL, and MPOOL3S1 and MPOOL3S2 as GMPOOL of zeros (GMPOOL, Functional model; MatrixUnit, Legacy instructions;
// spec-notes E52, E53).
// Loops: loops/gmpool_loops.cpp; reference: reference/models/matrix_pools.cpp.
#include "formats/layouts.hpp"
#include "units/matrix/loops/gmpool_loops.hpp"
#include "units/matrix/matrix.hpp"

namespace tessera::units::matrix {

namespace {

using state::Src;

struct PoolOperands {
    isa::Operand flip, addr_mode, arg_max, dst;
};
consteval PoolOperands pool_operands(std::string_view name, std::string_view arg_max) {
    return {isa::operand(name, "clear_dvalid"), isa::operand(name, "pool_addr_mode", "addr_mode"),
            isa::operand(name, arg_max), isa::operand(name, "dst")};
}
constexpr auto gmpool = pool_operands("GMPOOL", "max_pool_index_en");
constexpr auto mpool3s1 = pool_operands("MPOOL3S1", "index_en"), mpool3s2 = pool_operands("MPOOL3S2", "index_en");

struct Style {
    PoolForm form = PoolForm::bf16;
    bool wide_dst = false;
    std::uint32_t mantissa = 0x3FF, exponent = 0xFF;
};

Style style_of(const Formats& operands, bool arg_max) {
    if (operands.force_fp16) return {PoolForm::fp16, false, 0x3FF, 0x1F};
    if (operands.int8_math) return {PoolForm::integer, true, 0x3FF, 0};
    Style style;
    style.wide_dst = operands.fp32_dst;
    if (operands.src_a == DataFormat::Tf32) {
        style.form = arg_max ? PoolForm::integer : style.wide_dst ? PoolForm::tf32 : PoolForm::bf16;
        return style;
    }
    const bool to_tf32 = style.wide_dst && !arg_max;
    if (formats::has_wide_exponent(operands.src_a)) {
        style.form = to_tf32 ? PoolForm::tf32 : PoolForm::bf16;
        style.mantissa = 0x3F8;
    } else {
        style.form = to_tf32 ? PoolForm::tf32 : PoolForm::fp16;
        style.exponent = 0x1F;
    }
    return style;
}

void resolve_pool(const StateView& view, plan::Plan& plan, const PoolOperands& operands, bool a_zero) {
    plan::PoolWork work;
    work.a_bank = static_cast<std::uint8_t>(matrix_bank(view, Src::a));
    work.b_bank = static_cast<std::uint8_t>(matrix_bank(view, Src::b));
    work.a_row = view.rwc(state::Rwc::src_a) & 0x30;
    work.b_row = view.rwc(state::Rwc::src_b) & 0x38;
    work.dst_row = static_cast<std::uint16_t>(dst_row(view, view[operands.dst]) & 0x3FC);
    work.a_zero = a_zero;
    work.arg_max = view[operands.arg_max];
    const Formats formats = look_at_formats(view, work.a_bank, work.b_bank);
    const Style style = style_of(formats, work.arg_max);
    work.form = style.form;
    work.a_mantissa = style.mantissa;
    work.exponent = style.exponent;
    work.map = formats.dst_map(style.wide_dst);
    work.loop = pool_loop(style.form, style.wide_dst, work.arg_max);
    add_blocks(plan.dst_writes, work.map, work.dst_row, 4);
    plan.dst_reads = plan.dst_writes;
    plan.work = work;
    if (!work.arg_max) plan.dst_datums = formats.dst_datums(work.map, style.form == PoolForm::integer);

    finish_with_both_sources(view, plan, work, view[operands.flip], view[operands.addr_mode]);
}

void resolve_gmpool(const StateView& view, plan::Plan& plan) { resolve_pool(view, plan, gmpool, false); }

void resolve_mpool3s1(const StateView& view, plan::Plan& plan) {
    plan.note(findings::id("matrix.legacy"), {}, "MPOOL3S1");
    resolve_pool(view, plan, mpool3s1, true);
}

void resolve_mpool3s2(const StateView& view, plan::Plan& plan) {
    plan.note(findings::id("matrix.legacy"), {}, "MPOOL3S2");
    resolve_pool(view, plan, mpool3s2, true);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("GMPOOL"), resolve_gmpool, {1, 5, unit_page}},
    {isa::mnemonic("MPOOL3S1"), resolve_mpool3s1, {1, 5, legacy_latency}},
    {isa::mnemonic("MPOOL3S2"), resolve_mpool3s2, {1, 5, legacy_latency}},
};

}  // namespace

std::span<const Behaviour> gmpool_rules() { return behaviours; }

}  // namespace tessera::units::matrix
