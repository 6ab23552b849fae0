// SPDX-License-Identifier: Apache-2.0
// Instructions of the MAD sub-unit (their pages, Functional model).
// Loops: loops/sfplut_sfplutfp32_loops.cpp, loops/sfpmad_loops.cpp, loops/sfpmul24_loops.cpp; reference:
//    reference/models/vector_arithmetic.cpp, reference/models/vector_lut.cpp.
#include "isa/values/vector.hpp"
#include "units/vector/loops/multiply_add_loops.hpp"

#include <bit>

#include "units/vector/named.hpp"
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

constexpr std::uint32_t indirect_a_bit = isa::value(isa::values::multiply_add_modes, "indirect_va"),
                        indirect_bit = isa::value(isa::values::multiply_add_modes, "indirect_vd");

struct Operands {
    isa::Operand a, b, c, vd, mode;
};
consteval Operands operands_of(std::string_view name) {
    return {isa::operand(name, "lreg_src_a"), isa::operand(name, "lreg_src_b"), isa::operand(name, "lreg_src_c"),
            isa::operand(name, "lreg_dest"), isa::operand(name, "instr_mod1")};
}

struct ImmediateOperands {
    isa::Operand vd, mode, immediate;
};
consteval ImmediateOperands immediate_operands_of(std::string_view name) {
    return {isa::operand(name, "lreg_dest"), isa::operand(name, "instr_mod1"), isa::operand(name, "imm16_math")};
}

constexpr unsigned one = 10, nothing = 9;
constexpr std::uint32_t writable = (1u << state::LRegs::writable) - 1, any = 0xFFFF;

Vector vector_of(const StateView& view, plan::Plan& plan, const Operands& operands) {
    Vector v = vector::vector_of(view, plan, operands.vd);
    v.a = view[operands.a];
    if (view.macro_step) return v;
    v.b = view[operands.b];
    v.c = view[operands.c];
    return v;
}

// LReg 7 names the destination, unless SFPLOADMACRO has chosen LReg 16.
bool is_indirect(const Vector& v, std::uint32_t mode) { return mode & indirect_bit && v.d < 16; }

void give(plan::Plan& plan, const Vector& v, plan::LaneWork::Loop loop, bool indirect, std::uint32_t reads,
          std::uint32_t immediate) {
    if (!indirect && !stores_d(plan, v)) return;
    plan::LaneWork work = indirect ? lane_work(v, loop) : writing_d(v, loop, reads);
    work.immediate = immediate;
    if (indirect) {
        work.reads = reads | writable;
        work.writes = writable;
        work.data_decides = true;
    }
    // If data decides which registers are read, all candidates count as read whole. This keeps the footprint small.
    constexpr int read_at_most = 3;
    work.across = std::popcount(work.reads) > read_at_most;
    plan.work = work;
}

void multiply_add(const StateView& view, plan::Plan& plan, const Operands& operands) {
    const Vector v = vector_of(view, plan, operands);
    std::uint32_t mode = view[operands.mode];
    if (!view.blackhole()) mode = acting(plan, mode, mode & (indirect_a_bit | indirect_bit));
    const bool indirect_a = mode & indirect_a_bit, indirect = is_indirect(v, mode);
    const std::uint32_t a = indirect_a ? any : lreg_set({v.a});
    give(plan, v, multiply_add_loop(view.arch().arch, mode & (negate_a | negate_c), indirect_a, indirect), indirect,
         a | lreg_set({v.b, v.c}), mode & (negate_a | negate_c));
}

void with_immediate(const StateView& view, plan::Plan& plan, const ImmediateOperands& operands,
                    plan::LaneWork::Loop (*loop)(Arch, bool)) {
    const Vector v = named_by(view, plan, operands.vd, operands.vd);
    std::uint32_t mode = view[operands.mode];
    mode = acting(plan, mode, mode & (view.blackhole() ? negate_c | indirect_bit : indirect_bit));
    const bool indirect = is_indirect(v, mode);
    give(plan, v, loop(view.arch().arch, indirect), indirect, lreg_set({v.c}),
         view[operands.immediate] << 16 | (mode & negate_c));
}

void interpolate(const StateView& view, plan::Plan& plan, const isa::Operand& vd, std::uint32_t mode, Table table,
                 std::uint32_t reads) {
    constexpr std::uint32_t retain_sign = isa::value(isa::values::lut_modes, "sgn_retain");
    static_assert(retain_sign == isa::value(isa::values::lut32_modes, "sgn_retain"));
    const Vector v = vector::vector_of(view, plan, vd);
    const bool indirect = is_indirect(v, mode);
    give(plan, v, table_loop(view.arch().arch, table, indirect), indirect, reads, mode & retain_sign ? 1u << 31 : 0);
}

