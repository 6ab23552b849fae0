// SPDX-License-Identifier: Apache-2.0
#include "formats/lane_constants.hpp"

namespace tessera::formats {

constinit const LaneConstants lane_constants;

}  // namespace tessera::formats
