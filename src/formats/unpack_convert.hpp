// SPDX-License-Identifier: Apache-2.0
// What unpackers do to datums on the way from L1 to a source register: one loop per pair of formats.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tessera/data_format.hpp"

namespace tessera::formats {

using UnpackToSrc = void (*)(const std::uint8_t* in, std::uint32_t* out, std::size_t n);

/// The loop from `in` (as in L1) to `out` (as in a source register), or null when there is none. FP32 and TF32 as
/// output are both TF32.
UnpackToSrc unpack_to_src(DataFormat in, DataFormat out);

/// Bytes of a datum in L1, for formats of whole bytes; 0 for the others.
unsigned datum_bytes(DataFormat format);

}  // namespace tessera::formats
