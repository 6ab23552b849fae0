// SPDX-License-Identifier: Apache-2.0
// Where the output streams of a packer stand when a PACR is issued, and where afterwards (Packers, Output address generator).
#pragma once

#include "units/look.hpp"
#include "units/packer/setup.hpp"

namespace tessera::plan {
struct Plan;
}

namespace tessera::units::packer {

/// Latches the addresses of streams that the PACR before has ended, and moves them on. `start`, in units of 16 bytes, is
/// where they would begin. False: the plan has failed.
bool continue_streams(const Look& look, plan::Plan& plan, const PackerSetup& packer, std::uint32_t start,
                      plan::PackWork::Stream& stream);

}  // namespace tessera::units::packer
