// SPDX-License-Identifier: Apache-2.0
// The packers' stages other than the two conversions: datums from L1 instead of Dst, exponents for histogram and
// threshold, and the adder in front of L1.
#pragma once

#include "formats/pack_convert.hpp"

namespace tessera::formats {

using PackFromL1 = void (*)(const std::uint8_t* in, std::uint32_t* out, std::size_t n);

struct FromL1 {
    PackType type;
    PackFromL1 convert;
    std::uint8_t bytes;  ///< of a datum in L1
};

/// Packer 0 with L1 as its source (Packers, Format conversion, second table; spec-notes E33). `format` is
/// In_data_format; `intermediate` matters if both are integers. None if the table says No.
std::optional<FromL1> pack_from_l1(DataFormat format, DataFormat intermediate);

using PackExponents = void (*)(const std::uint32_t* in, std::uint32_t* out, std::size_t n);

/// Exponents for the histogram; null for 8-bit integers (Packers, Exponent histogram).
PackExponents pack_exponents(PackType type);

/// Datums with a smaller exponent become +0; null for integers (Packers, Exponent thresholding).
PackRelu pack_exponent_threshold(PackType type);

using PackAccumulate = void (*)(const std::uint8_t* line, std::uint8_t* l1);

/// Adds 16 bytes of datums to those in L1 (numerics 9; spec-notes E31); null for formats without a documented
/// addition.
PackAccumulate pack_accumulate(DataFormat format);

}  // namespace tessera::formats
