// SPDX-License-Identifier: Apache-2.0
#include "units/matrix/formats.hpp"

#include "formats/layouts.hpp"
#include "units/slot_tables.hpp"
#include "units/state_view.hpp"

namespace tessera::units::matrix {

namespace {

using registers::field;
using state::Src;

using FormatSlots = SlotTable<Formats, 32, SlotPlace::matrix>;

constexpr auto src_a_override = field("ALU_FORMAT_SPEC_REG_SrcA_override");
constexpr auto src_a_override_value = field("ALU_FORMAT_SPEC_REG_SrcA_val");
constexpr auto src_b_override = field("ALU_FORMAT_SPEC_REG_SrcB_override");
constexpr auto src_b_override_value = field("ALU_FORMAT_SPEC_REG_SrcB_val");
constexpr auto src_a_format = field("ALU_FORMAT_SPEC_REG0_SrcA");
constexpr auto src_b_format = field("ALU_FORMAT_SPEC_REG1_SrcB");
constexpr auto disable_implied_a = field("DISABLE_IMPLIED_SRCA_FMT_Base");
constexpr auto disable_implied_b = field("DISABLE_IMPLIED_SRCB_FMT_Base");
constexpr auto fp16a_force = field("FP16A_FORCE_Enable");
constexpr auto int8_math = field("ALU_ACC_CTRL_INT8_math_enabled");
constexpr auto fp32_enabled = field("ALU_ACC_CTRL_Fp32_enabled");
constexpr auto zero_flag_disabled = field("ALU_ACC_CTRL_Zero_Flag_disabled_src");
constexpr auto fpu_srnd = field("ALU_ROUNDING_MODE_Fpu_srnd_en");
constexpr auto remap_addrs = field("DEST_ACCESS_CFG_remap_addrs");
constexpr auto swizzle_32b = field("DEST_ACCESS_CFG_swizzle_32b");

DataFormat operand_format(const StateView& view, const registers::Field& override_bit,
                          const registers::Field& override_value, const registers::Field& configured,
                          const registers::Field& disable_implied, Src implied_src, unsigned implied_bank) {
    if (view.arch().implied_formats && !view[disable_implied])
        return DataFormat(view[state::cells::implied_format(implied_src, implied_bank)]);
    return DataFormat(view[override_bit] ? view[override_value] : view[configured]);
}

Formats make_formats(const StateView& view, unsigned a_bank, unsigned b_bank, ImpliesA implies_a) {
    Formats f;
    const bool from_a = implies_a == ImpliesA::bank_a;
    f.src_a = operand_format(view, src_a_override, src_a_override_value, src_a_format,
                             implies_a == ImpliesA::bank_b_bit_b ? disable_implied_b : disable_implied_a,
                             from_a ? Src::a : Src::b, from_a ? a_bank : b_bank);
    f.src_b =
        operand_format(view, src_b_override, src_b_override_value, src_b_format, disable_implied_b, Src::b, b_bank);
    f.force_fp16 = view[fp16a_force];
    f.int8_math = view[int8_math];
    f.fp32_dst = view[fp32_enabled];
    f.flush = !view[zero_flag_disabled];
    f.stochastic = view[fpu_srnd];
    f.remap = view[remap_addrs] && view.maps_dst();
    f.swizzle = view[swizzle_32b] && view.maps_dst();
    f.upper = view.upper_dst();
    return f;
}

}  // namespace

bool Formats::wide_exponent() const { return !force_fp16 && formats::has_wide_exponent(src_a); }

namespace {

bool is_float(DataFormat format) {
    return format != DataFormat::Int32 && format != DataFormat::UInt16 && format != DataFormat::Int8;
}

}  // namespace

plan::DstDatums Formats::dst_datums(const plan::DstMap& map, bool integers) const {
    using Numbers = plan::DstDatums::Numbers;
    if (integers) return {map.places(), Numbers::integer};
    if (map.wide) return {map.places(), Numbers::exponent_8};
    if (!force_fp16 && !is_float(src_a)) return {map.places(), Numbers::unknown};
    return {map.places(), wide_exponent() ? Numbers::exponent_8 : Numbers::exponent_5};
}

std::uint32_t kept_bits(DataFormat format) {
    if (format == DataFormat::Tf32) return 0xFFFFE000;
    return formats::has_wide_exponent(format) ? 0xFFFF0000   // without the low three mantissa bits
                                              : 0x8FFFE000;  // without the high three exponent bits
}

Formats look_at_formats(const StateView& view, unsigned a_bank, unsigned b_bank, ImpliesA implies_a) {
    const auto make = [&](const StateView& at) { return make_formats(at, a_bank, b_bank, implies_a); };
    if (!view.slots()) return make(view);
    const unsigned bank = view.bank();
    std::uint32_t key = view.thread | bank << 2 | static_cast<unsigned>(implies_a) << 12;
    if (view.arch().implied_formats)
        key |= view[state::cells::implied_format(Src::a, a_bank)] << 4 |
               view[state::cells::implied_format(Src::b, b_bank)] << 8;
    return view.slots()->of<FormatSlots>().get(
        key, stamp(view.generations(), view.thread, bank, state::Group::alu, state::Group::alu), view, make);
}

}  // namespace tessera::units::matrix
