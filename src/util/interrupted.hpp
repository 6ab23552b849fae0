// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tessera/run.hpp"

namespace tessera::util {

/// True if the run was cut off from outside; its end must not be compared.
inline bool interrupted(const Run& run) { return run.fault && run.fault->code == "interrupted"; }

}  // namespace tessera::util
