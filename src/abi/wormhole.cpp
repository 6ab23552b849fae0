// SPDX-License-Identifier: Apache-2.0
#include "abi/chip.hpp"

const tessera::Arch tessera::abi::arch_of_library = tessera::Arch::wormhole;
