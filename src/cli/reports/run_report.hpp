// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tessera/run.hpp"

namespace tessera::cli {

/// A run as text: cycles, findings, end.
std::string describe_run(const Run& run);

/// Only findings and fault; empty if there are none.
std::string describe_diagnoses(const Run& run);

/// A finding's level, coloured: "warning (3 times)".
std::string level_text(Level level, std::uint64_t count);
/// The line with the number of instructions of each thread.
std::string instructions_text(const std::array<std::uint64_t, 3>& of_threads);

}  // namespace tessera::cli
