// SPDX-License-Identifier: Apache-2.0
// The scalar unit's requests to L1 and to registers of the tile, and writes of GPRs to SrcA and SrcB: LOADIND,
// STOREIND in three forms, LOADREG, STOREREG (their pages, Functional model; Wormhole's also stand for Blackhole,
// spec-notes G3).
//
// Reference: reference/models/scalar.cpp.
#include "formats/layouts.hpp"
#include "isa/form.hpp"
#include "state/mmio.hpp"
#include "units/scalar/gprs.hpp"
#include "units/scalar/scalar.hpp"
#include "units/tile_registers.hpp"

namespace tessera::units::scalar {

namespace {

using isa::form_operand;
using state::Src;
using state::Unpacker;

constexpr auto load_size = isa::operand("LOADIND", "SizeSel");
constexpr auto load_offset = isa::operand("LOADIND", "OffsetIndex");
constexpr auto load_increment = isa::operand("LOADIND", "AutoIncSpec");
constexpr auto load_result = isa::operand("LOADIND", "DataRegIndex");
constexpr auto load_address = isa::operand("LOADIND", "AddrRegIndex");
constexpr auto store_to_l1 = isa::operand("STOREIND", "MemHierSel");
constexpr auto store_to_register = isa::operand("STOREIND", "SizeSel");
constexpr auto store_to_src_b = isa::operand("STOREIND", "RegSizeSel");
constexpr auto store_size = form_operand("STOREIND", "l1", "Size");
constexpr auto store_offset = isa::operand("STOREIND", "OffsetIndex");
constexpr auto store_increment = isa::operand("STOREIND", "AutoIncSpec");
constexpr auto store_data = isa::operand("STOREIND", "DataRegIndex");
constexpr auto store_address = isa::operand("STOREIND", "AddrRegIndex");
constexpr auto storereg_data = isa::operand("STOREREG", "TdmaDataRegIndex");
constexpr auto storereg_address = isa::operand("STOREREG", "RegAddr");
constexpr auto loadreg_result = isa::operand("LOADREG", "TdmaDataRegIndex");
constexpr auto loadreg_address = isa::operand("LOADREG", "RegAddr");
constexpr auto overrides_row = registers::field("SRCA_SET_SetOvrdWithAddr");

constexpr std::uint32_t increments[] = {0, 2, 4, 16};
constexpr std::uint8_t sizes[] = {16, 4, 2, 1};

// Base GPR times 16, plus the offset in a half GPR, in 32 bits; aligned to the size.
std::optional<std::uint32_t> l1_address(const StateView& view, plan::Plan& plan, std::uint32_t base,
                                        std::uint32_t offset, std::uint32_t bytes) {
    const std::uint32_t address = gpr(view, base) * 16 + half_gpr(view, offset);
    if (!in_l1(view, plan, address)) return std::nullopt;
    return address & ~(bytes - 1);
}

// The incremented offset. The thread's next instruction reads it, although the memory request lands later (spec-notes
// G13).
std::uint32_t increment_offset(const StateView& view, plan::Plan& plan, std::uint32_t half, std::uint32_t spec) {
    const std::uint32_t value = with_half(view, half, half_gpr(view, half) + increments[spec]);
    if (spec) plan.effect(gpr_cell(view, half / 2), value, plan::When::issue);
    return value;
}

void store_l1(const StateView& view, plan::Plan& plan) {
    const std::uint32_t size = view[store_size], bytes = sizes[size], half = view[store_offset];
    const auto address = l1_address(view, plan, view[store_address], half, bytes);
    if (!address) return;
    const std::uint32_t incremented = increment_offset(view, plan, half, view[store_increment]);
    // The data is read after the offset's increment.
    const auto data = [&](std::uint32_t i) { return i == half / 2 ? incremented : gpr(view, i); };
    const std::uint32_t first = size ? view[store_data] : view[store_data] & ~3u;
    plan::StoreWork work;
    work.line = *address & ~15u;
    work.mask = static_cast<std::uint16_t>(((1u << bytes) - 1) << *address % 16);
    if (size)
        work.words[*address % 16 / 4] = data(first) << *address % 4 * 8;
    else
        for (unsigned i = 0; i < 4; ++i) work.words[i] = data(first + i);
    plan.cost.lands_at_end = true;
    plan.work = work;
}

void store_register(const StateView& view, plan::Plan& plan) {
    const std::uint32_t half = view[store_offset];
    const std::uint32_t sum = gpr(view, view[store_address]) + (half_gpr(view, half) >> 4);
    const std::uint32_t address = state::mmio::base + (sum & 0xFFFFC);
    plan.cost.latency = plan.cost.occupancy;
    if (address < state::mmio::lowest) return plan.fail(findings::id("mmio-unmapped"), {address}, "STOREIND");
    write_tile_register_or_command(view, plan, address, gpr(view, view[store_data]), "STOREIND");
    increment_offset(view, plan, half, view[store_increment]);
}

// Low 16 bits, exponent last as in Dst; high 16 bits as in FP32.
std::uint32_t low_bf16(std::uint32_t x) {
    return formats::src_from_stored((x & 0x8000) << 3 | (x & 0x7F00) << 3 | (x & 0xFF));
}
std::uint32_t high_bf16(std::uint32_t x) { return x & 0xFFFF'0000; }

void store_src(const StateView& view, plan::Plan& plan) {
    const unsigned which = view[store_to_src_b];
    const std::uint32_t half = view[store_offset], data = view[store_data] & ~3u;
    const std::uint32_t address = (gpr(view, view[store_address]) + (half_gpr(view, half) >> 4)) & 0xFFFFF;
    if (address >> 16) return plan.fail(findings::id("scalar.src-address"), {address});
    const std::uint32_t first = gpr(view, data), second = gpr(view, data + 1);
    plan.cost.latency = plan.cost.occupancy;
    increment_offset(view, plan, half, view[store_increment]);

    const auto bank_cell = state::cells::unpacker(which, Unpacker::bank);
    const unsigned bank = view[bank_cell];
    if (bank != view.remark(state::cells::unpacker(which, Unpacker::next_bank)))
        plan.note(findings::id("scalar.src-queued"), {}, which ? "B" : "A");
    plan.waits_in_unit = true;
    plan.banks.push_back({Src(which), static_cast<std::uint8_t>(bank), state::Owner::unpackers, true});
    std::uint32_t row = address >> 2;
    if (which == 0) {
        if (row < 4) return;  // dropped
        row -= 4;
    }
    const bool absolute = which == 0 && view[overrides_row];
    if (row >= (absolute ? state::SrcBank::rows : 16))
        plan.note(findings::id("scalar.src-row"), {row}, which ? "B" : "A");
    if (!absolute) row += view[state::cells::unpacker(which, Unpacker::src_row_t0, view.thread)];
    plan::StoreSrcWork work;
    work.src = Src(which);
    work.bank = static_cast<std::uint8_t>(bank);
    work.position = static_cast<std::uint16_t>(row % state::SrcBank::rows * state::columns + (address & 3) * 4);
    work.datums = {low_bf16(first), high_bf16(first), low_bf16(second), high_bf16(second)};
    plan.work = work;
}

void resolve_loadind(const StateView& view, plan::Plan& plan) {
    const std::uint32_t size = view[load_size], half = view[load_offset];
    const auto address = l1_address(view, plan, view[load_address], half, sizes[size]);
    if (!address) return;
    increment_offset(view, plan, half, view[load_increment]);
    plan.cost.lands_at_end = true;
    plan.work =
        plan::LoadWork{*address, sizes[size], gpr_cell(view, size ? view[load_result] : view[load_result] & ~3u)};
}

void resolve_storeind(const StateView& view, plan::Plan& plan) {
    if (view[store_to_l1]) return store_l1(view, plan);
    return view[store_to_register] ? store_register(view, plan) : store_src(view, plan);
}

void resolve_loadreg(const StateView& view, plan::Plan& plan) {
    const std::uint32_t address = state::mmio::base + view[loadreg_address] * 4;
    const std::uint32_t value = read_tile_register(view, plan, address, "LOADREG");
    plan.cost.lands_at_end = true;
    plan.effect(gpr_cell(view, view[loadreg_result]), value, plan::When::end);
}

void resolve_storereg(const StateView& view, plan::Plan& plan) {
    const std::uint32_t address = state::mmio::base + view[storereg_address] * 4;
    if (address < state::mmio::lowest) return plan.fail(findings::id("mmio-unmapped"), {address}, "STOREREG");
    write_tile_register_or_command(view, plan, address, gpr(view, view[storereg_data]), "STOREREG");
}

constexpr Source scalar_load{"ScalarUnit, table of cycles; LOADIND, LOADREG: seven DMANOPs behind it mostly suffice",
                             Source::assumed};

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("LOADIND"), resolve_loadind, {3, 10, scalar_load}},
    {isa::mnemonic("STOREIND"),
     resolve_storeind,
     {3,
      10,
      {"ScalarUnit, table of cycles; when the request reaches L1 no page says: as LOADIND's answer", Source::assumed},
      1}},
    {isa::mnemonic("LOADREG"), resolve_loadreg, {3, 10, scalar_load}},
    {isa::mnemonic("STOREREG"), resolve_storereg, {3, 3, unit_page}},
};

}  // namespace

std::span<const Behaviour> memory_rules() { return behaviours; }

}  // namespace tessera::units::scalar
