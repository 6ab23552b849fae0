// SPDX-License-Identifier: Apache-2.0
/// @file
/// The formats of datums.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

/// The meaning of a datum's bits, with the codes of the hardware's 4-bit format fields.
///
/// Formats with suffix `_b` have an 8-bit exponent, other floats a 5-bit exponent. Bfp formats share one exponent among 16 datums.
/// Codes 12 and 13 are not formats. Codes above 15 are names of host software; hardware distinguishes them by a mode bit elsewhere.
/// Sources: seed pack-unpack-registers, "DataFormat Enum"; spec-notes A44.
enum class DataFormat : std::uint8_t {
    Float32 = 0,    ///< IEEE 754 single precision
    Float16 = 1,    ///< 5 bits of exponent, 10 of mantissa, without infinity and NaN
    Bfp8 = 2,       ///< block float: sign and 7 bits each, a 5-bit exponent per 16
    Bfp4 = 3,       ///< block float: sign and 3 bits each, a 5-bit exponent per 16
    Tf32 = 4,       ///< 8 bits of exponent, 10 of mantissa, in 32 bits
    Float16_b = 5,  ///< BF16: 8 bits of exponent, 7 of mantissa
    Bfp8_b = 6,     ///< block float: sign and 7 bits each, an 8-bit exponent per 16
    Bfp4_b = 7,     ///< block float: sign and 3 bits each, an 8-bit exponent per 16
    Int32 = 8,      ///< 32-bit integer; sign and magnitude in hardware, two's complement in to_bytes()
    UInt16 = 9,     ///< unsigned 16-bit integer
    Lf8 = 10,       ///< 5 bits of exponent, 2 of mantissa (E5M2)
    Bfp2 = 11,      ///< block float: sign and 1 bit each, a 5-bit exponent per 16
    Int8 = 14,      ///< 8-bit integer as sign and magnitude, -127 to 127
    Bfp2_b = 15,    ///< block float: sign and 1 bit each, an 8-bit exponent per 16
    UInt32 = 24,    ///< unsigned 32-bit integer; Int32 in hardware
    Fp8_e4m3 = 26,  ///< 4 bits of exponent, 3 of mantissa; Lf8 with Unp_LF8_4b_exp or Pac_LF8_4b_exp
    UInt8 = 30,     ///< unsigned 8-bit integer; Int8 with a source register's Unsigned bit or the packers' Read_unsigned
};

/// Every format, in the order of the codes.
inline constexpr DataFormat all_data_formats[] = {
    DataFormat::Float32,   DataFormat::Float16, DataFormat::Bfp8,   DataFormat::Bfp4,   DataFormat::Tf32,
    DataFormat::Float16_b, DataFormat::Bfp8_b,  DataFormat::Bfp4_b, DataFormat::Int32,  DataFormat::UInt16,
    DataFormat::Lf8,       DataFormat::Bfp2,    DataFormat::Int8,   DataFormat::Bfp2_b, DataFormat::UInt32,
    DataFormat::Fp8_e4m3,  DataFormat::UInt8};

/// The code in hardware's format fields, without the distinctions of host software.
constexpr DataFormat hardware_format(DataFormat format) {
    return static_cast<DataFormat>(static_cast<unsigned>(format) & 15);
}

/// The spelling of the enumerator. The codes 12 and 13 give "12" and "13", all other codes "no format".
std::string_view name(DataFormat format);

/// The inverse of name(), for the exact spelling only; see read_data_format() for user input.
std::optional<DataFormat> parse_data_format(std::string_view text);

}  // namespace tessera
