// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tessera/run.hpp"

namespace tessera::cli {

/// A run as text: cycles, findings, end.
std::string describe_run(const Run& run);

/// Only findings and fault; empty if there are none.
std::string describe_diagnoses(const Run& run);

}  // namespace tessera::cli
