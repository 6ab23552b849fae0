// SPDX-License-Identifier: Apache-2.0
// SFPLOAD, SFPSTORE (their pages, Functional model): moves 32 datums between an LReg and four rows of Dst, in even or
// odd columns.
//
// Loops: loops/sfpload_sfpstore_loops.cpp; reference: reference/models/vector_exchange.cpp.
#include "formats/layouts.hpp"
#include "units/rwc.hpp"
#include "units/vector/dst_places.hpp"
#include "units/vector/lanes.hpp"
#include "units/vector/loops/sfpload_sfpstore_loops.hpp"
#include "units/vector/vector.hpp"

namespace tessera::units::vector {

namespace {

using registers::field;

struct Operands {
    isa::Operand lreg, mode, addr_mode, address;
};
consteval Operands operands_of(std::string_view name) {
    return {isa::operand(name, "lreg_ind"), isa::operand(name, "instr_mod0"), isa::operand(name, "sfpu_addr_mode"),
            isa::operand(name, "dest_reg_addr")};
}

constexpr auto fp32_enabled = field("ALU_ACC_CTRL_SFPU_Fp32_enabled");
constexpr auto src_b_override = field("ALU_FORMAT_SPEC_REG_SrcB_override");
constexpr auto src_b_override_value = field("ALU_FORMAT_SPEC_REG_SrcB_val");
constexpr auto src_b_format = field("ALU_FORMAT_SPEC_REG1_SrcB");
constexpr auto dest_fmt_enable = field("SFPU_DEST_FMT_Enable");
constexpr auto dest_fmt = field("SFPU_DEST_FMT_Base");
constexpr auto math_offset = field("DEST_TARGET_REG_CFG_MATH_Offset");
constexpr auto regw_base = field("DEST_REGW_BASE_Base");
constexpr auto sp_base = field("DEST_SP_BASE_Base");
constexpr auto stack_incr = field("SFPU_STACK_Incr");
constexpr auto remap_addrs = field("DEST_ACCESS_CFG_remap_addrs");
constexpr auto swizzle_32b = field("DEST_ACCESS_CFG_swizzle_32b");

// Replaces MOD0_FMT_SRCB by a concrete mode.
Mode concrete_mode(const StateView& view, std::uint32_t mode) {
    if (Mode(mode) != Mode::srcb) return Mode(mode);
    if (view[fp32_enabled]) return Mode::fp32;
    std::uint32_t format = view[src_b_override] ? view[src_b_override_value] : view[src_b_format];
    if (view[dest_fmt_enable]) format = view[dest_fmt];
    return formats::has_wide_exponent(DataFormat(format)) ? Mode::bf16 : Mode::fp16;
}

// The type that a store leaves in Dst. Kernels move any bits as integers or halves, so these have none.
plan::DstDatums stored_datums(Mode mode, const plan::DstMap& map) {
    using Numbers = plan::DstDatums::Numbers;
    if (mode == Mode::fp32 || mode == Mode::bf16) return {map.places(), Numbers::exponent_8};
    return {map.places(), mode == Mode::fp16 ? Numbers::exponent_5 : Numbers::unknown};
}

// In mode INT32_ALL Blackhole's stack pointer moves before a load and after a store; the address uses the value in
// between.
std::uint32_t stack_pointer(const StateView& view, plan::Plan& plan, Mode mode, bool load) {
    if (!view.blackhole()) return 0;
    std::uint32_t sp = view.rwc(state::Rwc::sp);
    if (mode == Mode::int32_all) {
        const std::uint32_t step = view[stack_incr];
        std::uint32_t next = sp + step;
        if (load) next = sp = sp ? sp - step : sp;
        plan.effect(state::cells::rwc(view.thread, state::Rwc::sp), next & 0x3FF, plan::When::issue);
    }
    return sp + view[sp_base];
}

struct Place {
    plan::DstMap map;
    std::uint16_t address = 0;  // 10 bits: an aligned group of four rows, odd columns, and an unused bit
    std::uint32_t lanes = 0;    // that the mode allows

