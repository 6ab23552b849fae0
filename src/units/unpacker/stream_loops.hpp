// SPDX-License-Identifier: Apache-2.0
// Facts about UNPACR's work that its resolve needs.
#pragma once

#include "plan/work.hpp"

namespace tessera::plan {

/// The loop for a work that is otherwise complete.
UnpackStreamWork::Loop stream_loop(const UnpackStreamWork& work);

/// Zeros after datum `i` of a piece. Run lengths begin at `at`: four bits each, the lowest first.
inline unsigned run_length(const std::uint8_t* l1, std::int64_t at, std::uint32_t i) {
    const std::int64_t nibble = at / UnpackStream::per_run_length + i;
    return l1[nibble / 2] >> nibble % 2 * 4 & 15;
}

}  // namespace tessera::plan
