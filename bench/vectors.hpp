// SPDX-License-Identifier: Apache-2.0
// Which vector instructions the library uses.
#pragma once

#include <string>
#include <string_view>

namespace tessera::bench {

/// From now on no better set than `name` is used; false if the library or this computer has no such set.
bool use_at_most(std::string_view name);

/// The set that is used: "AVX3" (which is AVX-512), "AVX2", …
std::string vectors_in_use();

/// It has vectors of 512 bits.
bool vectors_are_wide();

}  // namespace tessera::bench
