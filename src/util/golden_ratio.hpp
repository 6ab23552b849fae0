// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tessera::util {

/// 2^64 divided by the golden ratio, odd: the multiplier of hashes and digests. It spreads neighbouring numbers (Knuth,
/// The Art of Computer Programming 3, 6.4).
inline constexpr std::uint64_t golden_ratio = 0x9E37'79B9'7F4A'7C15;

}  // namespace tessera::util
