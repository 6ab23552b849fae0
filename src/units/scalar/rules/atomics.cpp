// SPDX-License-Identifier: Apache-2.0
// ATINCGET, ATINCGETPTR, ATSWAP, ATCAS (their pages, Functional model). An instruction that waits for L1 waits inside
// the scalar unit and blocks it for all threads.
//
// Reference: reference/models/scalar.cpp.
#include "units/scalar/gprs.hpp"
#include "units/scalar/scalar.hpp"

namespace tessera::units::scalar {

namespace {

constexpr auto get_width = isa::operand("ATINCGET", "WrapVal");
constexpr auto get_word = isa::operand("ATINCGET", "Sel32b");
constexpr auto get_gpr = isa::operand("ATINCGET", "DataRegIndex");
constexpr auto get_address = isa::operand("ATINCGET", "AddrRegIndex");
constexpr auto ptr_no_increment = isa::operand("ATINCGETPTR", "NoIncr");
constexpr auto ptr_increment = isa::operand("ATINCGETPTR", "IncrVal");
constexpr auto ptr_width = isa::operand("ATINCGETPTR", "WrapVal");
constexpr auto ptr_word = isa::operand("ATINCGETPTR", "Sel32b");
constexpr auto ptr_gpr = isa::operand("ATINCGETPTR", "DataRegIndex");
constexpr auto ptr_address = isa::operand("ATINCGETPTR", "AddrRegIndex");
constexpr auto swap_mask = isa::operand("ATSWAP", "SwapMask");
constexpr auto swap_data = isa::operand("ATSWAP", "DataRegIndex");
constexpr auto swap_address = isa::operand("ATSWAP", "AddrRegIndex");
constexpr auto cas_value = isa::operand("ATCAS", "SwapVal");
constexpr auto cas_expected = isa::operand("ATCAS", "CmpVal");
constexpr auto cas_word = isa::operand("ATCAS", "Sel32b");
constexpr auto cas_address = isa::operand("ATCAS", "AddrRegIndex");

constexpr std::uint32_t single_register = 1u << 8;  // of ATSWAP's mask operand
constexpr std::uint32_t capacity_of_width_0 = 0x8000;

void resolve_atincget(const StateView& view, plan::Plan& plan) {
    plan::IncrementWork work;
    work.address = gpr(view, view[get_address]) * 16 + view[get_word] * 4;
    if (!in_l1(view, plan, work.address)) return;
    work.by = gpr(view, view[get_gpr]);
    work.mask = (2u << view[get_width]) - 1;
    work.gpr = gpr_cell(view, view[get_gpr]);
    plan.cost.lands_at_end = true;
    plan.work = work;
}

void resolve_atincgetptr(const StateView& view, plan::Plan& plan) {
    plan::IncrementWork work;
    work.counters = gpr(view, view[ptr_address]) * 16;
    if (!in_l1(view, plan, work.counters)) return;
    const std::uint32_t width = view[ptr_width], which = view[ptr_word];
    if (which > 1) plan.note(findings::id("scalar.fifo-word"), {which});
    if (width == 0) plan.note(findings::id("scalar.fifo-width"));
    work.address = work.counters + which * 4;
    work.by = view[ptr_no_increment] ? 0 : 1u << view[ptr_increment];
    work.mask = (1u << width) - 1;
    work.gpr = gpr_cell(view, view[ptr_gpr]);
    work.needs = which & 1 ? plan::IncrementWork::Needs::not_full : plan::IncrementWork::Needs::not_empty;
    work.capacity = width ? 1u << (width - 1) : capacity_of_width_0;
    plan.waits_in_unit = true;
    plan.work = work;
}

void resolve_atswap(const StateView& view, plan::Plan& plan) {
    plan::StoreWork work;
    work.line = gpr(view, view[swap_address]) * 16;
    if (!in_l1(view, plan, work.line)) return;
    const std::uint32_t data = view[swap_data];
    if (view[swap_mask] & single_register)
        work.words[data & 3] = gpr(view, data);
    else
        for (unsigned i = 0; i < 4; ++i) work.words[i] = gpr(view, (data & ~3u) + i);
    for (unsigned i = 0; i < 8; ++i)
        if (view[swap_mask] >> i & 1) work.mask |= static_cast<std::uint16_t>(3u << 2 * i);
    plan.cost.lands_at_end = true;
    plan.work = work;
}

void resolve_atcas(const StateView& view, plan::Plan& plan) {
    plan::CompareSetWork work;
    work.address = gpr(view, view[cas_address]) * 16 + view[cas_word] * 4;
    if (!in_l1(view, plan, work.address)) return;
    work.expected = view[cas_expected];
    work.value = view[cas_value];
    plan.waits_in_unit = true;
    plan.work = work;
}

constexpr Source retry_page{"ATCAS, ATINCGETPTR, Performance: 15 cycles, and 15 for each further attempt"};

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("ATINCGET"),
     resolve_atincget,
     {3,
      27,
      {"ScalarUnit, table of cycles; ATINCGET: one every 12 cycles, and 24 DMANOPs behind it mostly suffice",
       Source::assumed},
      0,
      12}},
    {isa::mnemonic("ATINCGETPTR"), resolve_atincgetptr, {15, 15, retry_page, 15}},
    {isa::mnemonic("ATSWAP"),
     resolve_atswap,
     {3,
      27,
      {"ScalarUnit, table of cycles; ATSWAP: one every 12 cycles; its arrival as ATINCGET's", Source::assumed},
      0,
      12}},
    {isa::mnemonic("ATCAS"), resolve_atcas, {15, 15, retry_page, 15}},
};

}  // namespace

std::span<const Behaviour> atomics_rules() { return behaviours; }

}  // namespace tessera::units::scalar
