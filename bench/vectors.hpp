// SPDX-License-Identifier: Apache-2.0
// Selects the vector instructions that the library uses.
#pragma once

#include <string>
#include <string_view>

namespace tessera::bench {

/// Limits the library to `name` from now on. False if the library or this computer has no such set.
bool use_at_most(std::string_view name);

/// The set in use: "AVX3" (which is AVX-512), "AVX2", …
std::string vectors_in_use();

/// True for vectors of 512 bits.
bool vectors_are_wide();

}  // namespace tessera::bench
