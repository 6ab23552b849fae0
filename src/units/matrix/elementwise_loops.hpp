// SPDX-License-Identifier: Apache-2.0
// The loops of ELWADD and ELWSUB.
#pragma once

#include "plan/work.hpp"

namespace tessera::units::matrix {

/// `wide`: Dst in its 32-bit view. `wide_exponent`: class E8, else E5.
plan::ElementwiseWork::Loop elementwise_loop(bool wide, bool wide_exponent);

}  // namespace tessera::units::matrix
