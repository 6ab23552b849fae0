// SPDX-License-Identifier: Apache-2.0
// The operations of atomic requests (NoC/Atomics).
#pragma once

#include <cstdint>

#include "reference/noc/checked.hpp"
#include "reference/noc/request/parallel_addition.hpp"
#include "tessera/arch.hpp"

namespace tessera::reference::noc {

/// The operation on a line.
Checked<> perform_atomic(Arch arch, Line& line, std::uint32_t AT_LEN_BE, std::uint32_t AT_DATA);

}  // namespace tessera::reference::noc