void resolve_sfpmad(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = operands_of("SFPMAD");
    multiply_add(view, plan, operands);
}

void resolve_sfpadd(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = operands_of("SFPADD");
    if (view[operands.a] != one)
        plan.note(findings::id("vector.multiply-add-operands"), {},
                  "SFPADD multiplies by an LReg other than L10, which is 1.0");
    multiply_add(view, plan, operands);
}

void resolve_sfpmul(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = operands_of("SFPMUL");
    if (view[operands.c] != nothing)
        plan.note(findings::id("vector.multiply-add-operands"), {}, "SFPMUL adds an LReg other than L9, which is 0");
    multiply_add(view, plan, operands);
}

void resolve_sfpaddi(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = immediate_operands_of("SFPADDI");
    with_immediate(view, plan, operands, add_immediate_loop);
}

void resolve_sfpmuli(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = immediate_operands_of("SFPMULI");
    with_immediate(view, plan, operands, multiply_immediate_loop);
}

void resolve_sfplut(const StateView& view, plan::Plan& plan) {
    static constexpr auto vd = isa::operand("SFPLUT", "lreg_ind"), mode = isa::operand("SFPLUT", "instr_mod0");
    interpolate(view, plan, vd, view[mode], Table::bytes, lreg_set({0, 1, 2, 3}));
}

void resolve_sfplutfp32(const StateView& view, plan::Plan& plan) {
    static constexpr auto vd = isa::operand("SFPLUTFP32", "lreg_dest"),
                          mode_bits = isa::operand("SFPLUTFP32", "instr_mod1");
    using isa::value, isa::values::lut32_modes;
    constexpr std::uint32_t six_entries = value(lut32_modes, "fp16_6entry_table1"),
                            cut_at_4 = value(lut32_modes, "fp16_6entry_table2"),
                            three_entries = value(lut32_modes, "fp16_3entry_table");
    const std::uint32_t mode = view[mode_bits], three = lreg_set({0, 1, 2, 3}), six = three | lreg_set({4, 5, 6});
    if (!(mode & six_entries)) return interpolate(view, plan, vd, mode, Table::words, six);
    if ((mode & three_entries) == three_entries) return interpolate(view, plan, vd, mode, Table::halves, three);
    const Table table = (mode & cut_at_4) == cut_at_4 ? Table::halves_to_4 : Table::halves_to_3;
    interpolate(view, plan, vd, mode, table, six);
}

void resolve_sfpmul24(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = operands_of("SFPMUL24");
    constexpr std::uint32_t upper_bit = isa::value(isa::values::multiply_24_modes, "upper"), reserved_bit = 2;
    const Vector v = vector_of(view, plan, operands);
    std::uint32_t mode = view[operands.mode];
    mode = acting(plan, mode, mode & ~reserved_bit);
    if (v.c != nothing) plan.note(findings::id("vector.multiply-addend"), {v.c});
    const bool indirect_a = mode & indirect_a_bit, indirect = is_indirect(v, mode);
    const std::uint32_t a = indirect_a ? any : lreg_set({v.a});
    give(plan, v, multiply_24_loop(mode & upper_bit, indirect_a, indirect), indirect, a | lreg_set({v.b, v.c}), 0);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPMAD"), resolve_sfpmad, {1, 2, unit_page}},
    {isa::mnemonic("SFPADD"), resolve_sfpadd, {1, 2, unit_page}},
    {isa::mnemonic("SFPMUL"), resolve_sfpmul, {1, 2, unit_page}},
    {isa::mnemonic("SFPADDI"), resolve_sfpaddi, {1, 2, unit_page}},
    {isa::mnemonic("SFPMULI"), resolve_sfpmuli, {1, 2, unit_page}},
    {isa::mnemonic("SFPLUT"), resolve_sfplut, {1, 2, unit_page}},
    {isa::mnemonic("SFPLUTFP32"), resolve_sfplutfp32, {1, 2, unit_page}},
    {isa::mnemonic("SFPMUL24"), resolve_sfpmul24, {1, 2, unit_page}},
};

}  // namespace

std::span<const Behaviour> multiply_add_rules() { return behaviours; }

}  // namespace tessera::units::vector
