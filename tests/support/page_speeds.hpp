// SPDX-License-Identifier: Apache-2.0
// Speeds of UNPACR_Regular, Performance, typed in from the page, with spec-notes F1 and F3 for Blackhole.
#pragma once

#include <algorithm>

namespace tessera::test {

/// Speeds are numbered as Throttle_mode is: x1, x2, x4 and, on Blackhole, x8.
inline constexpr unsigned bytes_at[] = {16, 32, 64, 128};

struct SharedSpeeds {
    unsigned unpacker0, unpacker1;
};
/// By what unpacker 1 wants, then by what unpacker 0 wants, as the page prints it.
inline constexpr SharedSpeeds page_of_both_unpackers[3][3] = {
    {{0, 0}, {1, 0}, {2, 0}},
    {{0, 1}, {0, 0}, {1, 0}},
    {{0, 2}, {0, 1}, {1, 1}},
};

/// Bytes per cycle of unpacker `which`, which reads `alone` bytes per cycle while it is alone, while both read. x8 is in
/// the table as x4; a step down halves what the unpacker reads alone.
constexpr unsigned shared_rate(unsigned which, unsigned wants0, unsigned wants1, unsigned alone) {
    const SharedSpeeds& got = page_of_both_unpackers[std::min(wants1, 2u)][std::min(wants0, 2u)];
    const unsigned wants = which ? wants1 : wants0, gets = which ? got.unpacker1 : got.unpacker0;
    return alone >> (std::min(wants, 2u) - gets);
}

}  // namespace tessera::test
