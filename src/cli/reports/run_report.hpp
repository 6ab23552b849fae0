// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tessera/run.hpp"

namespace tessera::cli {

/// A run for people: where the cycles went, what was found, and how it ended.
std::string describe_run(const Run& run);

/// The findings and the fault alone; an empty text when there are none.
std::string describe_diagnoses(const Run& run);

}  // namespace tessera::cli
