// SPDX-License-Identifier: Apache-2.0
#include "support/tile_machine.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "formats/pack_convert.hpp"
#include "support/random_state.hpp"

namespace tessera::test {

namespace {

using state::Adc;
using state::AdcUnit;

constexpr std::uint32_t code(DataFormat format) { return static_cast<std::uint32_t>(hardware_format(format)); }

unsigned bytes_in_dst(DataFormat format) {
    const unsigned size = code(format) & 3;
    return size == 0 ? 4 : size == 1 ? 2 : 1;
}

unsigned row_datums(const TensorForm& form) { return form.row_datums ? form.row_datums : TileMachine::row; }

unsigned lines(std::size_t bytes) { return static_cast<unsigned>((bytes + 15) / 16); }

void counter(Stepper& step, AdcUnit unit, unsigned channel, Adc which, std::uint32_t value) {
    step.state.write(state::cells::adc(0, unit, channel, which), value);
}

void reset_counters(Stepper& step, AdcUnit unit) {
    for (unsigned channel = 0; channel < 2; ++channel)
        for (const Adc which : {Adc::x, Adc::y, Adc::z, Adc::w, Adc::y_cr, Adc::z_cr})
            counter(step, unit, channel, which, 0);
}

}  // namespace

TileMachine::TileMachine(Arch arch) : step(arch) {
    for (unsigned i = 0; i < 4; ++i) set(fmt::format("PCK_EDGE_OFFSET_SEC{}_mask", i), 0xFFFF);
    set("PACK_COUNTERS_SEC0_pack_reads_per_xy_plane", 16);
    set("THCON_SEC0_REG9_Pack_0_2_limit_address", 0xFFFF);
    set("THCON_SEC0_REG2_Unpack_limit_address", 0x1FFFF);
    set("ALU_ACC_CTRL_Zero_Flag_disabled_src", 1);  // MOVA2D keeps what has an exponent of 0
    set("ADDR_MOD_PACK_SEC0_YsrcIncr", 1);
    set("ADDR_MOD_AB_SEC0_SrcAIncr", 8);
    set("ADDR_MOD_DST_SEC0_DestIncr", 8);
}

void TileMachine::set(std::string_view name, std::uint32_t value) { set_field(step.state, name, value); }

void TileMachine::write(std::size_t address, std::span<const std::byte> bytes) {
    std::transform(bytes.begin(), bytes.end(), step.state.l1.open().begin() + static_cast<std::ptrdiff_t>(address),
                   [](std::byte b) { return std::to_integer<std::uint8_t>(b); });
}

std::vector<std::byte> TileMachine::read(std::size_t address, std::size_t count) const {
    std::vector<std::byte> bytes(count);
    std::transform(step.state.l1.bytes.begin() + address, step.state.l1.bytes.begin() + address + count, bytes.begin(),
                   [](std::uint8_t b) { return std::byte{b}; });
    return bytes;
}

void TileMachine::unpack(std::size_t address, DataFormat format, const TensorForm& form, DataFormat out, Way way) {
    const std::string_view descriptor = "THCON_SEC0_REG0_TileDescriptor_";
    const auto describe = [&](std::string_view name, std::uint32_t value) {
        set(fmt::format("{}{}", descriptor, name), value);
    };
    describe("InDataFormat", code(format));
    describe("IsUncompressed", !form.compressed);
    describe("XDim", form.compressed ? row_datums(form) : datums);
    describe("YDim", form.compressed ? datums / row_datums(form) : 1);
    describe("ZDim", 1);
    describe("DigestSize", form.digest_size.value_or(0));
    set("THCON_SEC0_REG3_Base_address", static_cast<std::uint32_t>(address / 16) - (form.digest_size ? 0 : 1));
    set("THCON_SEC0_REG2_Out_data_format", code(out));
    set("THCON_SEC0_REG2_Unpack_If_Sel", way == Way::dst);
    set("THCON_SEC0_REG2_Force_shared_exp", form.shared_exponent.has_value());
    set("UNP0_FORCED_SHARED_EXP_shared_exp", form.shared_exponent.value_or(0));
    set("THCON_SEC0_REG1_Unp_LF8_4b_exp", format == DataFormat::Fp8_e4m3);
    set("ALU_FORMAT_SPEC_REG0_SrcAUnsigned", format == DataFormat::UInt8);
    set("UNP0_ADDR_BASE_REG_1_Base", 4 * row * bytes_in_dst(out));  // four rows stand before the first
    set("ALU_FORMAT_SPEC_REG0_SrcA", code(out));
    set("ALU_ACC_CTRL_Fp32_enabled", out == DataFormat::Tf32);
    // To Dst there is no override of rows.
    set("SRCA_SET_SetOvrdWithAddr", way != Way::dst);
    set("ALU_FORMAT_SPEC_REG1_SrcB", code(out));
    set("ALU_FORMAT_SPEC_REG0_SrcBUnsigned", format == DataFormat::UInt8);
    set("ALU_ACC_CTRL_INT8_math_enabled", way == Way::plus_zero);
    reset_counters(step, AdcUnit::unpacker0);
    // A search from row 0 takes all rows of a compressed tile.
    if (form.compressed)
        counter(step, AdcUnit::unpacker0, 0, Adc::x, datums / row_datums(form) - 1);
    else
        counter(step, AdcUnit::unpacker0, 1, Adc::x, datums - 1);
    if (form.compressed) step("UNPACR SearchCacheFlush=1\n");  // another tile may have lain there
    const char* const search = form.compressed ? "RowSearch=1" : "RowSearch=0";
    if (way == Way::dst) return step(fmt::format("UNPACR {}\n", search));
    step(fmt::format("UNPACR SetDatValid=1 {}\nSETRWC BitMask=0xF\n", search));
    if (way == Way::src_a) {
        for (unsigned first = 0; first < rows; first += 8)
            step(fmt::format("MOVA2D src={} instr_mod=2 addr_mode=3 dst={}\n", first, first));
        return step("CLEARDVALID cleardvalid=1\n");
    }
    step("SETDVALID setvalid=2\n");
    for (unsigned first = 0; first < rows; first += 8) step("ELWADD addr_mode=0\n");
    step("CLEARDVALID cleardvalid=3\n");
}

void TileMachine::pack(std::size_t address, DataFormat format, const TensorForm& form, PackFrom from) {
    const unsigned compressed_rows = datums / row_datums(form);
    // The header's line is the packer's to add where it does not subtract it.
    const unsigned header = form.digest_size ? 1u + *form.digest_size : 0;
    set("THCON_SEC0_REG1_Sub_l1_tile_header_size", 1);
    set("THCON_SEC0_REG1_L1_Dest_addr", static_cast<std::uint32_t>(address / 16) + header);
    set("THCON_SEC0_REG1_Disable_zero_compress", !form.compressed);
    set("THCON_SEC0_REG1_Row_start_section_size", lines((compressed_rows + 1) * 2));
    set("THCON_SEC0_REG1_Exp_section_size", formats::is_block_float(format) ? lines(datums / 16) : 0);
    set("THCON_SEC0_REG1_In_data_format", code(from.intermediate));
    set("THCON_SEC0_REG1_Out_data_format", code(format));
    set("THCON_SEC0_REG1_Pac_LF8_4b_exp", format == DataFormat::Fp8_e4m3);
    set("ALU_FORMAT_SPEC_REG2_Dstacc", code(from.intermediate));
    set("PCK_DEST_RD_CTRL_Read_32b_data", from.read_32b);
    set("PCK_DEST_RD_CTRL_Read_int8", from.raw);
    set("PCK_DEST_RD_CTRL_Read_unsigned", format == DataFormat::UInt8);
    set("PCK_DEST_RD_CTRL_Round_10b_mant", from.round_10b);
    set("PCK0_ADDR_CTRL_XY_REG_0_Xstride", bytes_in_dst(from.intermediate));
    set("PCK0_ADDR_CTRL_XY_REG_0_Ystride", row * bytes_in_dst(from.intermediate));
    reset_counters(step, AdcUnit::packers);
    counter(step, AdcUnit::packers, 1, Adc::x, row - 1);
    const char* const one = step.state.arch().arch == Arch::blackhole ? "ReadIntfSel" : "PackSel";
    for (unsigned at = row; at <= datums; at += row)
        step(fmt::format("PACR {}=1 AddrMode=0 Concat={} Last={}\n", one, at % row_datums(form) ? 1 : 0,
                         at == datums ? 1 : 0));
}

}  // namespace tessera::test
