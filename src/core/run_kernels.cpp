// SPDX-License-Identifier: Apache-2.0
#include "tessera/core.hpp"

namespace tessera {

Result<Run> Core::run(const Kernels&, const RunOptions&) {
    return fail("run.kernels", "RISC-V cores are not executed yet");
}

}  // namespace tessera
