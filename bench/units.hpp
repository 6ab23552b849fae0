// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tessera::bench {

void register_units();
void register_engine();

}  // namespace tessera::bench
