// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tessera::util {

/// 2^64 over the golden ratio, odd: what hashes and digests multiply by, so that numbers that are near each other come to lie far
/// apart (Knuth, The Art of Computer Programming 3, 6.4).
inline constexpr std::uint64_t golden_ratio = 0x9E37'79B9'7F4A'7C15;

}  // namespace tessera::util
