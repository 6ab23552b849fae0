// SPDX-License-Identifier: Apache-2.0
// The kinds of time, for messages and help texts.
#pragma once

namespace tessera::program {

inline constexpr const char* timing_choices = "silicon, silicon-slow, documented, instant or functional";

}  // namespace tessera::program
