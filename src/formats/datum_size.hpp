// SPDX-License-Identifier: Apache-2.0
// The size of datums in L1, and which formats share exponents.
#pragma once

#include "tessera/data_format.hpp"

namespace tessera::formats {

/// Datums that share one exponent byte in a block format.
inline constexpr unsigned block_datums = 16;

/// Bits of a datum in L1, without its share of an exponent; 0 for a code without a hardware format.
constexpr unsigned datum_bits(DataFormat format) {
    switch (format) {
        case DataFormat::Float32:
        case DataFormat::Tf32:
        case DataFormat::Int32: return 32;
        case DataFormat::Float16:
        case DataFormat::Float16_b:
        case DataFormat::UInt16: return 16;
        case DataFormat::Lf8:
        case DataFormat::Int8:
        case DataFormat::Bfp8:
        case DataFormat::Bfp8_b: return 8;
        case DataFormat::Bfp4:
        case DataFormat::Bfp4_b: return 4;
        case DataFormat::Bfp2:
        case DataFormat::Bfp2_b: return 2;
        default: return 0;
    }
}

/// Sign and magnitude of each datum, one exponent per 16 datums.
constexpr bool is_block_format(DataFormat format) {
    switch (format) {
        case DataFormat::Bfp8:
        case DataFormat::Bfp8_b:
        case DataFormat::Bfp4:
        case DataFormat::Bfp4_b:
        case DataFormat::Bfp2:
        case DataFormat::Bfp2_b: return true;
        default: return false;
    }
}

}  // namespace tessera::formats
