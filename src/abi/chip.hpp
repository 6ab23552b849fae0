// SPDX-License-Identifier: Apache-2.0
// The chip that a library is.
#pragma once

#include "tessera/arch.hpp"

namespace tessera::abi {

extern const Arch arch_of_library;

}  // namespace tessera::abi
