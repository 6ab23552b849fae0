// SPDX-License-Identifier: Apache-2.0
#include "units/matrix/loops/float_constants.hpp"

namespace tessera::units::matrix {

constinit const FloatConstants float_constants;

}  // namespace tessera::units::matrix
