// SPDX-License-Identifier: Apache-2.0
#include "tessera/data_format.hpp"

namespace tessera {

namespace {

struct Name {
    DataFormat format;
    std::string_view spelling;
};

constexpr Name names[] = {
    {DataFormat::Float32, "Float32"},   {DataFormat::Float16, "Float16"}, {DataFormat::Bfp8, "Bfp8"},
    {DataFormat::Bfp4, "Bfp4"},         {DataFormat::Tf32, "Tf32"},       {DataFormat::Float16_b, "Float16_b"},
    {DataFormat::Bfp8_b, "Bfp8_b"},     {DataFormat::Bfp4_b, "Bfp4_b"},   {DataFormat::Int32, "Int32"},
    {DataFormat::UInt16, "UInt16"},     {DataFormat::Lf8, "Lf8"},         {DataFormat::Bfp2, "Bfp2"},
    {DataFormat::Int8, "Int8"},         {DataFormat::Bfp2_b, "Bfp2_b"},   {DataFormat::UInt32, "UInt32"},
    {DataFormat::Fp8_e4m3, "Fp8_e4m3"}, {DataFormat::UInt8, "UInt8"},
};

}  // namespace

std::string_view name(DataFormat format) {
    for (const Name& one : names)
        if (one.format == format) return one.spelling;
    if (format == DataFormat(12)) return "12";
    if (format == DataFormat(13)) return "13";
    return "no format";
}

std::optional<DataFormat> parse_data_format(std::string_view text) {
    for (const Name& one : names)
        if (one.spelling == text) return one.format;
    return std::nullopt;
}

}  // namespace tessera
