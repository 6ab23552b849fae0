// SPDX-License-Identifier: Apache-2.0
// The layout of L1. Code lies at the cores' start addresses after reset (ld/*.ld).
#pragma once

#include "word.hpp"

namespace kernel {

enum class Core : std::uint32_t { b, t0, t1, t2, nc };
inline constexpr unsigned cores = 5;

namespace layout {
inline constexpr std::uint32_t status = 0x16000;            // a word per core; job files know the first
inline constexpr std::uint32_t circular_buffers = 0x16100;  // where each is, as B says
inline constexpr std::uint32_t pages = 0x17000;             // 16 KiB for each circular buffer, unless a job says otherwise
inline constexpr std::uint32_t pages_bytes = 0x4000;        // 0x17000 to 0x22FFF
}  // namespace layout

/// Values of a core's status.
enum Status : std::uint32_t { not_done = 0, done = 1 };

}  // namespace kernel
