// SPDX-License-Identifier: Apache-2.0
// WRCFG, RDCFG, RMWCIB0 to 3, CFGSHIFTMASK, STREAMWRCFG (their pages, Functional model): backend configuration.
// Reference: reference/models/sync.cpp.
#include <bit>

#include "isa/values/config.hpp"
#include "state/mmio.hpp"
#include "units/config/config.hpp"
#include "units/config_access.hpp"
#include "units/tile_registers.hpp"

namespace tessera::units::config {

namespace {

constexpr auto wrcfg_gpr = isa::operand("WRCFG", "GprAddress");
constexpr auto wrcfg_128 = isa::operand("WRCFG", "wr128b");
constexpr auto wrcfg_index = isa::operand("WRCFG", "CfgReg");
constexpr auto rdcfg_gpr = isa::operand("RDCFG", "GprAddress");
constexpr auto rdcfg_index = isa::operand("RDCFG", "CfgReg");

// The four forms of RMWCIB have one layout.
constexpr auto rmwcib_mask = isa::operand("RMWCIB0", "Mask");
constexpr auto rmwcib_data = isa::operand("RMWCIB0", "Data");
constexpr auto rmwcib_index = isa::operand("RMWCIB0", "CfgRegAddr");

constexpr auto keep_old = isa::operand("CFGSHIFTMASK", "disable_mask_on_old_val");
constexpr auto operation = isa::operand("CFGSHIFTMASK", "operation");
constexpr auto mask_width = isa::operand("CFGSHIFTMASK", "mask_width");
constexpr auto rotate = isa::operand("CFGSHIFTMASK", "right_cshift_amt");
constexpr auto scratch_sel = isa::operand("CFGSHIFTMASK", "scratch_sel");
constexpr auto shiftmask_index = isa::operand("CFGSHIFTMASK", "CfgReg");
constexpr auto scratch = registers::fields<3>("SCRATCH_SEC#_val");

constexpr auto stream_select = isa::operand("STREAMWRCFG", "stream_id_sel");
constexpr auto stream_register = isa::operand("STREAMWRCFG", "StreamRegAddr");
constexpr auto stream_index = isa::operand("STREAMWRCFG", "CfgReg");
constexpr auto stream_of = registers::fields<4>("STREAM_ID_SYNC_SEC#_BankSel");

state::Cell config_cell(const StateView& view, std::uint32_t index) {
    return state::cells::config(view.arch(), view.bank(), index);
}

void merge_byte(const StateView& view, plan::Plan& plan, unsigned byte) {
    const std::uint32_t index = view[rmwcib_index];
    if (!config_word_exists(view, plan, index)) return;
    const std::uint32_t mask = view[rmwcib_mask] << 8 * byte;
    const std::uint32_t old = view[config_cell(view, index)];
    write_config_without_reset(view, plan, index, (view[rmwcib_data] << 8 * byte & mask) | (old & ~mask),
                               plan::When::start);
}

std::uint32_t combine(std::uint32_t how, std::uint32_t old, std::uint32_t value) {
    using isa::values::config_operations;
    switch (how) {
        case isa::value(config_operations, "or"): return old | value;
        case isa::value(config_operations, "and"): return old & value;
        case isa::value(config_operations, "xor"): return old ^ value;
        case isa::value(config_operations, "add"): return old + value;
        case isa::value(config_operations, "or_not"): return old | ~value;
        case isa::value(config_operations, "and_not"): return old & ~value;
        case isa::value(config_operations, "xor_not"): return old ^ ~value;
        default: return old - value;
    }
}

void resolve_wrcfg(const StateView& view, plan::Plan& plan) {
    const std::uint32_t index = view[wrcfg_index], gpr = view[wrcfg_gpr];
    if (!config_word_exists(view, plan, index)) return;
    if (!view[wrcfg_128])
        return write_config(view, plan, index, view[state::cells::gpr(view.thread, gpr)], plan::When::end);
    for (unsigned i = 0; i < 4; ++i)
        write_config(view, plan, (index & ~3u) + i, view[state::cells::gpr(view.thread, (gpr & ~3u) + i)],
                     plan::When::end);
}

void resolve_rdcfg(const StateView& view, plan::Plan& plan) {
    const std::uint32_t index = view[rdcfg_index];
    if (!config_word_exists(view, plan, index)) return;
    plan.effect(state::cells::gpr(view.thread, view[rdcfg_gpr]), view[config_cell(view, index)], plan::When::end);
    plan.cost.hold = view.costs.config.rdcfg_hold;
    plan.cost.interval = view.costs.config.rdcfg_interval;
}

void resolve_rmwcib0(const StateView& view, plan::Plan& plan) { merge_byte(view, plan, 0); }
void resolve_rmwcib1(const StateView& view, plan::Plan& plan) { merge_byte(view, plan, 1); }
void resolve_rmwcib2(const StateView& view, plan::Plan& plan) { merge_byte(view, plan, 2); }
void resolve_rmwcib3(const StateView& view, plan::Plan& plan) { merge_byte(view, plan, 3); }

void resolve_cfgshiftmask(const StateView& view, plan::Plan& plan) {
    const std::uint32_t index = view[shiftmask_index];
    if (!config_word_exists(view, plan, index)) return;
    const std::uint32_t chosen = view[scratch_sel];
    const int by = static_cast<int>(view[rotate]);
    const std::uint32_t mask = (2u << view[mask_width]) - 1;
    const std::uint32_t value = std::rotr(view[scratch[chosen < 3 ? chosen : view.thread]] & mask, by);
    std::uint32_t old = view[config_cell(view, index)];
    if (!view[keep_old]) old &= ~std::rotr(mask, by);
    write_config(view, plan, index, combine(view[operation], old, value), plan::When::end);
}

void resolve_streamwrcfg(const StateView& view, plan::Plan& plan) {
    const std::uint32_t index = view[stream_index];
    if (!config_word_exists(view, plan, index)) return;
    const std::uint32_t address = state::mmio::overlay +
                                  view[stream_of[view[stream_select]]] * state::mmio::stream_bytes +
                                  view[stream_register] * 4;
    const std::uint32_t value = read_tile_register(view, plan, address, "STREAMWRCFG");
    write_config(view, plan, index, value, plan::When::end);
}

// Stages of the unit's pipeline (ConfigurationUnit on Blackhole). Wormhole's page says the same of starts.
constexpr InstructionCost at_main_stage{
    .occupancy = 1, .latency = 1, .source = unit_page, .interval = 1, .entry = plan::Entry::main};
constexpr InstructionCost writes_gprs{.occupancy = 1, .latency = 2, .source = unit_page, .entry = plan::Entry::main};
constexpr InstructionCost reads_gprs{
    .occupancy = 1, .latency = 2, .source = unit_page, .interval = 2, .early_interval = 1, .entry = plan::Entry::early};
constexpr InstructionCost twice_at_main_stage{
    .occupancy = 2, .latency = 2, .source = unit_page, .interval = 2, .early_interval = 1, .entry = plan::Entry::main};
constexpr InstructionCost reads_streams{.occupancy = 1,
                                        .latency = 5,
                                        .source = {"STREAMWRCFG, Performance"},
                                        .interval = 5,
                                        .early_interval = 4,
                                        .entry = plan::Entry::first};

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("WRCFG"), resolve_wrcfg, reads_gprs},
    {isa::mnemonic("RDCFG"), resolve_rdcfg, writes_gprs},
    {isa::mnemonic("RMWCIB0"), resolve_rmwcib0, at_main_stage},
    {isa::mnemonic("RMWCIB1"), resolve_rmwcib1, at_main_stage},
    {isa::mnemonic("RMWCIB2"), resolve_rmwcib2, at_main_stage},
    {isa::mnemonic("RMWCIB3"), resolve_rmwcib3, at_main_stage},
    {isa::mnemonic("CFGSHIFTMASK"), resolve_cfgshiftmask, twice_at_main_stage},
    {isa::mnemonic("STREAMWRCFG"), resolve_streamwrcfg, reads_streams},
};

}  // namespace

std::span<const Behaviour> backend_rules() { return behaviours; }

}  // namespace tessera::units::config
