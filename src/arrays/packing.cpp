// SPDX-License-Identifier: Apache-2.0
#include "arrays/packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "arrays/operand.hpp"
#include "formats/datum_size.hpp"
#include "formats/layouts.hpp"
#include "plan/work.hpp"
#include "tensor/places.hpp"
#include "units/packer/setup.hpp"

namespace tessera::arrays {

namespace {

using registers::field;
using registers::fields;

constexpr auto dstacc = field("ALU_FORMAT_SPEC_REG2_Dstacc");
constexpr auto in_format = field("THCON_SEC0_REG1_In_data_format");
constexpr auto out_format = field("THCON_SEC0_REG1_Out_data_format");
constexpr auto e4m3 = field("THCON_SEC0_REG1_Pac_LF8_4b_exp");
constexpr auto no_compression = field("THCON_SEC0_REG1_Disable_zero_compress");
constexpr auto read_32b = field("PCK_DEST_RD_CTRL_Read_32b_data");
constexpr auto read_unsigned = field("PCK_DEST_RD_CTRL_Read_unsigned");
constexpr auto round_10b = field("PCK_DEST_RD_CTRL_Round_10b_mant");
constexpr auto edge_mask = field("PCK_EDGE_OFFSET_SEC0_mask");

constexpr bool is_unsigned(DataFormat format) { return format == DataFormat::UInt8; }

DataFormat usual_intermediate(DstContent content, DataFormat out) {
    const bool block = formats::is_block_format(out);
    const bool wide_exponent = formats::has_wide_exponent(out);
    if (out == DataFormat::Fp8_e4m3) return DataFormat::Float16;
    switch (content) {
        case DstContent::integer: return hardware_format(out);
        case DstContent::bf16: return block && wide_exponent ? DataFormat::Bfp8_b : DataFormat::Float16_b;
        case DstContent::fp16: return block && !wide_exponent ? DataFormat::Bfp8 : DataFormat::Float16;
        case DstContent::fp32: break;
    }
    if (!wide_exponent) return DataFormat::Tf32;
    return block ? DataFormat::Bfp8_b : out;
}

bool is_integer(DataFormat format) {
    switch (hardware_format(format)) {
        case DataFormat::Int32:
        case DataFormat::UInt16:
        case DataFormat::Int8: return true;
        default: return false;
    }
}

}  // namespace

std::int64_t from_sign_magnitude_32(std::uint32_t bits) {
    const std::int64_t magnitude = bits & 0x7FFFFFFF;
    return bits >> 31 ? -magnitude : magnitude;
}

std::uint32_t to_sign_magnitude_32(std::int64_t value) {
    const auto clamped = std::clamp<std::int64_t>(value, -0x7FFFFFFF, 0x7FFFFFFF);
    return clamped < 0 ? 0x80000000 | static_cast<std::uint32_t>(-clamped) : static_cast<std::uint32_t>(clamped);
}

Result<Packing> Packing::choose(Machine& machine, DstContent content, DataFormat out,
                                std::optional<DataFormat> intermediate) {
    if (!is_format(out) || out == DataFormat::UInt16 || out == DataFormat::UInt32)
        return fail("arrays.format", fmt::format("packers do not make {} of numbers", name(out)));
    if (is_integer(out) != (content == DstContent::integer))
        return fail("arrays.format", fmt::format("packers cannot convert the contents of Dst to {}", name(out)));
    if (out == DataFormat::Fp8_e4m3 && machine.state().arch().arch != Arch::blackhole)
        return fail("arrays.format", fmt::format("{} has no Fp8_e4m3", name(machine.state().arch().arch)));
    const DataFormat between = intermediate.value_or(usual_intermediate(content, out));
    if (!is_format(between)) return fail("arrays.format", "the intermediate format is none");
    machine.set(dstacc, between);
    machine.set(in_format, between);
    machine.set(out_format, out);
    machine.set(e4m3, out == DataFormat::Fp8_e4m3);
    machine.set(round_10b, out == DataFormat::Fp8_e4m3 && content != DstContent::fp16);
    machine.set(no_compression, 1u);
    machine.set(read_32b, is_wide(content));
    machine.set(read_unsigned, is_unsigned(out));
    machine.set(edge_mask, 0xFFFFu);
    constexpr auto pacr = isa::mnemonic("PACR");
    const auto setup =
        machine.view(pacr, [](const units::StateView& view) { return units::packer::make_setup(view, 0); });
    if (setup.packers[0].fault)
        return fail("arrays.format", fmt::format("packers do not make {} of {} in Dst with {} in between: {}",
                                                 name(out), is_wide(content) ? "32 bits" : "16 bits", name(between),
                                                 setup.packers[0].fault->detail));
    Packing packing;
    packing.out_ = out;
    packing.work_.streams = 1;
    packing.work_.map = setup.map;
    packing.work_.edge_masks = setup.edge_masks;
    auto& stream = packing.work_.stream[0];
    stream.flush = stream.last = true;
    stream.segments = 1;
    stream.conversion = setup.packers[0].conversion;
    stream.edges = setup.packers[0].edges;
    return packing;
}

std::vector<std::byte> Packing::bytes(state::State& state, unsigned row, unsigned rows) const {
    const unsigned datums = rows * state::columns;
    const bool block = work_.stream[0].conversion.block != nullptr;
    plan::PackWork work = work_;
    auto& stream = work.stream[0];
    stream.segment[0].datum = static_cast<std::uint16_t>(row * state::columns);
    stream.segment[0].count = datums;
    const std::size_t exponents = tensor::ceil_div(datums, formats::block_datums);
    stream.data.address = block ? static_cast<std::uint32_t>(tensor::whole_lines(exponents)) : 0;
    plan::run(work, state);
    std::vector<std::byte> bytes(stream.data.address + datums * stream.conversion.datum_bits / 8);
    std::memcpy(bytes.data(), state.l1.bytes.data(), bytes.size());
    return bytes;
}

Matrix Packing::values(state::State& state, unsigned row, unsigned rows) const {
    const auto all = bytes(state, row, rows);
    Matrix matrix = from_bytes(all, rows, state::columns, out_, Layout::rows).value();
    if (out_ != DataFormat::Int32) return matrix;
    for (std::size_t i = 0; i < matrix.integers.size(); ++i) {
        matrix.integers[i] = from_sign_magnitude_32(static_cast<std::uint32_t>(matrix.integers[i]));
        matrix.values[i] = static_cast<float>(matrix.integers[i]);
    }
    return matrix;
}

bool Packing::integer() const { return is_integer(out_); }

}  // namespace tessera::arrays
