// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tessera/run.hpp"

namespace tessera::util {

/// Whether a run was cut off from outside: nothing about its end may be compared.
inline bool interrupted(const Run& run) { return run.fault && run.fault->code == "interrupted"; }

}  // namespace tessera::util
