// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

/// What a datum's bits mean, encoded as in the hardware's 4-bit format fields (seed pack-unpack-registers, "DataFormat
/// Enum"). A-formats have a 5-bit exponent, B-formats (suffix `_b`) an 8-bit one. 12 and 13 are not formats. Codes above
/// 15 are names of host software for what hardware tells apart by a mode bit elsewhere (spec-notes A44).
enum class DataFormat : std::uint8_t {
    Float32 = 0,
    Float16 = 1,
    Bfp8 = 2,
    Bfp4 = 3,
    Tf32 = 4,
    Float16_b = 5,
    Bfp8_b = 6,
    Bfp4_b = 7,
    Int32 = 8,
    UInt16 = 9,
    Lf8 = 10,
    Bfp2 = 11,
    Int8 = 14,
    Bfp2_b = 15,
    UInt32 = 24,    ///< Int32 in hardware
    Fp8_e4m3 = 26,  ///< Lf8 with Unp_LF8_4b_exp or Pac_LF8_4b_exp
    UInt8 = 30,     ///< Int8 with the Unsigned bit of a source register, or Read_unsigned of the packers
};

/// Every format, in the order of their codes.
inline constexpr DataFormat all_data_formats[] = {
    DataFormat::Float32,   DataFormat::Float16, DataFormat::Bfp8,   DataFormat::Bfp4,   DataFormat::Tf32,
    DataFormat::Float16_b, DataFormat::Bfp8_b,  DataFormat::Bfp4_b, DataFormat::Int32,  DataFormat::UInt16,
    DataFormat::Lf8,       DataFormat::Bfp2,    DataFormat::Int8,   DataFormat::Bfp2_b, DataFormat::UInt32,
    DataFormat::Fp8_e4m3,  DataFormat::UInt8};

/// What hardware's format fields hold: the code without host software's distinctions.
constexpr DataFormat hardware_format(DataFormat format) {
    return static_cast<DataFormat>(static_cast<unsigned>(format) & 15);
}

/// The enumerator's spelling; "12" and "13" for the two codes of hardware that name no format, "no format" for others.
std::string_view name(DataFormat format);

/// The inverse of name(): exact spelling only.
std::optional<DataFormat> parse_data_format(std::string_view text);

}  // namespace tessera
