// SPDX-License-Identifier: Apache-2.0
// SFPLOAD, SFPSTORE (their pages, Functional model): moves 32 datums between an LReg and four rows of Dst, in even or
// odd columns.
//
// Loops: loops/sfpload_sfpstore_loops.cpp; reference: reference/models/vector_exchange.cpp.
#include "formats/layouts.hpp"
#include "units/resolved.hpp"
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

// An address in Dst has 10 bits: an aligned group of four rows, odd columns, and an unused bit.
struct Address {
    std::uint32_t offset = 0, counter = 0;
};

plan::DstMap map_of(const StateView& view, bool wide) {
    const bool maps = view.maps_dst();
    return {wide, view[remap_addrs] && maps, view[swizzle_32b] && maps, view.upper_dst()};
}

plan::LaneRows rows_at(const StateView& view, const plan::DstMap& map, LaneConfig exchanges, const Address& address) {
    plan::LaneRows rows;
    rows.map = map;
    rows.exchanged = lanes_with(view, exchanges);
    rows.offset = static_cast<std::uint16_t>(address.offset);
    rows.put(address.counter);
    return rows;
}

std::uint32_t lanes_of(const StateView& view, Mode mode) { return mode == Mode::int32_all ? ~0u : enabled_lanes(view); }

DstCounter counter_in(const StateView& view, Mode mode) {
    return view.rows_are_places() && mode != Mode::int32_all ? DstCounter::moves : DstCounter::decides;
}

// That of dst_address(), with Dst's counter as a place.
Address movable_address(const StateView& view, std::uint32_t immediate) {
    const auto counter = [&](state::Rwc which) { return state::cells::rwc(view.thread, which); };
    const std::uint32_t sp = view.blackhole() ? view.bits(counter(state::Rwc::sp), 3) + view[sp_base] : 0;
    return {immediate + view[math_offset] + view[regw_base] + (sp & 3), view.place(counter(state::Rwc::dst))};
}

Address dst_address(const StateView& view, plan::Plan& plan, std::uint32_t immediate, Mode mode, bool load,
                    DstCounter role) {
    if (role == DstCounter::moves) return movable_address(view, immediate);
    const std::uint32_t dst = view.rwc(state::Rwc::dst) + view[regw_base];
    const std::uint32_t sp = stack_pointer(view, plan, mode, load);
    const std::uint32_t address = immediate + view[math_offset];
    return {address + (mode == Mode::int32_all ? sp + (dst & 3) : dst + (sp & 3))};
}

void load_from(const StateView& view, plan::Plan& plan, unsigned vd, Mode mode, const Address& address) {
    const plan::DstMap map = map_of(view, load_is_wide(mode));
    const std::uint32_t lanes = lanes_of(view, mode);
    if (vd >= state::LRegs::writable) return;
    plan::LoadLRegWork work{rows_at(view, map, LaneConfig::dest_rd_col_exchange, address)};
    work.lreg = static_cast<std::uint8_t>(vd);
    work.lanes = lanes & ~lanes_with(view, LaneConfig::block_sfpu_rd_from_dest);
    work.loop = load_loop(mode, view.arch().arch);
    if (mode == Mode::fp16) work.infinity_lanes = work.lanes & lanes_with(view, LaneConfig::enable_fp16a_inf);
    if (vd < with_index)
        work.index_lanes = work.lanes & lanes_with(view, LaneConfig::enable_dest_index) &
                           lanes_with(view, LaneConfig::capture_default_dest_index);
    plan.work = work;
}

}  // namespace

std::uint16_t load(const StateView& view, plan::Plan& plan, unsigned vd, std::uint32_t mode0, std::uint32_t immediate) {
    const Mode mode = concrete_mode(view, mode0);
    const Address address = dst_address(view, plan, immediate, mode, true, DstCounter::decides);
    load_from(view, plan, vd, mode, address);
    return address.offset & 0x3FF;
}

namespace {

constexpr auto of_load = operands_of("SFPLOAD"), of_store = operands_of("SFPSTORE");

void resolve_sfpload(const StateView& view, plan::Plan& plan) {
    const Vector vector = vector_of(view, plan, of_load.lreg);
    // Kernels load LReg 8 for the moves of counters alone.
    note_constant(plan, vector.d, state::LRegs::writable + 1);
    const Mode mode = concrete_mode(view, view[of_load.mode]);
    const DstCounter role = counter_in(view, mode);
    load_from(view, plan, vector.d, mode, dst_address(view, plan, view[of_load.address], mode, true, role));
    apply_addr_mod(view, plan, view[of_load.addr_mode], false, role);
}

// A store scheduled by SFPLOADMACRO has its address, and moves no counter, not even the stack pointer (spec-notes
// V69).
void resolve_sfpstore(const StateView& view, plan::Plan& plan) {
    const MacroStep* step = view.macro_step;
    const Vector vector = vector_of(view, plan, of_store.lreg);
    const Mode mode = concrete_mode(view, step ? step->mode : view[of_store.mode]);
    const DstCounter role = counter_in(view, mode);
    const Address address =
        step ? Address{step->address} : dst_address(view, plan, view[of_store.address], mode, false, role);
    const plan::DstMap map = map_of(view, store_is_wide(mode));
    const std::uint32_t lanes = lanes_of(view, mode);
    plan::StoreLRegWork work{rows_at(view, map, LaneConfig::dest_wr_col_exchange, address)};
    work.lreg = static_cast<std::uint8_t>(vector.d);
    work.lanes = lanes & vector.executing & ~lanes_with(view, LaneConfig::block_dest_wr_from_sfpu);
    work.loop = store_loop(mode, view.arch().arch);
    if (work.lanes) plan.work = work;
    plan.dst_datums = stored_datums(mode, work.map);
    if (!step) apply_addr_mod(view, plan, view[of_store.addr_mode], false, role);
}

template <class Work>
bool move(const StateView& view, const isa::Operand& addr_mode, Resolved& kept) {
    if (auto* const work = std::get_if<Work>(&kept.plan.work)) work->put(view.rwc(state::Rwc::dst));
    move_dst_counter(view, kept.plan, view[addr_mode]);
    kept.forget_work();
    return true;
}
bool move_sfpload(const StateView& view, std::span<const std::uint32_t>, Resolved& kept) {
    return move<plan::LoadLRegWork>(view, of_load.addr_mode, kept);
}
bool move_sfpstore(const StateView& view, std::span<const std::uint32_t>, Resolved& kept) {
    return move<plan::StoreLRegWork>(view, of_store.addr_mode, kept);
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("SFPLOAD"), resolve_sfpload, {1, 1, unit_page}, move_sfpload},
    {isa::mnemonic("SFPSTORE"), resolve_sfpstore, {1, 1, unit_page}, move_sfpstore},
};

}  // namespace

std::span<const Behaviour> sfpload_sfpstore_rules() { return behaviours; }

}  // namespace tessera::units::vector
