// SPDX-License-Identifier: Apache-2.0
// The description of a chip that tt-umd reads beside a simulator's library: soc_descriptor.yaml.
#pragma once

#include <string>

#include "tessera/arch.hpp"

namespace tessera::host {

/// The whole file.
std::string soc_descriptor(Arch arch);

}  // namespace tessera::host
