// SPDX-License-Identifier: Apache-2.0
// Numbers of RISC-V registers, by the names of the calling convention.
#pragma once

namespace tessera::bench {

inline constexpr unsigned zero = 0, t0 = 5, t1 = 6, t2 = 7, s0 = 8, a0 = 10, a1 = 11, a2 = 12, a7 = 17;

}  // namespace tessera::bench
