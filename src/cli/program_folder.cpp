// SPDX-License-Identifier: Apache-2.0
#include "program_folder.hpp"

#include <system_error>

namespace tessera::cli {

std::filesystem::path program_folder() {
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? std::filesystem::path() : program.parent_path();
}

}  // namespace tessera::cli
