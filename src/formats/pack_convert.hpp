// SPDX-License-Identifier: Apache-2.0
// What packers do to datums on the way from Dst to L1: early conversion to an intermediate format, late conversion to
// the output format (Packers, Format conversion; numerics 9), as one loop per combination.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tessera/data_format.hpp"

namespace tessera::formats {

/// Datums come as Dst has them: 16 bits, or high half and low half. `out` gets whole datums of the output format.
using PackFromDst = void (*)(const std::uint32_t* in, std::uint8_t* out, std::size_t n);

/// How Dst is read and converted early.
struct EarlyConversion {
    bool read_32b = false;  ///< PCK_DEST_RD_CTRL_Read_32b_data
    bool raw = false;       ///< PCK_DEST_RD_CTRL_Read_int8: identity instead of rounding and flushing
    DataFormat intermediate = DataFormat::Float32;
};

/// The loop for a combination, or null when there is none yet.
PackFromDst pack_from_dst(const EarlyConversion& early, DataFormat out);

}  // namespace tessera::formats
