// SPDX-License-Identifier: Apache-2.0
// SFPLOAD, SFPSTORE (their pages, Functional model): 32 datums of four rows of Dst, in even or odd columns, and an LReg.
#include "formats/layouts.hpp"
#include "units/rwc.hpp"
#include "units/vector/dst_modes.hpp"
#include "units/vector/lanes.hpp"
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

// MOD0_FMT_SRCB becomes something concrete.
Mode concrete_mode(const Look& look, std::uint32_t mode) {
    if (Mode(mode) != Mode::srcb) return Mode(mode);
    if (look[fp32_enabled]) return Mode::fp32;
    std::uint32_t format = look[src_b_override] ? look[src_b_override_value] : look[src_b_format];
    if (look[dest_fmt_enable]) format = look[dest_fmt];
    return formats::has_wide_exponent(DataFormat(format)) ? Mode::bf16 : Mode::fp16;
}

bool uses_lane_config(const Look& look) {
    for (unsigned i = 0; i < state::cells::lane_config_words; ++i)
        if (look[state::cells::lane_config_block[i]]) return true;
    return false;
}

// Blackhole's stack pointer moves before a load and after a store in mode INT32_ALL; the address uses it in between.
std::uint32_t stack_pointer(const Look& look, plan::Plan& plan, Mode mode, bool load) {
    if (!look.blackhole()) return 0;
    std::uint32_t sp = look.rwc(state::Rwc::sp);
    if (mode == Mode::int32_all) {
        const std::uint32_t step = look[stack_incr];
        std::uint32_t next = sp + step;
        if (load) next = sp = sp ? sp - step : sp;
        plan.effect(state::cells::rwc(look.thread, state::Rwc::sp), next & 0x3FF, plan::When::issue);
    }
    return sp + look[sp_base];
}

template <class Work>
Work place(const Look& look, plan::Plan& plan, const Operands& operands, Mode mode, bool wide, bool load) {
    const std::uint32_t dst = look.rwc(state::Rwc::dst) + look[regw_base];
    const std::uint32_t sp = stack_pointer(look, plan, mode, load);
    std::uint32_t address = look[operands.address] + look[math_offset];
    if (mode == Mode::int32_all)
        address += sp + (dst & 3);
    else
        address += dst + (sp & 3);

    Work work;
    work.lreg = static_cast<std::uint8_t>(look[operands.lreg]);
    work.lanes = mode == Mode::int32_all ? ~0u : enabled_lanes(look);
    work.dst_row = static_cast<std::uint16_t>(address & 0x3FC);
    work.odd = address & 2;
    work.map = {wide, look[remap_addrs] != 0, look[swizzle_32b] != 0};
    return work;
}

}  // namespace

void resolve_sfpload(const Look& look, plan::Plan& plan) {
    static constexpr auto operands = operands_of("SFPLOAD");
    if (uses_lane_config(look)) return plan.not_implemented("SFPLOAD with lane configuration");
    const Mode mode = concrete_mode(look, look[operands.mode]);
    auto work = place<plan::LoadLRegWork>(look, plan, operands, mode, load_is_wide(mode), true);
    work.convert = load_convert(mode, look.arch().arch);
    if (work.lreg < state::LRegs::writable) plan.work = work;
    apply_addr_mod(look, plan, look[operands.addr_mode], false);
}

void resolve_sfpstore(const Look& look, plan::Plan& plan) {
    static constexpr auto operands = operands_of("SFPSTORE");
    if (uses_lane_config(look)) return plan.not_implemented("SFPSTORE with lane configuration");
    const Mode mode = concrete_mode(look, look[operands.mode]);
    auto work = place<plan::StoreLRegWork>(look, plan, operands, mode, store_is_wide(mode), false);
    work.convert = store_convert(mode, look.arch().arch);
    if (work.lreg < state::LRegs::recorded) plan.work = work;
    apply_addr_mod(look, plan, look[operands.addr_mode], false);
}

}  // namespace tessera::units::vector