    template <class Work>
    void fill(Work& work, std::uint32_t exchanged) const {
        work.map = map;
        work.dst_row = address & 0x3FC;
        work.odd = address & 2 ? ~0u : exchanged;
    }
};

// Everything but the address, which SFPLOADMACRO fixes for a store in advance.
Place place_at(const StateView& view, Mode mode, bool wide, std::uint32_t address) {
    Place place;
    const bool maps = view.maps_dst();
    place.map = {wide, view[remap_addrs] && maps, view[swizzle_32b] && maps, view.upper_dst()};
    place.address = address & 0x3FF;
    place.lanes = mode == Mode::int32_all ? ~0u : enabled_lanes(view);
    return place;
}

std::uint32_t dst_address(const StateView& view, plan::Plan& plan, std::uint32_t immediate, Mode mode, bool load) {
    const std::uint32_t dst = view.rwc(state::Rwc::dst) + view[regw_base];
    const std::uint32_t sp = stack_pointer(view, plan, mode, load);
    const std::uint32_t address = immediate + view[math_offset];
    return address + (mode == Mode::int32_all ? sp + (dst & 3) : dst + (sp & 3));
}

}  // namespace

std::uint16_t load(const StateView& view, plan::Plan& plan, unsigned vd, std::uint32_t mode0, std::uint32_t immediate) {
    const Mode mode = concrete_mode(view, mode0);
    const Place place = place_at(view, mode, load_is_wide(mode), dst_address(view, plan, immediate, mode, true));
    if (vd >= state::LRegs::writable) return place.address;
    plan::LoadLRegWork work;
    place.fill(work, lanes_with(view, LaneConfig::dest_rd_col_exchange));
    work.lreg = static_cast<std::uint8_t>(vd);
    work.lanes = place.lanes & ~lanes_with(view, LaneConfig::block_sfpu_rd_from_dest);
    work.loop = load_loop(mode, view.arch().arch);
    if (mode == Mode::fp16) work.infinity_lanes = work.lanes & lanes_with(view, LaneConfig::enable_fp16a_inf);
    if (vd < with_index)
        work.index_lanes = work.lanes & lanes_with(view, LaneConfig::enable_dest_index) &
                           lanes_with(view, LaneConfig::capture_default_dest_index);
    plan.work = work;
    return place.address;
}

namespace {

void resolve_sfpload(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = operands_of("SFPLOAD");
    const Vector vector = vector_of(view, plan, operands.lreg);
    load(view, plan, vector.d, view[operands.mode], view[operands.address]);
    apply_addr_mod(view, plan, view[operands.addr_mode], false);
}

// A store scheduled by SFPLOADMACRO has its address, and moves no counter, not even the stack pointer (spec-notes
// V69).
void resolve_sfpstore(const StateView& view, plan::Plan& plan) {
    static constexpr auto operands = operands_of("SFPSTORE");
    const MacroStep* step = view.macro_step;
    const Vector vector = vector_of(view, plan, operands.lreg);
    const Mode mode = concrete_mode(view, step ? step->mode : view[operands.mode]);
    const Place place = place_at(view, mode, store_is_wide(mode),
                                 step ? step->address : dst_address(view, plan, view[operands.address], mode, false));
    plan::StoreLRegWork work;
    place.fill(work, lanes_with(view, LaneConfig::dest_wr_col_exchange));
    work.lreg = static_cast<std::uint8_t>(vector.d);
    work.lanes = place.lanes & vector.executing & ~lanes_with(view, LaneConfig::block_dest_wr_from_sfpu);
    work.loop = store_loop(mode, view.arch().arch);
    if (work.lanes) plan.work = work;
    plan.dst_datums = stored_datums(mode, work.map);
    if (!step) apply_addr_mod(view, plan, view[operands.addr_mode], false);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPLOAD"), resolve_sfpload, {1, 1, unit_page}},
    {isa::mnemonic("SFPSTORE"), resolve_sfpstore, {1, 1, unit_page}},
};

}  // namespace

std::span<const Behaviour> sfpload_sfpstore_rules() { return behaviours; }

}  // namespace tessera::units::vector
