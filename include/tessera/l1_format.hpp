// SPDX-License-Identifier: Apache-2.0
/// @file
/// The formats of L1's contents.
#pragma once

#include <cstdint>

#include "tessera/data_format.hpp"

namespace tessera {

/// Bytes of L1 with datums of one format.
struct L1Format {
    std::uint32_t first = 0;  ///< address of the first byte
    std::uint32_t last = 0;   ///< address of the last byte
    DataFormat format{};      ///< of the datums
    bool compressed = false;  ///< zeros are left out, and row starts stand in front
    /// Whether bytes, format and compression are equal.
    friend bool operator==(const L1Format&, const L1Format&) = default;
};

/// Whether the hardware reads datums of both formats alike: they have one code in its format fields, or are FP32 and TF32.
constexpr bool are_read_alike(DataFormat a, DataFormat b) {
    const auto as_read = [](DataFormat format) {
        const DataFormat code = hardware_format(format);
        return code == DataFormat::Tf32 ? DataFormat::Float32 : code;
    };
    return as_read(a) == as_read(b);
}

}  // namespace tessera
