// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tessera::bench {

void register_units();
void register_engine();
void register_layout();
void register_riscv();
void register_trace();

}  // namespace tessera::bench
