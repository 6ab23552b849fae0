// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace tessera::cli {

/// The folder of the running program, from which files that belong to it are found. Empty if the system does not say.
std::filesystem::path program_folder();

}  // namespace tessera::cli
