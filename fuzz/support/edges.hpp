// SPDX-License-Identifier: Apache-2.0
// The edges of the program that an input reaches, in builds with -fsanitize-coverage=trace-pc (preset fuzz-gcc).
// edges.cpp is compiled without.
#pragma once

#include <cstddef>

namespace tessera::fuzz {

/// The number of edges reached so far; 0: this build does not count.
std::size_t edges();
/// Whether more were reached since the last call.
bool reached_more_edges();

}  // namespace tessera::fuzz
