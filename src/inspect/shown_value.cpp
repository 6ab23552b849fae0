// SPDX-License-Identifier: Apache-2.0
#include "inspect/shown_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>

#include "formats/datum_size.hpp"
#include "formats/layouts.hpp"
#include "tessera/format_name.hpp"
#include "tessera/tensor.hpp"

namespace tessera::inspect {

namespace {

constexpr DataFormat formats_of_l1[] = {DataFormat::Float32,   DataFormat::Float16, DataFormat::Tf32,
                                        DataFormat::Float16_b, DataFormat::Int32,   DataFormat::UInt16,
                                        DataFormat::Lf8,       DataFormat::Int8,    DataFormat::UInt32,
                                        DataFormat::Fp8_e4m3,  DataFormat::UInt8};
constexpr DataFormat formats_of_registers[] = {DataFormat::Float32, DataFormat::Float16, DataFormat::Tf32,
                                               DataFormat::Float16_b};
constexpr DataFormat formats_of_words[] = {DataFormat::Float32, DataFormat::Int32, DataFormat::UInt32};

bool is_source(const Section& section) { return section.name == "src_a" || section.name == "src_b"; }
bool holds_datums(const Section& section) { return is_source(section) || section.name == "dst"; }

std::span<const DataFormat> formats_of(const Section& section) {
    if (section.name == "l1") return formats_of_l1;
    if (holds_datums(section)) return formats_of_registers;
    if (section.bits == 32) return formats_of_words;
    return {};
}

std::string why_not(const Section& section, DataFormat format) {
    if (!formats::is_block_format(format)) return "";
    if (section.name == "l1") return ", since its datums share exponents that are stored elsewhere";
    if (!holds_datums(section)) return "";
    return fmt::format(", since its datums have become {} there",
                       formats::has_wide_exponent(format) ? "Float16_b" : "Float16");
}

std::string float_text(std::uint32_t bits) { return fmt::format("{:.6g}", std::bit_cast<float>(bits)); }

}  // namespace

Result<ShownAs> read_shown_as(std::string_view text) {
    if (text == "hex") return ShownAs{{}, true};
    const auto format = read_data_format(text);
    if (!format) return fail("state.format", format.error().message + ", hex");
    return ShownAs{*format, false};
}

Result<void> check_shown_as(const Section& section, const ShownAs& as) {
    const auto known = formats_of(section);
    if (!as.format || std::find(known.begin(), known.end(), *as.format) != known.end()) return {};
    std::string names;
    for (const DataFormat format : known) names += fmt::format("{}, ", name(format));
    return fail("state.format", fmt::format("{} cannot be shown as {}{}; it can be shown as {}hex", section.name,
                                            name(*as.format), why_not(section, *as.format), names));
}

std::size_t elements_of_value(const Section& section, const ShownAs& as) {
    return section.name == "l1" && as.format ? formats::datum_bits(hardware_format(*as.format)) / 8 : 1;
}

ShownValue::ShownValue(const Core& core, const Section& section, const ShownAs& as)
    : core_(core), section_(section), as_(as) {
    if (holds_datums(section) && !as.hex && !as.format) as_.format = DataFormat::Float16_b;
}

std::string ShownValue::operator()(std::size_t element) {
    if (as_.format) return number(element);
    const std::uint64_t value = core_.read(section_, element);
    if (section_.name == "l1") return fmt::format("{:02x}", value);
    if (section_.bits <= 8 && !as_.hex) return fmt::format("{}", value);
    return fmt::format("0x{:0{}x}", value, (section_.bits + 3) / 4);
}

std::string ShownValue::number(std::size_t element) {
    if (section_.name == "l1") return datum_of_l1(element);
    if (section_.name == "dst") return datum_of_dst(element);
    if (is_source(section_)) return datum_of_source(element);
    const auto bits = static_cast<std::uint32_t>(core_.read(section_, element));
    if (as_.format == DataFormat::Int32) return fmt::format("{}", static_cast<std::int32_t>(bits));
    if (as_.format == DataFormat::UInt32) return fmt::format("{}", bits);
    return float_text(bits);
}

std::string ShownValue::datum_of_l1(std::size_t element) const {
    const auto bytes = core_.read_l1(element, elements_of_value(section_, as_));
    if (!bytes) return "-";
    const auto datum = from_bytes(*bytes, 1, 1, *as_.format, Layout::rows);
    if (!datum) return "-";
    return datum->integers.empty() ? fmt::format("{:.6g}", datum->values[0]) : fmt::format("{}", datum->integers[0]);
}

std::string ShownValue::datum_of_source(std::size_t element) const {
    const auto stored = static_cast<std::uint32_t>(core_.read(section_, element));
    const std::uint32_t plain = formats::src_from_stored(stored);
    return float_text(as_.format == DataFormat::Float16 ? formats::fp32_from_fp16(formats::fp16_from_src(plain))
                                                        : plain);
}

std::string ShownValue::datum_of_dst(std::size_t element) {
    const std::size_t row = element / 16, column = element % 16, tile = row / 64;
    if (tile != tile_ || tile_values_.empty()) {
        auto values = core_.dst_tile(static_cast<unsigned>(tile), *as_.format);
        if (!values) return "-";
        tile_ = tile;
        tile_values_ = std::move(*values);
    }
    const std::size_t face = row / 16 % 4;
    return fmt::format("{:.6g}", tile_values_[(face / 2 * 16 + row % 16) * 32 + face % 2 * 16 + column]);
}

}  // namespace tessera::inspect
