// SPDX-License-Identifier: Apache-2.0
// In place of the header of the vendor's compiler: the only name of it that these kernels meet.
#pragma once
#include "lltt.h"

namespace sfpi {
constexpr unsigned SFPLOADI_MOD0_FLOATB = 0;
}
