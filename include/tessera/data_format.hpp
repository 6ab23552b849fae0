// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

/// What a datum's bits mean, encoded as in the hardware's 4-bit format fields (seed pack-unpack-registers, "DataFormat
/// Enum"). A-formats have a 5-bit exponent, B-formats (suffix `_b`) an 8-bit one. 12 and 13 are not formats.
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
};

/// The enumerator's spelling, or "12" / "13" for the two codes that name no format.
std::string_view name(DataFormat format);

/// The inverse of name(): exact spelling only.
std::optional<DataFormat> parse_data_format(std::string_view text);

}  // namespace tessera
